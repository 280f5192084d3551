"""Tests of a job in which one rank cannot start its network: all ranks end, and one
reports the reason."""

import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
FEW_FILES = launched.program("FEW_FILES")
TRAFFIC = launched.program("TRAFFIC")
SMP_HELLO = launched.program("SMP_HELLO")
FAKE_SSH = launched.program("FAKE_SSH_PROGRAM")
# Steps of gasnet_init that need a file.
REASONS = {b"listing the addresses of this host", b"making an eventfd"}


class FailedStartTest(unittest.TestCase):
    def run_job(self, program, *arguments, where, **env):
        command = [GASNETRUN, "-n", "4", *where, program, *arguments]
        return launched.run(command, env={"GASNET_SSH_CMD": FAKE_SSH, **env})

    def lines_of(self, done):
        self.assertEqual((done.code, done.out), (3, b""), done.err)
        return done.err.splitlines()

    def check_failures(self, rank, where, **env):
        """Makes each step in turn the first that fails on this rank."""
        reasons = set()
        for files in range(20):
            done = self.run_job(
                FEW_FILES, str(rank), str(files), where=where, **env)
            if done.code == 0:
                break
            (line,) = self.lines_of(done)
            said = (rb"\*\*\* GASNet WARNING \(rank %d, \S+, pid \d+\): "
                    rb"gasnet_init: (.*): Too many open files" % rank)
            self.assertRegex(line, said)
            reasons.add(line.split(b": ")[2])
        else:
            self.fail("it always fails")
        self.assertLessEqual(REASONS, reasons)

    def test_on_several_hosts(self):
        for rank in (0, 2):
            self.check_failures(rank, ("-H", "one,two"))

    def test_on_one_host(self):
        self.check_failures(3, (), GASNET_SUPERNODE_MAXSIZE="1")

    def test_what_is_wrong_everywhere_is_told_once(self):
        done = self.run_job(
            TRAFFIC, where=("-H", "one,two"), GASNET_WORKERIP="none0")
        self.assertEqual((done.code, done.out), (1, b""))
        (line,) = done.err.splitlines()
        self.assertRegex(line, rb"\(rank 0, .*: GASNET_WORKERIP is 'none0': host 0 ")

    def test_smp_on_several_hosts(self):
        done = self.run_job(SMP_HELLO, where=("-H", "one,two"))
        self.assertEqual((done.code, done.out), (1, b""))
        told = [line for line in done.err.splitlines() if line.startswith(b"***")]
        self.assertEqual(len(told), 1, done.err)
        self.assertIn(b"the smp conduit runs on one host; this job has ranks on "
                      b"several (the udp conduit runs there)", told[0])


if __name__ == "__main__":
    launched.main()
