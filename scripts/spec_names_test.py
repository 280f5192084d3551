"""Tests of spec_names.py."""

import unittest

import spec_names

NAMES = spec_names.names_of({
    "api/include/a.h": "#define GASNET_OK 0\nint gasnet_f(void); /* gasnet_g */\n"
                       "#ifdef GASNET_PAR\n#endif\n",
    "a/b.h": "int gasnet_h();\n",
})


def lines(path, text):
    return [line for line, _ in spec_names.check(NAMES, path, text)]


class SpecNamesTest(unittest.TestCase):
    def test_names(self):
        self.assertEqual(NAMES, {"GASNET_OK", "GASNET_PAR", "gasnet_f"})

    def test_code(self):
        self.assertEqual(lines("a/b.cc", "\nreturn GASNET_OK;\ngasnet_f();\n"), [2, 3])
        self.assertEqual(lines("a/b.h", "int gasnet_h(), my_gasnet_f;\n"), [])

    def test_text_is_no_code(self):
        text = '// GASNET_OK\n/*\n GASNET_OK */ f("gasnet_f", R"(\n"gasnet_f\n)");\n'
        self.assertEqual(lines("a/b.cc", text + "gasnet_f();\n"), [6])

    def test_rooms(self):
        for path in ("api/a.h", "export/b/c.cc", "a/testing/b.c", "examples/a.c",
                     "conduits/a/include/b.h", "docs/a.md"):
            self.assertEqual(lines(path, "GASNET_OK\n"), [], path)
        for path in ("a/b_test.cc", "conduits/a/b.cc", "c.h", "extended/d.inc"):
            self.assertEqual(lines(path, "GASNET_OK\n"), [1], path)

    def test_macros_of_the_build_are_anywhere(self):
        self.assertEqual(lines("a.cc", "#ifdef GASNET_PAR\n"), [])

    def test_exceptions(self):
        names = {"GASNET_PAGESIZE"}
        for path, found in (("core/hostshm/layout.h", []), ("core/a.h", [1])):
            complaints = spec_names.check(names, path, "GASNET_PAGESIZE")
            self.assertEqual([line for line, _ in complaints], found)


if __name__ == "__main__":
    unittest.main()
