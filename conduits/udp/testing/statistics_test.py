"""Tests of the report on datagrams (GASNET_UDP_STATISTICS): each rank prints it once,
at its end, in one line."""

import contextlib
import re
import signal
import socket
import subprocess
import unittest

import launched
import udp_sockets

GASNETRUN = launched.program("GASNETRUN")
TRAFFIC = launched.program("TRAFFIC")
RANKS = 2
MESSAGES = 3000  # requests of each rank, and replies
SHORT = 5
FORGED = 7

LINE = re.compile(
    rb"\*\*\* GASNet \(rank (?P<rank>\d+), \S+, pid \d+\): UDP statistics: "
    rb"sent: messages (?P<sent>\d+), packets \d+(, acknowledgements \d+)?; "
    rb"received: messages (?P<received>\d+), packets \d+"
    rb"(; repeated: (?P<repeated>[^;]+))?(; dropped: (?P<dropped>[^;]+))?")


def disturb(job):
    """Sends every rank datagrams that are too short, and some with a wrong tag."""
    ranks = job.find(b"traffic")
    ports = [int(port, 16) for pid in ranks
             for _, port in udp_sockets.of_process(pid)]
    assert len(ports) == RANKS, ports
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        for port in ports:
            for datagram in [b""] * SHORT + [bytes(1000)] * FORGED:
                stranger.sendto(datagram, ("127.0.0.1", port))


class StatisticsTest(unittest.TestCase):
    @contextlib.contextmanager
    def ready_job(self, *arguments, **env):
        """Starts a job whose ranks wait until node 0 reads a line."""
        env = {"GASNET_SUPERNODE_MAXSIZE": "1",
               # Gives a rank time for its final messages on a busy machine.
               "GASNET_EXITTIMEOUT": str(launched.PATIENCE), **env}
        with launched.Job([GASNETRUN, "-n", str(RANKS), TRAFFIC, "wait",
                           *arguments],
                          env=env, stdin=subprocess.PIPE) as job:
            job.read_until(b"ready\n")
            yield job

    def finish(self, job):
        job.process.stdin.write(b"go\n")
        job.process.stdin.flush()
        self.assertEqual(job.finish(), 0, job.err)
        self.assertEqual(job.out, b"ready\nall answered\n")

    def lines(self, job):
        """Returns the lines by rank, and checks that there are no others."""
        found = [LINE.fullmatch(line) for line in job.err.splitlines()]
        self.assertTrue(all(found), job.err)
        by_rank = {int(line["rank"]): line for line in found}
        self.assertEqual((len(found), sorted(by_rank)),
                         (RANKS, list(range(RANKS))), job.err)
        return by_rank

    def test_an_undisturbed_job(self):
        with self.ready_job(GASNET_UDP_STATISTICS="1") as job:
            self.finish(job)
        for line in self.lines(job).values():
            self.assertGreaterEqual(int(line["sent"]), 2 * MESSAGES)
            self.assertGreaterEqual(int(line["received"]), 2 * MESSAGES)
            # A busy machine may cause duplicates.
            self.assertRegex(line["dropped"] or b"duplicate 1",
                             rb"^duplicate \d+$")

    def test_what_strangers_sent(self):
        with self.ready_job(GASNET_UDP_STATISTICS="1") as job:
            disturb(job)
            self.finish(job)
        told = f"too short or too long {SHORT}, wrong tag {FORGED}".encode()
        for line in self.lines(job).values():
            self.assertRegex(line["dropped"] or b"nothing",
                             b"^" + told + rb"(, duplicate \d+)?$")

    def test_a_bad_network(self):
        with self.ready_job(GASNET_UDP_STATISTICS="1",
                            GASNET_UDP_FAULTS="drop=5,corrupt=5") as job:
            self.finish(job)
        for line in self.lines(job).values():
            self.assertIn(b"packets ", line["repeated"] or b"nothing")
            self.assertIn(b"wrong tag ", line["dropped"] or b"nothing")

    def test_ranks_that_return_from_main(self):
        with self.ready_job("return", GASNET_UDP_STATISTICS="1") as job:
            self.finish(job)
        self.lines(job)

    def test_a_job_that_is_interrupted(self):
        with self.ready_job(GASNET_UDP_STATISTICS="1") as job:
            job.kill(signal.SIGINT)
            self.assertEqual(job.finish(), 128 + signal.SIGINT, job.err)
        self.lines(job)

    def test_says_nothing_unless_asked(self):
        with self.ready_job() as job:
            disturb(job)
            self.finish(job)
        self.assertEqual(job.err, b"")


if __name__ == "__main__":
    launched.main()
