"""Tests of processes that may not read each other's memory, or have few addresses."""

import resource
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
CONSTRAINED = launched.program("CONSTRAINED")
# The tables of an interface take some 70 MB of address space, the rest of a rank more
# than 30 MB.
FEW_ADDRESSES = 200_000_000


def run(ranks, *arguments, **options):
    command = [GASNETRUN, "-n", str(ranks), CONSTRAINED, *arguments]
    apart = {"GASNET_SUPERNODE_MAXSIZE": "1", "GASNET_MAX_SEGSIZE": "2M/P"}
    return launched.run(command, env=apart, **options)


def have_few_addresses():
    resource.setrlimit(resource.RLIMIT_AS, (FEW_ADDRESSES, FEW_ADDRESSES))


class ConstrainedTest(unittest.TestCase):
    def test_processes_that_are_not_dumpable_work(self):
        for ranks in (2, 3):
            job = run(ranks, "shut")
            self.assertEqual((job.code, job.err), (0, b""))

    def test_the_limit_that_is_in_the_way_is_told(self):
        job = run(4, preexec_fn=have_few_addresses)
        self.assertNotEqual(job.code, 0)
        self.assertRegex(
            job.err,
            rb"Portals: cannot map \d+ bytes, the tables of .*: this process may "
            rb"have 200000000 bytes of addresses \('ulimit -v', RLIMIT_AS\)",
        )


if __name__ == "__main__":
    launched.main()
