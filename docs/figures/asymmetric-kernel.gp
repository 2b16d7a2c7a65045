# The picture of the README. Use tools/make-figures, or: gnuplot -e "data='FILE'; picture='FILE.png'" docs/figures/asymmetric-kernel.gp
# with `data` printed by examples/plot_kernel.cpp.
set terminal pngcairo size 1200,760 font "DejaVu Sans,13" background "#ffffff"
set output picture
set encoding utf8

set multiplot

# Diverging colours, white at zero: the negative side of the kernel is as visible as the positive one.
set palette defined (-1 "#2166ac", -0.5 "#92c5de", 0 "#ffffff", 0.35 "#fddbc7", 0.7 "#f4a582", 1.1 "#d6604d", 1.6 "#b2182b")
set cbrange [-1:1.6]
set border lw 1 lc rgb "#666666"
set tics out nomirror scale 0.5 textcolor rgb "#333333"
set size ratio -1
set xrange [-4:4]
set yrange [-4:4]
set xtics -2,2,2
set ytics -4,2,4
set xlabel "y" offset 0,0.6
unset key
unset colorbox

set tmargin screen 0.940
set bmargin screen 0.490
array left[3] = [0.072, 0.362, 0.652]
array titles[3] = ["exact k(x, y)", "16 frequencies per part", "1024 frequencies per part"]
do for [panel = 1:3] {
  set lmargin screen left[panel]
  set rmargin screen left[panel] + 0.272
  set title titles[panel] font ",15" offset 0,-0.3
  if (panel == 1) { set ylabel "x" offset 1.2,0 } else { unset ylabel; set format y "" }
  if (panel == 3) { set colorbox user origin screen 0.934, 0.491 size screen 0.014, 0.429; set cbtics 0.5 }
  plot data index 0 using 2:1:(column(2 + panel)) with image, \
       x with lines lw 1.5 dt 2 lc rgb "#444444"
}

# The same along δ = x - y.
unset colorbox
set format y
set size noratio
set tmargin screen 0.375
set bmargin screen 0.090
set lmargin screen 0.072
set rmargin screen 0.985
unset title
set xrange [-6:6]
set yrange [-0.8:1.8]
set xtics -6,1,6
set ytics 0.5
set xlabel "δ = x − y" offset 0,0.4
set ylabel "k(δ)" offset 1.2,0
set grid xtics ytics lw 1 lc rgb "#c8c8c8"
set key top left Left reverse samplen 2.5 spacing 1.2 width 1
plot data index 1 using 1:2 with lines lw 6 lc rgb "#bbbbbb" title "exact: exp(−δ²/2) (1 + sinh δ)", \
     data index 1 using 1:3 with lines lw 2 lc rgb "#e08214" title "16 frequencies per part", \
     data index 1 using 1:4 with lines lw 2 lc rgb "#053061" title "1024 frequencies per part"
unset multiplot
