# The look of all plots: thpbench puts its settings in front of this file and
# the plot's own script behind it.
#
# Set by thpbench: out, form (svg or png), data (file), width and body_px (its
# height without title, legend and notes), title,
# subtitle, plot_name, caption[] and n_caption (lines below the plot), legend[],
# legend_style[], n_legend and legend_px (arms, room for a label); label_px where
# labels stand on the left, key_rows for a key of the plot's own.
#
# Colours are those of Okabe and Ito, told apart by the colour-blind too; in
# print the point types tell arms apart.

legend_columns = n_legend > 0 ? int((width - 28) / (legend_px + 50)) : 1
legend_columns = legend_columns < 1 ? 1 : \
	legend_columns > n_legend && n_legend > 0 ? n_legend : legend_columns
legend_rows = (n_legend + legend_columns - 1) / legend_columns + key_rows
head_px = 52 + 18 * legend_rows + 22
foot_px = 20 + 15 * n_caption
height = head_px + body_px + foot_px

set datafile separator "\t"
set datafile missing '-'
if (form eq 'png') {
	large = ',14'
	small = ',9'
	set terminal pngcairo size width,height font 'sans,10' noenhanced \
		background '#ffffff'
} else {
	large = ',17'
	small = ',11'
	set terminal svg size width,height dynamic font 'sans-serif,12' \
		noenhanced background '#ffffff' name plot_name
}
set output out

# The style of arm a, from 1: its colour, and its mark.
colour(a) = word('#000000 #d55e00 #0072b2 #009e73 #cc79a7 #e69f00 #56b4e9 #666666', \
	(int(a) - 1) % 8 + 1)
mark(a) = word('7 9 5 13 11 15 6 4', (int(a) - 1) % 8 + 1) + 0
do for [a = 1:32] {
	set linetype a lw 1.6 lc rgb colour(a) pt mark(a)
}
grey = '#555555'
pale = '#c4c4c4'

set border 3 lc rgb grey
set tics out nomirror textcolor rgb 'black'
set grid x y lc rgb pale lw 0.7 dt solid
set style fill solid 1.0 noborder
unset key

# Places on the page, in px from its left and upper edge.
x_px(px) = px * 1.0 / width
y_px(px) = 1.0 - px * 1.0 / height

# Panel i of n, one below the other.
gap_px = 56
panel_px(n) = (height - head_px - foot_px - n * gap_px) * 1.0 / n
panel_top(i, n) = y_px(head_px + (i - 1) * (panel_px(n) + gap_px))
panel_bottom(i, n) = panel_top(i, n) - panel_px(n) / height

set label 1 title at screen x_px(14), screen y_px(18) left font large
set label 2 subtitle at screen x_px(14), screen y_px(38) left \
	textcolor rgb grey
do for [i = 1:n_caption] {
	set label 10 + i caption[i] at screen x_px(14), \
		screen y_px(height - foot_px + 4 + 15 * i) left \
		textcolor rgb grey font small
}
do for [i = 1:n_legend] {
	legend_x = 14 + ((i - 1) % legend_columns) * \
		(width - 28) / legend_columns
	legend_y = 58 + 18 * ((i - 1) / legend_columns)
	set arrow 100 + i from screen x_px(legend_x), screen y_px(legend_y) \
		to screen x_px(legend_x + 26), screen y_px(legend_y) nohead \
		lt legend_style[i]
	set label 100 + i legend[i] at screen x_px(legend_x + 34), \
		screen y_px(legend_y) left
	set label 200 + i ' ' at screen x_px(legend_x + 13), \
		screen y_px(legend_y) point lt legend_style[i] ps 0.8
}
