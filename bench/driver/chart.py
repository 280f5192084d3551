"""Latency and bandwidth against size, as one SVG picture of two charts."""

import collections
import html

from scale import LogScale
from table import format_size

WIDTH, HEIGHT = 1080, 460  # of each chart
LEFT, RIGHT, TOP, BOTTOM = 80, 360, 50, 60  # the margins of its plot
COLORS = ("#0b62a4", "#c2410c", "#15803d", "#7e22ce", "#b91c1c", "#0f766e",
          "#a16207", "#4b5563", "#db2777", "#1e293b")
FEWEST_POINTS = 5  # of a sweep over sizes
OURS, LIMIT, PEER = "", "2 3", "7 4"  # dashes of their lines

Line = collections.namedtuple("Line", "name dashes points")


def _add(lines, name, dashes, size, value):
    line = lines.setdefault(name, Line(name, dashes, []))
    line.points.append((size, value))


def curves(figures):
    """Returns time against size of each sweep: ours, the limits and the peers."""
    lines = {}
    for figure in figures:
        if figure.unit != "ns" or not figure.size or figure.mode == "par":
            continue
        operation, size = figure.operation, figure.size
        _add(lines, operation, OURS, size, figure.ours.median)
        if figure.limit and figure.limit.name == "memcpy":
            _add(lines, f"memcpy for {operation}", LIMIT, size,
                 figure.limit.value.median)
        for peer in figure.peers:
            _add(lines, f"{peer.name}: {operation}", PEER, size,
                 peer.value.median)
    drawn = [line._replace(points=sorted(line.points))
             for line in lines.values() if len(line.points) >= FEWEST_POINTS]
    return sorted(drawn, key=lambda line: (OURS, LIMIT, PEER).index(line.dashes))


def bandwidth(line):
    """Returns bytes per nanosecond; a round trip counts twice."""
    ways = 2 if "there and back" in line.name else 1
    return line._replace(
        points=[(size, ways * size / nanos) for size, nanos in line.points])


def format_tick(nanos):
    for scale, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if nanos >= scale:
            return f"{nanos / scale:g} {unit}"
    return f"{nanos:g} ns"


def _text(x, y, text, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {extra}>{html.escape(text)}</text>'


def _grid(x, y, y_format):
    left, right = LEFT, WIDTH - RIGHT
    top, bottom = TOP, HEIGHT - BOTTOM
    for size in x.ticks():
        yield (f'<path class="grid" d="M{x(size):.1f} {top}V{bottom}"/>')
        yield _text(x(size), bottom + 18, format_size(size),
                    'text-anchor="middle"')
    for value in y.ticks():
        yield (f'<path class="grid" d="M{left} {y(value):.1f}H{right}"/>')
        yield _text(left - 8, y(value) + 4, y_format(value),
                    'text-anchor="end"')


def _titles(title, y_label):
    middle = (TOP + HEIGHT - BOTTOM) / 2
    yield _text(LEFT, TOP - 18, title, 'class="title"')
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, "size",
                'text-anchor="middle"')
    yield _text(20, middle, y_label,
                f'text-anchor="middle" transform="rotate(-90 20 {middle})"')


def _curve(line, color, x, y, unit):
    style = f'stroke="{color}" stroke-dasharray="{line.dashes}"'
    points = " ".join(f"{x(s):.1f},{y(v):.1f}" for s, v in line.points)
    yield f'<polyline class="line" {style} points="{points}"/>'
    for size, value in line.points:
        yield (f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="2.5" '
               f'fill="{color}"><title>{html.escape(line.name)}, '
               f'{format_size(size)}: {value:.4g} {unit}</title></circle>')


def _legend(index, line, color):
    x, y = WIDTH - RIGHT + 20, TOP + 10 + 20 * index
    yield (f'<path class="line" stroke="{color}" '
           f'stroke-dasharray="{line.dashes}" d="M{x} {y}h30"/>')
    yield _text(x + 38, y + 4, line.name)


def _chart(title, y_label, unit, y_format, lines):
    x = LogScale([s for line in lines for s, _ in line.points], 2, LEFT,
                 WIDTH - RIGHT)
    y = LogScale([v for line in lines for _, v in line.points], 10,
                 HEIGHT - BOTTOM, TOP)
    yield from _grid(x, y, y_format)
    yield from _titles(title, y_label)
    for i, line in enumerate(lines):
        color = COLORS[i % len(COLORS)]
        yield from _curve(line, color, x, y, unit)
        yield from _legend(i, line, color)


STYLE = """<style>
text { font: 12px sans-serif; fill: #222 }
.title { font-size: 16px; font-weight: bold }
.grid { stroke: #ddd; stroke-width: 1 }
.line { fill: none; stroke-width: 2 }
</style>"""


def svg(figures):
    """Returns the picture's text. Without data, the picture says so."""
    lines = curves(figures)
    parts = [STYLE, f'<rect width="{WIDTH}" height="{2 * HEIGHT}" fill="#fff"/>']
    if not lines:
        parts.append(_text(LEFT, TOP, "No operation was measured in several "
                                      "sizes."))
    else:
        parts += _chart("Time of one operation", "time", "ns", format_tick,
                        lines)
        parts.append(f'<g transform="translate(0 {HEIGHT})">')
        parts += _chart("Bandwidth", "GB/s (bytes for each nanosecond)", "GB/s",
                        "{:g}".format, [bandwidth(line) for line in lines])
        parts.append("</g>")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
            f'height="{2 * HEIGHT}" viewBox="0 0 {WIDTH} {2 * HEIGHT}">\n'
            + "\n".join(parts) + "\n</svg>\n")
