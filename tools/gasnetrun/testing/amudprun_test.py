"""Checks that gasnetrun understands the command lines of other launchers."""

import os
import re
import tempfile
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")


def launch(*arguments, **options):
    return launched.run([GASNETRUN, *arguments, "--dry-run", "true"], **options)


class AmudprunTest(unittest.TestCase):
    def fails(self, message, *arguments):
        job = launch("-np", "4", *arguments)
        self.assertEqual((job.code, job.out), (125, b""), job.err)
        self.assertIn(message, job.err)

    def test_all_of_them(self):
        options = ("-np", "4", "-N", "2", "-v", "-spawn", "S", "-depth", "64")
        job = launch(*options, env={"SSH_SERVERS": "a:8,b:8,c:8"})
        lines = re.findall(r"rank (\d) on host (.): (\S+)", job.out.decode())
        depth = "GASNET_NETWORKDEPTH=64"
        expected = [(str(rank), "aabb"[rank], depth) for rank in range(4)]
        self.assertEqual(lines, expected, job.err)

    def test_on_this_host(self):
        options = ("-n", "2", "-N", "1", "-spawn", "l")
        job = launch(*options, env={"GASNET_SSH_SERVERS": "a,b"})
        self.assertEqual((job.code, job.out.count(b"on host")), (0, 0), job.err)

    def test_wrong_values(self):
        self.fails(b"-spawn is 'C'; accepted: L", "-spawn", "C")
        self.fails(b"-depth is 'deep'; accepted: a number", "-depth", "deep")
        self.fails(b"-N is '0'; accepted: a number of hosts", "-N", "0")

    def test_more_hosts_than_can_be(self):
        this_one = b"-N is 2; accepted: at most the number of hosts, 1 (this one)"
        self.fails(this_one, "-N", "2")
        ranks = b"at most the number of hosts, 5, and of ranks, 4\n"
        self.fails(ranks, "-N", "5", "-H", "a,b,c,d,e")
        hosts = b"at most the number of hosts, 2, and of ranks, 4\n"
        self.fails(hosts, "-N3", "-H", "a,b")


class ScriptsTest(unittest.TestCase):
    """Tests of the scripts gasnetrun_CONDUIT of GASNet."""

    def test_options(self):
        options = ("-n", "2", "-N", "1", "-c", "2", "-k", "-v", "-v", "-t")
        for spawner in ("fork", "ssh", "mpi", "pmi"):
            job = launch(*options, f"-spawner={spawner}")
            self.assertEqual((job.code, job.out.count(b"rank")), (0, 2), job.err)

    def test_hosts(self):
        env = {"GASNET_SSH_SERVERS": "a,b"}
        job = launch("-n", "2", "-spawner=fork", env=env)
        self.assertEqual((job.code, job.out.count(b"on host")), (0, 0), job.err)
        job = launch("-n", "2", "-spawner=ssh", env=env)
        self.assertEqual((job.code, job.out.count(b"on host")), (0, 2), job.err)
        env.update(SLURM_JOB_ID="7")
        job = launch("-n", "2", "-spawner=pmi", env=env)
        self.assertEqual((job.code, job.out.count(b"srun")), (0, 2), job.err)

    def test_the_environment_names_the_spawner(self):
        with tempfile.TemporaryDirectory() as directory:
            udp = os.path.join(directory, "gasnetrun_udp")
            os.symlink(GASNETRUN, udp)
            env = {"GASNET_SSH_SERVERS": "a,b", "GASNET_UDP_SPAWNER": "fork"}
            words = ("-n", "2", "-t", "true")
            job = launched.run([udp, *words], env=env)
            self.assertEqual((job.code, job.out.count(b"on host")), (0, 0), job.err)
            job = launched.run([udp, "-spawner=ssh", *words], env=env)
            self.assertEqual((job.code, job.out.count(b"on host")), (0, 2), job.err)

    def test_wrong_values(self):
        job = launch("-n", "2", "-spawner=rsh")
        self.assertEqual(job.code, 125)
        self.assertIn(b"-spawner is 'rsh'; accepted: fork, ssh, mpi, pmi", job.err)


if __name__ == "__main__":
    launched.main()
