"""Makes figures from samples. A figure is a line of the table.

A sample is the output of a benchmark program: one value of one operation and, for
ours, the limit that was measured next to it.
"""

import collections
import statistics

OURS = "ours"

Spread = collections.namedtuple("Spread", "median least greatest")
# A value that ours is compared with. The `ratio` of a Limit is a Spread of ours/limit.
Limit = collections.namedtuple("Limit", "name value ratio")
Peer = collections.namedtuple("Peer", "name value ratio")
Figure = collections.namedtuple(
    "Figure", "operation size mode unit ours limit aim peers"
)


def spread(values):
    return Spread(statistics.median(values), min(values), max(values))


def _limit(samples):
    pairs = [s for s in samples if s.get("limit")]
    if not pairs:
        return None
    return Limit(
        pairs[0]["limit_name"],
        spread([s["limit"] for s in pairs]),
        spread([s["value"] / s["limit"] for s in pairs]),
    )


def _peer(name, samples, ours):
    value = spread([s["value"] for s in samples])
    ratio = ours.median / value.median if ours and value.median else None
    return Peer(name, value, ratio)


def _figure(key, samples, peers):
    operation, size, mode = key
    ours = spread([s["value"] for s in samples])
    return Figure(
        operation, size, mode, samples[0]["unit"], ours, _limit(samples),
        samples[0].get("aim"),
        [_peer(name, found, ours) for name, found in peers.items()],
    )


def _grouped(samples, key):
    """Returns lists of samples by key, in the order in which the keys first appear."""
    groups = {}
    for sample in samples:
        groups.setdefault(key(sample), []).append(sample)
    return groups


def figures(samples):
    """Returns a Figure for each operation, size and mode in which ours was measured.

    A peer has no modes: its samples are compared with every mode of ours. Samples
    that only a peer has make no figure.
    """
    ours = [s for s in samples if s["who"] == OURS]
    others = _grouped(
        (s for s in samples if s["who"] != OURS),
        lambda s: (s["operation"], s["size"]),
    )
    return [
        _figure(key, found,
                _grouped(others.get(key[:2], []), lambda s: s["who"]))
        for key, found in _grouped(
            ours, lambda s: (s["operation"], s["size"], s["mode"])
        ).items()
    ]


def meets_aim(figure):
    """Returns true if the figure meets its aim; None if it has no aim."""
    if figure.aim is None:
        return None
    measured = figure.limit.ratio if figure.limit else figure.ours
    return measured.median <= figure.aim
