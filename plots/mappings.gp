# What of each mapping is huge: a bar of what is resident, the huge part dark.
#
# The data: row, resident, huge. name[] and name_row[] are the mappings, arm[]
# and arm_row[] the headings, share[] what stands on the right; n_row rows.

set lmargin at screen x_px(label_px + 24)
set rmargin at screen x_px(width - 200)
set tmargin at screen y_px(head_px)
set bmargin at screen y_px(height - foot_px - 58)
set yrange [n_row + 0.5:0.5]
set xrange [0:*]
unset ytics
do for [i = 1:n_name] {
	set label 5000 + i name[i] at graph 0, first name_row[i] right \
		offset -1,0
	set label 1000 + i share[i] at graph 1, first name_row[i] \
		left offset 1,0 textcolor rgb grey font small
}
do for [i = 1:n_arm] {
	set label 2000 + i arm[i] at screen x_px(14), first arm_row[i] left
}
set xlabel axis_text

# The key: two boxes in the head.
set object 1 rectangle from screen x_px(14), screen y_px(63) \
	to screen x_px(34), screen y_px(53) \
	fillcolor rgb '#0072b2' fillstyle solid noborder
set label 3 'huge' at screen x_px(40), screen y_px(58) left
set object 2 rectangle from screen x_px(94), screen y_px(63) \
	to screen x_px(114), screen y_px(53) \
	fillcolor rgb '#c9d8e4' fillstyle solid noborder
set label 4 'resident, not huge' at screen x_px(120), screen y_px(58) left

plot data using (0):1:(0):2:($1 - 0.35):($1 + 0.35) \
		with boxxyerror lc rgb '#c9d8e4' title 'resident', \
	'' using (0):1:(0):3:($1 - 0.35):($1 + 0.35) \
		with boxxyerror lc rgb '#0072b2' title 'huge'
