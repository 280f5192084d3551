"""How the benchmark's programs are started and what they print is read."""

import collections
import json
import os
import subprocess

# How thorough a run is: program runs, repetitions in each, milliseconds for each
# measurement, and for each look at an idle job. A figure has runs * repetitions
# samples.
Effort = collections.namedtuple("Effort", "runs repetitions milliseconds idle")
FULL = Effort(3, 3, 20, 250)
QUICK = Effort(2, 3, 5, 150)

# A program that hangs is ended after this; none takes a tenth of it.
TIMEOUT_SECONDS = 120


class Failed(Exception):
    """A program did not end well. The text says which and why."""


class Skipped(Exception):
    """A program cannot run here. The text says why, and the remedy."""


def available_cpus():
    return sorted(os.sched_getaffinity(0))


def run(command, cpus=None, env=None, accepted=(0,)):
    """Standard output of the command, which runs on these processors only."""
    def bind():
        if cpus:
            os.sched_setaffinity(0, cpus)

    shown = " ".join(command)
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_SECONDS,
            preexec_fn=bind, env={**os.environ, **(env or {})}, check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"not done after {TIMEOUT_SECONDS} s: {shown}") from None
    except OSError as error:
        raise Failed(f"cannot start {shown}: {error}") from None
    if done.returncode not in accepted:
        reason = done.stderr.strip() or "it gave no reason"
        raise Failed(f"ended with code {done.returncode}: {shown}: {reason}")
    return done.stdout


def parse_samples(text):
    """The samples among what a program printed."""
    return [json.loads(line) for line in text.splitlines() if line[:1] == "{"]


class Launcher:
    """Starts our programs with what the user asked for."""

    def __init__(self, binaries, effort, only):
        self.effort = effort
        self.only = only
        self._binaries = binaries
        self.gasnetrun = self.path("tools/gasnetrun/gasnetrun")

    def path(self, program):
        return os.path.join(self._binaries, program)

    def with_milliseconds(self, milliseconds):
        """The same, but each measurement lasts this long."""
        effort = self.effort._replace(milliseconds=milliseconds)
        return Launcher(self._binaries, effort, self.only)

    def with_only(self, only):
        """The same, for these operations."""
        return Launcher(self._binaries, self.effort, only)

    @property
    def options(self):
        """Options for programs with our harness."""
        return [
            f"--repetitions={self.effort.repetitions}",
            f"--milliseconds={self.effort.milliseconds}",
        ] + ([f"--only={self.only}"] if self.only else [])

    def bare(self, program, cpus):
        """Samples of a program without ranks, each of its rows measured once."""
        command = [self.path(program),
                   f"--milliseconds={self.effort.milliseconds}"]
        return parse_samples(run(command, cpus))

    def ranks(self, program, count, cpus=None, env=None, bound=True,
              spread=False):
        """Samples of a program of ours; bound where there are cores for all,
        unless it shall not be. spread: each rank has its share of the cores."""
        if len(available_cpus()) < 2:
            raise Skipped(f"{program}: needs two processors")
        used = cpus or available_cpus()
        core = "core" if bound and count <= len(used) else "none"
        bind = "spread" if spread else core
        variables = [f"--env={name}={value}"
                     for name, value in (env or {}).items()]
        command = [self.gasnetrun, "-n", str(count), "--bind", bind,
                   *variables, self.path(program), *self.options]
        return parse_samples(run(command, cpus))
