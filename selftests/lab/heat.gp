# SPDX-License-Identifier: GPL-2.0
# Heat map of what judge --heat wrote.
# usage: gnuplot -e "in='FILE'; out='FILE.svg'" heat.gp
stats in using 1 nooutput
rows = int(STATS_max)
set terminal svg size 1000, 140 + 17 * rows font 'sans,11' background 'white'
set output out
set palette defined (0 '#f7fcf5', 0.01 '#c7e9c0', 0.05 '#fee391', 0.2 '#fe9929', 0.5 '#cc4c02')
set cbrange [0:0.5]
set xrange [0.5:5.5]
set yrange [-rows - 0.5:-0.5]
set xlabel 'callers'
set style fill solid border lc rgb '#888888'
set xtics scale 0
set ytics scale 0 font ',9'
unset key
set multiplot layout 1,2 title 'Regret of mode adaptive; modelled card, emulated CPU (lab)'
set lmargin at screen 0.27
set rmargin at screen 0.56
unset colorbox
set title 'preference balanced'
plot in using 2:(-$1):($2-0.5):($2+0.5):(-$1-0.5):(-$1+0.5):4:xtic(3):ytic(6) \
	with boxxyerror fc palette
set lmargin at screen 0.6
set rmargin at screen 0.89
set colorbox
set format y ''
set title 'preference throughput'
plot in using 2:(-$1):($2-0.5):($2+0.5):(-$1-0.5):(-$1+0.5):5:xtic(3) \
	with boxxyerror fc palette
unset multiplot
