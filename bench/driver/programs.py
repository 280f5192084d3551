"""Starts the benchmark's programs and reads their output."""

import collections
import json
import os
import subprocess

# The effort of a run: program runs, repetitions in each, milliseconds for each
# measurement, and milliseconds for each check of an idle job. A figure has runs *
# repetitions samples.
Effort = collections.namedtuple("Effort", "runs repetitions milliseconds idle")
FULL = Effort(3, 3, 20, 250)
QUICK = Effort(2, 3, 5, 150)

# A program that hangs is killed after this time; none needs a tenth of it.
TIMEOUT_SECONDS = 120


class Failed(Exception):
    """A program did not end well. The text names it and the reason."""


class Skipped(Exception):
    """A program cannot run here. The text has the reason and the remedy."""


def available_cpus():
    return sorted(os.sched_getaffinity(0))


def run(command, cpus=None, env=None, accepted=(0,)):
    """Returns the output of the command, which runs on these processors only."""
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
    """Returns the samples in a program's output."""
    return [json.loads(line) for line in text.splitlines() if line[:1] == "{"]


class Launcher:
    """Starts our programs with the user's options."""

    def __init__(self, binaries, effort, only):
        self.effort = effort
        self.only = only
        self._binaries = binaries
        self.gasnetrun = self.path("tools/gasnetrun/gasnetrun")

    def path(self, program):
        return os.path.join(self._binaries, program)

    def with_milliseconds(self, milliseconds):
        """Returns the same launcher with measurements of this length."""
        effort = self.effort._replace(milliseconds=milliseconds)
        return Launcher(self._binaries, effort, self.only)

    def with_only(self, only):
        """Returns the same launcher for these operations."""
        return Launcher(self._binaries, self.effort, only)

    @property
    def options(self):
        """Returns the options for programs with our harness."""
        return [
            f"--repetitions={self.effort.repetitions}",
            f"--milliseconds={self.effort.milliseconds}",
        ] + ([f"--only={self.only}"] if self.only else [])

    def bare(self, program, cpus):
        """Returns samples of a program without ranks; measures each row once."""
        command = [self.path(program),
                   f"--milliseconds={self.effort.milliseconds}"]
        return parse_samples(run(command, cpus))

    def ranks(self, program, count, cpus=None, env=None, bound=True,
              spread=False):
        """Returns samples of a program of ours. It is bound if there are cores for
        all ranks, unless `bound` is false. spread: each rank has its share of the
        cores."""
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
