"""Finds the rows of the conformance suite that fail with each of many mutants.

Two rows that fail with the same of many mutants may show the same, and then one of them
may go. A row that no mutant makes fail may show nothing that mutants change.
"""

import collections
import os
import xml.etree.ElementTree as ElementTree


def failed_rows(xml):
    """Returns the names of the failed rows, from the output of a run of their group."""
    suite = ElementTree.fromstring(xml)
    return {
        case.get("classname") for case in suite.iter("testcase")
        if case.find("failure") is not None
    }


def read(testlogs, targets):
    """Returns the rows that failed in the last run of these tests, each with its group.

    A group that has ended without a report on its rows is not counted.
    """
    found = set()
    for target in targets:
        package, name = target[len("//"):].split(":")
        path = os.path.join(testlogs, package, name, "test.xml")
        if package != "conformance" or not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            try:
                rows = failed_rows(file.read())
            except ElementTree.ParseError:
                continue
        found |= {f"{name} {row}" for row in rows}
    return found


def alike(failed):
    """Groups rows by the mutants that make them fail, if several have the same.

    failed: from mutants' names to the rows that fail with them.
    """
    mutants_of = collections.defaultdict(set)
    for mutant, rows in failed.items():
        for row in rows:
            mutants_of[row].add(mutant)
    rows_of = collections.defaultdict(list)
    for row, names in mutants_of.items():
        rows_of[frozenset(names)].append(row)
    return {
        names: sorted(rows) for names, rows in rows_of.items() if len(rows) > 1
    }


def report(failed):
    """Returns lines that name the rows which no mutant tells apart."""
    for names, rows in sorted(alike(failed).items(), key=lambda it: it[1]):
        count = "1 mutant" if len(names) == 1 else f"{len(names)} mutants"
        yield f"fail with the same {count}: {', '.join(rows)}"
