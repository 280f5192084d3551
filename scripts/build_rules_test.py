import unittest

import build_rules


def labels(name, *values):
    inside = "".join(f'<label value="{value}"/>' for value in values)
    return f'<list name="{name}">{inside}</list>'


def rule(kind, name, *attributes):
    inside = "".join(attributes)
    return f'<rule class="{kind}" location="/a:1" name="{name}">{inside}</rule>'


def rules(*elements):
    inside = "".join(elements)
    return build_rules.Rules(
        f'<?xml version="1.1"?><query version="2">{inside}</query>'.encode())


class BuildRulesTest(unittest.TestCase):

    def test_the_path_of_a_file(self):
        self.assertEqual(build_rules.path_of("//a/b:c/d.h"), "a/b/c/d.h")
        self.assertEqual(build_rules.path_of("//:d.h"), "d.h")
        self.assertEqual(build_rules.path_of("@other//a:d.h"), "a/d.h")

    def test_sources_are_private_and_headers_public(self):
        known = rules(rule(
            "cc_library", "//a:a", labels("srcs", "//a:a.cc", "//a:in.h"),
            labels("hdrs", "//a:a.h"), labels("textual_hdrs", "//a:a.inc")))
        found = known.compiled["//a:a"]
        self.assertEqual(found.private, {"a/a.cc", "a/in.h"})
        self.assertEqual(found.public, {"a/a.h", "a/a.inc"})

    def test_names_for_several_files(self):
        known = rules(
            rule("cc_library", "//a:a", labels("hdrs", "//b:all")),
            rule("filegroup", "//b:all", labels("srcs", "//b:b.h", "//b:made")),
            rule("genrule", "//b:made", '<rule-output name="//b:made.h"/>'))
        self.assertEqual(known.public("//a:a"), {"b/b.h", "b/made.h"})

    def test_directories_of_includes(self):
        known = rules(
            rule("cc_library", "//a:a",
                 '<list name="includes"><string value="include"/></list>'),
            rule("cc_library", "//b:b",
                 '<list name="includes"><string value="."/></list>'))
        self.assertEqual(
            known.compiled["//a:a"].include_directories, {"a/include"})
        self.assertEqual(known.compiled["//b:b"].include_directories, {"b"})

    def test_rules_that_offer_what_others_do(self):
        known = rules(
            rule("cc_library", "//a:a", labels("hdrs", "//a:a.h"),
                 labels("deps", "//a:not_offered")),
            rule("cc_library", "//a:not_offered", labels("hdrs", "//a:other.h")),
            rule("settings_free_libraries", "//a:free", labels("libraries", "//a:a")),
            rule("joined_library", "//a:joined",
                 '<label name="own" value="//a:free"/>',
                 '<label name="once" value="//a:not_offered"/>',
                 labels("deps", "//a:not_offered")),
            rule("alias", "//a:alias", '<label name="actual" value="//a:joined"/>'),
            rule("cc_library", "//a:empty", labels("deps", "//a:alias")))
        self.assertEqual(known.public("//a:empty"), {"a/a.h"})
        self.assertEqual(known.offers("//a:alias"), {
            "//a:alias", "//a:joined", "//a:free", "//a:a"})

    def test_an_alias_that_a_setting_chooses(self):
        known = rules(
            rule("cc_library", "//a:a", labels("hdrs", "//a:a.h")),
            rule("cc_library", "//a:b", labels("hdrs", "//a:b.h")),
            rule("alias", "//a:one", '<label configurable="yes" name="actual"/>',
                 '<rule-input name="//a:a"/><rule-input name="//a:b"/>',
                 '<rule-input name="//a:setting"/>'))
        self.assertEqual(known.public("//a:one"), {"a/a.h", "a/b.h"})

    def test_a_rule_that_is_not_among_the_answer(self):
        self.assertEqual(rules().offers("@gtest//:gtest"), {"@gtest//:gtest"})
        self.assertEqual(rules().public("@gtest//:gtest"), set())


if __name__ == "__main__":
    unittest.main()
