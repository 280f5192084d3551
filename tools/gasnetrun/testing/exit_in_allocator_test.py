"""Tests that a rank reports its statistics without the allocator if it ends in a signal
handler, which may have interrupted the allocator."""

import os
import tempfile
import unittest

import launched

RANKS = 2


class ExitInAllocatorTest(unittest.TestCase):
    def test_the_statistics_of_all_ranks_are_reported(self):
        with tempfile.TemporaryDirectory() as directory:
            job = launched.run(
                [
                    launched.program("GASNETRUN"),
                    *("-n", str(RANKS), "--stats"),
                    launched.program("EXITS"),
                ],
                env={"GASNET_STATSFILE": f"{directory}/%"},
            )
            self.assertEqual(job.code, 0, job.err)
            self.assertIn(b"GASNet statistics: 2 ranks, 2 reported; ", job.err)
            for rank in range(RANKS):
                path = os.path.join(directory, str(rank))
                with open(path, encoding="utf-8") as file:
                    self.assertIn("GASNet statistics at the end: ", file.read())


if __name__ == "__main__":
    launched.main()
