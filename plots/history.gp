# Series of a history, panel below panel: every point, the mean of each segment
# as a bar, changes as upright lines.
#
# Panel p: set 2p - 2 has the place of each point from 1, its value and whether
# it is an outlier, set 2p - 1 the ends and the mean of each segment. axis[p] is
# the quantity with its unit, name[p] the series, from least[p] to most[p], with
# count[p] places. Change i is in panel change_panel[i] at change_at[i], between
# two places. Tic i is in panel tic_panel[i] at tic_at[i]: tic[i] is the kernel.

set lmargin at screen x_px(84)
set rmargin at screen x_px(width - 18)
gap_px = 110

set multiplot
do for [p = 1:n_axis] {
	set tmargin at screen panel_top(p, n_axis)
	set bmargin at screen panel_bottom(p, n_axis)
	set xrange [0.5:count[p] + 0.5]
	set yrange [least[p]:most[p]]
	set ylabel axis[p] offset 0.5,0
	set xtics () rotate by 30 right font small
	do for [i = 1:n_tic] {
		if (tic_panel[i] == p) {
			set xtics add (tic[i] tic_at[i])
		}
	}
	do for [i = 1:n_change_at] {
		if (change_panel[i] == p) {
			set arrow 500 + i from change_at[i], graph 0 \
				to change_at[i], graph 1 nohead \
				lc rgb '#d55e00' dt 2 lw 1.4
		}
	}
	set label 900 name[p] at graph 0, graph 1 left offset 0,0.6
	plot data index 2 * p - 1 using 1:3:($2 - $1):(0) with vectors \
			nohead lt 3 lw 3 title 'segment', \
		'' index 2 * p - 2 using 1:2:($3 + 1) with points \
			pt 7 ps 0.7 lc variable title 'point'
	# What is on the page once.
	unset label
	unset arrow
}
unset multiplot
