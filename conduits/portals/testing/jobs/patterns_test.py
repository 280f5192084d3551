"""Tests of many requests at once: ranks refuse and recover, credits move to ranks that
communicate, and ranks that wait are reported."""

import os
import re
import subprocess
import tempfile
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PATTERNS = launched.program("PATTERNS")
FLOOD = 1_000_000  # requests


def counted(err, name):
    """Returns the sum of the counts of all ranks."""
    return sum(int(number) for number in re.findall(rb"\b%s (\d+)" % name, err))


def command(ranks, *program):
    return [GASNETRUN, "-n", str(ranks), PATTERNS, *program]


def environment(**env):
    return {"GASNET_SUPERNODE_MAXSIZE": "1", **env}


class PatternsTest(unittest.TestCase):
    def run_job(self, ranks, *program, **env):
        job = launched.run(command(ranks, *program), env=environment(**env))
        self.assertEqual((job.code, job.out), (0, b"all arrived\n"), job.err)
        return job

    def test_without_credits_a_flood_is_refused_and_arrives_once(self):
        job = self.run_job(5, "flood", str(FLOOD // 4), GASNET_PORTAL_FLOW_CONTROL="0",
                           GASNET_PORTAL_AMRECV_SPACE="256K",
                           GASNET_PORTAL_STATISTICS="1")
        refusals = counted(job.err, b"refusals")
        self.assertGreater(refusals, 0)
        self.assertEqual(refusals, counted(job.err, b"resent"))

    def test_64_ranks(self):
        self.run_job(64, "all", "20")

    def test_each_arrives_once_with_credits_that_move_that_stay_and_without(self):
        for env in ({}, {"GASNET_PORTAL_DYNAMIC_CREDITS": "0"},
                    {"GASNET_PORTAL_FLOW_CONTROL": "0"}):
            with self.subTest(**env):
                self.run_job(6, "all", "2000", GASNET_PORTAL_AMRECV_SPACE="256K", **env)

    def stalls(self, directory, dynamic):
        """Returns the stalls of a box of ranks, each of which sends to six others."""
        pattern = os.path.join(directory, f"{dynamic}.%r")
        # A face takes more credits than an equal share.
        self.run_job(27, "ghost", "60", GASNET_PORTAL_DYNAMIC_CREDITS=dynamic,
                     GASNET_PORTAL_CRED_PER_NODE="8",
                     GASNET_PORTAL_BANKED_CREDITS="512",
                     GASNET_PORTAL_EPOCH_DURATION="256",
                     GASNET_PORTAL_CREDIT_STATS="1",
                     GASNET_PORTAL_CREDIT_STATS_FILE=pattern)
        total = 0
        for rank in range(27):
            with open(pattern.replace("%r", str(rank)), encoding="ascii") as file:
                line = file.readline().split()
            total += int(line[line.index("stalls") + 1])
        return total

    def test_credits_go_to_those_that_exchange_ghost_cells(self):
        with tempfile.TemporaryDirectory() as directory:
            static = self.stalls(directory, "0")
            dynamic = self.stalls(directory, "1")
        self.assertGreater(static, 0)
        self.assertLess(dynamic, static / 4)

    def test_a_rank_that_is_starved_says_of_what(self):
        with launched.Job(command(2, "deaf", "10000"), stdin=subprocess.PIPE,
                          env=environment(GASNET_STALL_REPORT="2")) as job:
            job.read_until(b"the network of rank 1 has waited for ", "err")
            job.process.stdin.write(b"go\n")
            job.process.stdin.flush()
            self.assertEqual((job.finish(), job.out), (0, b"all arrived\n"))
        self.assertRegex(
            job.err, rb"rank 1 .* has waited for .* rank 0 .* has not polled for .*; the "
            rb"network of rank 1 has waited for .* s: \d+ operations are under way in "
            rb"Portals, and nothing moves; messages wait for credits of their target "
            rb"\(GASNET_PORTAL_CRED_PER_NODE\)")


if __name__ == "__main__":
    launched.main()
