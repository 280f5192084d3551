"""Tests of hosts that are all this machine, as if it were named twice: they share every
address, and communicate over loopback."""

import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
TRAFFIC = launched.program("TRAFFIC")
FAKE_SSH = launched.program("FAKE_SSH_PROGRAM")


class OneMachineTest(unittest.TestCase):
    def check_job(self, hosts, **env):
        done = launched.run([GASNETRUN, "-n", "4", "-H", hosts, TRAFFIC],
                            env={"GASNET_SSH_CMD": FAKE_SSH, **env})
        self.assertEqual((done.code, done.out, done.err),
                         (0, b"all answered\n", b""))

    def test_two_names(self):
        self.check_job("one,two")

    def test_the_launcher_and_another_name(self):
        self.check_job("localhost,two")

    def test_a_connection_that_came_from_elsewhere(self):
        # The agents ignore the connection of the launcher's own terminal.
        self.check_job("one,two", SSH_CONNECTION="192.0.2.1 1 192.0.2.2 22")
        self.check_job("one,two", SSH_CONNECTION="nonsense,rank=7 1 2 3")


if __name__ == "__main__":
    launched.main()
