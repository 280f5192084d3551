"""Tests jobs on several hosts: each rank's host, and the same behaviour as on one."""

import os
import signal
import subprocess
import tempfile
import unittest

import launched
from several_hosts import GASNETRUN, HOSTS, PROBE, environment, job, run


class PlacementTest(unittest.TestCase):
    def hosts_of(self, *arguments, **options):
        done = run("0:members", "barrier", options=arguments, **options)
        self.assertEqual((done.code, done.err), (0, b""))
        return done.out.split()[2].decode()

    def test_by_block_cyclic_and_slots(self):
        self.assertEqual(self.hosts_of(), "0011")
        self.assertEqual(self.hosts_of("--map-by", "cyclic"), "0101")
        self.assertEqual(self.hosts_of(hosts="a:1,b:3"), "0111")
        self.assertEqual(self.hosts_of("--map-by=block", hosts="a:1,b:3"), "0011")

    def test_the_ranks_of_a_host_know_each_other(self):
        done = run("members", "barrier", ranks=5, options=["--map-by", "cyclic"])
        members = sorted(line.split() for line in done.out.splitlines())
        seen = [(words[2], words[5]) for words in members]
        self.assertEqual(
            seen,
            [(b"01010", f"{rank // 2}/{3 - rank % 2}".encode()) for rank in range(5)],
        )

    def test_hosts_from_a_file_and_from_a_manager(self):
        with tempfile.NamedTemporaryFile("w") as hosts:
            hosts.write("a slots=3\nb\n")
            hosts.flush()
            command = [GASNETRUN, "-n", "4", PROBE, "0:members", "barrier"]
            for variables in (
                {"GASNET_SSH_NODEFILE": hosts.name},
                {"GASNET_NODEFILE": hosts.name},
                {"GASNET_SSH_SERVERS": "a:3 b"},
                {"SLURM_JOB_NODELIST": "n[1-2]", "SLURM_TASKS_PER_NODE": "3,1"},
                {"LSB_MCPU_HOSTS": "a 3 b 1"},
            ):
                done = launched.run(command, env=environment(**variables))
                self.assertIn(b"hosts 0001 ", done.out, (variables, done.err))

    def test_more_hosts_than_connect_at_a_time(self):
        hosts = [f"h{number}" for number in range(70)]
        done = run("gather=8", "exit=5", ranks=70, hosts=",".join(hosts))
        self.assertEqual((done.code, done.err), (5, b""))

    def test_this_host_alone_needs_no_ssh(self):
        env = environment(GASNET_SSH_CMD="false")
        done = run("0:members", "barrier", hosts="localhost", env=env)
        self.assertIn(b"hosts 0000 ", done.out)
        command = [GASNETRUN, "-n", "2", "--spawner=local", PROBE, "0:members", "barrier"]
        env["SLURM_JOB_NODELIST"] = "n[1-2]"
        self.assertIn(b"hosts 00 ", launched.run(command, env=env).out)

    def test_this_host_and_another(self):
        done = run("members", "share-memory", "gather=9", "barrier", hosts="localhost,b")
        self.assertEqual((done.code, done.err), (0, b""))
        self.assertEqual(done.out.count(b"hosts 0011 "), 4)
        done = run("gather=9", hosts="b,localhost", options=["--spawner=ssh"])
        self.assertEqual((done.code, done.err), (0, b""))

    def test_bind(self):
        cpus = sorted(os.sched_getaffinity(0))
        done = run("cpus", "barrier", hosts="localhost:2,b:2", options=["--bind=cpu"])
        wanted = {f"{rank} on {cpus[rank % 2 % len(cpus)]}" for rank in range(4)}
        self.assertEqual(set(done.out.decode().splitlines()), wanted)

    def test_wrong_use(self):
        for message, arguments in (
            (b"--map-by is 'x'; accepted: block, cyclic, slots", ["--map-by=x"]),
            (b"--spawner is 'x'; accepted: local, ssh, slurm, pmix", ["--spawner=x"]),
            (b"but hosts are given with -H", ["--spawner=local"]),
            (b"hosts are given twice", ["--hostfile", "f"]),
            (b"hosts are given twice", ["-H", "c"]),
            (b"at most that", ["--map-by=slots"]),
        ):
            done = run("exit=0", options=arguments)
            self.assertEqual(done.code, 125)
            self.assertIn(message, done.err)
        done = run("exit=0", env=environment(GASNET_HOST_TIMEOUT="soon"))
        self.assertIn(b"GASNET_HOST_TIMEOUT is set to 'soon'", done.err)
        done = run("exit=0", env=environment(GASNET_SSH_OPTIONS="'open"))
        self.assertIn(b"GASNET_SSH_OPTIONS is set to ''open'", done.err)
        done = run("exit=0", env=environment(GASNET_SSH_CMD="no-such-ssh"))
        self.assertEqual(done.code, 125)
        self.assertIn(b"cannot start 'no-such-ssh' (GASNET_SSH_CMD)", done.err)

    def test_dry_run_prints_the_hosts(self):
        done = run(options=["--dry-run"])
        self.assertRegex(done.out, rb"host hostA: .*fake_ssh.* -o BatchMode=yes .*\n")
        self.assertRegex(done.out, rb"rank 1 on host hostA: .*\nrank 2 on host hostB")


class AsOnOneHostTest(unittest.TestCase):
    def test_arguments_environment_and_directory(self):
        value = "two\nlines  'grüße' \\ $HOME"
        with tempfile.TemporaryDirectory() as directory:
            os.chmod(directory, 0o755)
            done = run(
                "env=SOME",
                "env=GASNET_JOB",
                "barrier",
                ranks=2,
                options=["--tag-output"],
                env=environment(SOME=value),
                cwd=directory,
            )
        wanted = f"'{value}'\n(unset)\n".encode()
        self.assertEqual(launched.by_rank(done.out), {0: wanted, 1: wanted})
        shell = ["sh", "-c", 'pwd; umask; echo "$@"', "-", value, ""]
        command = [GASNETRUN, "-n", "2", "-H", HOSTS, "--tag-output", *shell]
        done = launched.run(
            command, env=environment(), cwd="/usr", preexec_fn=lambda: os.umask(0o31)
        )
        wanted = f"/usr\n0031\n{value} \n".encode()
        self.assertEqual(launched.by_rank(done.out), {0: wanted, 1: wanted})

    def test_output_comes_in_whole_lines(self):
        lines = 2000
        done = run(f"lines={lines}", "print-error=oops", "barrier", options=["--tag-output"])
        seen = dict.fromkeys(range(4), 0)
        for line in done.out.decode().splitlines():
            tag, rank, number, filler = line.split()
            self.assertEqual(tag, f"[{rank}]")
            self.assertEqual(filler, chr(ord("a") + int(rank)) * 100)
            self.assertEqual(int(number), seen[int(rank)])
            seen[int(rank)] += 1
        self.assertEqual(set(seen.values()), {lines})
        wanted = [f"[{rank}] oops".encode() for rank in range(4)]
        self.assertEqual(sorted(done.err.splitlines()), wanted)

    def test_a_reader_that_goes_away_or_sleeps(self):
        shell = ["bash", "-c", '"$@" | head -n 1; exit ${PIPESTATUS[0]}', "-"]
        command = [GASNETRUN, "-n", "2", "-H", HOSTS, PROBE, "print-for-ever=line"]
        done = launched.run(shell + command, env=environment())
        self.assertEqual((done.code, done.out), (128 + signal.SIGPIPE, b"line\n"))
        with job("print-for-ever=line") as started:
            started.read_until(b"line\n")
            started.kill(signal.SIGTERM)
            self.assertEqual(started.finish(), 128 + signal.SIGTERM)

    def test_rank_0_reads_standard_input(self):
        script = ["sh", "-c", "cat; echo end"]
        command = [GASNETRUN, "-n", "2", "-H", HOSTS, *script]
        text = b"a line\n" * 20_000
        with launched.Job(
            command, env=environment(), stdin=subprocess.PIPE
        ) as started:
            started.process.stdin.write(text)
            started.process.stdin.close()
            started.process.stdin = None
            self.assertEqual(started.finish(), 0)
        self.assertEqual(started.out.count(b"a line\n"), 20_000)
        self.assertEqual(started.out.count(b"end\n"), 2)
        with tempfile.TemporaryFile() as file:
            file.write(text)
            file.seek(0)
            done = launched.run(command, env=environment(), stdin=file)
        self.assertEqual(done.out.count(b"a line\n"), 20_000)

    def test_standard_input_that_cannot_be_read_is_at_its_end(self):
        command = [GASNETRUN, "-n", "1", "-H", "a", PROBE, "read-line"]
        # nohup uses the second in place of a terminal.
        for path, flags in (("/", os.O_RDONLY), ("/dev/null", os.O_WRONLY)):
            unreadable = os.open(path, flags)
            self.addCleanup(os.close, unreadable)
            done = launched.run(command, env=environment(), stdin=unreadable)
            self.assertEqual((done.code, done.out), (0, b"read (end)\n"), done.err)

    def test_exit_codes(self):
        for code in (0, 1, 77, 255):
            self.assertEqual(run("barrier", f"exit={code}").code, code)
        self.assertEqual(run("barrier", "1:exit=9", "exit=0").code, 9)
        self.assertEqual(run("3:exit=2", "barrier").code, 2)
        self.assertEqual(run("handle-quit=5", "barrier", "0:exit=4", "wait").code, 4)
        done = run("3:return=7", "wait")
        self.assertEqual(done.code, 7)
        self.assertRegex(done.err, rb"rank 3 \(hostB, pid \d+\).*without calling")

    def test_each_host_has_memory_of_its_own(self):
        done = run("share-memory", "gather=16384", ranks=6)
        self.assertEqual((done.code, done.err), (0, b""))

    def test_time_limit_and_user_signals(self):
        done = run("wait", options=["--timeout", "0.5"])
        self.assertEqual(done.code, 124)
        with job("usr1", "barrier", "3:print=ready", "wait") as started:
            started.read_until(b"ready\n")
            started.kill(signal.SIGUSR1)
            self.assertEqual(started.finish(), 55)

    def test_orphans_that_have_ended_do_not_stay(self):
        script = "(true & echo $!); exec tail -f /dev/null"
        command = [GASNETRUN, "-n", "1", "-H", "a", "sh", "-c", script]
        with launched.Job(command, env=environment()) as started:
            started.read_until(b"\n")
            self.assertTrue(launched.await_states([int(started.out)], ""))
            started.kill(signal.SIGTERM)
            self.assertEqual(started.finish(), 128 + signal.SIGTERM)

    def test_stop_and_continue(self):
        with job("barrier", "0:print=ready", "wait") as started:
            started.read_until(b"ready")
            ranks = started.find(b"probe")
            self.assertEqual(len(ranks), 4)
            # The launcher may stop later than its ranks.
            for _ in range(20):
                started.kill(signal.SIGTSTP)
                self.assertTrue(launched.await_states(ranks, "T"))
                started.kill(signal.SIGCONT)
                self.assertTrue(launched.await_states(ranks, "SR"))
            started.kill(signal.SIGTERM)
            self.assertEqual(started.finish(), 128 + signal.SIGTERM)


if __name__ == "__main__":
    launched.main()
