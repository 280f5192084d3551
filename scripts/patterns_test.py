"""Tests of mutants/patterns.py."""

import unittest

from mutants import patterns

CODE = """\
// if (a < 1) this is no code.
#include <x>
int F(int a, Buffer& b) {
  if (a <= 7 && b.IsFull()) return Count(a, b);
  if (a > 2) {
    b.Add("a == 3",
          a);
    total_ += a;
  }
  return true;
}
"""


class PatternsTest(unittest.TestCase):
    def made(self, kind):
        """Returns the lines that changes of this kind make, and the lines they
        replace."""
        found = []
        for change in patterns.changes(CODE):
            if change.kind == kind:
                text = patterns.applied(CODE, change)
                found.append(sorted(set(text.split("\n")) - set(CODE.split("\n"))))
        return found

    def test_comparisons(self):
        self.assertEqual(self.made("comparison turned"), [
            ["  if (a < 7 && b.IsFull()) return Count(a, b);"],
            ["  if (a >= 2) {"],
        ])

    def test_constants(self):
        self.assertEqual(self.made("constant off by one"), [
            ["  if (a <= 8 && b.IsFull()) return Count(a, b);"],
            ["  if (a > 3) {"],
        ])

    def test_conditions(self):
        self.assertEqual(self.made("condition left out"), [
            ["  if (a <= 7) return Count(a, b);"],
            ["  if (b.IsFull()) return Count(a, b);"],
        ])
        self.assertEqual(self.made("condition turned"), [["  if (!(a > 2)) {"]])

    def test_statements(self):
        self.assertEqual(self.made("call left out"), [["    ;"]])
        self.assertEqual(self.made("assignment left out"), [["    ;"]])
        self.assertEqual(self.made("truth turned"), [["  return false;"]])

    def test_order(self):
        changed = [c for c in patterns.changes(CODE) if c.kind == "order changed"]
        self.assertEqual([patterns.applied(CODE, c).split("\n")[5:8] for c in changed],
                         [["    total_ += a;", '    b.Add("a == 3",', "          a);"]])

    def test_arguments(self):
        self.assertEqual(self.made("arguments swapped"), [
            ["  if (a <= 7 && b.IsFull()) return Count(b, a);"],
        ])

    def test_a_seed_chooses_the_same_and_each_file_in_turn(self):
        files = {"a.cc": CODE, "b.cc": CODE, "empty.cc": ""}
        chosen = patterns.choose(files, 6, 1)
        self.assertEqual(chosen, patterns.choose(files, 6, 1))
        self.assertEqual(sorted(path for path, _ in chosen),
                         ["a.cc"] * 3 + ["b.cc"] * 3)
        kinds = [change.kind for path, change in chosen if path == "a.cc"]
        self.assertEqual(len(set(kinds)), 3)
        self.assertEqual(len(patterns.choose(files, 1000, 1)),
                         2 * len(patterns.changes(CODE)))


if __name__ == "__main__":
    unittest.main()
