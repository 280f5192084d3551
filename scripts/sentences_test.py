"""Tests of sentences.py: the rule finds sentences without a head, and no others."""

import unittest

import sentences


def lines(path, text):
    return [line for line, _ in sentences.check_headless(path, text)]


class SentencesTest(unittest.TestCase):
    def test_subject_first(self):
        self.assertEqual(lines("a.h", "// The bytes that travel.\n"), [])
        self.assertEqual(lines("a.md", "It says what it does, and who.\n"), [])
        self.assertEqual(lines("a.md", "Whether it is so. When it is.\n"), [])

    def test_line_comments(self):
        self.assertEqual(lines("a.h", "int a;\n// What travels.\n"), [2])
        self.assertEqual(lines("a.h", "int a;  // Who waits.\n"), [1])
        self.assertEqual(lines("a.h", "int a;  // of b\n// Whose it is.\n"), [2])

    def test_sentence_within_a_paragraph(self):
        text = "// A lock. Whoever\n// holds it is alone.\n"
        self.assertEqual(lines("a.h", text), [1])
        self.assertEqual(lines("a.h", "// (See a.h.) What is not, is.\n"), [1])

    def test_block_comments(self):
        self.assertEqual(lines("a.h", "/* What travels. */\n"), [1])
        text = "/* A put.\n *\n * Which one is it.\n *   - What is left. */\n"
        self.assertEqual(lines("a.h", text), [3, 4])

    def test_no_comment(self):
        text = 'const char* a = "// What is it";\nint What(int Who);\n'
        self.assertEqual(lines("a.h", text), [])

    def test_documents(self):
        text = "# What is left\n\ntext\n\n- Who sends\n1. What is sent\n"
        self.assertEqual(lines("a.md", text), [1, 5, 6])
        self.assertEqual(lines("a.md", "| a | What travels |\n"), [1])
        self.assertEqual(lines("a.md", "**What is set.** All.\n"), [1])
        self.assertEqual(lines("a.md", "```\nWhat is code.\n```\nx\n"), [])

    def test_questions_and_quotations(self):
        self.assertEqual(lines("a.md", "What is it? It is this.\n"), [])
        self.assertEqual(lines("a.md", '| "What travels." | "It." |\n'), [])

    def test_sources(self):
        self.assertEqual(lines("a.cc", "// What travels.\n"), [1])
        self.assertEqual(lines("a.c", "/* What travels. */\n"), [1])

    def test_other_files(self):
        self.assertEqual(lines("a.py", "// What travels.\n"), [])


if __name__ == "__main__":
    unittest.main()
