# Every run as a dot, arm by arm; the mean and its interval as a bar above.
#
# Panel p: set 2p - 2 has the row, value and style of each run, set 2p - 1 row,
# mean, low, high and style of each arm. axis[p] is the quantity with its unit, from
# least[p] to most[p],
# arm[] are the labels, row 1 the topmost; count[] is what stands on the right,
# panel after panel.

set lmargin at screen x_px(label_px + 24)
set rmargin at screen x_px(width - 84)
set yrange [n_arm + 0.6:0.4]
unset ytics

set multiplot
do for [p = 1:n_axis] {
	set tmargin at screen panel_top(p, n_axis)
	set bmargin at screen panel_bottom(p, n_axis)
	set xrange [least[p]:most[p]]
	set xlabel axis[p] offset 0,0.3
	do for [a = 1:n_arm] {
		set label 300 + a count[(p - 1) * n_arm + a] \
			at graph 1, first a left offset 1,0 \
			textcolor rgb grey
		set label 500 + a arm[a] at graph 0, first a right \
			offset -1,0
	}
	plot data index 2 * p - 1 using 2:($1 - 0.14):3:4:5 \
			with xerrorbars lc variable pt 0 lw 2.4 \
			title 'interval', \
		'' index 2 * p - 1 using 2:($1 - 0.14):5 \
			with points pt 2 ps 1.1 lw 2.4 lc variable \
			title 'mean', \
		'' index 2 * p - 2 using 2:($1 + 0.18):(mark($3)):3 \
			with points pt variable ps 0.7 lc variable \
			title 'run'
	unset label
	unset arrow
}
unset multiplot
