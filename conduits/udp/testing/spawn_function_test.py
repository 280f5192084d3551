"""Tests of programs of the udp conduit that are started by hand, as `program N`."""

import os
import shutil
import subprocess
import tempfile
import unittest

TRAFFIC = os.path.abspath(os.environ["TRAFFIC"])
GASNETRUN = os.path.abspath(os.environ["GASNETRUN"])
FAKE_SSH = os.path.abspath(os.environ["FAKE_SSH_PROGRAM"])


def run(*arguments, program=TRAFFIC, **env):
    return subprocess.run(
        [program, *arguments], env={**os.environ, **env}, text=True,
        stdin=subprocess.DEVNULL, capture_output=True, check=False)


def path_with(launcher):
    """Returns PATH with the directory of gasnetrun in front."""
    return os.path.dirname(launcher) + ":" + os.environ["PATH"]


class SpawnFunctionTest(unittest.TestCase):
    def test_nodes_of_this_host(self):
        for letter in "Ll":
            done = run("3", GASNET_SPAWNFN=letter, GASNET_SUPERNODE_MAXSIZE="1")
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (0, "all answered\n", ""))

    def test_the_program_does_not_see_the_number(self):
        # If an argument were left, the program would read a line.
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

    def test_servers_are_enough(self):
        """Checks that the program runs on each of the hosts, as gasnetrun starts it."""
        for variable in ("GASNET_SSH_SERVERS", "SSH_SERVERS"):
            for servers in ("one,two", "localhost", "localhost two"):
                done = run("3", PATH=path_with(GASNETRUN), GASNET_SSH_CMD=FAKE_SSH,
                           GASNET_SUPERNODE_MAXSIZE="1", **{variable: servers})
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (0, "all answered\n", ""))

    def test_a_launcher_is_found_where_the_program_is_installed(self):
        with tempfile.TemporaryDirectory() as prefix:
            for directory in ("bin", "lib"):
                os.mkdir(os.path.join(prefix, directory))
            os.symlink(GASNETRUN, os.path.join(prefix, "bin", "gasnetrun"))
            program = shutil.copy(TRAFFIC, os.path.join(prefix, "lib"))
            done = run("3", program=program, GASNET_SSH_SERVERS="localhost")
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (0, "all answered\n", ""))

    def test_without_servers_one_line_says_so(self):
        done = run("3", "left alone")
        self.assertEqual((done.returncode, done.stdout), (2, "ready\n"))
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("a job of one node, with '3' as the program's first argument",
                      done.stderr)
        self.assertIn("set GASNET_SSH_SERVERS to hosts, or GASNET_SPAWNFN=L", done.stderr)
        self.assertIn("'gasnetrun -n 3'", done.stderr)

    def test_who_has_chosen_is_left_alone(self):
        servers = {"GASNET_SSH_SERVERS": "no-such-host"}
        for arguments, env in (
            (("left alone",), servers),
            (("0",), servers),
            (("3",), {**servers, "GASNET_PSHM_NODES": "1"}),
            (("3",), {"GASNET_PSHM_NODES": "0"}),
        ):
            done = run(*arguments, **env)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (2, "ready\n", ""))
        launched = subprocess.run(
            [GASNETRUN, "-n", "2", TRAFFIC, "3"], env={**os.environ, "SSH_SERVERS": "localhost"},
            text=True, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual((launched.returncode, launched.stdout, launched.stderr),
                         (2, "ready\n", ""))

    def test_what_cannot_be_is_refused(self):
        for arguments in ((), ("none",), ("0",), ("65536",)):
            done = run(*arguments, GASNET_SPAWNFN="L")
            self.assertEqual(done.returncode, 1)
            self.assertIn("first argument must be the number of nodes, 1 to 65535",
                          done.stderr)
        done = run("2", GASNET_SPAWNFN="X")
        self.assertEqual(done.returncode, 1)
        self.assertIn("GASNET_SPAWNFN is 'X'; accepted: L", done.stderr)

    def test_a_command_of_the_users(self):
        done = run("2", "an 'argument'", GASNET_SPAWNFN="C", CSPAWN_SERVERS="a b",
                   CSPAWN_CMD='printf "<%%s>" %N %M %P %C 100%%')
        self.assertEqual(
            done.stdout, f"<2><a><b><{TRAFFIC}><{TRAFFIC}><an 'argument'><100%>")
        done = run("3", GASNET_SPAWNFN="C", GASNET_CSPAWN_CMD=f"{GASNETRUN} -n %N %C")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "all answered\n", ""))
        done = run("2", GASNET_SPAWNFN="C")
        self.assertEqual(done.returncode, 1)
        self.assertIn("CSPAWN_CMD is not set", done.stderr)


if __name__ == "__main__":
    unittest.main()
