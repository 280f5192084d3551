"""Jobs whose ranks have two endpoints each: ranks that share memory, ranks that
do not, and both in one job."""

import os
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PROGRAM = launched.program("PROGRAM")
CONDUIT = os.environ["CONDUIT"]


class TwoEndpointsTest(unittest.TestCase):
    def check(self, ranks, **env):
        job = launched.run([GASNETRUN, "-n", str(ranks), PROGRAM], env=env)
        self.assertEqual(job.code, 0, job.err)
        self.assertEqual(job.out.count(b"all right"), ranks, job.err)
        # The failure of an endpoint is reported once, under the function's name.
        self.assertEqual(job.err.count(b"FailToMake: "), 1, job.err)

    def test_ranks_that_share_memory(self):
        if CONDUIT == "fake":
            self.skipTest("its ranks never share memory")
        self.check(2)

    def test_ranks_that_share_memory_and_do_not_map_segments(self):
        self.check(2, GASNET_REFERENCE="1")

    def test_ranks_that_share_no_memory(self):
        if CONDUIT == "smp":
            self.skipTest("its ranks always share memory")
        self.check(2, GASNET_SUPERNODE_MAXSIZE="1")

    def test_ranks_of_both_kinds(self):
        self.check(3, GASNET_SUPERNODE_MAXSIZE="2")

    def test_more_ranks_than_are_looked_at_one_by_one(self):
        if CONDUIT != "smp":
            self.skipTest("rings are the same over every conduit")
        self.check(18)


if __name__ == "__main__":
    launched.main()
