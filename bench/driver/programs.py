"""How the benchmark's programs are started and what they print is read."""

import collections
import json
import os
import subprocess

# How thorough a run is: program runs, repetitions in each, and milliseconds for
# each measurement. Every figure has runs * repetitions samples.
Effort = collections.namedtuple("Effort", "runs repetitions milliseconds")
FULL = Effort(3, 3, 20)
QUICK = Effort(2, 3, 5)

# What hangs is ended after this; no program takes a tenth of it.
TIMEOUT_SECONDS = 120


class Failed(Exception):
    """A program did not end well. The text says which and why."""


def available_cpus():
    return sorted(os.sched_getaffinity(0))


def run(command, cpus=None, env=None):
    """Standard output of the command, which runs on these processors only."""
    def bind():
        if cpus:
            os.sched_setaffinity(0, cpus)

    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_SECONDS,
            preexec_fn=bind, env={**os.environ, **(env or {})}, check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failed(
            f"{command[0]}: not done after {TIMEOUT_SECONDS} s: "
            f"{' '.join(command)}"
        ) from None
    if done.returncode:
        reason = done.stderr.strip() or "it printed no reason"
        raise Failed(
            f"{' '.join(command)}: ended with code {done.returncode}: {reason}"
        )
    return done.stdout


def parse_samples(text):
    """The samples among what a program printed."""
    return [json.loads(line) for line in text.splitlines() if line[:1] == "{"]


class Launcher:
    """Starts our programs and the peers', for one effort."""

    def __init__(self, binaries, effort, only):
        self.binaries = binaries
        self.effort = effort
        self._options = [
            f"--repetitions={effort.repetitions}",
            f"--milliseconds={effort.milliseconds}",
        ] + ([f"--only={only}"] if only else [])

    def path(self, program):
        return os.path.join(self.binaries, program)

    def ranks(self, program, count, cpus=None, options=None):
        """Samples of a program of ours; bound where there are cores for all."""
        used = cpus or available_cpus()
        bind = "core" if count <= len(used) else "none"
        command = [
            self.path("tools/gasnetrun/gasnetrun"), "-n", str(count),
            "--bind", bind, self.path(program),
        ]
        options = self._options if options is None else options
        return parse_samples(run(command + options, cpus))
