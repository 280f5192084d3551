#!/usr/bin/env python3
"""./dev mutate [NAMES]: puts small mistakes into the code, one at a time, and
says which of them no test notices.

Each mutant (mutants/) is a piece of text in a file, what takes its place, and
the tests that should fail then. All of it happens in a copy of the working tree,
where first the tests must pass as they are. NAMES are parts of mutants' names;
without any, every mutant has its turn. Takes some 15 seconds for each.

  --list    print the mutants and their tests, and do nothing
  --check   only look whether each one's text is where it says

A mutant whose text is not there exactly once, or that does not compile, is
broken: it tests nothing and must be written anew. Ends with `N noticed, N live,
N broken`, and with an error unless all were noticed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import mutants

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Bazel's exit codes.
PASSED, BUILD_FAILED, TESTS_FAILED = 0, 1, 3

# A job that hangs has noticed too; seconds of a run of the conformance suite.
TIME_LIMIT = 20
# Of a whole test. Several times what any takes that is named here.
TEST_TIME_LIMIT = 120

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

    def test(self, targets):
        """Bazel's exit code, and what it printed."""
        run = self.bazel(
            "test", "--color=no", "--curses=no", "--noshow_progress",
            "--notest_keep_going", "--test_output=errors",
            f"--disk_cache={os.environ['GASNET_DISK_CACHE']}",
            f"--test_env=CONFORMANCE_TIME_LIMIT={TIME_LIMIT}",
            f"--test_timeout={TEST_TIME_LIMIT}",
            "--", *targets,
        )
        return run.returncode, run.stdout

    def stop(self):
        self.bazel("shutdown")
        # Bazel takes the right to write from what it has made.
        for directory, _, _ in os.walk(self.base):
            os.chmod(directory, 0o700)


def find(tree, mutant):
    """The text of the mutant's file, and why the mutant does not fit it."""
    path = os.path.join(tree, mutant.file)
    if not os.path.exists(path):
        return "", f"there is no {mutant.file}"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(mutant.old) != 1:
        return "", f"its text is {text.count(mutant.old)} times in {mutant.file}"
    return text, ""


def apply(tree, mutant):
    """Changes the file; answers how to undo it, or why it cannot be."""
    text, why = find(tree, mutant)
    if why:
        return None, why
    path = os.path.join(tree, mutant.file)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(mutant.old, mutant.new))

    def undo():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    return undo, ""


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


def try_mutant(copy, mutant):
    undo, why = apply(copy.tree, mutant)
    if undo is None:
        return BROKEN, why
    try:
        return judge(*copy.test(mutant.tests))
    finally:
        undo()


def run(chosen, copy):
    targets = sorted({test for mutant in chosen for test in mutant.tests})
    print(f"{len(targets)} tests must pass as they are", flush=True)
    code, output = copy.test(targets)
    if code != PASSED:
        print(output)
        print("mutate: they do not pass without any mutant")
        return False
    count = {NOTICED: 0, LIVES: 0, BROKEN: 0}
    for mutant in chosen:
        verdict, detail = try_mutant(copy, mutant)
        count[verdict] += 1
        print(f"{verdict:8} {mutant.name}" + (f": {detail}" if detail else ""),
              flush=True)
    print(f"{count[NOTICED]} noticed, {count[LIVES]} live, "
          f"{count[BROKEN]} broken")
    return count[NOTICED] == len(chosen)


def check(chosen):
    found = {mutant.name: find(ROOT, mutant)[1] for mutant in chosen}
    for name, why in found.items():
        if why:
            print(f"mutant {name} is broken: {why}")
    return not any(found.values())


def main():
    parser = argparse.ArgumentParser(
        prog="dev mutate", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAMES")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    chosen = [
        mutant for mutant in mutants.MUTANTS
        if not options.names or any(n in mutant.name for n in options.names)
    ]
    if not chosen:
        parser.error(f"no mutant has {' or '.join(options.names)} in its name")
    if options.list:
        for mutant in chosen:
            print(f"{mutant.name}: {mutant.file}: {' '.join(mutant.tests)}")
        return 0
    if options.check:
        return 0 if check(chosen) else 1
    with tempfile.TemporaryDirectory(prefix="gasnet-mutate-") as directory:
        copy = Copy(ROOT, directory)
        try:
            return 0 if run(chosen, copy) else 1
        finally:
            copy.stop()


if __name__ == "__main__":
    sys.exit(main())
