"""Summarises a `bazel test` as `N passed, N failed, N skipped`.

usage: summarize_tests.py collect CONFIGURATION EVENTS STATUS >>CASES
       summarize_tests.py report CASES

`collect` must run before the next `bazel test`, which overwrites the test.xml
files. EVENTS is the file of --build_event_json_file, STATUS Bazel's exit code.
`report` fails if any case failed, or if none ran.
"""

import collections
import json
import sys

import test_cases
from test_cases import FAILED, PASSED, SKIPPED, Case

# Bazel's exit code when the tag filters left no test.
NO_TESTS = 4


def collect(configuration, events, status):
    """Returns the cases of one `bazel test`, as JSON-ready rows."""
    try:
        with open(events, encoding="utf-8") as lines:
            cases = test_cases.cases_of_events(lines)
    except OSError:
        cases = []
    failed = any(case.outcome == FAILED for case in cases)
    if status not in (0, NO_TESTS) and not failed:
        reason = f"bazel test ended with code {status}"
        cases.append(Case(FAILED, "//...", reason))
    return [[configuration, *case] for case in cases]


def _grouped(rows, outcome):
    """Yields lines with the cases of one outcome by reason, each with its
    configurations."""
    reasons = collections.defaultdict(lambda: collections.defaultdict(list))
    for configuration, kind, name, reason in rows:
        if kind == outcome:
            reasons[reason][name].append(configuration)
    for reason, names in sorted(reasons.items()):
        yield f"{outcome}: {reason}"
        for name, configurations in sorted(names.items()):
            yield f"    {name} ({', '.join(configurations)})"


def report(rows):
    """Returns the closing lines, and True if all cases passed."""
    lines = [*_grouped(rows, SKIPPED), *_grouped(rows, FAILED)]
    count = collections.Counter(row[1] for row in rows)
    lines.append(
        f"{count[PASSED]} passed, {count[FAILED]} failed, "
        f"{count[SKIPPED]} skipped"
    )
    return lines, bool(rows) and not count[FAILED]


def main(arguments):
    if arguments[:1] == ["collect"] and len(arguments) == 4:
        for row in collect(arguments[1], arguments[2], int(arguments[3])):
            print(json.dumps(row))
        return 0
    if arguments[:1] == ["report"] and len(arguments) == 2:
        with open(arguments[1], encoding="utf-8") as lines:
            text, well = report([json.loads(line) for line in lines])
        print("\n".join(text))
        return 0 if well else 1
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
