"""Tests of test_cases.py and summarize_tests.py."""

import json
import os
import tempfile
import unittest

import summarize_tests
import test_cases
from test_cases import FAILED, PASSED, SKIPPED

GTEST = """<testsuites><testsuite name="S">
<testcase name="A" classname="S" status="run" result="completed"/>
<testcase name="B" classname="S" status="run" result="skipped">
  <skipped message="a/b.cc:17&#x0A;no huge pages"/></testcase>
<testcase name="C" classname="S" status="run" result="completed">
  <failure message="a/b.cc:3&#x0A;Expected: 1&#x0A;Got: 2"/></testcase>
<testcase name="D" classname="S" status="notrun" result="suppressed"/>
</testsuite></testsuites>"""

PLAIN = """<testsuites><testsuite name="p/t"><testcase name="p/t" status="run"/>
<system-out>%s</system-out></testsuite></testsuites>"""


class Events:
    """A build event file and the test.xml files it names."""

    def __init__(self, directory):
        self.directory = directory
        self.lines = []

    def add(self, identity, **payload):
        self.lines.append(json.dumps({"id": identity, **payload}))

    def built(self, label, success=True):
        completed = {"success": True} if success else {}
        self.add({"targetCompleted": {"label": label}}, completed=completed)

    def ran(self, label, status, xml=None, attempt=1):
        outputs = []
        if xml is not None:
            path = os.path.join(self.directory, f"{len(self.lines)}.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(xml)
            outputs = [{"name": "test.xml", "uri": "file://" + path}]
        self.built(label)
        self.add(
            {"testResult": dict(label=label, run=1, shard=1, attempt=attempt)},
            testResult={"status": status, "testActionOutput": outputs},
        )


class SummarizeTestsTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.events = Events(directory.name)

    def cases(self):
        return test_cases.cases_of_events(self.events.lines)

    def collect(self, status):
        path = os.path.join(self.events.directory, "events.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.events.lines))
        return summarize_tests.collect("plain", path, status)

    def test_each_googletest_case_counts(self):
        self.events.ran("//p:t", "FAILED", GTEST)
        self.assertEqual(
            [tuple(case) for case in self.cases()],
            [
                (PASSED, "//p:t S.A", ""),
                (SKIPPED, "//p:t S.B", "no huge pages"),
                (FAILED, "//p:t S.C", "Expected: 1 Got: 2"),
                (SKIPPED, "//p:t S.D", "disabled"),
            ],
        )

    def test_a_plain_program_is_one_case(self):
        self.events.ran("//p:t", "PASSED", PLAIN % "fine")
        self.assertEqual([case.outcome for case in self.cases()], [PASSED])

    def test_a_plain_program_may_print_that_it_skips(self):
        self.events.ran("//p:t", "PASSED", PLAIN % "x\nSKIP: one core only\n")
        (case,) = self.cases()
        self.assertEqual((case.outcome, case.reason), (SKIPPED, "one core only"))

    def test_a_time_out_fails_whatever_the_xml_says(self):
        self.events.ran("//p:t", "TIMEOUT", PLAIN % "")
        outcomes = [(case.outcome, case.reason) for case in self.cases()]
        self.assertIn((FAILED, "timeout"), outcomes)

    def test_a_pass_without_xml_fails(self):
        self.events.ran("//p:t", "PASSED")
        self.assertEqual([case.outcome for case in self.cases()], [FAILED])

    def test_a_cut_off_xml_fails(self):
        self.events.ran("//p:t", "PASSED", GTEST[:100])
        self.assertEqual([case.outcome for case in self.cases()], [FAILED])

    def test_a_target_that_is_not_built_fails_once(self):
        self.events.built("//p:t", success=False)
        self.events.built("//p:t", success=False)
        self.assertEqual([case.reason for case in self.cases()], ["not built"])

    def test_a_target_that_does_not_fit_the_platform_is_no_failure(self):
        self.events.add(
            {"targetCompleted": {"label": "//p:t"}}, aborted={"reason": "SKIPPED"}
        )
        self.assertEqual(self.cases(), [])

    def test_the_last_attempt_counts(self):
        self.events.ran("//p:t", "FAILED", GTEST, attempt=1)
        self.events.ran("//p:t", "PASSED", PLAIN % "", attempt=2)
        self.assertEqual([case.outcome for case in self.cases()], [PASSED])

    def test_bazel_failing_without_a_failed_case_is_a_failure(self):
        self.events.ran("//p:t", "PASSED", PLAIN % "")
        lines, well = summarize_tests.report(self.collect(37))
        self.assertFalse(well)
        self.assertIn("failed: bazel test ended with code 37", lines)
        self.assertEqual(lines[-1], "1 passed, 1 failed, 0 skipped")

    def test_no_tests_in_a_configuration_is_well_but_none_at_all_is_not(self):
        self.assertEqual(self.collect(summarize_tests.NO_TESTS), [])
        self.assertFalse(summarize_tests.report([])[1])

    def test_report_prints_every_reason(self):
        self.events.ran("//p:t", "FAILED", GTEST)
        lines, well = summarize_tests.report(self.collect(3))
        self.assertFalse(well)
        self.assertEqual(
            lines[lines.index("skipped: no huge pages") + 1],
            "    //p:t S.B (plain)",
        )
        self.assertEqual(lines[-1], "1 passed, 1 failed, 2 skipped")


if __name__ == "__main__":
    unittest.main()
