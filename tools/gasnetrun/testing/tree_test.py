"""Tests jobs on hosts that are reached through other hosts: all is as if the launcher
had reached them itself."""

import signal
import subprocess
import unittest

import launched
from several_hosts import AGENT, GASNETRUN, IN_THEIR_TIME, MANY
from several_hosts import job, run, tree_environment, tree_of

# The tree of 7 hosts with degree 2.
PARENTS = {2: 0, 3: 0, 4: 1, 5: 1, 6: 2}


class TreeTest(unittest.TestCase):
    def test_dry_run_prints_the_tree(self):
        done = run(**tree_of(7, 2, options=["--dry-run"]))
        for host in range(7):
            way = f" through host h{PARENTS[host]}" if host in PARENTS else ""
            self.assertRegex(done.out, f"host h{host}{way}: .*fake_ssh".encode())

    def test_a_name_of_this_host_means_it_only_here(self):
        env = tree_environment(1)
        done = run(hosts="a,localhost,b", ranks=3, env=env,
                   options=["--dry-run", "--spawner=ssh"])
        self.assertRegex(done.out, rb"host localhost: ")
        self.assertRegex(done.out, rb"host b through host a: ")

    def test_wrong_degree(self):
        for value in ("-1", "1025", "many", "2.5"):
            done = run("exit=0", env=tree_environment(value))
            self.assertEqual(done.code, 125)
            message = f"GASNET_SSH_OUT_DEGREE is set to '{value}'; accepted: a number"
            self.assertIn(message.encode(), done.err)

    def test_each_ssh_runs_where_it_should(self):
        with job(
            "barrier", "print=ready", "wait", **tree_of(7, 2)
        ) as started:
            started.await_ready(7)
            for host in range(7):
                ssh = started.find(b"fake_ssh", f"h{host}".encode())
                there = f"FAKE_HOST=h{PARENTS[host]}" if host in PARENTS else ""
                found = started.find(
                    b"fake_ssh", f"h{host}".encode(), variable=there.encode()
                )
                self.assertEqual((len(ssh), ssh), (1, found))
            self.assertEqual(len(started.find(*AGENT)), 7)
            started.kill(signal.SIGTERM)
            self.assertEqual(started.finish(), 128 + signal.SIGTERM)

    def test_a_job_in_trees_of_all_shapes(self):
        for count, degree in ((7, 1), (7, 2), (MANY, 1), (MANY, 2), (MANY, 7), (7, 0)):
            with self.subTest(count=count, degree=degree):
                done = run(
                    *("gather=1000", "members", "barrier", "env=SOME"),
                    *("print-error=oops", "barrier", f"{count - 1}:exit=7", "wait"),
                    **tree_of(
                        *(count, degree),
                        options=["--tag-output"],
                        variables={"SOME": "two\nlines 'grüße'", **IN_THEIR_TIME},
                    ),
                )
                self.assertEqual(done.code, 7, done.err)
                said = launched.by_rank(done.out)
                self.assertEqual(sorted(said), list(range(count)))
                for text in said.values():
                    self.assertTrue(text.endswith("'two\nlines 'grüße''\n".encode()))
                self.assertEqual(done.err.count(b"] oops\n"), count)
                self.assertEqual(len(done.err.splitlines()), count)

    def test_output_comes_in_whole_lines(self):
        lines = 3000
        done = run(f"lines={lines}", "barrier", **tree_of(7, 1, options=["--tag-output"]))
        self.assertEqual(done.code, 0)
        said = launched.by_rank(done.out)
        for rank in range(7):
            seen = [int(line.split()[1]) for line in said[rank].splitlines()]
            self.assertEqual(seen, list(range(lines)))

    def test_a_reader_that_goes_away_or_sleeps(self):
        options = tree_of(7, 2)
        with job("print-for-ever=line", **options) as started:
            started.read_until(b"line\n")
            started.process.stdout.close()
            code = started.process.wait(launched.PATIENCE)
            self.assertEqual(code, 128 + signal.SIGPIPE)
        with job("print-for-ever=line", **options) as started:
            started.read_until(b"line\n")
            started.kill(signal.SIGTERM)
            self.assertEqual(started.finish(), 128 + signal.SIGTERM)

    def test_more_than_a_window_goes_down_the_tree(self):
        # Each rank sends 16 KiB to all ranks.
        options = tree_of(MANY, 2, variables=IN_THEIR_TIME)
        done = run("gather=16384", "gather=16384", "exit=3", **options)
        self.assertEqual((done.code, done.err), (3, b""))

    def test_rank_0_reads_standard_input(self):
        text = b"a line\n" * 20_000
        hosts = ["-H", "h0:1,h1:1,h2:1", "--map-by=slots"]
        script = ["sh", "-c", "cat; echo end"]
        command = [GASNETRUN, "-n", "3", *hosts, *script]
        with launched.Job(
            command, env=tree_environment(1), stdin=subprocess.PIPE
        ) as started:
            started.process.stdin.write(text)
            started.process.stdin.close()
            started.process.stdin = None
            self.assertEqual(started.finish(), 0)
        self.assertEqual(started.out.count(b"a line\n"), 20_000)
        self.assertEqual(started.out.count(b"end\n"), 3)

    def test_this_host_too(self):
        done = run(
            "gather=9", "members", "barrier", ranks=4, hosts="localhost,a,b,c", env=tree_environment(1)
        )
        self.assertEqual((done.code, done.err), (0, b""))
        self.assertEqual(done.out.count(b"hosts 0123 "), 4)

    def test_user_signals_and_time_limit(self):
        with job(
            "usr1", "barrier", "6:print=ready", "wait", **tree_of(7, 1)
        ) as started:
            started.read_until(b"ready\n")
            started.kill(signal.SIGUSR1)
            self.assertEqual(started.finish(), 55)
        done = run("wait", **tree_of(7, 2, options=["--timeout", "0.5"]))
        self.assertEqual(done.code, 124)

    def test_stop_and_continue(self):
        with job(
            "barrier", "print=ready", "wait",
            **tree_of(7, 1, variables={"GASNET_HOST_TIMEOUT": "1"}),
        ) as started:
            started.await_ready(7)
            ranks = started.find(b"probe")
            self.assertEqual(len(ranks), 7)
            started.kill(signal.SIGTSTP)
            self.assertTrue(launched.await_states(ranks, "T"))
            # This run is longer than the permitted silence of a host.
            run("wait", options=["--timeout", "1.5"], hosts="localhost")
            self.assertTrue(launched.await_states(ranks, "T"))
            started.kill(signal.SIGCONT)
            self.assertTrue(launched.await_states(ranks, "SR"))
            started.kill(signal.SIGINT)
            self.assertEqual(started.finish(), 128 + signal.SIGINT)


if __name__ == "__main__":
    launched.main()
