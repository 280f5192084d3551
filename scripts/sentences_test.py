"""Tests of sentences.py: the rule finds sentences without a head, and no others."""

import unittest

import sentences


def lines(path, text):
    return [line for line, _ in sentences.check_headless(path, text)]


class SentencesTest(unittest.TestCase):
    def test_subject_first(self):
        self.assertEqual(lines("a.h", "// The bytes that travel.\n"), [])
        self.assertEqual(lines("a.md", "It says what it does, and who.\n"), [])
        self.assertEqual(lines("a.md", "When it is. If it is. In it.\n"), [])

    def test_each_word(self):
        for words in (
            "What is", "Who is", "Whom it is", "Which is", "Whether it is", "Of it",
            "Where it is", "Wherever it is", "By it", "For it", "As it is",
        ):
            self.assertEqual(lines("a.h", f"// It is. {words}, is.\n"), [1], words)
            self.assertEqual(lines("a.h", f"// It is {words.lower()}.\n"), [], words)

    def test_longer_words(self):
        text = "// Offers it. Bytes of it. Forks it. Asks it. Whereas it is.\n"
        self.assertEqual(lines("a.h", text), [])

    def test_set_phrases(self):
        text = "// By default it is. For example, it is. For instance, it is.\n"
        self.assertEqual(lines("a.h", text), [])
        self.assertEqual(lines("a.h", "// For tests: a pipe.\n"), [])
        self.assertEqual(lines("a.h", "// By defaults. For test.\n"), [1, 1])

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
        self.assertEqual(lines("a.md", "Where is it? For whom?\n"), [])
        self.assertEqual(lines("a.md", '| "What travels." | "It." |\n'), [])
        self.assertEqual(lines("a.md", '"Where it is." It is.\n'), [])

    def test_sources(self):
        self.assertEqual(lines("a.cc", "// What travels.\n"), [1])
        self.assertEqual(lines("a.c", "/* What travels. */\n"), [1])

    def test_shell(self):
        self.assertEqual(lines("a.sh", "#!/bin/bash\n# What is set.\n"), [2])
        self.assertEqual(lines("a.sh", "a='1'$#  # What is set.\n"), [1])
        self.assertEqual(lines("a.sh", "# A lock\na=1  # What is set.\n"), [2])
        self.assertEqual(lines("a.sh", "# A lock. Who\n# has it waits.\n"), [1])
        self.assertEqual(lines("a.sh", "# A name\n#\n# What is set.\n"), [3])
        self.assertEqual(lines("a", "#!/bin/bash\n\n# What is set.\n"), [3])
        self.assertEqual(lines("a", "# What is set.\n"), [])

    def test_no_comment_of_shell(self):
        self.assertEqual(lines("a.sh", "#!What is set.\n"), [])
        self.assertEqual(lines("a.sh", "a=' # What is set.'\n"), [])
        self.assertEqual(lines("a.sh", 'a="\\" # What is set."\n'), [])
        self.assertEqual(lines("a.sh", "a=${#What}\n"), [])

    def test_python(self):
        for path in ("a.py", "a.bzl", "BUILD.bazel", "WORKSPACE"):
            self.assertEqual(lines(path, "#!/a b\n# What is set.\n"), [2])
            self.assertEqual(lines(path, "a = 1  # What is set.\n"), [1])
            text = "a = 1  # of b\n# Whose it is.\n#\n# What is set.\n"
            self.assertEqual(lines(path, text), [2, 4])
        self.assertEqual(lines("a.py", "// What travels.\n"), [])

    def test_docstrings(self):
        self.assertEqual(lines("a.py", '"""What is set."""\n'), [1])
        text = "# a\n\ndef b():\n    # c\n    r'''A d.\n\n    Who sets.'''\n"
        self.assertEqual(lines("a.py", text), [7])
        text = 'class A:\n    b = 1\n    """What is set."""\n"""Who sets."""\n'
        self.assertEqual(lines("a.bzl", text), [3, 4])

    def test_strings_that_are_data(self):
        self.assertEqual(lines("a.py", 'a = "# What is set."\n'), [])
        self.assertEqual(lines("a.py", 'a = """\n# What is set.\n"""\n'), [])
        self.assertEqual(lines("a.py", 'a = [\n    "What is set.",\n]\n'), [])

    def test_manual_pages(self):
        self.assertEqual(lines("a.1", ".PP\nWhat is set.\n"), [2])
        self.assertEqual(lines("a.7", "A lock.\n\\fBWho\\fR waits.\n"), [1])
        self.assertEqual(lines("a.1", ".TP\n.B a\nWhat is set.\n"), [3])
        text = "A lock of\n.BR b .\nWho has it is alone.\n"
        self.assertEqual(lines("a.1", text), [1])
        self.assertEqual(lines("a.1", "The file\n.I What\nis read.\n"), [])

    def test_other_files(self):
        self.assertEqual(lines("a.txt", "# What travels.\n"), [])


if __name__ == "__main__":
    unittest.main()
