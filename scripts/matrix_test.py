"""Tests of mutants/matrix.py."""

import os
import tempfile
import unittest

from mutants import matrix

XML = """<testsuite>
  <testcase classname="am_short" name="2_nodes"/>
  <testcase classname="am_long" name="2_nodes"><failure message="x"/></testcase>
  <testcase classname="am_long" name="3_nodes"/>
  <testcase classname="am_medium" name="2_nodes"><skipped message="y"/></testcase>
</testsuite>
"""


class MatrixTest(unittest.TestCase):
    def test_a_row_failed_if_one_of_its_runs_did(self):
        self.assertEqual(matrix.failed_rows(XML), {"am_long"})

    def test_groups_without_a_result_are_not_counted(self):
        with tempfile.TemporaryDirectory() as logs:
            for name, text in (("smp_am", XML), ("udp_am", "<testsuite")):
                os.makedirs(os.path.join(logs, "conformance", name))
                path = os.path.join(logs, "conformance", name, "test.xml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            targets = [f"//conformance:{name}" for name in ("smp_am", "udp_am", "x")]
            self.assertEqual(matrix.read(logs, targets), {"smp_am am_long"})

    def test_rows_that_no_mutant_tells_apart(self):
        failed = {"m": {"a", "b", "c"}, "n": {"a", "b", "d"}, "o": {"d"}, "p": set()}
        self.assertEqual(
            matrix.alike(failed), {frozenset({"m", "n"}): ["a", "b"]})
        self.assertEqual(
            list(matrix.report(failed)), ["fail with the same 2 mutants: a, b"])


if __name__ == "__main__":
    unittest.main()
