"""Tests that the limits of messages are the same on all nodes of all hosts."""

import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
SIZES = launched.program("SIZES")
# With so many ranks that share memory, each has smaller rings than with fewer.
CROWD = 92


class SizesTest(unittest.TestCase):
    def test_a_crowded_group_and_a_lonely_node(self):
        done = launched.run(
            [GASNETRUN, "-n", str(CROWD + 1), SIZES],
            env={"GASNET_SUPERNODE_MAXSIZE": str(CROWD)})
        self.assertEqual((done.code, done.err), (0, b""))
        lines = done.out.splitlines()
        self.assertEqual(len(lines), CROWD + 1)
        self.assertEqual(len(set(lines)), 1, set(lines))


if __name__ == "__main__":
    launched.main()
