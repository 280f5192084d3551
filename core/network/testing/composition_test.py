"""The calls of a conduit to its network, and their order. The first two of three
ranks share memory."""

import re
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PROGRAM = launched.program("PROGRAM")


class CompositionTest(unittest.TestCase):
    def said(self, ranks, supernode, scenario):
        """Returns the output of each rank, and the job."""
        job = launched.run(
            [GASNETRUN, "-n", str(ranks), "--tag-output", PROGRAM, scenario],
            env={"GASNET_SUPERNODE_MAXSIZE": str(supernode)},
        )
        by_rank = launched.by_rank(job.out)
        return [by_rank.get(i, b"").decode() for i in range(ranks)], job

    def test_the_network_is_for_those_who_share_no_memory(self):
        said, job = self.said(3, 2, "runs")
        self.assertEqual(job.code, 0, job.err)
        for rank, mapped in enumerate((2, 2, 1)):
            self.assertEqual(
                said[rank],
                "opened\n"
                "supernode 2, mediums of 698\n"
                "exposed 65536 bytes\n"
                "attached 3 segments\n"
                "took 2 steps\n"
                f"mapped {mapped} of 3\n"
                "drained patiently\n",
            )

    def test_it_is_not_opened_where_all_share_memory(self):
        said, job = self.said(2, 0, "open_fails")
        self.assertEqual(job.code, 0, job.err)
        for text in said:
            self.assertRegex(text, r"\Asupernode \d+, mediums of \d+\ntook 2 steps\nmapped 2 of 2\n\Z")

    def test_an_exit_drains_it_in_passing(self):
        said, job = self.said(2, 1, "exits")
        for text in said:
            self.assertTrue(text.endswith("mapped 1 of 2\ndrained\n"), text)

    def test_a_failure_of_one_rank_is_of_all_and_told_once(self):
        said, job = self.said(3, 1, "start_fails")
        self.assertEqual(job.code, 3, job.err)
        self.assertEqual(job.err.count(b"its cable is cut"), 1, job.err)
        self.assertTrue(re.search(rb"rank 1, .*its cable is cut", job.err), job.err)
        self.assertNotIn("mapped", "".join(said))

    def test_a_segment_that_one_rank_cannot_expose_is_told_once(self):
        said, job = self.said(3, 1, "expose_fails")
        self.assertEqual(job.code, 4, job.err)
        self.assertEqual(job.err.count(b"its memory is full"), 1, job.err)
        self.assertTrue(
            re.search(rb"rank 1, .*gasnet_attach: its memory is full", job.err), job.err
        )
        self.assertNotIn("attached", "".join(said))

    def test_a_network_that_is_not_there_starts_nothing(self):
        said, job = self.said(2, 1, "open_fails")
        self.assertEqual(job.code, 3, job.err)
        for text in said:
            self.assertIn("not started: there is no cable", text)


if __name__ == "__main__":
    launched.main()
