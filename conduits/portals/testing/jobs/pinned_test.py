"""Tests of segments if Portals pins memory, and if it has no room for them."""

import os
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PINNED = launched.program("PINNED")
RANKS = 2
RATIO = 0.001


class PinnedTest(unittest.TestCase):
    def run_job(self, **env):
        return launched.run([GASNETRUN, "-n", str(RANKS), PINNED],
                            env={"GASNET_SUPERNODE_MAXSIZE": "1", **env})

    def test_the_ranks_of_a_host_pin_a_part_of_its_memory(self):
        job = self.run_job(GASNET_PHYSMEM_PINNABLE_RATIO=str(RATIO),
                           PORTALS4_LIMITS="features=0")
        self.assertEqual((job.code, job.err), (0, b""))
        pages = int(os.sysconf("SC_PHYS_PAGES") * RATIO) // RANKS
        self.assertEqual(int(job.out), pages * os.sysconf("SC_PAGESIZE"))

    def test_where_there_is_no_room_for_a_segment_a_smaller_one_is_proposed(self):
        # The entries for messages have already been appended then.
        job = self.run_job(GASNET_MAX_SEGSIZE="1M", PORTALS4_LIMITS="max_entries=12")
        self.assertNotEqual(job.code, 0)
        self.assertRegex(
            job.err,
            rb"gasnet_attach: .*PtlMEAppend failed: no space .*a smaller segment may do: "
            rb"GASNET_MAX_SEGSIZE, or GASNET_PHYSMEM_PINNABLE_RATIO")


if __name__ == "__main__":
    launched.main()
