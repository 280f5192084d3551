"""Runs one example under the launcher and checks what it prints.

    example_test.py NAME GASNETRUN PROGRAM RANKS [CASE...]

Every case, or those that are named, runs on each number of ranks: 1,3,4 for
example. Results are compared with ones computed here, not only with the program's
own opinion. A report with one entry for each run goes to
$XML_OUTPUT_FILE.
"""

import os
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree as ET

import pictures
import runner
import small
import words

CASES = small.CASES | pictures.CASES | words.CASES


def run_case(case, launcher, program, ranks):
    """Returns the failure, or None."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            case(runner.Runner(launcher, program, directory), ranks)
        except Exception:  # pylint: disable=broad-except
            return traceback.format_exc()
    return ''


def main():
    example, launcher, program, counts, *named = sys.argv[1:]
    cases = [case for case in CASES[example] + [runner.check_command_line]
             if not named or case.__name__ in named]
    if named and len(cases) != len(named):
        sys.exit(f'{example} has not all of {named}')
    suite = ET.Element('testsuite', name=example)
    failures = 0
    for case in cases:
        for ranks in map(int, counts.split(',')):
            start = time.monotonic()
            problem = run_case(case, launcher, program, ranks)
            element = ET.SubElement(
                suite, 'testcase', name=f'{case.__name__}/{ranks}',
                classname=example, time=f'{time.monotonic() - start:.3f}')
            print('FAILED' if problem else 'passed', case.__name__, ranks)
            if problem:
                failures += 1
                print(problem)
                # Characters that XML does not allow, such as control characters, are
                # escaped.
                text = problem.encode('unicode_escape').decode()
                ET.SubElement(element, 'failure').text = text
    suite.set('tests', str(len(suite)))
    suite.set('failures', str(failures))
    if 'XML_OUTPUT_FILE' in os.environ:
        ET.ElementTree(suite).write(os.environ['XML_OUTPUT_FILE'])
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
