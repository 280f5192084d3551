"""Tests of the traces that a job leaves in its processes and on its host.

libfabric is loaded only if a rank is on another host, since loading some
builds of it takes a third of a second. Processors and signals do not change.
Files that providers make are gone afterwards in every case.
"""

import os
import signal
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
TRACES = launched.program("TRACES")
STRICT = launched.program("STRICT")
# Ranks of one host that share no memory take the place of hosts.
APART = {"GASNET_SUPERNODE_MAXSIZE": "1"}


def run(ranks, *arguments, **env):
    command = [GASNETRUN, "-n", str(ranks), TRACES, *arguments]
    return launched.run(command, env=env)


def told(job):
    """Returns the text that each process printed, by process."""
    lines = [line.split(": ") for line in job.out.decode().splitlines()]
    return {int(pid): text for pid, text in lines}


class LoadingTest(unittest.TestCase):
    def check(self, ranks, text, **env):
        done = run(ranks, **env)
        self.assertEqual((done.code, done.err), (0, b""))
        self.assertEqual(list(told(done).values()), [text] * ranks)

    def test_one_host(self):
        self.check(2, "libfabric is not loaded")

    def test_one_rank(self):
        self.check(1, "libfabric is not loaded")

    def test_several_hosts(self):
        self.check(2, "libfabric is loaded", **APART)


class ProcessStateTest(unittest.TestCase):
    """Tests of a node's processors and signals, which some providers change."""

    def test_a_provider_that_changes_it(self):
        done = run(
            2,
            FI_PROVIDER_PATH=os.path.dirname(STRICT),
            GASNET_OFI_PROVIDER="strict",
            GASNET_STRICT="meddles",
            **APART,
        )
        self.assertEqual((done.code, done.err), (0, b""))


class FilesTest(unittest.TestCase):
    """Tests of the files of provider shm, whose names contain the process."""

    def check(self, code, *arguments, text="libfabric is loaded"):
        done = run(2, *arguments, GASNET_OFI_PROVIDER="shm", **APART)
        self.assertEqual(done.code, code, done.err)
        processes = told(done)
        self.assertEqual(list(processes.values()), [text] * 2)
        left = [
            name
            for name in os.listdir("/dev/shm")
            if name.partition(":")[0] in map(str, processes)
        ]
        self.assertEqual(left, [])

    def test_an_end_leaves_none(self):
        self.check(0)

    def test_a_kill_leaves_none(self):
        self.check(128 + signal.SIGKILL, "kill")

    def test_a_kill_before_it_is_attached_leaves_none(self):
        self.check(128 + signal.SIGKILL, "early", text="it starts")


if __name__ == "__main__":
    launched.main()
