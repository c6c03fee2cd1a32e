# Changes of all metrics against the baseline, with their intervals.
#
# The data: row, change, low and high in %, style of the arm; without an
# interval low and high are the change. name[] and name_row[] are the metrics and the
# rows that they stand at, change[] and change_row[] the changes as text;
# n_row rows in all.

set lmargin at screen x_px(label_px + 24)
set rmargin at screen x_px(width - 250)
set tmargin at screen y_px(head_px)
set bmargin at screen y_px(height - foot_px - 58)
set yrange [n_row + 0.5:0.5]
unset ytics
do for [i = 1:n_name] {
	set label 5000 + i name[i] at graph 0, first name_row[i] right \
		offset -1,0
}
do for [i = 1:n_change] {
	set label 1000 + i change[i] at graph 1, first change_row[i] \
		left offset 1,0 textcolor rgb grey font small
}
do for [i = 1:n_stripe_from] {
	set object i rectangle from graph 0, first stripe_from[i] \
		to graph 1, first stripe_to[i] behind \
		fillcolor rgb '#f4f4f4' fillstyle solid noborder
}

# Linear near 0, as a logarithm beyond: TPS moves by 1 %, huge pages by 1000 %.
set nonlinear x via asinh(x) inverse sinh(x)
set xtics ('-100' -100, '-30' -30, '-10' -10, '-3' -3, '-1' -1, '0' 0, \
	'1' 1, '3' 3, '10' 10, '30' 30, '100' 100, '1000' 1000, \
	'1e4' 1e4, '1e5' 1e5, '1e6' 1e6)
set xrange [least:most]
set xlabel axis_text
set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb 'black' lw 1.2 front

plot data index 0 using 2:1:3:4:5 with xerrorbars lc variable pt 0 lw 1.8 \
		title 'interval', \
	'' index 0 using 2:1:(mark($5)):5 \
		with points pt variable ps 0.8 lc variable title 'change'
