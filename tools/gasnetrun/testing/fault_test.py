"""Tests faults in a job, and its end by the launcher: the exit code is right, and
nothing is left.

GASNET_FAULT_REPEAT (default 2): the number of times that each fault is made.
"""

import os
import signal
import unittest
from concurrent import futures

import launched

GASNETRUN = launched.program("GASNETRUN")
PROBE = launched.program("PROBE")
CRASHER = launched.program("CRASHER")
REPEAT = int(os.environ.get("GASNET_FAULT_REPEAT", "2"))
RANKS = 3
AT_ONCE = 8
# The time for ranks that end by themselves: more than a busy machine needs.
IN_THEIR_TIME = {"GASNET_EXITTIMEOUT": "100"}


def gasnetrun(actions, **options):
    return launched.Job([GASNETRUN, "-n", str(RANKS), PROBE, *actions], **options)


def forked(actions, env=None, **options):
    """Returns the same job, forked by the program without a launcher."""
    env = {"GASNET_PSHM_NODES": str(RANKS), **(env or {})}
    return launched.Job([PROBE, *actions], env=env, **options)


def in_traffic(actions, **options):
    """Returns a job of a GASNet program whose nodes send each other messages all the
    time."""
    return launched.Job(
        [GASNETRUN, "-n", str(RANKS), CRASHER, *actions], **options
    )


def in_their_time(start):
    def started(actions, **options):
        return start(actions, env=IN_THEIR_TIME, **options)

    return started


def alone(actions, **options):
    """Returns a job of one rank without a supervisor."""
    return launched.Job([PROBE, *actions], **options)


class FaultTest(unittest.TestCase):
    """Runs every job by gasnetrun and by fork, as often as asked."""

    def setUp(self):
        # A standard input without data and without an end.
        self.stdin, self.silent = os.pipe()

    def tearDown(self):
        os.close(self.stdin)
        os.close(self.silent)

    def each(self, check, *actions, starts=(gasnetrun, forked)):
        def once(start):
            with start(actions, stdin=self.stdin) as job:
                check(job)

        # A job mostly waits, so several run side by side.
        with futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for done in pool.map(once, starts * REPEAT):
                self.assertIsNone(done)

    def expect_code(self, job, *codes):
        self.assertIn(job.finish(), codes, (job.out, job.err))

    def ends_with(self, code, *actions, says=b"", **options):
        def check(job):
            self.expect_code(job, code)
            self.assertIn(says, job.err)

        self.each(check, *actions, **options)

    def test_kill_9_of_a_rank_from_outside(self):
        def check(job):
            job.read_until(b"pid ")
            job.await_ready(RANKS)
            pid = int(job.out.split(b"pid ")[1].split()[0])
            os.kill(pid, signal.SIGKILL)
            self.expect_code(job, 128 + signal.SIGKILL)
            self.assertIn(b"rank 1 (", job.err)
            self.assertIn(f"pid {pid}) was killed by SIGKILL".encode(), job.err)

        self.each(check, "1:pid", "barrier", "print=ready", "wait")

    def test_segmentation_fault(self):
        self.ends_with(
            128 + signal.SIGSEGV,
            "barrier",
            f"2:kill={signal.SIGSEGV}",
            "wait",
            says=b"was killed by SIGSEGV (Segmentation fault",
        )

    def test_abort(self):
        self.ends_with(128 + signal.SIGABRT, "0:abort", "wait", says=b"SIGABRT")

    def test_fatal_error(self):
        self.ends_with(
            128 + signal.SIGABRT, "1:fatal=no way", "wait", says=b"): no way\n"
        )

    def test_crash_of_a_rank_while_others_wait_for_it_in_gasnet_init(self):
        number = signal.SIGBUS
        self.ends_with(
            128 + number, f"1:plain-kill={number}", "barrier", starts=(gasnetrun,)
        )

    def test_the_end_of_a_rank_in_a_handler(self):
        in_time = in_their_time(in_traffic)
        for how, code, start in (
            ("abort", 128 + signal.SIGABRT, in_time),
            ("kill", 128 + signal.SIGKILL, in_time),
            ("fault", 128 + signal.SIGSEGV, in_time),
            # The other ranks are ended once the exit time-out is over.
            ("exit", 7, in_traffic),
            ("_exit", 7, in_traffic),
            ("gasnet_exit", 7, in_time),
        ):
            with self.subTest(how):
                self.ends_with(code, how, starts=(start,))

    def test_exit_without_gasnet_exit(self):
        self.ends_with(
            7, "1:return=7", "wait", says=b"without calling gasnet_exit"
        )

    def test_all_exit_without_gasnet_exit(self):
        self.ends_with(0, "return=0")

    def test_a_return_with_0_ends_nobody(self):
        # The next step ends ranks that go on.
        self.ends_with(5, "0:return=0", "1:exit=5", "wait")
        self.ends_with(5, "0:silent-return=0", "1:exit=5", "wait")
        self.ends_with(7, "0:return=0", "1:return=7", "wait")
        number = signal.SIGSEGV
        self.ends_with(128 + number, "0:return=0", f"1:kill={number}", "wait")

    def test_the_worst_code_counts(self):
        starts = (in_their_time(gasnetrun), in_their_time(forked))
        self.ends_with(6, "barrier", "1:return=6", "return=0", starts=starts)
        self.ends_with(6, "barrier", "1:return=6", "exit=0", starts=starts)
        number = signal.SIGSEGV
        self.ends_with(
            128 + number,
            *("1:return=6", f"2:kill={number}", "wait"),
            starts=starts,
        )

    def test_a_return_ends_the_job_where_it_is_caught(self):
        def caught(actions, **options):
            env = {"GASNET_CATCH_EXIT": "1", **IN_THEIR_TIME}
            command = [GASNETRUN, "-n", str(RANKS), PROBE, *actions]
            return launched.Job(command, env=env, **options)

        for how in ("return", "silent-return"):
            for code in (0, 7):
                actions = (f"1:{how}={code}", "wait")
                self.ends_with(code, *actions, starts=(caught,))

    def test_a_return_while_others_wait_in_gasnet_attach(self):
        self.ends_with(
            1,
            "0:return=0",
            "barrier",
            says=b" ended while others wait for it in gasnet_init, gasnet_attach or gasnet_finalize",
        )

    def test_gasnet_exit_in_a_forked_child(self):
        self.ends_with(3, "0:exit-in-child=0", "barrier", "exit=3")
        self.ends_with(3, "1:exit-in-child=9", "barrier", "exit=3")

    def test_a_rank_that_has_to_be_killed_is_no_success(self):
        stop = f"1:kill={signal.SIGSTOP}"
        self.ends_with(
            128 + signal.SIGKILL,
            "barrier",
            stop,
            "0:exit=0",
            "wait",
            says=b"did not end in time: killed",
        )

    def test_what_is_buffered_arrives_from_ranks_that_sigquit_does_not_end(self):
        def check(job):
            self.expect_code(job, 1)
            self.assertEqual(job.out.count(b"kept"), RANKS - 1, (job.out, job.err))

        for handler in ("ignore-quit", "hang-on-quit", "forget-quit"):
            self.each(
                check, handler, "!0:partial=kept", "barrier", "0:exit=1", "wait"
            )

    def test_a_rank_that_closes_all_descriptors_is_told(self):
        # On a busy machine the launcher may notice before the rank has ended.
        def check(job):
            self.expect_code(job, 128 + signal.SIGABRT, 1)
            self.assertIn(b"has closed descriptor", job.err)

        self.each(check, "barrier", "1:close-all", "1:exit=0", "wait")

    def test_different_codes_from_several_ranks(self):
        self.each(
            lambda job: self.expect_code(job, 3, 4, 5),
            "barrier",
            "0:exit=3",
            "1:exit=4",
            "2:exit=5",
        )

    def test_different_codes_from_several_threads(self):
        self.each(
            lambda job: self.expect_code(job, 1, 2, 3, 4, 5),
            "barrier",
            "exit-from-threads=5",
        )

    def test_failure_wins_over_success(self):
        self.ends_with(9, "barrier", "1:exit=9", "exit=0")
        self.ends_with(9, "barrier", "1:exit=9", "exit=256")

    def test_one_exit_ends_those_in_a_barrier(self):
        self.ends_with(2, "2:exit=2", "barrier")

    def test_a_rank_that_ignores_sigquit(self):
        self.ends_with(1, "ignore-quit", "barrier", "0:exit=1", "wait")

    def test_a_rank_that_hangs_in_its_sigquit_handler(self):
        self.ends_with(1, "hang-on-quit", "barrier", "0:exit=1", "wait")

    def test_a_rank_that_is_stopped(self):
        self.ends_with(
            6, "barrier", f"1:kill={signal.SIGSTOP}", "0:exit=6", "wait"
        )

    def test_gasnet_exit_in_a_sigquit_handler_that_interrupts_anything(self):
        self.ends_with(
            4, "handle-quit=5", "barrier", "0:exit=4", "print-for-ever=text"
        )

    def test_gasnet_exit_in_a_handler_that_interrupts_gasnet_exit(self):
        self.ends_with(3, "barrier", "0:exit-in-exit=3", "wait")

    def test_gasnet_exit_while_a_thread_reads_stdin(self):
        self.ends_with(8, "0:read-stdin-in-thread", "barrier", "exit=8")

    def test_gasnet_exit_while_a_thread_reads_a_stream(self):
        # The thread sanitizer holds signals back from a thread in fflush.
        starts = [gasnetrun, forked]
        if os.environ.get("SANITIZER", "none") == "none":
            starts.append(alone)

        def check(job):
            self.expect_code(job, 8)
            self.assertIn(b"said before", job.out)

        self.each(
            check,
            "0:read-stream-in-thread",
            "partial=said before",
            "exit=8",
            starts=tuple(starts),
        )

    def signal_to_launcher(self, number, *actions):
        def check(job):
            job.await_ready(RANKS)
            job.kill(number)
            dies = number == signal.SIGKILL
            self.expect_code(job, -number if dies else 128 + number)

        self.each(check, *actions, "barrier", "print=ready", "wait")

    def test_sigint_to_the_launcher(self):
        self.signal_to_launcher(signal.SIGINT)

    def test_sigterm_to_the_launcher(self):
        self.signal_to_launcher(signal.SIGTERM)

    def test_sighup_to_the_launcher(self):
        self.signal_to_launcher(signal.SIGHUP)

    def test_sigquit_to_the_launcher(self):
        self.signal_to_launcher(signal.SIGQUIT)

    def test_sigterm_where_a_rank_ignores_sigquit(self):
        self.signal_to_launcher(signal.SIGTERM, "1:ignore-quit")

    def test_sigkill_to_the_launcher(self):
        self.signal_to_launcher(signal.SIGKILL, "ignore-quit")

    def test_sigkill_to_the_launcher_with_descendants(self):
        self.signal_to_launcher(
            signal.SIGKILL, "ignore-quit", "descendant=group"
        )

    def test_sigkill_to_the_launcher_at_any_moment(self):
        # The processes of a job: launcher, guardian, ranks.
        for begun in range(RANKS + 3):

            def check(job, begun=begun):
                while len(job.pids()) < begun:
                    os.sched_yield()
                job.kill(signal.SIGKILL)
                self.expect_code(job, -signal.SIGKILL)

            self.each(check, "barrier", "gather=8", "wait")

    def test_a_second_signal_kills_at_once(self):
        def check(job):
            job.await_ready(RANKS)
            job.kill(signal.SIGINT)
            job.read_until(b"quit\n")
            job.kill(signal.SIGTERM)
            self.expect_code(job, 128 + signal.SIGINT)

        def patient(actions, **options):
            command = [GASNETRUN, "-n", str(RANKS), PROBE, *actions]
            env = {"GASNET_EXITTIMEOUT": "100000"}
            return launched.Job(command, env=env, **options)

        self.each(check, "handle-quit-say", "wait", starts=(patient,))

    def test_descendants_in_the_group_and_elsewhere(self):
        self.ends_with(
            0, "0:descendant=group", "1:descendant=session", "barrier", "exit=0"
        )


if __name__ == "__main__":
    launched.main()
