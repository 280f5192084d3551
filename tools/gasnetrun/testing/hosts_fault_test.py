"""Tests faults in jobs on several hosts: each is reported, and nothing is left."""

import os
import shutil
import signal
import tempfile
import unittest

import launched
from several_hosts import AGENT, GASNETRUN, HOSTS, PROBE, RANKS, environment, job, run


class CannotStartTest(unittest.TestCase):
    def fails(self, code, message, wrong="", actions=("barrier",), **options):
        options.setdefault("env", environment(wrong))
        done = run(*actions, **options)
        self.assertEqual(done.code, code, done.err)
        self.assertRegex(done.err, message)

    def test_the_host_cannot_be_reached(self):
        self.fails(125, rb"host hostB: cannot.*Connection refused", "hostB=refuse")

    def test_one_of_many_cannot_be_reached(self):
        hosts = ",".join(f"h{number}" for number in range(70))
        for bad in ("h1", "h69"):
            message = f"host {bad}: .*refused".encode()
            self.fails(125, message, f"{bad}=refuse", ranks=70, hosts=hosts)

    def test_a_password_is_asked_for(self):
        message = rb"host hostA: .*Permission denied .*; .* give it a key"
        self.fails(125, message, "hostA=password,hostB=hang")

    def test_the_host_key_is_unknown(self):
        self.fails(125, rb"host hostB: .*connect to it once", "hostB=hostkey")

    def test_the_host_does_not_answer(self):
        env = environment("hostB=hang", GASNET_HOST_TIMEOUT="1")
        message = rb"host hostB: no agent .* for 1 s \(GASNET_HOST_.*: is it up, and"
        self.fails(125, message, env=env)

    def test_a_signal_while_a_host_does_not_answer(self):
        with job("barrier", env=environment("hostB=hang")) as started:
            while not started.find(b"probe"):
                os.sched_yield()
            started.kill(signal.SIGINT)
            self.assertEqual(started.finish(), 128 + signal.SIGINT)

    def test_gasnetrun_is_not_there(self):
        message = rb"host hostB: .*not there: /no-such/gasnetrun; install"
        self.fails(125, message, "hostB=missing")

    def test_gasnetrun_is_in_another_directory(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            shutil.copy(GASNETRUN, elsewhere)
            env = environment("hostB=missing", GASNET_SSH_REMOTE_PATH=elsewhere)
            self.assertEqual(run("barrier", "exit=3", env=env).code, 3)

    def test_gasnetrun_is_of_another_version(self):
        message = rb"host hostB: .* another version .* speak version 99, this one \d+\)"
        self.fails(125, message, "hostB=version")

    def test_something_else_answers(self):
        for mode in (
            *("garbage", "no-hello", "second-hello", "foreign-rank", "no-rank"),
            *("not-started", "started-twice", "not-joined"),
            "statistics",
            *("no-stream", "finished", "short", "wrong-side", "too-long"),
        ):
            with self.subTest(mode):
                self.fails(125, rb"host hostB: its output is not", f"hostB={mode}")

    def test_the_stream_ends_and_ssh_does_not(self):
        message = rb"host hostB: the connection to its agent was lost \(ssh was killed"
        self.fails(125, message, "hostB=lingers")

    def test_a_rank_ends_twice(self):
        # A single end before joining is already a failure. The launcher may have
        # decided so before it learns of the second end.
        done = run("barrier", env=environment("hostB=after-the-end"))
        self.assertIn(done.code, (1, 125), done.err)
        said = (rb"rank 2 \(hostB\) ended with exit code 0" if done.code == 1
                else rb"host hostB: its output is not")
        self.assertRegex(done.err, said)

    def test_a_shell_that_talks_does_no_harm(self):
        done = run("barrier", "exit=3", env=environment("hostA=banner"))
        self.assertEqual((done.code, done.out), (3, b""))
        self.assertIn(b"host hostA: Warning: this host is watched\n", done.err)

    def test_the_program_is_not_there(self):
        command = [GASNETRUN, "-n", "2", "-H", HOSTS]
        done = launched.run([*command, "/no-such/program"], env=environment())
        self.assertEqual(done.code, 127)
        self.assertRegex(done.err, rb"host host[AB]: program '/no-such/program' not")
        self.assertIn(b"GASNET_SSH_REMOTE_PATH", done.err)
        done = launched.run([*command, "/etc/passwd"], env=environment())
        self.assertEqual(done.code, 126)

    def test_the_program_is_in_another_directory(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            shutil.copy(PROBE, os.path.join(elsewhere, "elsewhere-probe"))
            env = environment(GASNET_SSH_REMOTE_PATH=elsewhere)
            command = [GASNETRUN, "-n", "2", "-H", HOSTS, "./elsewhere-probe"]
            self.assertEqual(launched.run([*command, "exit=6"], env=env).code, 6)

    def test_the_program_is_no_program(self):
        with tempfile.NamedTemporaryFile("w", delete=False) as text:
            text.write("neither a script nor a binary\n")
        self.addCleanup(os.unlink, text.name)
        os.chmod(text.name, 0o755)
        for hosts in (HOSTS, "b,localhost", "localhost,b"):
            command = [GASNETRUN, "-n", "2", "-H", hosts, text.name]
            done = launched.run(command, env=environment())
            self.assertEqual(done.code, 126)
            self.assertIn(b"Exec format error", done.err)

    def test_a_bad_setting_is_told_by_the_agent(self):
        message = rb"host host[AB]: .*GASNET_HOST_MEMORY .*'disk'; accepted: auto"
        self.fails(125, message, env=environment(GASNET_HOST_MEMORY="disk"))

    def test_different_builds(self):
        done = run("!3:join=one", "3:join=two")
        self.assertEqual(done.code, 1)
        self.assertRegex(done.err, rb"is built with GASNet '(one|two)' but rank")


class FaultTest(unittest.TestCase):
    """Checks that nothing is left, whatever dies (launched.Job does that)."""

    def started(self, *actions, **options):
        options.setdefault("stdin", self.stdin)
        return job("barrier", "print=ready", *actions, "wait", **options)

    def setUp(self):
        # A standard input without data and without an end.
        self.stdin, self.silent = os.pipe()

    def tearDown(self):
        os.close(self.stdin)
        os.close(self.silent)

    def test_the_launcher_is_killed(self):
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            with self.started("ignore-quit") as started:
                started.await_ready(RANKS)
                started.kill(number)
                dies = number == signal.SIGKILL
                self.assertEqual(started.finish(), -number if dies else 128 + number)

    def test_the_launcher_is_killed_at_any_moment(self):
        for begun in range(12):
            with job("barrier", "gather=8", "wait", stdin=self.stdin) as started:
                while len(started.pids()) < begun:
                    os.sched_yield()
                started.kill(signal.SIGKILL)
                self.assertEqual(started.finish(), -signal.SIGKILL)

    def test_an_agent_is_killed(self):
        with self.started() as started:
            started.await_ready(RANKS)
            agent = started.find_one(*AGENT, variable=b"FAKE_HOST=hostB")
            os.kill(agent, signal.SIGKILL)
            self.assertEqual(started.finish(), 125)
            self.assertRegex(started.err, rb"host hostB: the connection .* was lost")

    def test_an_agent_is_told_to_end(self):
        with self.started() as started:
            started.await_ready(RANKS)
            agent = started.find_one(*AGENT, variable=b"FAKE_HOST=hostB")
            os.kill(agent, signal.SIGTERM)
            self.assertEqual(started.finish(), 128 + signal.SIGTERM)
            self.assertIn(b"host hostB: the agent there got SIGTERM", started.err)

    def test_the_connection_is_cut(self):
        for host in ("hostA", "hostB"):
            with self.started("ignore-quit") as started:
                started.await_ready(RANKS)
                ssh = started.find_one(b"fake_ssh", host.encode())
                os.kill(ssh, signal.SIGKILL)
                self.assertEqual(started.finish(), 125)
                message = f"host {host}: the connection to its agent was lost"
                self.assertIn(message.encode(), started.err)

    def test_the_connection_is_cut_at_any_moment(self):
        for begun in range(0, 14, 2):
            with job("barrier", "gather=8", "wait", stdin=self.stdin) as started:
                while len(started.pids()) < begun:
                    os.sched_yield()
                while not (found := started.find(b"fake_ssh", b"hostB")):
                    os.sched_yield()
                os.kill(found[0], signal.SIGKILL)
                self.assertEqual(started.finish(), 125)
                self.assertIn(b"host hostB: ", started.err)

    def test_the_connection_freezes(self):
        env = environment(GASNET_HOST_TIMEOUT="1")
        with self.started(env=env) as started:
            started.await_ready(RANKS)
            ssh = started.find_one(b"fake_ssh", b"hostB")
            os.kill(ssh, signal.SIGSTOP)
            self.assertEqual(started.finish(), 125)
            self.assertIn(b"host hostB: nothing was heard from it for 1 s", started.err)

    def test_a_rank_is_killed(self):
        with self.started("3:pid") as started:
            started.await_ready(RANKS)
            started.read_until(b"pid ")
            started.read_until(b"\n")
            pid = int(started.out.split(b"pid ")[1].split()[0])
            os.kill(pid, signal.SIGKILL)
            self.assertEqual(started.finish(), 128 + signal.SIGKILL)
            message = f"rank 3 (hostB, pid {pid}) was killed by SIGKILL"
            self.assertIn(message.encode(), started.err)

    def test_ranks_that_do_not_end(self):
        with self.started("ignore-quit", "0:exit=1") as started:
            self.assertEqual(started.finish(), 1)
            self.assertIn(b"this node has not within 0.3 s", started.err)

    def test_a_return_with_0_ends_nobody(self):
        done = run("3:return=0", "0:exit=5", "wait")
        self.assertEqual(done.code, 5)
        done = run("3:return=0", "0:silent-return=0", "return=0")
        self.assertEqual(done.code, 0)

    def test_a_return_with_another_code_ends_the_job(self):
        with self.started("3:return=6") as started:
            self.assertEqual(started.finish(), 6)
            self.assertRegex(started.err, rb"rank 3 .*without calling gasnet_exit")

    def test_descendants(self):
        done = run("0:descendant=group", "3:descendant=session", "barrier", "exit=0")
        self.assertEqual(done.code, 0)

    def test_a_second_signal_kills_at_once(self):
        env = environment(GASNET_EXITTIMEOUT="100000")
        with job("handle-quit-say", "wait", env=env, stdin=self.stdin) as started:
            started.await_ready(RANKS)
            started.kill(signal.SIGINT)
            started.read_until(b"quit\n")
            started.kill(signal.SIGTERM)
            self.assertEqual(started.finish(), 128 + signal.SIGINT)


if __name__ == "__main__":
    launched.main()
