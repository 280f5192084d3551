"""Sends signals that end a process to a rank at random moments of its start. The job
ends by the signal, and nothing of it is left.

A moment is a number of the process's mappings, which grow while it starts: the
program, its libraries, the memory of the job, a network's library and buffers.
"""

import os
import random
import signal
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
STARTER = launched.program("STARTER")
SEED = int(os.environ.get("START_SIGNALS_SEED", "20061102"))
ROUNDS = int(os.environ.get("START_SIGNALS_ROUNDS", "2"))
RANKS = 3
# The ranks share no memory, as if on different hosts.
APART = {"GASNET_SUPERNODE_MAXSIZE": "1"}

ENDING = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGABRT,
    signal.SIGBUS,
    signal.SIGSEGV,
    signal.SIGKILL,
    signal.SIGALRM,
    signal.SIGTERM,
    signal.SIGUSR1,
)


def starting():
    return launched.Job(
        [GASNETRUN, "-n", str(RANKS), STARTER, "never"], env=APART
    )


def mapped(pid):
    """Returns the number of the process's mappings, or None once it has ended."""
    try:
        with open(f"/proc/{pid}/maps", encoding="ascii", errors="replace") as maps:
            return len(maps.readlines())
    except OSError:
        return None


def await_rank(job, chosen):
    """Returns the process of one of the ranks, once it runs the program."""
    found = []
    while not found:
        found = [
            pid
            for pid in job.find(os.path.basename(STARTER).encode())
            if os.path.samefile(f"/proc/{pid}/exe", STARTER)
        ]
    return sorted(found)[chosen % len(found)]


def mappings_at_the_end():
    with starting() as job:
        job.await_ready(RANKS)
        pid = await_rank(job, 0)
        most = mapped(pid)
        job.kill(signal.SIGKILL)
    return most


class StartSignalsTest(unittest.TestCase):
    def test_the_job_ends_by_the_signal(self):
        most = mappings_at_the_end()
        chance = random.Random(SEED)
        for number in ROUNDS * ENDING:
            chosen = chance.randrange(RANKS)
            moment = chance.randrange(1, most - most // 8)
            with self.subTest(
                number.name, rank=chosen, moment=f"{moment} of {most}", seed=SEED
            ), starting() as job:
                victim = await_rank(job, chosen)
                while mapped(victim) < moment:
                    os.sched_yield()
                os.kill(victim, number)
                self.assertEqual(job.finish(), 128 + number, job.err)
                self.assertIn(f"pid {victim}".encode(), job.err)


if __name__ == "__main__":
    launched.main()
