"""Programs of the udp conduit that are started by hand, as `program N`."""

import os
import subprocess
import tempfile
import unittest

TRAFFIC = os.path.abspath(os.environ["TRAFFIC"])


def run(*arguments, **env):
    return subprocess.run(
        [TRAFFIC, *arguments], env={**os.environ, **env}, text=True,
        stdin=subprocess.DEVNULL, capture_output=True, check=False)


class SpawnFunctionTest(unittest.TestCase):
    def test_nodes_of_this_host(self):
        for letter in "Ll":
            done = run("3", GASNET_SPAWNFN=letter, GASNET_SUPERNODE_MAXSIZE="1")
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (0, "all answered\n", ""))

    def test_the_program_does_not_see_the_number(self):
        # With an argument left it would want to read a line.
        done = run("2", "wait", GASNET_SPAWNFN="L")
        self.assertEqual((done.returncode, done.stdout), (2, "ready\n"))

    def test_through_ssh_it_becomes_the_launcher(self):
        with tempfile.TemporaryDirectory() as directory:
            launcher = os.path.join(directory, "gasnetrun")
            with open(launcher, "w", encoding="ascii") as script:
                script.write('#!/bin/sh\nprintf "<%s>" "$@"\n')
            os.chmod(launcher, 0o755)
            path = directory + ":" + os.environ["PATH"]
            done = run("5", "an argument", GASNET_SPAWNFN="S", PATH=path)
            self.assertEqual(
                done.stdout,
                f"<-n><5><--spawner=ssh><--><{TRAFFIC}><an argument>")
            os.remove(launcher)
            done = run("5", GASNET_SPAWNFN="S", PATH=directory)
            self.assertEqual(done.returncode, 1)
            self.assertIn("starting 'gasnetrun' from PATH", done.stderr)

    def test_what_cannot_be_is_refused(self):
        for arguments in ((), ("none",), ("0",), ("65536",)):
            done = run(*arguments, GASNET_SPAWNFN="L")
            self.assertEqual(done.returncode, 1)
            self.assertIn("first argument must be the number of nodes, 1 to 65535",
                          done.stderr)
        done = run("2", GASNET_SPAWNFN="C")
        self.assertEqual(done.returncode, 1)
        self.assertIn("GASNET_SPAWNFN is 'C'; accepted: L", done.stderr)


if __name__ == "__main__":
    unittest.main()
