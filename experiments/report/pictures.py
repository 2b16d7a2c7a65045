"""Draws the figures: a panel per kernel, side by side for a desk, one below the other for a phone."""
import io
import math
from dataclasses import dataclass, field

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter, FuncFormatter, LogLocator, MaxNLocator

from number_text import rounded

# No settings of the user, so that a report looks the same everywhere; names are text and never formulas; lettering stays text in SVG.
matplotlib.rcdefaults()
matplotlib.rcParams.update({
    "text.parse_math": False, "svg.fonttype": "none", "svg.hashsalt": "askrff", "axes.autolimit_mode": "round_numbers",
    "axes.edgecolor": "#666666", "axes.grid": True, "axes.axisbelow": True, "axes.titlesize": "medium", "grid.color": "#e4e4e4",
    "legend.frameon": False, "legend.borderpad": 0.2, "legend.borderaxespad": 0.2, "legend.handlelength": 2.4,
    "legend.columnspacing": 1.2})

# Okabe and Ito's colours, told apart by the colour-blind, each with a symbol of its own, told apart in grey.
COLOURS = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]
MARKERS = ["o", "s", "^", "v", "D", "X", "P"]
NEUTRAL = "#555555"
X_LABEL = "log₂(M/d)"
PIXELS_PER_INCH, POINTS_PER_INCH = 96, 72


@dataclass
class Curve:
    """Points (x, y, deviation) with None for what is no number; with `across` a level: the first y as a line over the whole width."""
    look: dict
    points: list
    across: bool = False


@dataclass
class Picture:
    name: str  # of its files, without ending
    y_label: str
    panels: dict  # curves by title
    legend: list  # (title, look)
    alt: str  # what it shows, for those who do not see it
    caption: str
    y_axis: str = "linear"  # or "logarithmic", or "seconds", which is logarithmic too
    same_y: bool = True  # one range for all panels
    files: dict = field(default_factory=dict)  # their bytes: "svg", "png", "narrow_svg"
    sizes: dict = field(default_factory=dict)  # (width, height) in pixels: "wide", "narrow"

    def drawable(self, curve):
        return [p for p in curve.points if p[0] is not None and p[1] is not None and (self.y_axis == "linear" or p[1] > 0)]

    def all_points(self):
        return [p for curves in self.panels.values() for c in curves if not c.across for p in self.drawable(c)]


def distinct(records, key):
    """Values in the order of their first appearance."""
    return list(dict.fromkeys(record[key] for record in records))


def look(index, **changes):
    return {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)], "markersize": 4, "linewidth": 1.6, **changes}


def bar_offset(index, n):
    """A shift along x, so that the error bars of n curves do not cover each other."""
    return 0.07 * (index - (n - 1) / 2)


def draw_curve(axes, picture, curve):
    points = picture.drawable(curve)
    if curve.across and points:
        axes.axhline(points[0][1], **curve.look)
    elif points:
        axes.plot([p[0] for p in points], [p[1] for p in points], **curve.look)
    if bars := [p for p in points if (p[2] or 0) > 0 and not curve.across]:
        axes.errorbar(*zip(*bars), fmt="none", ecolor=curve.look["color"], elinewidth=1, capsize=2.5)


def logarithmic_range(points):
    """From a mark 1, 2 or 5 times a power of ten to another. An error bar may reach down to zero: it need not be seen to its end."""
    low = min(max(y - (d or 0), y / 2) for _, y, d in points)
    high = max(y + (d or 0) for _, y, d in points)
    marks = [f * 10.0**k for k in range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2) for f in (1, 2, 5)]
    return max(m for m in marks if m < low), min(m for m in marks if m > high)


def scale_axes(axes, picture):
    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True, min_n_ticks=1))
    if x := [p[0] for p in picture.all_points()]:
        axes.set_xlim(min(x) - 0.4, max(x) + 0.4)
    if picture.y_axis == "linear":
        return
    axes.set_yscale("log", nonpositive="clip")
    if points := picture.all_points():
        low, high = logarithmic_range(points)
        axes.set_ylim(low, high)
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 200 else (1,)))
    axes.yaxis.set_minor_locator(LogLocator(subs=()))
    plain = FuncFormatter(lambda value, _: rounded(value, 1).replace("1·10", "10"))
    axes.yaxis.set_major_formatter(EngFormatter("s") if picture.y_axis == "seconds" else plain)


def legend_columns(legend, width, font):
    """As many as fit, judged by the longest entry."""
    longest = max(len(title) for title, _ in legend)
    return max(1, min(len(legend), int(width / (58 + 0.54 * font * longest))))


def empty_figure(picture, wide):
    """A figure with its legend, and the frames of its panels, placed in pixels."""
    n = len(picture.panels)
    font, width = (15, {1: 720, 2: 960}.get(n, 1200)) if wide else (14, 400)
    left, right, bottom, title, panel = (98, 12, 66, 32, 320) if wide else (92, 8, 62, 34, 240)
    between = 68 if not wide else 18 if picture.same_y else 72
    n_columns = legend_columns(picture.legend, width, font)
    top = title + 1.7 * font * math.ceil(len(picture.legend) / n_columns)
    height = round(top + bottom + (panel if wide else n * (panel + between) - between))
    matplotlib.rcParams["font.size"] = font * POINTS_PER_INCH / PIXELS_PER_INCH
    figure = Figure(figsize=(width / PIXELS_PER_INCH, height / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH)
    gaps = {"wspace": between * n / (width - left - right - between * (n - 1))} if wide else {"hspace": between / panel}
    rows, columns = (1, n) if wide else (n, 1)
    frames = figure.subplots(rows, columns, sharey=picture.same_y, squeeze=False).ravel()
    figure.subplots_adjust(left / width, bottom / height, 1 - right / width, 1 - top / height, **gaps)
    handles = [Line2D([], [], label=name, **entry) for name, entry in picture.legend]
    figure.legend(handles=handles, loc="upper left", bbox_to_anchor=(left / width if wide else 0, 1), ncols=n_columns)
    return figure, frames, (width, height)


def draw(picture, wide):
    """The figure, and its width and height in pixels."""
    figure, frames, size = empty_figure(picture, wide)
    for axes, (title, curves) in zip(frames, picture.panels.items()):
        axes.set_title(title)
        for curve in curves:
            draw_curve(axes, picture, curve)
        scale_axes(axes, picture)
        axes.set_xlabel(X_LABEL if wide or axes is frames[-1] else "")
        axes.set_ylabel(picture.y_label if not wide or axes is frames[0] else "")
    figure.align_ylabels()
    return figure, size


def saved(figure, form):
    stream = io.BytesIO()
    figure.savefig(stream, format=form, metadata={"Date": None} if form == "svg" else None)
    return stream.getvalue()


def drawn(picture):
    """The picture with its files and sizes."""
    wide, wide_size = draw(picture, wide=True)
    narrow, narrow_size = draw(picture, wide=False)
    picture.files = {"svg": saved(wide, "svg"), "png": saved(wide, "png"), "narrow_svg": saved(narrow, "svg")}
    picture.sizes = {"wide": wide_size, "narrow": narrow_size}
    return picture
