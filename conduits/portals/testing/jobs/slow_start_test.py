"""Tests of ranks that are slow to append the entries for messages: no rank sends before
all have appended them."""

import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
SLOW_START = launched.program("SLOW_START")

RANKS = 4


class SlowStartTest(unittest.TestCase):
    def test_what_fast_ranks_send_arrives(self):
        for transport in ("memory", "datagram"):
            for credits in ("0", "1"):
                env = {"GASNET_PORTAL_FLOW_CONTROL": credits,
                       "GASNET_SUPERNODE_MAXSIZE": "1",
                       "PORTALS4_TRANSPORT": transport}
                with self.subTest(**env):
                    job = launched.run(
                        [GASNETRUN, "-n", str(RANKS), "--timeout", "30", SLOW_START],
                        env=env)
                    self.assertEqual((job.code, job.err), (0, b""))
                    self.assertIn(b"slow\n", job.out)


if __name__ == "__main__":
    launched.main()
