"""gasnetrun where its user types: job control, keys, and what rank 0 reads."""

import os
import pty
import re
import select
import signal
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PROBE = launched.program("PROBE")


class TerminalTest(unittest.TestCase):
    """The launcher in the foreground of a terminal of its own."""

    def start(self, *actions):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execv(GASNETRUN, ["gasnetrun", "-n", "2", PROBE, *actions])
        self.out = b""

    def read_until(self, text):
        while text not in self.out:
            ready, _, _ = select.select([self.terminal], [], [], launched.PATIENCE)
            self.assertTrue(ready, self.out)
            self.out += os.read(self.terminal, 4096)

    def code(self):
        with open(self.terminal, "rb", buffering=0) as terminal:
            try:
                while terminal.read(4096):
                    pass
            except OSError:  # How a terminal without a user ends.
                pass
            return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def test_rank_0_reads_the_terminal(self):
        self.start("print=ready", "0:read-line", "print=done", "barrier")
        self.read_until(b"ready")
        os.write(self.terminal, b"typed\n")
        self.read_until(b"read typed")
        self.assertEqual(self.code(), 0)

    def test_end_of_input_reaches_rank_0(self):
        self.start("print=ready", "0:read-line", "barrier")
        self.read_until(b"ready")
        os.write(self.terminal, b"\x04")
        self.read_until(b"read (end)")
        self.assertEqual(self.code(), 0)

    def test_interrupt_key_ends_the_job(self):
        self.start("print=ready", "wait")
        self.read_until(b"ready")
        os.write(self.terminal, b"\x03")
        self.assertEqual(self.code(), 128 + signal.SIGINT)

    def test_progress_in_place_is_shown_as_it_comes(self):
        self.start("env=GASNETRUN_STDOUT_TTY", "0:progress=45%\r", "read-line", "barrier")
        self.read_until(b"45%\r")
        self.assertIn(b"'1'", self.out)
        os.write(self.terminal, b"\n")
        self.assertEqual(self.code(), 0)

    def test_stop_and_continue(self):
        self.start("pid", "barrier", "print=ready", "wait")
        self.read_until(b"ready")
        rank = int(re.search(rb"pid (\d+)", self.out)[1])
        os.write(self.terminal, b"\x1a")
        _, status = os.waitpid(self.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status))
        self.await_state(rank, "T")
        os.kill(self.pid, signal.SIGCONT)
        self.await_state(rank, "S")
        os.kill(self.pid, signal.SIGTERM)
        self.assertEqual(self.code(), 128 + signal.SIGTERM)

    def await_state(self, pid, wanted):
        state = None
        while state != wanted:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
                state = stat.read().rsplit(")", 1)[1].split()[0]
            os.sched_yield()


if __name__ == "__main__":
    launched.main()
