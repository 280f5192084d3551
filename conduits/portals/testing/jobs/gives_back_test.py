"""Tests that non-blocking puts and Longs give back all resources: a job that does very
many of them with the least of every resource ends."""

import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
GIVES_BACK = launched.program("GIVES_BACK")

ROUNDS = "40"  # of 32 each

LEAST = {
    "GASNET_PORTAL_MSG_LIMIT": "4",
    "GASNET_PORTAL_RPL_CHUNKS": "1",
    "GASNET_PORTAL_SB_CHUNKS": "1",
}
# More op slots than chunks: a thread that has an op slot waits for a chunk.
FEW_CHUNKS = {
    "GASNET_PORTAL_MSG_LIMIT": "16",
    "GASNET_PORTAL_RPL_CHUNKS": "1",
    "GASNET_PORTAL_SB_CHUNKS": "1",
}
# The least of every resource, and no descriptor over all memory.
PINNED = {**LEAST, "PORTALS4_LIMITS": "features=0,max_md_length=2097152,max_mds=8"}
REFUSED = {
    **FEW_CHUNKS,
    "GASNET_PORTAL_AMRECV_SPACE": "448K",
    "GASNET_PORTAL_FLOW_CONTROL": "0",
    "PORTALS4_FAULTS": "disable=20",
}
DATAGRAMS = {**LEAST, "PORTALS4_TRANSPORT": "datagram"}


class GivesBackTest(unittest.TestCase):
    def ends_well(self, which, **env):
        env = {"GASNET_SUPERNODE_MAXSIZE": "1", **env}
        job = launched.run([GASNETRUN, "-n", "2", GIVES_BACK, which, ROUNDS], env=env)
        self.assertEqual((job.code, job.out, job.err), (0, b"all given back\n", b""))

    def test_puts_give_back_records_and_op_slots(self):
        for env in (LEAST, PINNED, DATAGRAMS):
            with self.subTest(**env):
                self.ends_well("puts", **env)

    def test_longs_give_back_records_op_slots_chunks_and_credits(self):
        for env in (LEAST, FEW_CHUNKS, PINNED, REFUSED, DATAGRAMS):
            for packed in ("0", "1"):
                with self.subTest(packed=packed, **env):
                    self.ends_well("longs", GASNET_PORTAL_PACKED_LONG=packed, **env)


if __name__ == "__main__":
    launched.main()
