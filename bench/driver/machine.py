"""Facts about the machine that figures depend on."""

import os
import platform
import subprocess
import time

# The share of the processors above which use by others makes figures unreliable, and
# the duration of a check.
BUSY = 0.05
LOOK_SECONDS = 0.3


def _cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def _compiler():
    try:
        done = subprocess.run(
            [os.environ.get("CC", "gcc"), "--version"], stdout=subprocess.PIPE,
            text=True, check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.splitlines()[0]


def _processor_ticks():
    """Returns the ticks in which processors were busy, and all ticks."""
    with open("/proc/stat", encoding="ascii") as stat:
        ticks = [int(field) for field in stat.readline().split()[1:9]]
    idle = ticks[3] + ticks[4]
    return sum(ticks) - idle, sum(ticks)


def _used_by_others():
    """Returns the share of the processors that others use, while we are idle."""
    used, total = _processor_ticks()
    time.sleep(LOOK_SECONDS)
    used_later, total_later = _processor_ticks()
    return (used_later - used) / max(1, total_later - total)


def facts():
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "compiler": _compiler(),
        "used_by_others": _used_by_others(),
    }


def lines(found):
    """Yields the facts in words, and a warning if others use the machine."""
    yield (f"{found['cpu']}, {found['cores']} processors, "
           f"Linux {found['kernel']}, {found['compiler']}")
    if found["used_by_others"] > BUSY:
        yield (f"Others use {found['used_by_others']:.0%} of the processors: "
               "expect wrong figures.")
