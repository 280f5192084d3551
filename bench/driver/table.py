"""The table that ./dev bench prints."""

from figures import meets_aim

HEADINGS = (
    "operation", "size", "mode", "limit", "limit is", "ours", "ours/limit",
    "least..greatest", "aim", "met", "peer", "peer is", "ours/peer",
)
LEFT = {"operation", "mode", "limit", "peer"}


def format_size(nbytes):
    for shift, unit in ((20, "MiB"), (10, "KiB")):
        if nbytes >= 1 << shift and nbytes % (1 << shift) == 0:
            return f"{nbytes >> shift} {unit}"
    return f"{nbytes} B" if nbytes else ""


def format_value(value, unit):
    if unit != "ns":
        return f"{value:.3g} {unit}"
    for least, divisor, name in (
        (1e9, 1e9, "s"), (1e6, 1e6, "ms"), (1e4, 1e3, "us"), (10, 1, "ns")
    ):
        if value >= least:
            digits = 0 if name == "ns" else 1
            return f"{value / divisor:.{digits}f} {name}"
    return f"{value:.2f} ns"


def _limit_cells(figure):
    if not figure.limit:
        return ["", "", ""]
    ratio = figure.limit.ratio
    return [
        format_value(figure.limit.value.median, figure.unit),
        f"{ratio.median:.2f}",
        f"{ratio.least:.2f}..{ratio.greatest:.2f}",
    ]


def _aim_cells(figure):
    met = meets_aim(figure)
    if met is None:
        return ["", ""]
    unit = "" if figure.limit else f" {figure.unit}"
    return [f"<= {figure.aim:.3g}{unit}", "yes" if met else "NO"]


def _peer_cells(figure, peer):
    return [
        peer.name, format_value(peer.value.median, figure.unit),
        f"{peer.ratio:.2f}" if peer.ratio is not None else "",
    ]


def rows(figure):
    """Returns a figure's line, and one more for each peer after the first."""
    limit, ratio, reach = _limit_cells(figure)
    own = [
        figure.operation, format_size(figure.size), figure.mode,
        figure.limit.name if figure.limit else "", limit,
        format_value(figure.ours.median, figure.unit), ratio, reach,
        *_aim_cells(figure),
    ]
    peers = [_peer_cells(figure, peer) for peer in figure.peers] or [[""] * 3]
    yield own + peers[0]
    for peer in peers[1:]:
        yield [""] * len(own) + peer


def table(figures):
    """Returns the lines of the table."""
    lines = [HEADINGS, *(row for figure in figures for row in rows(figure))]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    for line in lines:
        cells = (
            cell.ljust(width) if heading in LEFT else cell.rjust(width)
            for cell, width, heading in zip(line, widths, HEADINGS)
        )
        yield "  ".join(cells).rstrip()
