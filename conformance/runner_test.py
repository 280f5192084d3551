"""Tests of the runner, with a shell as the launcher."""

import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from unittest import mock

import process_report

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))


def _load_runner():
    path = os.path.join(HERE, "runner")
    loader = importlib.machinery.SourceFileLoader("runner", path)
    spec = importlib.util.spec_from_loader("runner", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


runner = _load_runner()


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def results(self, script, ranks=(2,), excluded="", tests=("some_test",), **case):
        """Returns the results of a case, with the shell script as its launcher."""
        launcher = os.path.join(self.folder.name, "launcher")
        with open(launcher, "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\n" + script)
        os.chmod(launcher, 0o755)
        row = dict(
            test="some_test",
            ranks=list(ranks),
            excluded=excluded,
            cases={"": {"args": [], "codes": [0], **case}},
        )
        rows = [dict(row, test=test) for test in tests]
        plan = dict(launcher=launcher, program="program", rows=rows)
        return list(runner.run_all(plan))

    def kinds(self, script, **case):
        return [result.kind for result in self.results(script, **case)]

    def test_passes_only_if_node_zero_says_so(self):
        self.assertEqual(self.kinds("echo PASSED", passed=True), ["passed"])
        self.assertEqual(self.kinds("echo passed", passed=True), ["failed"])
        self.assertEqual(self.kinds("", passed=True), ["failed"])

    def test_scratch_directory_of_each_run(self):
        script = 'ls -A "$CONFORMANCE_SCRATCH"; touch "$CONFORMANCE_SCRATCH/x"'
        for result in self.results(script, ranks=(1, 2), lines={"x": [0, 0]}):
            self.assertEqual(result.kind, "passed")

    def test_command_line(self):
        limit = f"--timeout={runner.TIME_LIMIT}"
        script = f'[ "$*" = "-n 2 {limit} program some_test a b" ]'
        self.assertEqual(self.kinds(script, args=["a", "b"]), ["passed"])

    def test_environment(self):
        script = 'exit "$CODE$CONFORMANCE_RANKS"'
        kinds = self.kinds(script, env={"CODE": "4"}, codes=[42])
        self.assertEqual(kinds, ["passed"])

    def test_scratch_directory_in_the_environment(self):
        script = '[ "$NAMES" = "$CONFORMANCE_SCRATCH/a $CONFORMANCE_SCRATCH/%" ]'
        env = {"NAMES": "{scratch}/a {scratch}/%"}
        self.assertEqual(self.kinds(script, env=env), ["passed"])

    def test_exit_codes(self):
        self.assertEqual(self.kinds("exit 3", codes=[3, 4]), ["passed"])
        self.assertEqual(self.kinds("exit 5", codes=[3, 4]), ["failed"])
        self.assertEqual(self.kinds("exit 5", codes=[]), ["passed"])
        self.assertEqual(self.kinds("exit 0", codes=[]), ["failed"])

    def test_message(self):
        death = dict(codes=[], message="gasnet_put")
        script = "echo 'ERROR: gasnet_put: bad' >&2; exit 134"
        self.assertEqual(self.kinds(script, **death), ["passed"])
        self.assertEqual(self.kinds("echo what; exit 1", **death), ["failed"])

    def test_lines_per_rank(self):
        lines = {"bye \\d": [1, -1]}
        script = "for i in $(seq 2 $2); do echo bye $i; done"
        kinds = self.kinds(script, ranks=(1, 2, 5), lines=lines)
        self.assertEqual(kinds, ["passed"] * 3)
        self.assertEqual(self.kinds("", lines=lines), ["failed"])

    def test_signal(self):
        script = "trap 'exit 9' TERM; echo ready; while :; do sleep 0.01; done"
        kinds = self.kinds(script, signal="TERM", codes=[9])
        self.assertEqual(kinds, ["passed"])

    def test_job_that_hangs_is_the_last(self):
        results = self.results("exit 124", ranks=(1, 2), codes=[])
        self.assertEqual([result.kind for result in results], ["failed"])
        self.assertIn("still running", results[0].reason)

    def test_every_row_has_its_turn(self):
        results = self.results('[ "$5" != b ]', tests=("a", "b", "c"))
        self.assertEqual(
            [(result.test, result.kind) for result in results],
            [("a", "passed"), ("b", "failed"), ("c", "passed")],
        )

    def test_second_row_that_hangs_is_the_last(self):
        script = '[ "$5" = a ] || exit 124'
        results = self.results(script, ranks=(1, 2), tests=("a", "b", "c", "d"))
        self.assertEqual(
            [(result.test, result.kind) for result in results],
            [("a", "passed")] * 2
            + [("b", "failed"), ("c", "failed"), ("d", "skipped")],
        )

    def test_what_a_job_that_hangs_does_is_told(self):
        with mock.patch.object(runner, "REPORT_AFTER", 0):
            # The job ends once the report has been made.
            looked = os.path.join(self.folder.name, "looked")
            describe = process_report.describe

            def note(processes):
                lines = describe(processes)
                open(looked, "w", encoding="utf-8").close()
                return lines

            with mock.patch.object(process_report, "describe", note):
                script = f"while [ ! -e {looked} ]; do sleep 0.01; done; exit 124"
                [result] = self.results(script, codes=[])
        self.assertRegex(result.reason, r"process \d+: /bin/bash .*launcher")
        self.assertIn("s of processor", result.reason)

    def test_skip(self):
        [result] = self.results("echo SKIPPED: no such thing", passed=True)
        self.assertEqual(result.kind, "skipped")
        self.assertEqual(result.reason, "no such thing")

    def test_failure_is_no_skip(self):
        script = "echo SKIPPED: crashing; exit 1"
        self.assertEqual(self.kinds(script, passed=True), ["failed"])

    def test_exclusion(self):
        [result] = self.results("exit 1", excluded="not here")
        self.assertEqual(result.kind, "skipped")
        self.assertEqual(result.reason, "not here")

    def test_xml(self):
        results = self.results(
            "printf 'a\\001<b>\\n'; exit $(($2 - 1))", ranks=(1, 2)
        )
        path = os.path.join(self.folder.name, "test.xml")
        runner.write_xml(results, path)
        suite = ElementTree.parse(path).getroot()
        self.assertEqual(suite.get("tests"), "2")
        self.assertEqual(suite.get("failures"), "1")
        names = [case.get("name") for case in suite]
        self.assertEqual(names, ["1_nodes", "2_nodes"])
        self.assertEqual(suite[0].get("classname"), "some_test")
        self.assertEqual(suite[1].find("failure").text, "a?<b>")


if __name__ == "__main__":
    unittest.main()
