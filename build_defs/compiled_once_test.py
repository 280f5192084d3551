"""compiled_once_test ARCHIVE...: compares sources compiled for each threading mode.

mode_cc_library (modes.bzl) compiles these sources for one mode and gives the objects to
all modes. This test checks that the code and the data of all modes are the same. They
include inline functions, since a linker may choose any mode's.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ARCHIVES = [pathlib.Path(path).resolve() for path in sys.argv[1:]]


def run(*command, cwd):
    return subprocess.run(
        command, cwd=cwd, check=True, capture_output=True, text=True
    ).stdout


def contents(archive):
    """Maps the name of each object to its code, data, symbols and relocations."""
    with tempfile.TemporaryDirectory(dir=os.environ["TEST_TMPDIR"]) as place:
        run("ar", "x", archive, cwd=place)
        found = {}
        for path in pathlib.Path(place).iterdir():
            run("objcopy", "--strip-debug", path.name, cwd=place)
            dump = run("objdump", "-s", "-r", "-t", path.name, cwd=place)
            found[path.name] = dump.splitlines()
        return found


def differences(name, one, other):
    lines = [
        f"  {a}\n  {b}" for a, b in zip(one, other) if a != b
    ] or [f"  {len(one)} and {len(other)} lines"]
    return f"{name} is not the same in every mode:\n" + "\n".join(lines[:5])


class CompiledOnceTest(unittest.TestCase):
    def test_no_mode_changes_it(self):
        first, *others = (contents(archive) for archive in ARCHIVES)
        self.assertGreater(len(first), 0)
        self.assertEqual(len(others), 2)
        for other in others:
            self.assertEqual(first.keys(), other.keys())
            for name, dump in first.items():
                if dump != other[name]:
                    self.fail(differences(name, dump, other[name]))


if __name__ == "__main__":
    if not ARCHIVES:
        print("SKIP: in this build each mode has objects of its own")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
