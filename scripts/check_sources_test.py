"""Tests of check_sources.py: each rule finds its violations, and only those."""

import tempfile
import unittest

import check_sources


def complaints(path, text, paths=()):
    return [line for line, _ in check_sources.check(path, text, paths)]


class CheckSourcesTest(unittest.TestCase):
    def test_clean_header(self):
        text = "#ifndef A_H_\n#define A_H_\nint F();\n#endif  // A_H_\n"
        self.assertEqual(complaints("a.h", text), [])

    def test_header_without_guard(self):
        self.assertEqual(complaints("a.h", "int F();\n"), [1])

    def test_guard_of_another_path(self):
        text = "#ifndef GASNET_A_H_\n#define GASNET_A_H_\n#endif\n"
        self.assertEqual(complaints("a.h", text), [1])
        self.assertEqual(complaints("b/include/gasnet/a.h", text), [])

    def test_getenv(self):
        text = "// getenv(\n\nx = std::getenv(name);\n"
        self.assertEqual(complaints("a/b.cc", text), [3])
        self.assertEqual(complaints("a/b.cc", "gasnett_getenv(key);\n"), [])
        for path in ("base/env.cc", "a/testing/b.cc", "a/b_test.cc", "bench/a.cc"):
            self.assertEqual(complaints(path, text), [], path)

    def test_pipe_to_a_quiet_grep(self):
        text = "set -o pipefail\na | grep -vqE b\na |\\\n  grep -q b\n"
        self.assertEqual(complaints("a.sh", text), [2, 3])
        self.assertEqual(complaints("a.sh", text.replace("pipefail", "errexit")), [])
        fine = "set -o pipefail\na || grep -q b c\na | grep b >/dev/null\n"
        self.assertEqual(complaints("a.sh", fine), [])

    def test_sentences(self):
        self.assertEqual(complaints("a.sh", "# What is set.\n"), [1])
        self.assertEqual(complaints("a.py", '"""What is set."""\n'), [1])

    def test_what_is_text(self):
        for content, text in (
            (b"a\n", "a\n"), (b"", ""), (b"a\0b", None), (b"\xff\n", None)
        ):
            with tempfile.NamedTemporaryFile() as file:
                file.write(content)
                file.flush()
                self.assertEqual(check_sources.read(file.name), text)

    def test_length(self):
        self.assertEqual(complaints("a.cc", "\n" * 400), [])
        self.assertEqual(complaints("a.cc", "\n" * 401), [401])
        self.assertEqual(complaints("a.md", "\n" * 401), [])

    def test_white_space(self):
        self.assertEqual(complaints("a.md", "a \nb\nc"), [1, 3])

    def test_return_in_a_macro(self):
        self.assertEqual(complaints("a.c", "#define F(x) \\\n  return x\n"), [2])

    def test_return_that_is_not_code_of_a_macro(self):
        text = (
            '#define A "no return"\n'
            "#define B 1 /* the return\n value */\n"
            "#define C 2  // return\n"
            "#define returned 3\n"
            "int F() { return 1; }\n"
        )
        self.assertEqual(complaints("a.cc", text), [])

    def test_unfinished(self):
        self.assertEqual(complaints("a.cc", "\n// TO" + "DO: more\n"), [2])

    def test_machine_paths(self):
        self.assertEqual(complaints("a.md", "/home/" + "ann/x\n"), [1])
        self.assertEqual(complaints("a.md", "see $HOME/root/x\n"), [])
        text = "fine\nin /build/tree/a\n"
        self.assertEqual(complaints("a.md", text, ["/build/tree/"]), [2])

    def test_machine_paths_leave_out_what_every_machine_has(self):
        self.assertNotIn("/tmp/", check_sources.machine_paths("/tmp/checkout"))
        self.assertIn("/tmp/co/", check_sources.machine_paths("/tmp/co"))


if __name__ == "__main__":
    unittest.main()
