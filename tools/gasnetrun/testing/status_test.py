"""Tests a launcher's reports on jobs that hang: it names the rank that holds up the
others, on request and by itself."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
HANGS = launched.program("HANGS")
FAKE_SSH = launched.program("FAKE_SSH_PROGRAM")
RANKS = 4
LAST = RANKS - 1
TWO_HOSTS = ("-H", "hostA:1,hostB:3")
CONDUITS = ("smp", "udp", "ofi", "portals")

# A line about several ranks does not tell how full their rings are.
FILL = r" \(its ring holds \d+ of \d+ messages and \d+ of \d+ bytes\)"
ROOM = rf"for room to send to rank {LAST}(?:{FILL})?"
# The reason of the wait, for each way to hang. In ways not listed all ranks wait alike.
REASONS = {
    "barrier": "in gasnet_barrier_wait",
    "collective": "in collective 1 of the team of all ranks",
    "room": ROOM,
    "handler": ROOM,
    "ring": rf"for room to send to rank {LAST}{FILL}",
    "attach": "in gasnet_init, gasnet_attach or gasnet_finalize",
}
CONDITIONS = {
    "computes": r"has not polled for at least [\d.]+ s, and is running",
    "sleeps": r"has not polled for at least [\d.]+ s, and sleeps outside of GASNet",
    "stopped": r"is stopped \(SIGSTOP\)",
}


def hanging(*way, conduit="smp", options=(), ranks=RANKS, **variables):
    """Starts a job that hangs. Waits are reported after a fraction of a second, unless
    `variables` say otherwise."""
    env = {
        "GASNET_CONDUIT": conduit,
        "GASNET_STALL_REPORT": "0.5",
        "GASNET_SSH_CMD": FAKE_SSH,
        "FAKE_SSH": "",
        **variables,
    }
    command = [GASNETRUN, "-n", str(ranks), *options, HANGS, *way]
    return launched.Job(command, env=env, stdin=subprocess.PIPE)


def told(job, reason):
    """Waits until the launcher reports a wait for a reason of that pattern. Returns the
    line. Skips other reports, since a busy host takes its time to start a job."""
    read = 0
    while True:
        job.read_until(b"\n", "err")
        while b"\n" not in job.err[read:]:
            job.read_more("err")
        end = job.err.index(b"\n", read)
        line = job.err[read:end].decode()
        read = end + 1
        if re.search(reason, line):
            return line


def ask_until(job, text):
    """Asks for the status of a job until this is in the answer. Returns the answer."""
    job.read_until(b"ready")
    while text not in (answer := ask(job)):
        pass
    return answer


def ask(job, *options):
    """Asks for the status of a job. Returns the answer."""
    command = [GASNETRUN, "--status", *options, str(job.process.pid)]
    asked = launched.run(command)
    if asked.code != 0:
        raise AssertionError(asked.err)
    return asked.out.decode()


class ByItselfTest(unittest.TestCase):
    def check(self, way, meanwhile="computes", **how):
        with hanging(way, meanwhile, **how) as job:
            line = told(job, f"{REASONS[way]}; rank {LAST} ")
            self.assertRegex(line, r"^gasnetrun: ranks? .* waited for ")
            told_of_last = rf"; rank {LAST} \(\S+, pid \d+\) .*"
            # On a busy host the others may wait for its start first.
            if "is still in gasnet_init" not in line:
                self.assertRegex(
                    line, told_of_last + f"({'|'.join(CONDITIONS.values())})"
                )
            # On a busy host the last rank may still run on its way to sleep.
            while not re.search(told_of_last + CONDITIONS[meanwhile], line):
                line = ask(job)
            job.kill(signal.SIGINT)

    def test_every_way_on_one_host(self):
        for way in REASONS:
            for meanwhile in CONDITIONS:
                with self.subTest(way=way, meanwhile=meanwhile):
                    self.check(way, meanwhile)

    def test_every_conduit_on_two_hosts(self):
        for conduit in CONDUITS[1:]:
            for way in ("barrier", "collective", "attach"):
                with self.subTest(conduit=conduit, way=way):
                    self.check(way, conduit=conduit, options=TWO_HOSTS)

    def test_many_ranks_are_one_line(self):
        for conduit, options in (("smp", ()), ("udp", ("-H", "hostA:32,hostB:32"))):
            with self.subTest(conduit), hanging(
                "barrier", conduit=conduit, ranks=64, options=options
            ) as job:
                line = told(job, "gasnet_barrier_wait; rank 63 ")
                job.kill(signal.SIGINT)
            self.assertIn("ranks 0-62 have waited", line)

    def test_a_rank_that_waits_and_runs_a_handler_for_ever(self):
        for way, meanwhile, state in (
            ("late", "computes", "is running"),
            ("late", "sleeps", "sleeps outside of GASNet"),
            # The thread that has the lock computes.
            ("lock", "computes", "is running"),
            ("lock", "sleeps", "sleeps outside of GASNet"),
        ):
            with self.subTest(way=way, meanwhile=meanwhile), hanging(
                way, meanwhile, GASNET_STALL_REPORT="0"
            ) as job:
                ask_until(job, f"ranks 1-{LAST} have waited")
                job.process.stdin.write(b"\n")
                job.process.stdin.flush()
                ask_until(job, f"for room to send to rank {LAST} ")
                # On a busy host the thread that takes the question may still run.
                answer = ask_until(job, f"{state}, perhaps in a handler, while")
                (line,) = answer.splitlines()[1:]
                job.kill(signal.SIGINT)
            self.assertRegex(
                line,
                rf"^rank 0 .* has waited .* {ROOM}; "
                rf"rank {LAST} .* has not polled for at least [\d.]+ s, and {state}, "
                "perhaps in a handler, while it waits in gasnet_barrier_wait$",
            )

    def test_a_rank_that_does_not_call_gasnet_init(self):
        with hanging("init") as job:
            line = told(job, "; rank 1 ")
            job.kill(signal.SIGINT)
        self.assertRegex(
            line,
            "ranks 0 and 2-3 .* in gasnet_init.*; rank 1 .* has not come: "
            "it has not called gasnet_init, and is running",
        )

    def test_a_wait_for_what_only_the_client_knows_names_the_suspect(self):
        with hanging("reply") as job:
            line = told(job, "in GASNET_BLOCKUNTIL, perhaps for rank 3 ")
            job.kill(signal.SIGINT)
        self.assertRegex(line, r"rank 3 \(.*\), which has not polled")

    def test_a_stall_is_told_once(self):
        with hanging("barrier", options=("--timeout", "3")) as job:
            job.finish()
        before_the_end = job.err.split(b"the time limit")[0]
        self.assertEqual(before_the_end.count(b"gasnet_barrier_wait; "), 1, job.err)


class AtTheEndTest(unittest.TestCase):
    def check_end(self, job):
        self.assertRegex(
            job.err, rb"ranks 0-2 have waited .* in gasnet_barrier_wait; rank 3 "
        )

    def test_a_time_out_tells_what_held_up_the_job(self):
        for options in ((), TWO_HOSTS):
            with self.subTest(options=options):
                with hanging(
                    "barrier",
                    conduit="udp" if options else "smp",
                    options=("--timeout", "8", *options),
                    GASNET_STALL_REPORT="0",
                ) as job:
                    self.assertEqual(job.finish(), 124)
                self.check_end(job)

    # Nobody has asked for the status before.
    def test_a_signal_tells_what_held_up_the_job(self):
        with hanging("barrier", "computes", GASNET_STALL_REPORT="0") as job:
            job.read_until(b"ready")
            # The end tells of a wait of more than a second. To ask if it is that
            # long would spoil the test.
            time.sleep(3)
            job.kill(signal.SIGTERM)
            job.finish()
        self.assertRegex(
            job.err,
            rb"waited .* in gasnet_barrier_wait; rank 3 .* has not polled for at least",
        )

    def test_a_dead_rank_is_told_too(self):
        with hanging("barrier", GASNET_STALL_REPORT="0") as job:
            ask_until(job, "in gasnet_barrier_wait")
            seen = json.loads(ask(job, "--json"))
            pid = int(re.search(r"pid (\d+)", seen["ranks"][LAST]["name"]).group(1))
            os.kill(pid, signal.SIGKILL)
            job.finish()
        self.assertIn(b"was killed by SIGKILL", job.err)


class OnRequestTest(unittest.TestCase):
    def test_text_and_json(self):
        for options in ((), TWO_HOSTS):
            with self.subTest(options=options):
                with hanging(
                    "barrier",
                    conduit="udp" if options else "smp",
                    options=options,
                    GASNET_STALL_REPORT="0",
                ) as job:
                    ask_until(job, "ranks 0-2 have waited")
                    self.assertIn("4 ranks: 3 waiting in GASNet, 1 not", ask(job))
                    seen = json.loads(ask(job, "--json"))
                    job.kill(signal.SIGINT)
                self.assertEqual(len(seen["causes"]), 1)
                waits = [rank["waits"] for rank in seen["ranks"]]
                self.assertEqual([len(wait) for wait in waits], [1, 1, 1, 0])
                self.assertEqual(waits[0][0]["for"], "barrier")
                self.assertGreater(seen["ranks"][LAST]["unpolled_seconds"], 0)

    def test_statistics_so_far(self):
        for options in ((), TWO_HOSTS):
            with self.subTest(options=options), tempfile.TemporaryDirectory() as folder:
                with hanging(
                    "barrier",
                    conduit="udp" if options else "smp",
                    options=("--stats", *options),
                    GASNET_STALL_REPORT="0",
                    GASNET_STATSFILE=f"{folder}/%",
                ) as job:
                    ask_until(job, "ranks 0-2 have waited")
                    # The first barrier is that of all ranks.
                    counted = f"{'gasnet_barrier_notify':27} {2 * RANKS - 1:>10} "
                    answer = ask_until(job, counted)
                    self.assertIn("ranks 0-2 have waited", answer)
                    seen = json.loads(ask(job, "--json"))["statistics"]
                    job.kill(signal.SIGUSR2)
                    job.read_until(b"GASNet statistics: 4 ranks, 4 reported", "err")
                    job.kill(signal.SIGINT)
                self.assertEqual((seen["ranks"], seen["reported"]), (4, 4))
                calls = {call["name"]: call["calls"] for call in seen["calls"]}
                self.assertEqual(calls["gasnet_barrier_notify"], 2 * RANKS - 1)
                self.assertEqual(bool(options), "packets_sent" in seen["network"])
                self.assertIn("library_messages", seen["network"])
                if options:
                    self.assertGreater(seen["network"]["packets_sent"], 0)
                for rank in range(RANKS):
                    with open(f"{folder}/{rank}", encoding="ascii") as file:
                        self.assertIn("GASNet statistics on request: ", file.read())

    def test_statistics_are_not_written_unasked(self):
        with tempfile.TemporaryDirectory() as folder:
            with hanging("barrier", GASNET_STATSFILE=f"{folder}/%") as job:
                told(job, REASONS["barrier"])
                job.kill(signal.SIGINT)
            with open(f"{folder}/0", encoding="ascii") as file:
                self.assertNotIn("on request", file.read())

    def test_sigusr2_makes_the_launcher_say_it(self):
        with hanging("barrier", GASNET_STALL_REPORT="0") as job:
            ask_until(job, "ranks 0-2 have waited")
            job.kill(signal.SIGUSR2)
            job.read_until(b"rank 3", "err")
            job.kill(signal.SIGINT)
        self.assertIn(b"gasnetrun: 4 ranks: 3 waiting in GASNet", job.err)

    def test_a_job_that_is_not_there(self):
        asked = launched.run([GASNETRUN, "--status", str(os.getpid())])
        self.assertEqual(asked.code, 125)
        self.assertIn(b"no gasnetrun of yours", asked.err)
        for wrong in (["foo"], ["1", "2"], ["-3"]):
            asked = launched.run([GASNETRUN, "--status", *wrong])
            self.assertEqual(asked.code, 125, wrong)

    def test_a_job_that_goes_well_is_told_nothing(self):
        job = launched.run([GASNETRUN, "-n", "2", HANGS, "nothing"])
        self.assertEqual((job.code, job.err), (0, b""))


if __name__ == "__main__":
    launched.main()
