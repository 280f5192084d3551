"""Tests of requests that are refused or unanswered when a rank returns from main. The
rank's own requests arrive, and requests to it delay no other rank."""

import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
LEAVES = launched.program("LEAVES")

SEEDS = (1, 2)
# Portals shuts an entry before one operation in two, and ranks have no credits.
REFUSED = {
    "GASNET_PORTAL_FLOW_CONTROL": "0",
    "GASNET_PORTAL_AMRECV_SPACE": "256K",
    "GASNET_PORTAL_PACKED_LONG": "0",
}


class LeavesTest(unittest.TestCase):
    def ends_well(self, ranks, way, **env):
        with self.subTest(way=way, **env):
            env["GASNET_SUPERNODE_MAXSIZE"] = "1"
            job = launched.run(
                [GASNETRUN, "-n", str(ranks), "--timeout", "20", LEAVES, way], env=env)
            self.assertEqual((job.code, job.out, job.err), (0, b"all arrived\n", b""))

    def test_what_is_refused_of_a_rank_that_returns_arrives(self):
        for way in ("medium", "long"):
            for seed in SEEDS:
                self.ends_well(2, way, PORTALS4_FAULTS=f"disable=2,seed={seed}",
                               **REFUSED)

    def test_a_rank_ends_in_a_handler_of_a_reply(self):
        self.ends_well(2, "reply", GASNET_PORTAL_FLOW_CONTROL="0")

    def test_a_rank_that_has_left_keeps_no_chunks(self):
        for way in ("returns", "vanishes"):
            for transport in ("memory", "datagram"):
                self.ends_well(3, way, GASNET_PORTAL_SB_CHUNKS="2",
                               PORTALS4_TRANSPORT=transport)


if __name__ == "__main__":
    launched.main()
