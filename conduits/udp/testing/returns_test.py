"""Ranks that return from main while datagrams are under way."""

import signal
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
        for faults in ("", "drop=25,reorder=10,seed=3"):
            job = run("sender_returns", GASNET_UDP_FAULTS=faults)
            self.ends_well(job, b"all arrived\n")

    def test_what_was_sent_before_an_exit_in_a_handler_arrives(self):
        for seed in range(8):
            faults = f"drop=40,seed={seed}"
            job = run("handler_exits", GASNET_UDP_FAULTS=faults)
            self.ends_well(job, b"all arrived\n")

    def test_two_that_return_at_once_do_not_wait_for_each_other(self):
        for seed in range(5):
            faults = f"drop=25,seed={seed}"
            self.ends_well(run("both_return", GASNET_UDP_FAULTS=faults))

    def test_a_rank_that_is_gone_holds_nobody_up_and_is_no_error(self):
        job = run("receiver_vanishes", GASNET_REQUESTTIMEOUT_MAX="400000")
        self.ends_well(job, b"all sent\n")

    def test_a_rank_that_closes_all_descriptors_is_told(self):
        job = run("close_all")
        self.assertEqual(job.code, 128 + signal.SIGABRT)
        self.assertIn(b"this program has closed descriptor", job.err)


if __name__ == "__main__":
    launched.main()
