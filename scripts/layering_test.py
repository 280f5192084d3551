import unittest

import build_rules
import layering


def library(name, hdrs=(), srcs=(), deps=(), includes=(), kind="cc_library", place=""):
    """Returns a rule as Bazel writes it."""
    lists = {"hdrs": hdrs, "srcs": srcs, "deps": deps}
    inside = "".join(
        f'<list name="{attribute}"><label value="{value}"/></list>'
        for attribute, values in lists.items() for value in values)
    inside += "".join(
        f'<list name="includes"><string value="{value}"/></list>' for value in includes)
    place = place or name
    return f'<rule class="{kind}" location="{place}" name="{name}">{inside}</rule>'


def complaints(*elements, **texts):
    """Checks rules, and the sources {name}.cc of the package //a."""
    known = build_rules.Rules(f"<query>{''.join(elements)}</query>".encode())
    sources = {f"a/{name}.cc": text for name, text in texts.items()}
    return layering.check(known, lambda path: sources.get(path, ""))


BASE = library("//base:log", hdrs=["//base:log.h"], srcs=["//base:inside.h"])
MIDDLE = library("//job:job", hdrs=["//job:job.h"], deps=["//base:log"])


def of_a(*deps, kind="cc_library"):
    return library("//a:a", srcs=["//a:a.cc"], deps=deps, kind=kind)


class LayeringTest(unittest.TestCase):

    def test_a_direct_dependency(self):
        self.assertEqual(complaints(
            BASE, of_a("//base:log"), a='#include "base/log.h"\n'), [])

    def test_a_dependency_of_a_dependency(self):
        for kind in build_rules.COMPILED:
            self.assertEqual(complaints(
                BASE, MIDDLE, of_a("//job:job", kind=kind),
                a='\n#include "job/job.h"\n#include "base/log.h"\n'),
                [("a/a.cc", 3, "base/log.h is a header of //base:log, which is no "
                  "direct dependency of //a:a")])

    def test_a_private_header(self):
        self.assertEqual(complaints(
            BASE, of_a("//base:log"), a='#include "base/inside.h"\n'),
            [("a/a.cc", 1, "base/inside.h is private to //base:log, and not for //a:a")])

    def test_a_private_header_of_the_rule_itself(self):
        self.assertEqual(complaints(
            library("//a:a", srcs=["//a:a.cc", "//a:a.h"]), a='#include "a/a.h"\n'), [])

    def test_a_header_beside_the_source(self):
        found = complaints(
            library("//a:other", hdrs=["//a:beside.h"]), of_a(),
            a='#include "beside.h"\n')
        self.assertEqual(len(found), 1)

    def test_a_header_in_a_directory_of_includes(self):
        api = library("//api:api", hdrs=["//api:include/g.h"], includes=["include"])
        for text in '#include "g.h"\n', "#include <g.h>\n":
            self.assertEqual(complaints(api, of_a("//api:api"), a=text), [])
            self.assertEqual(len(complaints(api, of_a(), a=text)), 1)

    def test_one_of_several_headers_of_a_name(self):
        rules = [library(f"//{one}:{one}", hdrs=[f"//{one}:include/g.h"],
                         includes=["include"]) for one in ("smp", "udp")]
        self.assertEqual(complaints(*rules, of_a("//udp:udp"), a="#include <g.h>\n"), [])
        self.assertEqual(len(complaints(*rules, of_a(), a="#include <g.h>\n")), 1)

    def test_a_header_that_several_rules_have(self):
        for has in "//b:one", "//b:two":
            self.assertEqual(complaints(
                library("//b:one", hdrs=["//b:b.h"]), library("//b:two", hdrs=["//b:b.h"]),
                of_a(has), a='#include "b/b.h"\n'), [])

    def test_the_dependency_of_the_same_mode_is_named(self):
        modes = [library(f"//b:b_{mode}", hdrs=["//b:b.h"]) for mode in ("seq", "par")]
        (_, _, complaint), = complaints(
            *modes, library("//a:a_seq", srcs=["//a:a.cc"]), a='#include "b/b.h"\n')
        self.assertIn("//b:b_seq", complaint)

    def test_a_library_that_is_free_of_settings_is_named_as_BUILD_files_do(self):
        free = ('<rule class="settings_free_libraries" name="//b:b">'
                '<list name="libraries"><label value="//b:b_built"/></list></rule>')
        (_, _, complaint), = complaints(
            free, library("//b:b_built", hdrs=["//b:b.h"]),
            library("//a:a_built", srcs=["//a:a.cc"]), a='#include "b/b.h"\n')
        self.assertIn("//b:b,", complaint)

    def test_one_complaint_about_what_a_macro_makes(self):
        modes = [library(f"//a:a_{mode}", srcs=["//a:a.cc"], place="BUILD:1")
                 for mode in ("seq", "par")]
        self.assertEqual(len(complaints(BASE, *modes, a='#include "base/log.h"\n')), 1)

    def test_each_rule_of_a_source(self):
        both = [library(f"//a:{name}", srcs=["//a:a.cc"]) for name in ("one", "two")]
        self.assertEqual(len(complaints(BASE, *both, a='#include "base/log.h"\n')), 2)

    def test_libraries_of_others(self):
        for text, dep in {
                "#include <gtest/gtest.h>": "@gtest//:gtest_main",
                "#include <gmock/gmock.h>": "@gtest//:gmock",
                "#include <sodium.h>": "@libsodium//:libsodium",
        }.items():
            with self.subTest(text):
                self.assertEqual(complaints(of_a(dep), a=text), [])
                self.assertEqual(len(complaints(of_a(), a=text)), 1)

    def test_a_part_of_abseil(self):
        absl = library("@com_google_absl//absl/status:status",
                       hdrs=["@com_google_absl//absl/status:status.h"])
        text = '#include "absl/status/status.h"\n'
        self.assertEqual(
            complaints(absl, of_a("@com_google_absl//absl/status:status"), a=text), [])
        self.assertEqual(len(complaints(absl, of_a(), a=text)), 1)

    def test_a_part_of_abseil_that_nothing_offers(self):
        self.assertEqual(complaints(of_a(), a='#include "absl/x/y.h"\n'), [
            ("a/a.cc", 1, "absl/x/y.h is of no target of //third_party/abseil")])

    def test_a_header_of_the_system(self):
        self.assertEqual(complaints(of_a(), a="#include <vector>\n"), [])

    def test_a_header_that_may_be_absent(self):
        self.assertEqual(complaints(
            BASE, of_a(), a='#if __has_include("base/log.h")\n#include "base/log.h"\n'), [])

    def test_text_is_no_include(self):
        self.assertEqual(complaints(
            BASE, of_a(),
            a='/*\n#include "base/log.h"\n*/\nx = R"(\n#include "base/log.h"\n)";\n'), [])


if __name__ == "__main__":
    unittest.main()
