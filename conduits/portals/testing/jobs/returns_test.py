"""Ranks that return from main while Portals has something under way, in memory and
as datagrams."""

import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
RETURNS = launched.program("RETURNS")


def run(way, **env):
    env = {"GASNET_SUPERNODE_MAXSIZE": "1", **env}
    return launched.run([GASNETRUN, "-n", "2", RETURNS, way], env=env)


class ReturnsTest(unittest.TestCase):
    def ends_well(self, job, out=b""):
        self.assertEqual((job.code, job.out, job.err), (0, out, b""))

    def test_what_was_sent_before_a_return_arrives(self):
        # That from whom it came has long returned by then.
        self.ends_well(run("sender_returns"), b"all arrived\n")
        for faults in ("", "drop=25,reorder=10,seed=3"):
            job = run("sender_returns", PORTALS4_TRANSPORT="datagram",
                      PORTALS4_DATAGRAM_FAULTS=faults)
            self.ends_well(job, b"all arrived\n")

    def test_what_was_sent_before_an_exit_in_a_handler_arrives(self):
        self.ends_well(run("handler_exits"), b"all arrived\n")
        for seed in range(8):
            job = run("handler_exits", PORTALS4_TRANSPORT="datagram",
                      PORTALS4_DATAGRAM_FAULTS=f"drop=40,seed={seed}")
            self.ends_well(job, b"all arrived\n")

    def test_two_that_return_at_once_do_not_wait_for_each_other(self):
        for seed in range(5):
            job = run("both_return", PORTALS4_TRANSPORT="datagram",
                      PORTALS4_DATAGRAM_FAULTS=f"drop=25,seed={seed}")
            self.ends_well(job)

    def test_a_rank_that_is_gone_holds_nobody_up_and_is_no_error(self):
        for transport in ("memory", "datagram"):
            job = run("receiver_vanishes", PORTALS4_TRANSPORT=transport)
            self.ends_well(job, b"all sent\n")


if __name__ == "__main__":
    launched.main()
