"""Jobs that share memory in a small /dev/shm, which becomes full."""

import os
import re
import signal
import subprocess
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PROGRAMS = {name: launched.program(name) for name in ("SMP", "UDP")}
SMALL = 'mount -t tmpfs -o size="$SIZE" none /dev/shm && exec "$@"'
NAMESPACE = ("unshare", "--mount", "--propagation", "private", "sh", "-c", SMALL, "-")
KILLED = 128 + signal.SIGBUS


def why_not():
    if os.geteuid() != 0:
        return "needs root, to mount a small /dev/shm"
    mounted = subprocess.run(
        [*NAMESPACE, "true"],
        env={**os.environ, "SIZE": "1m"},
        stderr=subprocess.PIPE,
        check=False,
    )
    return "" if mounted.returncode == 0 else mounted.stderr.decode()


REASON = why_not()


@unittest.skipIf(REASON, REASON)
class FullMemoryTest(unittest.TestCase):
    def run_job(self, conduit, action, size="16m", **env):
        return launched.run(
            [*NAMESPACE, GASNETRUN, "-n", "2", PROGRAMS[conduit], action],
            env={"SIZE": size, "GASNET_HOST_MEMORY": "shm", **env},
        )

    def check_told(self, job, what, teller):
        """Checks that one line has cause and remedy, and that SIGBUS ends the rank."""
        self.assertEqual(job.code, KILLED, job.err)
        told = re.findall(rb".*/dev/shm is full.*", job.err)
        self.assertEqual(len(told), 1, job.err)
        self.assertIn(b"no room for a page of " + what, told[0])
        self.assertIn(b"(rank %d, " % teller, told[0])
        self.assertIn(b"set GASNET_HOST_MEMORY=memfd", told[0])
        killed = rb"rank %d \(.*\) was killed by SIGBUS" % teller
        self.assertRegex(job.err, killed)

    def test_a_segment_without_room_is_told(self):
        for conduit in PROGRAMS:
            self.check_told(self.run_job(conduit, "own"), b"rank 1's segment", 1)
            self.check_told(self.run_job(conduit, "put"), b"rank 0's segment", 1)

    def test_a_put_by_datagrams_is_told_where_it_arrives(self):
        job = self.run_job("UDP", "put", GASNET_SUPERNODE_MAXSIZE="1")
        self.check_told(job, b"rank 0's segment", 0)

    def test_messages_need_no_room_any_more(self):
        for conduit in PROGRAMS:
            job = self.run_job(conduit, "messages")
            self.assertEqual(job.code, 0, job.err)
            self.assertEqual(job.out, b"all answered\n" * 2)

    def test_too_small_for_the_rings_is_told_at_the_start(self):
        for conduit in PROGRAMS:
            job = self.run_job(conduit, "messages", size="1m")
            self.assertEqual(job.code, 3, job.err)
            told = re.findall(
                rb"gasnet_init: no room for the message rings of 2 ranks: \d+ "
                rb"bytes in /dev/shm, which has \d+ \(No space left on device\); "
                rb".*GASNET_HOST_MEMORY=memfd",
                job.err,
            )
            self.assertEqual(len(told), 1, job.err)

    def test_backtraces_are_printed_as_well(self):
        job = self.run_job("SMP", "own", GASNET_BACKTRACE="1")
        self.check_told(job, b"rank 1's segment", 1)
        self.assertIn(b"backtrace of the failing thread", job.err)

    def test_a_handler_of_the_client_s_is_as_before(self):
        """Checks that the client's earlier handler gets faults outside GASNet's
        memory."""
        for action, told in (
            *(("before-own", 1), ("before-other", 0)),
            *(("after-own", 0), ("before-sent", 0)),
        ):
            job = self.run_job("SMP", action)
            self.assertEqual(job.code, 42, (action, job.err))
            self.assertIn(b"the client's handler\n", job.err)
            self.assertEqual(job.err.count(b"/dev/shm is full"), told, action)

    def test_other_bus_errors_end_the_process_without_a_word(self):
        for action in ("other", "sent"):
            job = self.run_job("SMP", action)
            self.assertEqual(job.code, KILLED, (action, job.err))
            self.assertNotIn(b"is full", job.err)

    def test_a_memfd_has_no_limit_and_no_handler(self):
        limits = {"GASNET_HOST_MEMORY": "memfd", "GASNET_MAX_SEGSIZE": "16M/P"}
        job = self.run_job("SMP", "own", **limits)
        self.assertEqual(job.code, 0, job.err)
        self.assertNotIn(b"is full", job.err)


if __name__ == "__main__":
    launched.main()
