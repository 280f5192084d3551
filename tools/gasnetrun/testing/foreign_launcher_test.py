"""Tests programs that srun of Slurm and mpirun of Open MPI start. They behave as under
gasnetrun, as far as those launchers permit."""

import os
import re
import shutil
import signal
import tempfile
import time
import unittest

import launched
import slurm_cluster
import strangers

PROBE = launched.program("PROBE")
GASNETRUN = launched.program("GASNETRUN")
HELLO = launched.program("HELLO")
SUITE = launched.program("SUITE")
UNSHARE = ("unshare", "--pid", "--fork", "--mount-proc")


def lines(printed):
    """Returns the lines of several ranks, sorted, since the launcher may mix them in
    any order."""
    return sorted(printed.splitlines(keepends=True))


class Behaviour:
    """Tests for every launcher. `launcher(ranks)` is its command."""

    def job(self, ranks, *command, **env):
        return launched.Job(
            [*self.launcher(ranks), *command],
            env={"TMPDIR": self.directory, **self.environment, **env},
        )

    def run_job(self, ranks, *command, **env):
        with self.job(ranks, *command, **env) as job:
            job.code = job.finish()
        return job

    def probe(self, ranks, *actions, **env):
        return self.run_job(ranks, PROBE, *actions, **env)

    def setUp(self):
        self.directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def test_ranks_know_each_other(self):
        for ranks in (2, 5):
            job = self.probe(ranks, "members", "gather=100", "share-memory", "barrier")
            said = [line.split(b" cpus")[0] for line in lines(job.out)]
            hosts = "0" * ranks
            expected = [
                f"{rank}/{ranks} hosts {hosts} host rank {rank}/{ranks}".encode()
                for rank in range(ranks)
            ]
            self.assertEqual((job.code, said), (0, expected), job.err)

    def test_processes_with_threads_are_told(self):
        job = self.probe(2, "thread", "barrier")
        self.assertNotEqual(job.code, 0)
        self.assertIn(b"this process has 2 threads", job.err)

    def test_one_process_is_a_job_of_one(self):
        job = self.probe(1, "members")
        self.assertEqual(job.code, 0, job.err)
        self.assertIn(b"0/1 hosts 0 ", job.out)

    def test_strangers_do_not_keep_a_job_from_starting(self):
        """Lets strangers connect before rank 1 does, and go on until the job has
        ended."""
        gate = os.path.join(self.directory, "gate")
        os.mkfifo(gate)
        late = 'test "${PMIX_RANK:-$PMI_RANK}" != 1 || cat "$GATE"; exec "$@"'
        command = ("sh", "-c", late, "-", PROBE, "barrier", "1:exit=5", "wait")
        with self.job(3, *command, GATE=gate) as job:
            port = strangers.await_port(job, os.path.basename(PROBE).encode())
            with strangers.Crowd(port):
                with open(gate, "wb"):
                    pass
                self.assertEqual(job.finish(), 5, job.err)

    def test_any_rank_ends_the_job_with_its_code(self):
        for rank in range(3):
            job = self.probe(3, f"{rank}:exit=7", "wait")
            self.assertEqual(job.code, 7, job.err)

    def test_a_return_with_0_ends_nobody(self):
        for returning in ("return", "silent-return"):
            job = self.probe(3, f"0:{returning}=0", "1:exit=5", "wait")
            self.assertEqual(job.code, 5, job.err)
        job = self.probe(3, "2:return=6", "return=0")
        self.assertEqual(job.code, 6, job.err)

    def test_peers_get_sigquit_and_time(self):
        job = self.probe(
            3, "1:handle-quit-say", "2:handle-quit=9", "barrier", "0:exit=3", "wait"
        )
        self.assertEqual(job.code, 3, job.err)
        self.assertIn(b"quit\n", job.out)
        # Once the peers' time is over, rank 1 ends itself or is killed, whichever is
        # first.
        self.assertNotIn(b"rank 2", job.err)

    def test_a_crash_is_told(self):
        job = self.probe(3, "barrier", "1:kill=11", "wait")
        self.assertEqual(job.code, 128 + signal.SIGSEGV)
        self.assertRegex(
            job.err, rb"rank 1 \(\S+, pid \d+\) was killed by SIGSEGV"
        )

    def test_the_environment_is_the_console_s(self):
        for value in ("two\nlines", "", "\u00fc = ; ' \" \\"):
            job = self.probe(2, "env=SOME_NAME", "barrier", SOME_NAME=value)
            expected = f"'{value}'\n".encode() * 2
            self.assertEqual(lines(job.out), lines(expected), job.err)

    def test_statistics_that_nobody_asked_for_are_ignored(self):
        job = self.probe(2, "statistics", "barrier", GASNETRUN_STATISTICS="1")
        self.assertEqual((job.code, job.out), (0, b""), job.err)

    def test_hosts_are_what_shares_memory(self):
        job = self.run_job(2, *UNSHARE, PROBE, "members", "gather=20", "barrier")
        self.assertEqual(job.code, 0, job.err)
        self.assertEqual(job.out.count(b"/2 hosts 01 host rank 0/1"), 2)

    def test_smp_program(self):
        job = self.run_job(3, HELLO)
        self.assertEqual(job.code, 0, job.err)
        self.assertEqual(len(job.out.splitlines()), 3)

    def test_smp_refuses_several_hosts(self):
        job = self.run_job(2, *UNSHARE, HELLO)
        self.assertNotEqual(job.code, 0)
        self.assertIn(b"the smp conduit runs on one host", job.err)

    def test_udp_conformance(self):
        for ranks in (2, 5):
            for supernode in ("0", "1"):
                for test in ("am_short", "job_node_numbers"):
                    job = self.run_job(
                        *(ranks, SUITE, test),
                        CONFORMANCE_RANKS=str(ranks),
                        GASNET_SUPERNODE_MAXSIZE=supernode,
                    )
                    self.assertEqual(job.code, 0, (test, ranks, job.out, job.err))

    def test_nothing_is_left_whatever_is_killed(self):
        for victim in ("rank", "member", "head"):
            with self.subTest(victim), self.waiting(3) as job:
                os.kill(self.find(job, victim), signal.SIGKILL)
                self.assertNotEqual(job.finish(), 0)

    def test_the_launcher_ends_the_job(self):
        with self.waiting(3) as job:
            job.kill(signal.SIGTERM)
            self.assertNotEqual(job.finish(), 0)

    def test_no_secret_is_on_show(self):
        """Looks for the secret: it is passed on as PORT/SECRET/HOST, in hex digits."""
        with self.waiting(2) as job:
            for pid in job.pids():
                for what in ("cmdline", "environ"):
                    with open(f"/proc/{pid}/{what}", "rb") as file:
                        shown = re.search(rb"/[0-9]+/[0-9a-f]{32,}/", file.read())
                        self.assertIsNone(shown)
            job.kill(signal.SIGTERM)

    def waiting(self, ranks):
        job = self.job(ranks, PROBE, "barrier", "print=ready", "wait")
        self.addCleanup(job.kill, signal.SIGKILL)
        job.await_ready(ranks)
        return job

    def find(self, job, what):
        """Returns one process of a job: its head, a rank, or its member."""
        name = os.path.basename(PROBE).encode()
        pids = job.find(name)
        head = [pid for pid in pids if self.read(pid, "comm") == b"gasnet-head\n"]
        if what == "head":
            return head[0]
        ranks = [pid for pid in pids if self.parent(pid) in pids and pid not in head]
        return ranks[-1] if what == "rank" else self.parent(ranks[-1])

    @staticmethod
    def read(pid, what):
        with open(f"/proc/{pid}/{what}", "rb") as file:
            return file.read()

    def parent(self, pid):
        return int(self.read(pid, "stat").rpartition(b") ")[2].split()[1])


class Agents:
    """Tests gasnetrun with agents that the launcher starts. They work as through
    ssh."""

    def under_gasnetrun(self, *actions, options=(), **env):
        command = [*self.enter, GASNETRUN, "-n", "3", *self.spawner, *options]
        with launched.Job(
            [*command, PROBE, *actions],
            env={"TMPDIR": self.directory, **self.environment, **env},
        ) as job:
            job.code = job.finish()
        return job

    def test_gasnetrun_starts_agents_through_it(self):
        job = self.under_gasnetrun(
            "members", "1:print-error=text", "gather=100", "barrier", options=["--tag-output"]
        )
        self.assertEqual(job.code, 0, job.err)
        self.assertIn(b"[2] 2/3 hosts 000 host rank 2/3 ", job.out)
        self.assertIn(b"[1] text\n", job.err)

    def test_gasnetrun_reports_a_crash(self):
        job = self.under_gasnetrun("barrier", "2:kill=11", "wait")
        self.assertEqual(job.code, 128 + signal.SIGSEGV, job.err)
        self.assertRegex(job.err, rb"rank 2 \(\S+, pid \d+\) was killed by SIGSEGV")


def _why_no_mpirun():
    return "" if shutil.which("mpirun") else "not installed: mpirun (Open MPI)"


@unittest.skipIf(_why_no_mpirun(), _why_no_mpirun())
class MpirunTest(Behaviour, Agents, unittest.TestCase):
    enter = ()
    spawner = ("--spawner=pmix", "-H", "localhost")
    environment = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        # The same for the program that Open MPI 5 starts with.
        "PRTE_ALLOW_RUN_AS_ROOT": "1",
        "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        # Open MPI 5 does not start without it.
        "HOME": os.environ.get("HOME") or tempfile.gettempdir(),
    }

    def launcher(self, ranks):
        return ["mpirun", "--oversubscribe", "-n", str(ranks)]

    def test_more_ranks_than_the_head_may_have_descriptors(self):
        limited = ("sh", "-c", 'ulimit -Sn 32 && exec "$@"', "-")
        job = self.run_job(28, *limited, PROBE, "barrier", "exit=5")
        self.assertEqual(job.code, 5, job.err)

    def test_nothing_is_left_of_a_killed_mpirun(self):
        with self.waiting(3) as job:
            job.kill(signal.SIGKILL)
            self.assertEqual(job.finish(), -signal.SIGKILL)


REASON = slurm_cluster.why_not()


@unittest.skipIf(REASON, REASON)
class SlurmTest(Behaviour, Agents, unittest.TestCase):
    enter = ("salloc", "--quiet", "-n", "3")
    spawner = ("--spawner=slurm",)

    @classmethod
    def setUpClass(cls):
        cls.cluster = slurm_cluster.Cluster()
        cls.addClassCleanup(cls.cluster.close)
        cls.environment = cls.cluster.environment

    def launcher(self, ranks):
        return ["srun", "-n", str(ranks)]

    def test_pmix(self):
        job = self.probe(3, "1:exit=7", "wait", SLURM_MPI_TYPE="pmix")
        self.assertEqual(job.code, 7, job.err)

    def test_a_step_without_pmi_is_told(self):
        job = self.probe(2, "barrier", SLURM_MPI_TYPE="none")
        self.assertNotEqual(job.code, 0)
        self.assertIn(b"of 2 of a Slurm step without PMI", job.err)

    def test_none_is_as_many_jobs_of_one(self):
        for kind in ("none", "pmi2"):
            job = self.probe(
                *(2, "members"), SLURM_MPI_TYPE=kind, GASNET_SPAWN_CONTROL="none"
            )
            self.assertEqual(job.code, 0, job.err)
            self.assertEqual(job.out.count(b"0/1 hosts 0 "), 2)

    def test_a_rank_that_cannot_reach_the_head_ends_the_job(self):
        """Checks the end, though by default srun lets tasks go on when one fails."""
        apart = 'test "$PMI_RANK" != 1 || exec unshare --net "$@"; exec "$@"'
        job = self.run_job(3, "sh", "-c", apart, "-", PROBE, "barrier", "wait")
        self.assertNotEqual(job.code, 0)
        self.assertIn(b"gasnet_init: cannot connect to rank 0", job.err)

    def test_scancel_ends_the_job(self):
        with self.waiting(3) as job:
            numbers = self.cluster.run("squeue", "-h", "-o", "%i").split()
            self.cluster.run("scancel", *numbers)
            self.assertNotEqual(job.finish(), 0)
            give_up = time.monotonic() + launched.PATIENCE
            while self.cluster.run("squeue", "-h").strip():
                self.assertLess(time.monotonic(), give_up)


if __name__ == "__main__":
    launched.main()
