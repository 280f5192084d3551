"""Round trips of two unbound ranks on two processors with other load.

Each start is a job of its own. Its figure is its total time divided by its number of
round trips.
"""

import collections
import contextlib
import ctypes
import os
import signal
import statistics
import subprocess

STARTS = 10
# The numbers of other processes that compute.
COMPUTING = (0, 1, 2)
# The most that a round trip should take: beside one other process, relative to none;
# beside two, relative to the bare loops beside two.
QUIET_AIM, BARE_AIM = 3, 2
# A start lasts this many times as long as other measurements.
LONGER = 5

# The measured programs, by the name in their samples. bench/harness/operations.h has
# the names for the bare loops.
PROGRAMS = {
    "Short round trip, busy": ("bench/ranks/smp_busy_seq", None),
    "Short round trip, busy, network": (
        "bench/ranks/udp_busy_seq", {"GASNET_SUPERNODE_MAXSIZE": "1"}),
}
BARE = "bench/limits/busy_bare"
OURS = "ours"

COMPUTE = ["sh", "-c", "while :; do :; done"]
PR_SET_PDEATHSIG = 1


@contextlib.contextmanager
def computing(count, cpus):
    """Runs `count` processes that compute on these processors. They end with the
    context, or with this process."""
    def prepare():
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.sched_setaffinity(0, cpus)

    others = []
    try:
        for _ in range(count):
            # pylint: disable=consider-using-with
            others.append(subprocess.Popen(COMPUTE, stdin=subprocess.DEVNULL,
                                           preexec_fn=prepare))
        yield others
    finally:
        for other in others:
            other.kill()
        for other in others:
            other.wait()


def _starts(launcher, cpus):
    """Returns values by operation and by measured program, one for each start. Ours
    and the bare loops alternate."""
    values = collections.defaultdict(lambda: collections.defaultdict(list))
    wanted = [name for name in PROGRAMS if launcher.only in name]
    for _ in range(STARTS):
        for name in wanted:
            program, env = PROGRAMS[name]
            (sample,) = launcher.ranks(program, 2, cpus, env, bound=False)
            values[name][OURS].append(sample["value"])
        for sample in launcher.bare(BARE, cpus) if wanted else []:
            if sample["operation"] in wanted:
                values[sample["operation"]][sample["who"]].append(
                    sample["value"])
    return values


def _samples(name, count, values, quiet):
    """Returns samples of the median and the worst start, with the bare loops as
    peers."""
    best = min((who for who in values if who != OURS),
               key=lambda who: statistics.median(values[who]))
    for what, of in (("median", statistics.median), ("worst", max)):
        operation = f"{name}: beside {count}, {what} of {STARTS}"
        for who, found in values.items():
            sample = {"operation": operation, "size": 0, "unit": "ns",
                      "mode": "seq" if who == OURS else "", "who": who,
                      "value": of(found)}
            if who == OURS and count == 1:
                sample.update(limit_name="beside 0, median", aim=QUIET_AIM,
                              limit=statistics.median(quiet))
            elif who == OURS:
                sample.update(limit_name=best, limit=of(values[best]))
                if count > 1:
                    sample["aim"] = BARE_AIM
            yield sample


def busy(launcher, cpus):
    """Returns all samples: with none, one and two others that compute."""
    longer = launcher.with_milliseconds(LONGER * launcher.effort.milliseconds)
    samples = []
    quiet = {}
    for count in COMPUTING:
        with computing(count, cpus):
            values = _starts(longer, cpus)
        for name, found in values.items():
            quiet.setdefault(name, found[OURS])
            samples += _samples(name, count, found, quiet[name])
    return samples
