"""Collectives among several numbers of ranks, and means over all of their rows."""

import math

import peers

APART = {"GASNET_SUPERNODE_MAXSIZE": "1"}
# Each of the many rows gets the usual time divided by this.
SHARE = 4
# The endings of the names of collectives' rows.
ROW = (", in a loop", ", after a barrier")

# The limit of the mean over all rows whose names have that ending, compared with
# MEANS_OF.
MEAN_AIMS = {
    ", 2 ranks": 0.75,
    ", 4 ranks": 0.7,
    ", 16 ranks": 0.35,
    ", 2 ranks, network": 0.8,
    ", 4 ranks, network": 0.8,
}
MEANS_OF = "Open MPI"


def _brief(launcher):
    return launcher.with_milliseconds(
        max(1, launcher.effort.milliseconds // SHARE))


def _step(suffix, run):
    return lambda launcher: [
        {**s, "operation": s["operation"] + suffix}
        for s in run(_brief(launcher))
    ]


def _shared(count):
    suffix = f", {count} ranks"
    return [
        _step(suffix, lambda l: l.ranks("bench/ranks/smp_coll_seq", count)),
        _step(suffix, lambda l: peers.open_mpi(
            l, "bench/peers/mpi_coll", count)),
    ]


def _apart(count):
    suffix = f", {count} ranks, network"
    return [
        _step(suffix, lambda l: l.ranks(
            "bench/ranks/udp_coll_apart_seq", count, env=APART)),
        _step(suffix, lambda l: peers.open_mpi(
            l, "bench/peers/mpi_coll", count, options=peers.OVER_TCP)),
    ]


# MPICH spins without yielding, so it is measured only if each rank has a processor.
STEPS = [
    *_shared(2),
    _step(", 2 ranks", lambda l: peers.mpich(l, "bench/peers/mpich_coll", 2)),
    *_shared(4),
    *_shared(16),
    *_apart(2),
    *_apart(4),
]


def _geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def _suffix(operation):
    """Returns the text after one of ROW in the name; None if it has none of them."""
    for kind in ROW:
        name, found, rest = operation.partition(kind)
        if found and name:
            return rest
    return None


def means(figures):
    """Yields lines with the geometric mean of ours/peer for each number of ranks."""
    ratios = {}
    for figure in figures:
        suffix = _suffix(figure.operation)
        if suffix is None:
            continue
        for peer in figure.peers:
            if peer.ratio:
                ratios.setdefault((suffix, peer.name), []).append(peer.ratio)
    for (suffix, peer), found in ratios.items():
        mean = _geometric_mean(found)
        aim = MEAN_AIMS.get(suffix) if peer == MEANS_OF else None
        met = "" if aim is None else (
            f", aim <= {aim}: {'yes' if mean <= aim else 'NO'}")
        worst = max(found)
        yield (f"mean of {len(found)} collectives{suffix}: {mean:.2f} of {peer}"
               f"{met}; worst row {worst:.2f}")


