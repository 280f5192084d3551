"""Facts about the machine that figures depend on."""

import os
import platform
import subprocess

# The load for each processor from which on figures are not to be trusted.
BUSY = 0.5


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


def facts():
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "compiler": _compiler(),
        "load": os.getloadavg()[0],
    }


def lines(found):
    """The facts for people, and a warning where others use the machine."""
    yield (f"{found['cpu']}, {found['cores']} processors, "
           f"Linux {found['kernel']}, {found['compiler']}")
    if found["load"] > BUSY * found["cores"]:
        yield (f"The machine is busy (load {found['load']:.1f} at the start): "
               "expect wrong figures.")
