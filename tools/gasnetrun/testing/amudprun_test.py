"""Checks that gasnetrun understands the command lines of amudprun."""

import re
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


if __name__ == "__main__":
    launched.main()
