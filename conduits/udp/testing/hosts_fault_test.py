"""Tests of the ways in which a job on two hosts dies during traffic. In each, the exit
code is right, a message names the rank, and no process is left on any host."""

import contextlib
import os
import signal
import unittest

import launched
import on_hosts

CRASHER = launched.program("CRASHER")
RANKS = on_hosts.RANKS
# The seconds of silence after which a host counts as lost: more than a busy machine
# needs to connect.
SILENCE = "5"


@unittest.skipIf(on_hosts.REASON, on_hosts.REASON)
class HostsFaultTest(on_hosts.TestOnHosts):
    def in_traffic(self, **options):
        """Starts a job whose ranks flood each other until something ends it."""
        return self.start_job(CRASHER, "never", **options)

    def ends(self, job, code, says=b"(?s)^.*$"):
        self.assertEqual(job.finish(), code, job.err)
        self.assertRegex(job.err, says)

    def kill_there(self, host, words, number=signal.SIGKILL):
        """Kills the processes of a host whose command line has these words."""
        pids = [pid for name, pid, line in self.network.left()
                if name == host and words in line]
        self.assertTrue(pids, f"no {words!r} on {host}")
        for pid in pids:
            # A process may have ended together with another.
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def test_the_end_of_a_rank_in_a_handler(self):
        for how, code, says in (
                ("abort", 128 + signal.SIGABRT, b"rank 3 .hostB, .* SIGABRT"),
                ("kill", 128 + signal.SIGKILL, b"rank 3 .hostB, .* SIGKILL"),
                ("fault", 128 + signal.SIGSEGV, b"rank 3 .hostB, .* SIGSEGV"),
                ("exit", 7, b"rank 3 .hostB, .*without calling gasnet_exit"),
                ("_exit", 7, b"rank 3 .hostB, .*without calling gasnet_exit"),
                ("gasnet_exit", 7, b"^$")):
            with self.subTest(how), self.start_job(CRASHER, how) as job:
                self.ends(job, code, says)
                self.nothing_left()

    def test_the_end_of_a_rank_that_shares_memory_with_nobody(self):
        for how, code in (("abort", 128 + signal.SIGABRT), ("gasnet_exit", 7)):
            with self.subTest(how), self.start_job(
                    CRASHER, how, GASNET_SUPERNODE_MAXSIZE="1") as job:
                self.ends(job, code)
                self.nothing_left()

    def test_a_rank_is_killed(self):
        for host in ("hostA", "hostB"):
            with self.subTest(host), self.in_traffic() as job:
                job.await_ready(RANKS)
                self.kill_there(host, CRASHER.encode())
                self.ends(job, 128 + signal.SIGKILL,
                          f"rank \\d \\({host}, pid .* SIGKILL".encode())
                self.nothing_left()

    def test_the_launcher_ends(self):
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), self.in_traffic() as job:
                job.await_ready(RANKS)
                job.kill(number)
                dies = number == signal.SIGKILL
                self.ends(job, -number if dies else 128 + number)
                self.nothing_left()

    def test_an_agent_is_killed(self):
        for host in ("hostA", "hostB"):
            with self.subTest(host), self.in_traffic() as job:
                job.await_ready(RANKS)
                self.kill_there(host, b"/gasnetrun --agent ")
                self.ends(job, 125, f"host {host}: the connection".encode())
                self.nothing_left()

    def test_the_ssh_to_a_host_is_killed(self):
        for host in ("hostA", "hostB"):
            with self.subTest(host), self.in_traffic() as job:
                job.await_ready(RANKS)
                (ssh,) = job.find(b"ssh", host.encode())
                os.kill(ssh, signal.SIGKILL)
                self.ends(job, 125, f"host {host}: the connection".encode())
                self.nothing_left()

    def test_the_ssh_server_of_the_connection_is_killed(self):
        with self.in_traffic() as job:
            job.await_ready(RANKS)
            for pid in self.network.sessions("hostB"):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.ends(job, 125, b"host hostB: the connection")
            self.nothing_left()

    def test_the_link_is_cut(self):
        with self.in_traffic(GASNET_HOST_TIMEOUT=SILENCE) as job:
            job.await_ready(RANKS)
            self.network.link("hostB", "down")
            self.ends(job, 125, b"host hostB: nothing was heard from it for 5 s")
            # The agent beyond the cut has noticed it too.
            self.nothing_left()

    def test_a_host_vanishes(self):
        with self.in_traffic(GASNET_HOST_TIMEOUT=SILENCE) as job:
            job.await_ready(RANKS)
            self.network.link("hostA", "down")
            self.network.hosts["hostA"].kill_all()
            self.ends(job, 125, b"host hostA: nothing was heard from it for 5 s")
            self.nothing_left()


if __name__ == "__main__":
    launched.main()
