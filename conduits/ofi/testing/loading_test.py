"""Libfabric is loaded where a rank is off the host, and nowhere else: that takes
a third of a second with some builds of it."""

import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
LOADS = launched.program("LOADS")


class LoadingTest(unittest.TestCase):
    def check_job(self, ranks, said, **env):
        done = launched.run([GASNETRUN, "-n", str(ranks), LOADS], env=env)
        self.assertEqual((done.code, done.out, done.err),
                         (0, ranks * said, b""))

    def test_one_host(self):
        self.check_job(2, b"libfabric is not loaded\n")

    def test_one_rank(self):
        self.check_job(1, b"libfabric is not loaded\n")

    # Ranks of one host that share no memory stand for hosts.
    def test_several_hosts(self):
        self.check_job(2, b"libfabric is loaded\n",
                       GASNET_SUPERNODE_MAXSIZE="1")


if __name__ == "__main__":
    launched.main()
