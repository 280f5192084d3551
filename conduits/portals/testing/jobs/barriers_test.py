"""Tests of barriers that Portals completes on its own, in shared memory and by
datagrams, while ranks compute, sleep and leave."""

import tempfile
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
BARRIERS = launched.program("BARRIERS")

DATAGRAMS = {"PORTALS4_TRANSPORT": "datagram"}
# Two ranks have one step and trigger nothing; three and five are no powers of two.
RANKS = (2, 3, 5, 8)


def run(ranks, what, *more, **env):
    env = {"GASNET_SUPERNODE_MAXSIZE": "1", **env}
    with tempfile.NamedTemporaryFile() as shared:
        shared.truncate(1 << 16)
        return launched.run(
            [GASNETRUN, "-n", str(ranks), BARRIERS, what, shared.name, *more],
            env=env)


class BarriersTest(unittest.TestCase):
    def ends_well(self, *arguments, **env):
        job = run(*arguments, **env)
        self.assertEqual((job.code, job.out, job.err), (0, b"", b""))

    def test_a_barrier_goes_on_while_all_others_compute(self):
        for ranks in RANKS:
            self.ends_well(ranks, "deaf")

    def test_a_barrier_goes_on_by_datagrams_while_all_others_compute(self):
        self.ends_well(5, "deaf", **DATAGRAMS)

    def test_sleepers_are_woken(self):
        self.ends_well(3, "sleeps")
        self.ends_well(3, "sleeps", **DATAGRAMS)

    def test_names(self):
        for ranks in RANKS:
            self.ends_well(ranks, "names")
        self.ends_well(5, "names", **DATAGRAMS)

    def test_a_rank_that_leaves_after_a_barrier_holds_nobody_up(self):
        for seed in range(8):
            self.ends_well(5, "leaves", **DATAGRAMS,
                           PORTALS4_DATAGRAM_FAULTS=f"drop=30,seed={seed}")

    def test_other_barriers_where_limits_forbid_it_at_one_rank(self):
        self.ends_well(3, "limited")
        job = run(3, "limited", GASNET_BARRIER="PORTAL")
        self.assertNotEqual(job.code, 0)
        self.assertIn(b"GASNET_BARRIER", job.err)
        self.assertIn(b"AMDISSEM", job.err)

    def test_ranks_that_cannot_start_beside_one_without_it_say_why(self):
        job = run(3, "refused", "3")
        self.assertNotEqual(job.code, 0)
        self.assertIn(b"GASNET_PORTAL_CHUNK", job.err)
        self.assertNotIn(b"SIGABRT", job.err)


if __name__ == "__main__":
    launched.main()
