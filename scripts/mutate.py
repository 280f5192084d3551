#!/usr/bin/env python3
"""./dev mutate [NAMES]: puts small mistakes into the code, one at a time, and
reports those that no test notices, and those that `./dev test` notices.

Meaningful mistakes are written down (mutants/). Each is a piece of text in a file, its
replacement, and the tests that should then fail. A mutant whose text does not occur
exactly once, or that does not compile, is broken: it tests nothing and must be
rewritten. Mistakes of common kinds are made by pattern, in files that --seed chooses.
Some of them change nothing observable.

All of this happens in a copy of the working tree, where the tests must first pass
without a mistake. NAMES are parts of mutants' names. Without NAMES every written mutant
is tried. The tests that `./dev test` runs try to notice it first. Then all tests try
the mutants that live. Each mutant takes some 15 seconds. Ends with `N noticed by dev
test, N by --all alone, N live, N broken`, and with an error unless all were noticed,
except for patterns.

  --patterns N  make N mistakes by pattern instead; NAMES are beginnings of paths
  --seed S      another choice of them (1)
  --rows        run all tests of each, and report at the end the rows of the
                conformance suite that fail for the same mutants
  --list        print the mutants and their tests, and do nothing
  --check       only check that each written mutant's text occurs
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import mutants
from mutants import matrix, patterns
from mutants.base import Patterned
from mutants.tests_of import is_product, tests_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Bazel's exit codes.
PASSED, BUILD_FAILED, TESTS_FAILED = 0, 1, 3

# The time limit of a run of the conformance suite in seconds. A job that hangs has
# noticed the mistake too.
TIME_LIMIT = 20
# The time limit of a whole test in seconds: several times the longest of the tests
# named here.
TEST_TIME_LIMIT = 120

# The configuration of `./dev test`, without its filter, and with all numbers of nodes.
ALL_TESTS = ["--test_tag_filters=", "--//build_defs:brief=false"]

NOTICED, LIVES, BROKEN = "noticed", "LIVES", "broken"


class Copy:
    """A copy of the working tree, with a Bazel server of its own."""

    def __init__(self, root, directory):
        self.tree = os.path.join(directory, "tree")
        self.base = os.path.join(directory, "bazel")
        files = subprocess.run(
            ["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"],
            check=True, capture_output=True, text=True,
        ).stdout.split("\0")
        for name in filter(None, files):
            source = os.path.join(root, name)
            if not os.path.lexists(source):
                continue
            target = os.path.join(self.tree, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)

    def bazel(self, *arguments):
        command = ["bazel", f"--output_base={self.base}", *arguments]
        return subprocess.run(
            command, cwd=self.tree, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
        )

    def test(self, targets, options, goes_on=False):
        """Runs tests. Returns Bazel's exit code and its output. goes_on: continue
        after a failure."""
        run = self.bazel(
            "test", "--config=short", "--color=no", "--curses=no", "--noshow_progress",
            "--build_tests_only", "--test_output=errors",
            "--test_keep_going" if goes_on else "--notest_keep_going",
            f"--disk_cache={os.environ['GASNET_DISK_CACHE']}",
            f"--test_env=CONFORMANCE_TIME_LIMIT={TIME_LIMIT}",
            f"--test_timeout={TEST_TIME_LIMIT}", *options,
            "--", *targets,
        )
        return run.returncode, run.stdout

    def short_ones(self, tests):
        """Returns the tests that `./dev test` runs. A test may be a pattern."""
        tests = sorted(tests)
        thorough = self.bazel(
            "query", "--noshow_progress", "--",
            f"attr(tags, thorough, tests(set({' '.join(tests)})))",
        ).stdout.split()
        return set(tests) - set(thorough)

    def stop(self):
        self.bazel("shutdown")
        # Bazel makes its outputs read-only.
        for directory, _, _ in os.walk(self.base):
            os.chmod(directory, 0o700)


def find(text, mutant):
    """Returns the reason why the mutant does not fit its file's text, if any."""
    if isinstance(mutant, Patterned) or text.count(mutant.old) == 1:
        return ""
    return f"its text occurs {text.count(mutant.old)} times in {mutant.file}"


def mutated(text, mutant):
    if isinstance(mutant, Patterned):
        return patterns.applied(text, mutant.change)
    return text.replace(mutant.old, mutant.new)


def read(tree, path):
    """Returns the text of a file, or nothing if there is none."""
    path = os.path.join(tree, path)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(tree, path, text):
    with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
        file.write(text)


def patterned(root, count, seed, beginnings):
    """Returns mutants made by pattern, in files whose paths begin with one of
    `beginnings`."""
    tracked = subprocess.run(
        ["git", "-C", root, "ls-files"], check=True, capture_output=True, text=True,
    ).stdout.split()
    files = {
        path: read(root, path) for path in tracked
        if is_product(path) and path.startswith(tuple(beginnings or [""]))
    }
    return [
        Patterned(
            f"{path}:{patterns.line_of(files[path], change)} {change.kind}",
            path, change, tests_of(root, path))
        for path, change in patterns.choose(files, count, seed)
    ]


def judge(code, output):
    if code == TESTS_FAILED:
        failed = [
            line.split()[0] for line in output.splitlines()
            if line.startswith("//") and (" FAILED" in line or "TIMEOUT" in line)
        ]
        return NOTICED, " ".join(failed)
    if code == PASSED:
        return LIVES, ""
    errors = [line for line in output.splitlines() if "error:" in line]
    return BROKEN, errors[0] if errors else f"bazel ended with code {code}"


def try_mutant(copy, mutant, options, rows=None):
    """Tries one mutant. Adds to `rows`, by the mutant's name, the rows of the
    conformance suite that fail."""
    if not mutant.tests:
        return LIVES, "none of its tests is run"
    text = read(copy.tree, mutant.file)
    why = find(text, mutant)
    if why:
        return BROKEN, why
    write(copy.tree, mutant.file, mutated(text, mutant))
    try:
        verdict = judge(
            *copy.test(mutant.tests, options, goes_on=rows is not None))
        if rows is not None and verdict[0] == NOTICED:
            testlogs = os.path.join(copy.tree, "bazel-testlogs")
            rows[mutant.name] = matrix.read(testlogs, verdict[1].split())
        return verdict
    finally:
        write(copy.tree, mutant.file, text)


def try_all(chosen, copy, options, rows=None):
    """Returns the mutants by outcome."""
    found = {NOTICED: [], LIVES: [], BROKEN: []}
    for mutant in chosen:
        verdict, detail = try_mutant(copy, mutant, options, rows)
        found[verdict].append(mutant)
        print(f"{verdict:8} {mutant.name}" + (f": {detail}" if detail else ""),
              flush=True)
    return found


def pass_as_they_are(copy, chosen, options):
    targets = sorted({test for mutant in chosen for test in mutant.tests})
    if not targets:
        return True
    print(f"{len(targets)} tests must pass as they are", flush=True)
    code, output = copy.test(targets, options)
    if code != PASSED:
        print(output)
        print("mutate: they do not pass without any mutant")
    return code == PASSED


def in_short(chosen, copy):
    """Returns the mutants with those of their tests that `./dev test` runs."""
    short = copy.short_ones({test for m in chosen for test in m.tests})
    return [
        mutant._replace(tests=[test for test in mutant.tests if test in short])
        for mutant in chosen
    ]


def run(chosen, copy, of_rows):
    """Returns true if no mutant needs work."""
    found = {NOTICED: [], LIVES: [], BROKEN: []}
    left = chosen
    rows = {} if of_rows else None
    if not of_rows:
        short = in_short(chosen, copy)
        if not pass_as_they_are(copy, short, []):
            return False
        print("== with the tests of dev test", flush=True)
        found = try_all(short, copy, [])
        left = [m for m, tried in zip(chosen, short) if tried in found[LIVES]]
    if not pass_as_they_are(copy, left, ALL_TESTS):
        return False
    print("== with all tests", flush=True)
    more = try_all(left, copy, ALL_TESTS, rows)
    broken = len(found[BROKEN]) + len(more[BROKEN])
    print(f"{len(found[NOTICED])} noticed by dev test, {len(more[NOTICED])} by "
          f"--all alone, {len(more[LIVES])} live, {broken} broken")
    for line in matrix.report(rows or {}):
        print(line)
    is_complete = not more[LIVES] and not broken
    return is_complete or isinstance(chosen[0], Patterned)


def check(chosen):
    found = {m.name: find(read(ROOT, m.file), m) for m in chosen}
    for name, why in found.items():
        if why:
            print(f"mutant {name} is broken: {why}")
    return not any(found.values())


def main():
    parser = argparse.ArgumentParser(
        prog="dev mutate", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAMES")
    parser.add_argument("--patterns", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.patterns:
        chosen = patterned(ROOT, options.patterns, options.seed, options.names)
    else:
        chosen = [
            mutant for mutant in mutants.MUTANTS
            if not options.names or any(n in mutant.name for n in options.names)
        ]
    if not chosen:
        parser.error(f"there is no mutant of {' or '.join(options.names)}")
    if options.list:
        for mutant in chosen:
            print(f"{mutant.name}: {mutant.file}: {' '.join(mutant.tests)}")
        return 0
    if options.check:
        return 0 if check(chosen) else 1
    with tempfile.TemporaryDirectory(prefix="gasnet-mutate-") as directory:
        copy = Copy(ROOT, directory)
        try:
            is_fine = run(chosen, copy, options.rows)
            return 0 if is_fine else 1
        finally:
            copy.stop()


if __name__ == "__main__":
    sys.exit(main())
