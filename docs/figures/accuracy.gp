# Error against number of features on one data set, a panel per kernel. Drawn by tools/make-accuracy-page, which gives `data` (blocks of
# kernels × methods), `picture`, `name` and `kernels`.
set terminal svg size 1200,470 font "DejaVu Sans,14" background "#ffffff"
set output picture
set encoding utf8

set border lw 1 lc rgb "#666666"
set tics out nomirror scale 0.5 textcolor rgb "#333333"
set grid xtics ytics lw 1 lc rgb "#cccccc"
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "features" offset 0,0.3

# The same axes in all panels, as wide as the data.
stats data using 1:2 nooutput
set xrange [STATS_min_x / 1.3 : STATS_max_x * 1.3]
set yrange [10**floor(log10(STATS_min_y)) : 10**ceil(log10(STATS_max_y))]
step = log10(STATS_max_y / STATS_min_y) > 7 ? 100 : 10
set ytics step

array colours[4] = ["#b2182b", "#2166ac", "#1b7837", "#555555"]
array points[3] = [7, 5, 9]
array titles[4] = ["paper's estimator", "Fourier, calibrated (auto)", "Nyström", "best possible (SVD)"]

set multiplot
set tmargin screen 0.830
set bmargin screen 0.140
unset key

# One legend for all panels, above them.
array starts[4] = [0.130, 0.330, 0.590, 0.740]
do for [m = 1:4] {
  x = starts[m]
  style = m == 4 ? 2 : 1
  set arrow from screen x,0.955 to screen (x + 0.035),0.955 nohead lw 2 dt style lc rgb colours[m]
  if (m < 4) { set label "" at screen (x + 0.0175),0.955 point pt points[m] ps 0.6 lc rgb colours[m] }
  set label titles[m] at screen (x + 0.042),0.955 left
}

n = words(kernels)
do for [panel = 1:n] {
  set lmargin screen 0.085 + (panel - 1) * 0.910 / n
  set rmargin screen 0.085 + panel * 0.910 / n - 0.015
  set title sprintf("%s, %s-gaussian", name, word(kernels, panel)) offset 0,-0.5
  if (panel == 1) { set ylabel "relative error" offset 1.2,0 } else { unset ylabel; set format y "" }
  first = (panel - 1) * 4
  plot for [m = 1:3] data index first + m - 1 using 1:2 with linespoints lw 2 pt points[m] ps 0.6 lc rgb colours[m], \
       data index first + 3 using 1:2 with lines lw 2 dt 2 lc rgb colours[4]
  unset arrow
  unset label
}
unset multiplot
