"""Memory that a waiting job uses, including its launcher."""

import re
import subprocess

from programs import Failed
from timing import sample

# A job's memory counts as linear in the number of ranks if its memory per rank is at
# most this many times that of the smallest job.
LINEAR = 1.1


def _children(pid):
    path = f"/proc/{pid}/task/{pid}/children"
    with open(path, encoding="ascii") as children:
        return [int(child) for child in children.read().split()]


def _tree(pid):
    return [pid] + [p for child in _children(pid) for p in _tree(child)]


def proportional_kibibytes(rollup):
    """Returns a process's memory, from the text of its smaps_rollup. Memory that it
    shares with others counts in proportion."""
    return int(re.search(r"^Pss:\s+(\d+) kB", rollup, re.M).group(1))


def _used(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as rollup:
        return proportional_kibibytes(rollup.read())


def _job(launcher, program, count, env):
    variables = [f"--env={name}={value}" for name, value in env.items()]
    name, *arguments = program
    command = [launcher.gasnetrun, "-n", str(count), *variables,
               launcher.path(name), *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as job:
        started = job.stdout.readline() == "ready\n"
        used = sum(map(_used, _tree(job.pid))) if started else 0
        job.stdin.close()
    if not started:
        raise Failed(f"did not start: {' '.join(command)}")
    return used


def memory(launcher, program, counts, env=None):
    """Returns the total memory of jobs of each size. The limit is the same per rank as
    in the smallest job. program: its name and arguments."""
    env = env or {}
    samples = []
    for _ in range(launcher.effort.repetitions):
        least = _job(launcher, program, counts[0], env) / counts[0]
        for count in counts:
            operation = f"memory of {count} ranks"
            if launcher.only not in operation:
                continue
            samples.append(sample(
                operation, "KiB", _job(launcher, program, count, env),
                f"{count} times one of {counts[0]}", least * count, LINEAR))
    return samples
