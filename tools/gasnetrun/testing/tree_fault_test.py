"""Tests faults of hosts that are reached through other hosts: the faulty one is named,
and nothing is left anywhere."""

import contextlib
import os
import re
import signal
import tempfile
import unittest

import launched
from several_hosts import AGENT, IN_THEIR_TIME, MANY, job, run, tree_of

LOST = "the connection to its agent was lost"


class WayTest(unittest.TestCase):
    """Tests hosts that other hosts cannot reach, or that no host can."""

    def one_note(self, err, what):
        """Checks that there is one line, about a detour, for all hosts that have taken
        it."""
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertRegex(err, rb"host h\d+: cannot start an agent there \(ssh from host")
        self.assertIn(what, err)
        self.assertIn(b"connecting from here", err)

    def test_hosts_may_not_reach_each_other(self):
        for mode, said in (
            ("refuse", b"Connection refused"),
            ("hostkey", b"Host key verification failed"),
            ("garbage", b"killed by SIGKILL"),
            ("missing", b"gasnetrun is not there"),
        ):
            for count, degree in ((7, 1), (MANY, 2)):
                with self.subTest(mode, degree=degree):
                    options = tree_of(
                        count, degree, f"onward={mode}", variables=IN_THEIR_TIME
                    )
                    done = run("gather=8", "exit=5", **options)
                    self.assertEqual((done.code, done.out), (5, b""), done.err)
                    self.one_note(done.err, said)

    def test_hosts_do_not_answer_each_other(self):
        options = tree_of(7, 2, "onward=hang", variables={
            "GASNET_HOST_TIMEOUT": "2", **IN_THEIR_TIME
        })
        done = run("gather=8", "exit=5", **options)
        self.assertEqual(done.code, 5, done.err)
        self.one_note(done.err, b"killed by SIGKILL")

    def test_ssh_is_not_there(self):
        # The command exists only on the launcher's host.
        with tempfile.TemporaryDirectory() as directory:
            command = os.path.join(directory, "my-ssh")
            os.symlink(os.path.abspath(os.environ["FAKE_SSH_PROGRAM"]), command)
            variables = {"GASNET_SSH_CMD": "my-ssh", "FAKE_PATH": "/usr/bin:/bin",
                         "PATH": f"{directory}:{os.environ['PATH']}"}
            done = run("gather=8", "exit=5", **tree_of(7, 2, variables=variables))
        self.assertEqual(done.code, 5, done.err)
        self.one_note(done.err, b"cannot start 'my-ssh'")

    def test_nobody_reaches_a_host(self):
        for bad in ("h2", "h6"):
            done = run("barrier", **tree_of(7, 2, f"{bad}=refuse"))
            self.assertEqual(done.code, 125)
            message = f"host {bad}: cannot .*ssh ended .*Connection refused; does it run"
            self.assertRegex(done.err, message.encode())

    def test_one_at_fault_is_an_interior_host(self):
        done = run("barrier", **tree_of(7, 2, "h0=refuse"))
        self.assertEqual(done.code, 125)
        self.assertRegex(done.err, rb"host h0: .*Connection refused")
        self.assertNotRegex(done.err, rb"host h[1-6]")

    def test_a_shell_that_talks_does_no_harm(self):
        done = run("barrier", "exit=3", **tree_of(7, 2, "onward=banner"))
        self.assertEqual((done.code, done.out), (3, b""))
        for host in range(2, 7):
            said = f"host h{host}: Warning: this host is watched\n".encode()
            self.assertEqual(done.err.count(said), 1)

    def test_a_bad_program_is_told_once(self):
        options = tree_of(7, 2, variables={"GASNET_HOST_MEMORY": "disk"})
        done = run("barrier", **options)
        self.assertEqual(done.code, 125)
        self.assertRegex(done.err, rb"host h[01]: .*GASNET_HOST_MEMORY .*'disk'")

    def test_what_no_agent_says_of_a_relay(self):
        hosts = "hostA,hostB,hostC"
        for mode in (
            *("no-relay", "relay-of-nobody", "relay-credit", "relay-after-end"),
            *("relay-after-its-end", "relay-start"),
        ):
            with self.subTest(mode):
                options = {**tree_of(6, 1, f"hostB={mode}"), "hosts": hosts}
                done = run("barrier", **options)
                self.assertEqual(done.code, 125, done.err)
                self.assertIn(b"host hostB: its output is not that of an agent", done.err)
                self.assertNotIn(b"host hostC", done.err)


class FaultTest(unittest.TestCase):
    """Checks that nothing is left, whatever dies (launched.Job does that)."""

    def setUp(self):
        # A standard input without data and without an end.
        self.stdin, self.silent = os.pipe()

    def tearDown(self):
        os.close(self.stdin)
        os.close(self.silent)

    def started(self, *actions, count=7, degree=2, variables=None):
        """Returns a job that has begun on all hosts."""
        started = job(
            *("barrier", "print=ready", *actions, "wait"),
            **tree_of(count, degree, variables=variables, stdin=self.stdin),
        )
        started.await_ready(count)
        return started

    def agent_of(self, started, host):
        agent = started.find_one(*AGENT, variable=b"FAKE_HOST=%s\0" % host.encode())
        return agent

    def ssh_to(self, started, host):
        ssh = started.find_one(b"fake_ssh", host.encode())
        return ssh

    def is_named_alone(self, err, host):
        named = set(re.findall(rb"host (h\d+):", err))
        self.assertEqual(named, {host.encode()}, err)

    def test_the_launcher_is_killed(self):
        for number in (signal.SIGKILL, signal.SIGQUIT, signal.SIGTERM):
            for degree in (1, 2):
                with self.started("ignore-quit", degree=degree) as started:
                    started.kill(number)
                    dies = number == signal.SIGKILL
                    self.assertEqual(
                        started.finish(), -number if dies else 128 + number
                    )

    def test_the_launcher_is_killed_at_any_moment(self):
        for begun in range(0, 22, 2):
            options = tree_of(5, 1, stdin=self.stdin)
            with job("barrier", "gather=8", "wait", **options) as started:
                while len(started.pids()) < begun:
                    os.sched_yield()
                started.kill(signal.SIGKILL)
                self.assertEqual(started.finish(), -signal.SIGKILL)

    def test_an_agent_is_killed(self):
        for degree in (1, 2):
            for host in ("h0", "h2", "h6"):
                with self.started("ignore-quit", degree=degree) as started:
                    os.kill(self.agent_of(started, host), signal.SIGKILL)
                    self.assertEqual(started.finish(), 125)
                    self.is_named_alone(started.err, host)
                    self.assertIn(LOST.encode(), started.err)

    def test_an_agent_is_told_to_end(self):
        for host in ("h0", "h2", "h6"):
            with self.started() as started:
                os.kill(self.agent_of(started, host), signal.SIGTERM)
                self.assertEqual(started.finish(), 128 + signal.SIGTERM)
                self.is_named_alone(started.err, host)
                self.assertIn(b"the agent there got SIGTERM", started.err)

    def test_a_connection_is_cut(self):
        for degree in (1, 2):
            for host, way in (("h0", ""), ("h2", " from host h[01]"), ("h6", " from")):
                with self.started("ignore-quit", degree=degree) as started:
                    os.kill(self.ssh_to(started, host), signal.SIGKILL)
                    self.assertEqual(started.finish(), 125)
                    self.is_named_alone(started.err, host)
                    message = rf"{LOST} \(ssh{way}.* was killed by SIGKILL"
                    self.assertRegex(started.err, message.encode())

    def test_a_connection_is_cut_at_any_moment(self):
        for begun in range(0, 16, 2):
            options = tree_of(4, 1, stdin=self.stdin)
            with job("barrier", "gather=8", "wait", **options) as started:
                while len(started.pids()) < begun:
                    os.sched_yield()
                while not (found := started.find(b"fake_ssh", b"h1")):
                    os.sched_yield()
                os.kill(found[0], signal.SIGKILL)
                # A host without an agent yet does not count as lost: there is a detour.
                while started.process.poll() is None and not self.is_up(started):
                    os.sched_yield()
                started.kill(signal.SIGTERM)
                self.assertIn(started.finish(), (125, 128 + signal.SIGTERM))
                # The line about h1 is missing too if the signal came first.
                self.assertNotRegex(started.err, rb"host h[^1]:")

    def is_up(self, started):
        return len(started.find(b"probe")) == 4

    def test_a_connection_freezes(self):
        for host in ("h0", "h2", "h6"):
            with self.started(variables={"GASNET_HOST_TIMEOUT": "2"}) as started:
                os.kill(self.ssh_to(started, host), signal.SIGSTOP)
                self.assertEqual(started.finish(), 125)
                self.is_named_alone(started.err, host)
                self.assertIn(b"nothing was heard from it for 2 s", started.err)

    def test_an_agent_freezes(self):
        for host in ("h0", "h2", "h6"):
            with self.started(variables={"GASNET_HOST_TIMEOUT": "2"}) as started:
                agent = self.agent_of(started, host)
                os.kill(agent, signal.SIGSTOP)
                try:
                    self.assertEqual(started.process.wait(launched.PATIENCE), 125)
                finally:
                    # The kernel continues an orphan that is stopped.
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(agent, signal.SIGCONT)
                started.finish()
                self.is_named_alone(started.err, host)
                self.assertIn(b"nothing was heard from it for 2 s", started.err)

    def test_a_rank_is_killed(self):
        with self.started("6:pid", degree=1) as started:
            started.read_until(b"pid ")
            started.read_until(b"\n")
            pid = int(started.out.split(b"pid ")[1].split()[0])
            os.kill(pid, signal.SIGKILL)
            self.assertEqual(started.finish(), 128 + signal.SIGKILL)
            message = f"rank 6 (h6, pid {pid}) was killed by SIGKILL"
            self.assertIn(message.encode(), started.err)

    def test_a_job_ends_while_output_flows(self):
        # This holds however far the news of the last rank's exit travels.
        for count, degree in ((7, 1), (7, 2), (MANY // 2, 1)):
            last = count - 1
            options = tree_of(count, degree, stdin=self.stdin)
            done = run(f"!{last}:print-for-ever=line", f"{last}:exit=4", **options)
            self.assertEqual(done.code, 4, done.err)

    def test_output_flows_while_the_launcher_or_an_agent_dies(self):
        for host in (None, "h0", "h2", "h6"):
            options = tree_of(7, 2, stdin=self.stdin)
            with job("barrier", "print-for-ever=line", **options) as started:
                for _ in range(100):
                    started.read_until(b"line\n")
                    started.out = b""
                if host is None:
                    started.kill(signal.SIGKILL)
                    self.assertEqual(started.finish(), -signal.SIGKILL)
                else:
                    os.kill(self.agent_of(started, host), signal.SIGKILL)
                    self.assertEqual(started.finish(), 125)
                    self.is_named_alone(started.err, host)

    def test_descendants(self):
        options = tree_of(7, 1, stdin=self.stdin)
        done = run("0:descendant=group", "6:descendant=session", "barrier", "exit=0",
                   **options)
        self.assertEqual(done.code, 0)

    def test_a_second_signal_kills_at_once(self):
        options = tree_of(7, 1, variables={"GASNET_EXITTIMEOUT": "100000"})
        with job("handle-quit-say", "wait", stdin=self.stdin, **options) as started:
            started.await_ready(7)
            started.kill(signal.SIGINT)
            started.read_until(b"quit\n")
            started.kill(signal.SIGTERM)
            self.assertEqual(started.finish(), 128 + signal.SIGINT)


if __name__ == "__main__":
    launched.main()
