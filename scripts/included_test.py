import unittest

import included


def complaints(text, **headers):
    texts = {name.replace("_h", ".h"): text for name, text in headers.items()}
    texts["a_test.cc"] = text
    return [what for _, what in included.check("a_test.cc", text, texts)]


class IncludedTest(unittest.TestCase):

    def test_a_header_that_is_missing(self):
        found = complaints("int x;\nstd::vector<int> v;\n")
        self.assertEqual(found, ["std::vector needs an include of vector"])

    def test_each_header_is_known_by_its_names(self):
        for header, code in {
                "algorithm": "std::sort(a, b)",
                "array": "std::array<int, 2> a",
                "atomic": "std::atomic_int a",
                "functional": "std::function<void()> f",
                "memory": "std::make_unique<int>(3)",
                "optional": "return std::nullopt",
                "span": "std::span<int> s",
                "string": "std::to_string(3)",
                "string_view": "std::string_view s",
                "utility": "std::exchange(a, b)",
                "vector": "std::vector<int> v",
                "absl/status/status.h": "return absl::OkStatus()",
                "absl/status/statusor.h": "absl::StatusOr<int> s",
                "absl/strings/str_cat.h": "absl::StrCat(1)",
                "gtest/gtest.h": "TEST(A, B) {}",
        }.items():
            with self.subTest(header=header):
                self.assertTrue(any(
                    what.endswith(" of " + header) for what in complaints(code)))
                mark = '"%s"' if ".h" in header else "<%s>"
                self.assertEqual(
                    complaints(f"#include {mark % header}\n" + code), [])

    def test_an_include_through_a_header_of_ours(self):
        texts = {"b/c.h": '#include "d.h"\n', "d.h": "#include <vector>\n"}
        text = '#include "b/c.h"\nstd::vector<int> v;\n'
        self.assertEqual(
            list(included.check("a_test.cc", text, {**texts, "a_test.cc": text})),
            [])

    def test_a_part_of_a_header(self):
        self.assertEqual(
            complaints("#include <string>\nstd::string_view s;\n"), [])

    def test_text_is_no_code(self):
        self.assertEqual(complaints('// std::vector\nf("std::vector");\n'), [])

    def test_of_every_source(self):
        text = "std::vector<int> v;\n"
        for path, some in {"a.cc": 1, "a.h": 1, "a.c": 0, "a.md": 0}.items():
            found = list(included.check(path, text, {path: text}))
            self.assertEqual(len(found), some, path)


if __name__ == "__main__":
    unittest.main()
