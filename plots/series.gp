# Lines over the seconds of a run, panel below panel, on one clock.
#
# Set k of the data: seconds and the value of line k. line_style[k] is its arm,
# line_dash[k] 1 or the dash of a target, line_step[k] how many rows lie
# between two marks. Panel p has the lines first_line[p] to last_line[p],
# axis[p] is its quantity with the unit,
# top[p] the end of its axis. Shaded: phase_from[] to phase_to[] in
# seconds, phase[] their names, phase_grey[] their colours; end_s is the end.

set xrange [0:end_s]
set lmargin at screen x_px(84)
set rmargin at screen x_px(width - 18)
plot_px = width - 84 - 18

set multiplot
do for [p = 1:n_axis] {
	set tmargin at screen panel_top(p, n_axis)
	set bmargin at screen panel_bottom(p, n_axis)
	set yrange [0:top[p]]
	set ylabel axis[p] offset 0.5,0
	set xlabel p == n_axis ? 'seconds since the start of the run, s' : ''
	do for [i = 1:n_phase] {
		set object i rectangle from phase_from[i], graph 0 \
			to phase_to[i], graph 1 behind \
			fillcolor rgb phase_grey[i] fillstyle solid noborder
		band_px = (phase_to[i] - phase_from[i]) * plot_px / end_s
		band_name = band_px > 7 * strlen(phase[i]) ? phase[i] : ''
		set label 300 + i band_name \
			at (phase_from[i] + phase_to[i]) / 2, graph 1 \
			center offset 0,0.5 textcolor rgb grey font small
	}
	plot for [k = first_line[p]:last_line[p]] data index k - 1 \
		using 1:2 with linespoints lt line_style[k] \
		dt line_dash[k] pi line_step[k] ps 0.7 title axis[p]
	# What is on the page once.
	unset label
	unset arrow
}
unset multiplot
