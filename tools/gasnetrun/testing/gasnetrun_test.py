"""Tests gasnetrun as its user sees it."""

import os
import re
import signal
import subprocess
import sys
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PROBE = launched.program("PROBE")
RUNS_SANITIZED = os.environ.get("SANITIZER", "none") != "none"


def launch(*arguments, **options):
    return launched.run([GASNETRUN, *arguments], **options)


def probe(*actions, ranks=2, options=(), **rest):
    return launch("-n", str(ranks), *options, PROBE, *actions, **rest)


class EnvironmentTest(unittest.TestCase):
    VALUES = ("", " two  spaces ", "line\nbreak\n", "'\"$`\\", "grüße\u20ac", "a=b")

    def test_arguments_arrive_exactly(self):
        values = [*self.VALUES, b"\xff\xfe"]
        job = probe("args", "--", *values, ranks=1)
        expected = [os.fsencode(value) for value in values]
        self.assertEqual(job.out.split(b"\0")[3:-1], expected)

    def test_environment_arrives_exactly(self):
        for value in (*self.VALUES, os.fsdecode(b"\xff\xfe"), "x" * 100_000):
            job = probe("env=SOME_NAME", ranks=1, env={"SOME_NAME": value})
            self.assertEqual(job.out, b"'" + os.fsencode(value) + b"'\n")

    def test_option_sets_and_overrides(self):
        job = probe(
            "env=SOME_NAME",
            "env=OTHER",
            ranks=1,
            env={"SOME_NAME": "old", "OTHER": "kept"},
            options=["-E", "SOME_NAME=a", "--env=SOME_NAME=new\nline", "-EOTHER"],
        )
        self.assertEqual(job.out, b"'new\nline'\n'kept'\n")

    def test_an_entry_that_is_no_variable(self):
        execute = (
            "import ctypes, sys; words = [word.encode() for word in sys.argv[1:]]\n"
            "array = lambda *texts: (ctypes.c_char_p * (len(texts) + 1))(*texts)\n"
            "entries = array(b'GASNET_SSH_SERVERS', b'PATH')\n"
            "ctypes.CDLL(None).execve(words[0], array(*words), entries)"
        )
        command = [GASNETRUN, "-n", "1", PROBE, "env=PATH"]
        job = launched.run([sys.executable, "-c", execute, *command])
        self.assertEqual((job.code, job.out), (0, b"(unset)\n"), job.err)

    def test_the_snapshot_is_without_our_own_variable(self):
        self.assertEqual(probe("env=GASNET_JOB", ranks=1).out, b"(unset)\n")

    def test_descriptors_signals_and_limits_of_a_rank(self):
        def limit_and_block():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
            signal.signal(signal.SIGQUIT, signal.SIG_IGN)

        job = probe("signals", ranks=1, preexec_fn=limit_and_block)
        # 32 and 33 belong to the C library, which prevents changes to them.
        private = 1 << 31 | 1 << 32
        for found in re.findall(rb":\s*(\w+)", job.out):
            self.assertEqual(int(found, 16) & ~private, 0, job.out)
        # Descriptors: the standard ones, three of the handoff, and the test's own pipe.
        plain = launched.run([PROBE, "descriptors"]).out.split()
        ranked = probe("descriptors", ranks=1).out.split()
        self.assertEqual(len(ranked), len(plain) + 3, (plain, ranked))
        limit = ("sh", "-c", "ulimit -n")
        for soft in (100, 256):
            job = launched.run(
                ["sh", "-c", f'ulimit -Sn {soft}; exec "$@"', "-"]
                + [GASNETRUN, "-n", "40", *limit]
            )
            self.assertEqual(job.out, f"{soft}\n".encode() * 40)


class OutputTest(unittest.TestCase):
    def test_lines_stay_whole_and_in_order(self):
        ranks, lines = 4, 500
        job = probe(f"lines={lines}", "barrier", ranks=ranks)
        seen = dict.fromkeys(range(ranks), 0)
        for line in job.out.decode().splitlines():
            rank, number, filler = line.split()
            letter = chr(ord("a") + int(rank))
            self.assertEqual(filler, letter * 100)
            self.assertEqual(int(number), seen[int(rank)])
            seen[int(rank)] += 1
        self.assertEqual(set(seen.values()), {lines})

    def test_streams_are_kept_apart(self):
        job = probe("print=to out", "print-error=to err", "barrier", ranks=2)
        self.assertEqual(job.out, b"to out\n" * 2)
        self.assertEqual(job.err, b"to err\n" * 2)

    def test_lines_of_both_streams_stay_whole_in_one_pipe(self):
        command = [GASNETRUN, "-n", "3", PROBE, "lines=200", "print-error=oops", "barrier"]
        shell = ["sh", "-c", '"$@" 2>&1', "-", *command]
        out = launched.run(shell).out.decode().splitlines()
        self.assertEqual(out.count("oops"), 3)
        self.assertEqual(len(out), 3 * 200 + 3)

    def test_tags(self):
        job = probe("print=a\nb", "print-error=c", "barrier", options=["--tag-output"])
        wanted = [b"[0] a", b"[0] b", b"[1] a", b"[1] b"]
        self.assertEqual(sorted(job.out.splitlines()), wanted)
        self.assertEqual(sorted(job.err.splitlines()), [b"[0] c", b"[1] c"])

    def test_last_line_without_end(self):
        self.assertEqual(probe("partial=x", ranks=1).out, b"x")
        self.assertEqual(probe("partial=x", "barrier", ranks=2).out, b"x\nx\n")

    def test_closed_output_ends_the_job(self):
        shell = ["bash", "-c", '"$@" | head -n 1; exit ${PIPESTATUS[0]}', "-"]
        command = [GASNETRUN, "-n", "2", PROBE, "print-for-ever=line"]
        job = launched.run(shell + command)
        self.assertEqual((job.code, job.out), (128 + signal.SIGPIPE, b"line\n"))

    def test_full_disk_is_told(self):
        command = [GASNETRUN, "-n", "2", PROBE, "print-for-ever=line"]
        job = launched.run(["sh", "-c", '"$@" >/dev/full', "-", *command])
        self.assertEqual(job.code, 125)
        self.assertIn(b"cannot write standard output: No space left", job.err)

    def test_a_reader_that_sleeps_does_not_stop_signals(self):
        command = [GASNETRUN, "-n", "2", PROBE, "print-for-ever=line"]
        with launched.Job(command) as job:
            # The launcher has stopped reading once no new output arrives.
            job.read_until(b"line\n")
            job.kill(signal.SIGTERM)
            self.assertEqual(job.finish(), 128 + signal.SIGTERM)

    def test_nothing_is_lost_to_a_slow_reader(self):
        lines = 20_000
        job = probe(f"lines={lines}", ranks=1)
        self.assertEqual(job.out.count(b"\n"), lines)

    def test_standard_descriptors_may_be_closed(self):
        program = [PROBE, "barrier", "print=x", "share-memory", "exit=4"]
        for closing in ("<&- >&- 2>&-", ">&-"):
            for command, env in (
                ([GASNETRUN, "-n", "2", *program], {}),
                (program, {}),
                (program, {"GASNET_PSHM_NODES": "2"}),
            ):
                shell = ["sh", "-c", f'"$@" {closing}', "-", *command]
                job = launched.run(shell, env=env)
                self.assertEqual(job.code, 4, (closing, env, job.err))


class InputTest(unittest.TestCase):
    def test_rank_0_reads_and_the_others_have_none(self):
        with launched.Job(
            [GASNETRUN, "-n", "2", PROBE, "read-line"], stdin=subprocess.PIPE
        ) as job:
            job.process.stdin.write(b"for rank 0\n")
            job.process.stdin.close()
            job.process.stdin = None
            self.assertEqual(job.finish(), 0)
        lines = sorted(job.out.splitlines())
        self.assertEqual(lines, [b"read (end)", b"read for rank 0"])


class JobTest(unittest.TestCase):
    def test_exit_codes(self):
        for code in (0, 1, 77, 255):
            self.assertEqual(probe("barrier", f"exit={code}").code, code)

    def test_members_share_memory_and_gather(self):
        for kind in ("memfd", "shm", "tmp"):
            env = {"GASNET_HOST_MEMORY": kind}
            job = probe("share-memory", "gather=100", "memory", "barrier", ranks=5, env=env)
            self.assertEqual((job.code, job.err), (0, b""))
            where = {"memfd": b"/memfd:", "shm": b"/dev/shm/"}.get(kind, b"/")
            files = job.out.splitlines()
            self.assertTrue(files[0].startswith(where), files)
            self.assertEqual(files, files[:1] * 5)

    def test_unknown_host_memory_is_refused(self):
        job = probe("wait", env={"GASNET_HOST_MEMORY": "disk"})
        self.assertEqual(job.code, 125)
        self.assertIn(b"'disk'; accepted: auto, memfd, shm, tmp", job.err)

    def test_a_directory_for_host_memory_that_is_not_there_is_named(self):
        nowhere = {"GASNET_HOST_MEMORY": "tmp", "TMPDIR": "/nowhere/at/all"}
        job = probe("wait", env=nowhere)
        self.assertEqual(job.code, 125)
        self.assertIn(b"in '/nowhere/at/all', which TMPDIR names", job.err)
        self.assertIn(b"GASNET_HOST_MEMORY=tmp", job.err)

    def test_bad_exit_timeout_is_refused(self):
        job = probe("wait", env={"GASNET_EXITTIMEOUT": "soon"})
        self.assertEqual(job.code, 125)
        self.assertIn(b"GASNET_EXITTIMEOUT is set to 'soon'", job.err)

    def test_many_ranks_with_few_descriptors(self):
        ranks = 40 if RUNS_SANITIZED else 300
        command = [GASNETRUN, "-n", str(ranks), PROBE, "gather=8", "barrier"]
        limited = ["sh", "-c", 'ulimit -Sn 64; exec "$@"', "-", *command]
        self.assertEqual(launched.run(limited).code, 0)

    def test_too_many_ranks_for_the_descriptors(self):
        command = [GASNETRUN, "-n", "300", PROBE]
        job = launched.run(["sh", "-c", 'ulimit -n 256; exec "$@"', "-", *command])
        self.assertEqual(job.code, 125)
        self.assertIn(b"open files, but the limit is 256", job.err)

    def test_timeout(self):
        job = probe("wait", options=["--timeout", "0.2"])
        self.assertEqual(job.code, 124)
        self.assertIn(b"the time limit of 0.2 s is over", job.err)

    def test_a_timeout_below_the_resolution_of_the_clock(self):
        job = probe("wait", options=["--timeout", "1e-10"])
        self.assertEqual(job.code, 124)

    def test_bind(self):
        cpus = sorted(os.sched_getaffinity(0))
        job = probe("cpus", "barrier", ranks=3, options=["--bind", "cpu"])
        for line in job.out.decode().splitlines():
            rank, cpu = re.fullmatch(r"(\d) on (\d+)", line).groups()
            self.assertEqual(int(cpu), cpus[int(rank) % len(cpus)])

    def test_different_builds_are_refused(self):
        job = probe("0:join=one", "1:join=two")
        self.assertEqual(job.code, 1)
        self.assertRegex(job.err, rb"is built with GASNet '(one|two)' but rank")

    def test_no_gasnet_program_runs_and_is_named(self):
        job = launch("-n", "3", "sh", "-c", "echo ran; exit 5")
        self.assertEqual((job.code, job.out), (5, b"ran\n" * 3))
        self.assertRegex(job.err, rb"note: /.*/sh never called gasnet_init")

    def test_a_rank_without_the_variable_is_told(self):
        job = launch("-n", "2", "env", "-i", PROBE, "members")
        self.assertEqual((job.code, job.out.count(b"0/1 hosts")), (0, 2))
        self.assertEqual(
            len(re.findall(rb"WARNING.* GASNET_JOB is not in its env", job.err)),
            2,
            job.err,
        )
        self.assertRegex(job.err, rb"gasnetrun: note: .* the variable GASNET_JOB")

    def test_no_gasnet_program_is_let_finish(self):
        command = [GASNETRUN, "-n", "2", "sh", "-c", "read x; echo got $x"]
        with launched.Job(command, stdin=subprocess.PIPE) as job:
            # Rank 1 has ended, rank 0 has not.
            job.read_until(b"got\n")
            job.process.stdin.write(b"input\n")
            job.process.stdin.flush()
            job.read_until(b"got input\n")
            self.assertEqual(job.finish(), 0)

    def test_a_return_with_0_ends_nobody_however_long_the_others_take(self):
        command = [GASNETRUN, "-v", "-n", "2", PROBE]
        for how in ("return", "silent-return"):
            actions = ("barrier", f"1:{how}=0", "read-line", f"{how}=0")
            env = {"GASNET_STALL_REPORT": "0"}
            with launched.Job(
                [*command, *actions], env=env, stdin=subprocess.PIPE
            ) as job:
                job.read_until(b") ended with exit code 0\n", "err")
                self.assertTrue(launched.sleeps_without_limit(job.process.pid))
                job.process.stdin.write(b"on\n")
                job.process.stdin.flush()
                job.read_until(b"read on\n")
                self.assertEqual(job.finish(), 0)

    def test_bad_value_of_catch_exit_is_refused(self):
        job = probe("wait", env={"GASNET_CATCH_EXIT": "perhaps"})
        self.assertEqual(job.code, 125)
        self.assertIn(b"GASNET_CATCH_EXIT is set to 'perhaps'", job.err)

    def test_rank_that_never_joins_ends_the_job(self):
        job = probe("0:plain-exit=0", "barrier")
        self.assertEqual(job.code, 1)
        self.assertIn(b"exit code 0 before it called gasnet_init", job.err)

    def test_garbage_before_joining_ends_the_job(self):
        job = probe("0:send=garbage!", "0:plain-wait", "barrier")
        self.assertEqual(job.code, 1)
        self.assertIn(b"was dropped: it sent something that is not", job.err)

    def test_channel_closed_without_an_end(self):
        job = probe("0:close-channel", "0:plain-wait", "barrier")
        self.assertEqual(job.code, 1)
        self.assertIn(b"closed its control channel but goes on", job.err)

    def test_user_signals_are_passed_on(self):
        command = [GASNETRUN, "-n", "2", PROBE, "usr1", "barrier", "print=ready"]
        with launched.Job([*command, "wait"]) as job:
            job.read_until(b"ready\n")
            job.kill(signal.SIGUSR1)
            self.assertEqual(job.finish(), 55)

    def test_sigterm_to_a_rank_reaches_its_sigquit_handler(self):
        job = probe(
            "handle-quit=7", "barrier", f"0:kill={signal.SIGTERM}", "wait"
        )
        self.assertEqual(job.code, 7)

    def test_orphans_that_have_ended_do_not_stay(self):
        script = "(true & echo $!); exec tail -f /dev/null"
        with launched.Job([GASNETRUN, "-n", "1", "sh", "-c", script]) as job:
            job.read_until(b"\n")
            self.assertTrue(launched.await_states([int(job.out)], ""))
            job.kill(signal.SIGTERM)
            self.assertEqual(job.finish(), 128 + signal.SIGTERM)

    def test_nohup_is_honoured(self):
        command = [GASNETRUN, "-n", "2", PROBE, "print=ready", "wait"]

        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        with launched.Job(command, preexec_fn=ignore) as job:
            job.read_until(b"ready\n")
            job.kill(signal.SIGHUP)
            job.kill(signal.SIGTERM)
            self.assertEqual(job.finish(), 128 + signal.SIGTERM)

    def test_termination_in_the_background_of_a_script(self):
        """Checks the background, where SIGQUIT is ignored, but not by the program's
        choice."""

        def ignore():
            signal.signal(signal.SIGQUIT, signal.SIG_IGN)

        def end(nodes, number):
            actions = ("barrier", "print=ready", "wait")
            env = {"GASNET_PSHM_NODES": str(nodes)}
            with launched.Job([PROBE, *actions], env=env, preexec_fn=ignore) as job:
                job.await_ready(max(nodes, 1))
                job.kill(number)
                return (job.finish(), job.err)

        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self.assertEqual(end(0, number), (-number, b""))
            self.assertEqual(end(2, number), (128 + number, b""))

    def test_a_process_with_threads_is_not_forked(self):
        env = {"GASNET_PSHM_NODES": "2"}
        job = launched.run([PROBE, "thread", "barrier"], env=env)
        self.assertEqual(job.code, 77)
        self.assertIn(b"this process has 2 threads", job.err)
        self.assertIn(b"gasnetrun -n 2", job.err)
        job = launched.run([PROBE, "thread", "barrier"])
        self.assertEqual((job.code, job.err), (0, b""))

    def test_alone(self):
        job = launched.run([PROBE, "members", "gather=8", "share-memory", "exit=6"])
        self.assertEqual(job.code, 6)
        self.assertRegex(job.out, rb"^0/1 hosts 0 host rank 0/1 cpus \d+\n$")

    def test_a_handoff_without_descriptors_is_refused(self):
        handoff = "rank=0,size=1,control=90,secret=91,memory=92"
        job = launched.run([PROBE, "barrier"], env={"GASNET_JOB": handoff})
        self.assertEqual(job.code, 77)
        self.assertIn(b"descriptor 90, which GASNET_JOB gives as the", job.err)


if __name__ == "__main__":
    launched.main()
