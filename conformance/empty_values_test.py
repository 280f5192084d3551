"""Tests that an empty value of a variable stands for its default, as
docs/ENVIRONMENT.md promises. Covers every variable that the document names, and every
one that a job reads."""

import os
import re
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PROGRAMS = {
    conduit: launched.program(f"EVERY_SETTING_{conduit.upper()}")
    for conduit in ("smp", "udp", "ofi", "portals")
}
DOCUMENT = launched.program("ENVIRONMENT_MD")

# Makes nodes of one host use the network, and node 0 list the settings.
GIVEN = {"GASNET_SUPERNODE_MAXSIZE": "1", "GASNET_VERBOSEENV": "1"}
# Every job of a test has a value other than the default for this variable.
ONLY_EMPTIED = {"GASNET_EXITTIMEOUT"}
NAME = re.compile(r"`([A-Z][A-Z0-9]*_?[A-Z0-9_]*)`")
# Names that are no settings: names of values, and the beginning of all names.
NO_SETTING = re.compile(r"[A-Z]+(?<!HOME)(?<!TMPDIR)|GASNET_")
LINE = re.compile(rb"ENV parameter: (\w+) = (.*)")


def documented():
    with open(DOCUMENT, encoding="utf-8") as document:
        names = set(NAME.findall(document.read()))
    return {name for name in names if not NO_SETTING.fullmatch(name)}


def run(command, variables):
    return launched.run(command, env={**variables, **GIVEN})


def looked_at(job):
    """Returns the settings that the job has read, with their values."""
    found = {name.decode(): value for name, value in LINE.findall(job.err)}
    return {name: found[name] for name in found.keys() - ONLY_EMPTIED}


class EmptyValuesTest(unittest.TestCase):
    def check(self, command):
        usual = run(command, {})
        self.assertEqual(usual.code, 0, usual.err)
        names = documented() | set(looked_at(usual))
        empty = run(command, dict.fromkeys(names, ""))
        self.assertEqual(empty.code, 0, empty.err)
        self.assertEqual(looked_at(empty), looked_at(usual))
        self.assertNotIn(b"WARNING", empty.err)
        return looked_at(usual)

    def test_of_jobs_over_each_conduit(self):
        for conduit, program in PROGRAMS.items():
            with self.subTest(conduit):
                settings = self.check([GASNETRUN, "-n", "2", program])
                self.assertGreater(len(settings), 10, settings)
                self.assertLessEqual(set(settings), documented())

    def test_of_programs_without_a_launcher(self):
        for conduit, program in PROGRAMS.items():
            with self.subTest(conduit):
                self.check([program])

    def test_a_document_with_names(self):
        names = documented()
        for name in ("TMPDIR", "PORTALS4_TRANSPORT", "GASNET_JOB", "FI_PROVIDER"):
            self.assertIn(name, names)
        self.assertGreater(len(names), 100)


if __name__ == "__main__":
    launched.main()
