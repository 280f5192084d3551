"""Tests collectives of more ranks than `./dev bench` measures."""

import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
COLLECTIVES = launched.program("COLLECTIVES")
RANKS = 33


def scatter(**options):
    """Runs the benchmark that needs the most memory per rank."""
    effort = ("--repetitions=1", "--milliseconds=1", "--only=scatter, in a loop")
    command = [GASNETRUN, "-n", str(RANKS), COLLECTIVES, *effort]
    return launched.run(command, **options)


class ManyRanksTest(unittest.TestCase):
    def test_segments_grow_with_the_number_of_ranks(self):
        job = scatter()
        self.assertEqual((job.code, job.err), (0, b""))
        self.assertEqual(len(job.out.splitlines()), 4)

    def test_too_little_memory_for_them_is_told(self):
        job = scatter(env={"GASNET_MAX_SEGSIZE": "8M/P"})
        self.assertEqual(job.code, 2)
        self.assertIn(b"33 ranks need segments of ", job.err)
        self.assertIn(b"accepted here: 8388608", job.err)


if __name__ == "__main__":
    launched.main()
