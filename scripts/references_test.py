"""Tests of references.py: the targets of a document's references exist."""

import unittest

import references

TREE = references.Tree(
    {
        "README.md": "# Us\n\n## How [fast](x), really?\n\n```sh\n# No heading\n```\n",
        "docs/A.md": "Nobody\n",
        "core/am/link.h": "enum class Post { kDone };\nvoid gasnet_put();\n",
        "core/env.cc": 'GetEnv("GASNET_FAST_PATH")\n',
    }
)


def complaints(text, document="docs/A.md"):
    return [line for line, _ in references.check(TREE, document, text)]


class ReferencesTest(unittest.TestCase):
    def test_links(self):
        self.assertEqual(complaints("[a](../README.md), [b](../core), [c](A.md)\n"), [])
        self.assertEqual(complaints("[w](https://example.org/x#y)\n"), [])
        self.assertEqual(complaints("a\n[a](README.md) [b](../core/b.h)\n"), [2, 2])

    def test_headings(self):
        self.assertEqual(complaints("[a](../README.md#how-fast-really)\n"), [])
        self.assertEqual(complaints("[a](../README.md#no-heading)\n"), [1])
        self.assertEqual(complaints("[a](#us)\n", "README.md"), [])
        self.assertEqual(complaints("[a](#us)\n"), [1])

    def test_paths(self):
        there = "`core/am/link.h`, `link.h`, `am/link.h`, `core/am/`, `core/am/link`\n"
        self.assertEqual(complaints(there), [])
        self.assertEqual(complaints("`core/link.h`\n\n`links.h`, `core/ip/`\n"), [1, 3, 3])

    def test_paths_that_are_none_of_ours(self):
        self.assertEqual(complaints("`a/b`, `bin/gdb`, `core/*.h`, `*.cc`, `-I.`\n"), [])

    def test_names(self):
        self.assertEqual(complaints("`kDone`, `Post::kDone`, `gasnet_put(1)`\n"), [])
        self.assertEqual(complaints("`GASNET_FAST_PATH`, `FAST_PATH`\n"), [])
        self.assertEqual(complaints("`kGone`\n`Post::kGone`\n`gasnet_get`\n"), [1, 2, 3])
        self.assertEqual(complaints("`GASNET_SLOW_PATH`\n"), [1])

    def test_names_that_only_documents_have(self):
        self.assertEqual(complaints("`Nobody`\n"), [1])

    def test_names_that_are_made_of_others(self):
        self.assertEqual(complaints("`gasnet_put_udp`\n"), [])

    def test_words_that_are_no_names(self):
        self.assertEqual(complaints("`yes`, `gone`, `NET`, `-n 4`, `a b_c`\n"), [])

    def test_blocks_of_code(self):
        self.assertEqual(complaints("```\n`kGone` [a](b)\n```\n`kGone`\n"), [4])


if __name__ == "__main__":
    unittest.main()
