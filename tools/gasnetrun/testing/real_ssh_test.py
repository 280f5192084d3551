"""Tests jobs on hosts with separate networks: through real ssh, with links that are
cut and hosts that vanish."""

import contextlib
import os
import shutil
import signal
import tempfile
import unittest

import launched
import ssh_hosts

GASNETRUN = launched.program("GASNETRUN")
PROBE = launched.program("PROBE")
REASON = ssh_hosts.why_not()
RANKS = 4
# Seconds after which a silent host is lost: more than a busy machine needs to connect.
SILENCE = 5


@unittest.skipIf(REASON, REASON)
class RealSshTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        # sshd checks the permissions of the directory of its keys.
        os.chmod(self.directory.name, 0o755)
        self.network = ssh_hosts.Network(self.directory.name, ["hostA", "hostB"])
        self.addCleanup(self.network.close)

    def job(
        self, *actions, options=(), silence=60, cwd="/", program=PROBE, **env
    ):
        env = {
            "GASNET_SSH_OPTIONS": self.network.ssh_options(),
            "GASNET_HOST_TIMEOUT": str(silence),
            **env,
        }
        # Entering a namespace changes the working directory.
        enter = ("sh", "-c", 'cd "$0" && exec "$@"', cwd)
        command = self.network.here.command(
            *(*enter, GASNETRUN, "-n", str(RANKS), "-H", "hostA,hostB"),
            *(*options, program, *actions),
        )
        return launched.Job(command, env=env)

    def run_job(self, *actions, **options):
        with self.job(*actions, **options) as job:
            job.code = job.finish()
        self.nothing_left()
        return job

    def nothing_left(self):
        self.assertEqual(self.network.await_nothing_left(launched.PATIENCE), [])

    def waiting(self, *actions, **options):
        return self.job("barrier", "print=ready", *actions, "wait", **options)

    def agent_on(self, host):
        return [
            pid
            for name, pid, words in self.network.left()
            if name == host and words.endswith(b"/gasnetrun --agent ")
        ]

    def test_a_job(self):
        value = "two\nlines 'grüße'"
        job = self.run_job(
            *("gather=16384", "share-memory", "env=SOME", "barrier", "exit=3"),
            options=["--tag-output"],
            SOME=value,
        )
        self.assertEqual((job.code, job.err), (3, b""))
        wanted = f"'{value}'\n".encode()
        self.assertEqual(
            launched.by_rank(job.out), dict.fromkeys(range(RANKS), wanted)
        )
        job = self.run_job("members", "barrier")
        self.assertEqual(job.out.count(b"hosts 0011 "), RANKS)

    def test_much_output(self):
        job = self.run_job("lines=3000", "barrier", options=["--tag-output"])
        self.assertEqual(job.code, 0)
        self.assertEqual(len(job.out.splitlines()), RANKS * 3000)

    def test_no_key_and_an_unknown_host(self):
        options = self.network.ssh_options()
        stranger = os.path.join(self.directory.name, "stranger")
        job = self.run_job("wait", GASNET_SSH_OPTIONS=f"-i {stranger} -F none")
        self.assertEqual(job.code, 125)
        job = self.run_job(
            "wait", GASNET_SSH_OPTIONS=f"-o HostKeyAlias=unknown {options}"
        )
        self.assertEqual(job.code, 125)
        self.assertRegex(job.err, rb"host host[AB]: .*Host key verification failed")
        job = self.run_job(
            "wait",
            GASNET_SSH_OPTIONS=f"-o IdentityFile=none -i {stranger} {options} "
            "-o IdentitiesOnly=no -o PubkeyAuthentication=no",
        )
        self.assertEqual(job.code, 125)
        self.assertRegex(job.err, rb"host host[AB]: .*Permission denied.* key")

    def test_the_program_is_another_file_there(self):
        mount = ("mount", "--bind", shutil.which("true"), PROBE)
        self.network.hosts["hostB"].run(*mount)
        job = self.run_job("barrier")
        self.assertEqual(job.code, 126)
        message = rb"host hostB: program '.*' is another build than here \(.*copy it"
        self.assertRegex(job.err, message)
        # A tool that is found in PATH may be the host's own.
        self.network.hosts["hostB"].run(
            "mount", "--bind", shutil.which("echo"), shutil.which("printf")
        )
        with launched.Job(
            self.network.here.command(
                *(GASNETRUN, "-n", "2", "-H", "hostA,hostB", "printf", "said\\n")
            ),
            env={"GASNET_SSH_OPTIONS": self.network.ssh_options()},
        ) as tool:
            self.assertEqual(tool.finish(), 0)
        self.assertEqual(set(tool.out.splitlines()), {b"said", b"said\\n"})

    def test_the_program_is_missing_there(self):
        with tempfile.TemporaryDirectory(dir=self.directory.name) as directory:
            program = shutil.copy(PROBE, directory)
            self.network.hosts["hostB"].run("mount", "-t", "tmpfs", "none", directory)
            job = self.run_job("barrier", program=program)
        self.assertEqual((job.code, job.out), (127, b""))
        self.assertRegex(
            job.err,
            f"host hostB: program '{program}' not found".encode()
            + b".*GASNET_SSH_REMOTE_PATH",
        )

    def test_gasnetrun_is_missing_there(self):
        # A file that is no program replaces gasnetrun there.
        other = os.path.join(self.directory.name, "host_key.pub")
        self.network.hosts["hostB"].run("mount", "--bind", other, GASNETRUN)
        job = self.run_job("barrier")
        self.assertEqual((job.code, job.out), (125, b""))
        self.assertRegex(
            job.err, rb"host hostB: .*gasnetrun is not there: .*; install gasnetrun"
        )

    def test_the_working_directory_is_not_there(self):
        with tempfile.TemporaryDirectory(dir=self.directory.name) as directory:
            inside = os.path.join(directory, "inside")
            os.mkdir(inside)
            self.network.hosts["hostB"].run("mount", "-t", "tmpfs", "none", directory)
            job = self.run_job("barrier", cwd=inside)
            self.assertEqual(job.code, 125)
            message = f"host hostB: cannot use working directory '{inside}': No such"
            self.assertIn(message.encode(), job.err)
            job = self.run_job(
                "barrier", "exit=3", cwd=inside, GASNET_SSH_REMOTE_PATH="/usr"
            )
            self.assertEqual(job.code, 3)

    def test_a_host_that_is_down(self):
        self.network.link("hostB", "down")
        job = self.run_job("barrier", silence=SILENCE)
        self.assertEqual(job.code, 125)
        self.assertRegex(
            job.err,
            rb"host hostB: (cannot start an|no) agent .*(timed out|No route|for 5 s).* is it up"
        )

    def test_the_link_is_cut(self):
        with self.waiting("ignore-quit", silence=SILENCE) as job:
            job.await_ready(RANKS)
            self.network.link("hostB", "down")
            self.assertEqual(job.finish(), 125)
            self.assertIn(b"host hostB: nothing was heard from it for 5 s", job.err)
        # The agent beyond the cut has noticed it too.
        self.nothing_left()

    def test_a_host_vanishes(self):
        with self.waiting(silence=SILENCE) as job:
            job.await_ready(RANKS)
            self.network.link("hostA", "down")
            self.network.hosts["hostA"].kill_all()
            self.assertEqual(job.finish(), 125)
            self.assertIn(b"host hostA: nothing was heard from it for 5 s", job.err)
        self.nothing_left()

    def test_the_launcher_is_killed(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            with self.waiting("ignore-quit") as job:
                job.await_ready(RANKS)
                job.kill(number)
                dies = number == signal.SIGKILL
                self.assertEqual(job.finish(), -number if dies else 128 + number)
            self.nothing_left()

    def test_an_agent_is_killed(self):
        with self.waiting("ignore-quit") as job:
            job.await_ready(RANKS)
            for pid in self.agent_on("hostB"):
                # Its guardian looks the same, and may have ended already.
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.assertEqual(job.finish(), 125)
            self.assertIn(b"host hostB: the connection to its agent was lost", job.err)
        self.nothing_left()

    def test_a_host_is_reached_through_another(self):
        job = self.run_job(
            *("gather=16384", "lines=300", "barrier", "exit=3"),
            options=["--tag-output"],
            GASNET_SSH_OUT_DEGREE="1",
        )
        self.assertEqual((job.code, job.err), (3, b""))
        self.assertEqual(len(job.out.splitlines()), RANKS * 300)
        with launched.Job(
            self.network.here.command(
                *(GASNETRUN, "-n", "2", "-H", "hostA,hostB", "--tag-output"),
                *("sh", "-c", "echo $GASNET_JOB"),
            ),
            env={
                "GASNET_SSH_OPTIONS": self.network.ssh_options(),
                "GASNET_SSH_OUT_DEGREE": "1",
            },
        ) as tool:
            self.assertEqual(tool.finish(), 0)
        said = launched.by_rank(tool.out)
        for rank, (at, reached_from) in enumerate(((2, 1), (3, 2))):
            way = f"reached_at=10.0.0.{at},reached_from=10.0.0.{reached_from}"
            self.assertIn(way.encode(), said[rank])
        self.nothing_left()

    def test_hosts_have_no_keys_for_each_other(self):
        keys = [os.path.join(self.directory.name, key) for key in ("stranger", "key")]
        self.network.hosts["hostA"].run("mount", "--bind", *keys)
        job = self.run_job("gather=8", "exit=3", GASNET_SSH_OUT_DEGREE="1")
        self.assertEqual(job.code, 3, job.err)
        self.assertRegex(job.err, rb"^gasnetrun: host hostB: .*denied.* connecting from here.*\n$")

    def test_a_host_on_the_way_vanishes(self):
        with self.waiting(silence=SILENCE, GASNET_SSH_OUT_DEGREE="1") as job:
            job.await_ready(RANKS)
            self.network.link("hostA", "down")
            self.network.hosts["hostA"].kill_all()
            self.assertEqual(job.finish(), 125)
            self.assertIn(b"host hostA: nothing was heard from it for 5 s", job.err)
            self.assertNotIn(b"hostB", job.err)
        self.nothing_left()

    def test_an_agent_on_the_way_is_killed(self):
        with self.waiting("ignore-quit", GASNET_SSH_OUT_DEGREE="1") as job:
            job.await_ready(RANKS)
            for pid in self.agent_on("hostA"):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.assertEqual(job.finish(), 125)
            self.assertIn(b"host hostA: the connection to its agent was lost", job.err)
            self.assertNotIn(b"hostB", job.err)
        self.nothing_left()

    def test_a_rank_is_killed(self):
        with self.waiting("3:pid") as job:
            job.await_ready(RANKS)
            job.read_until(b"pid ")
            job.read_until(b"\n")
            pid = int(job.out.split(b"pid ")[1].split()[0])
            os.kill(pid, signal.SIGKILL)
            self.assertEqual(job.finish(), 128 + signal.SIGKILL)
            self.assertIn(f"rank 3 (hostB, pid {pid}) was killed".encode(), job.err)
        self.nothing_left()


if __name__ == "__main__":
    launched.main()
