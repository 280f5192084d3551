"""Tests gasnetrun in a terminal: job control, keys, and the input of rank 0."""

import os
import pty
import re
import select
import signal
import termios
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PROBE = launched.program("PROBE")

# A shell with job control. It starts a job and brings it to the foreground at the
# user's input.
BACKGROUND_SHELL = """
set -m
"$0" -n 2 "$1" "0:ask-terminal=password? " barrier </dev/null &
read
fg >/dev/null
"""


class TerminalTest(unittest.TestCase):
    """Tests the launcher in the foreground of a terminal of its own."""

    def start(self, *actions, in_child=lambda: None):
        self.run_there([GASNETRUN, "-n", "2", PROBE, *actions], in_child)

    def start_forked(self, *actions, in_child=lambda: None):
        command = ["env", "GASNET_PSHM_NODES=2", PROBE, *actions]
        self.run_there(command, in_child)

    def run_there(self, command, in_child):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            in_child()
            os.execvp(command[0], command)
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
            except OSError:  # A terminal without a user ends like this.
                pass
            return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def test_rank_0_reads_the_terminal(self):
        self.start("print=ready", "0:read-line", "print=done", "barrier")
        self.read_until(b"ready")
        os.write(self.terminal, b"typed\n")
        self.read_until(b"read typed")
        self.assertEqual(self.code(), 0)

    def test_a_prompt_is_shown_before_its_answer(self):
        self.start("0:progress=name? ", "0:read-line", "print=done", "barrier")
        self.read_until(b"name? ")
        os.write(self.terminal, b"typed\n")
        self.read_until(b"read typed")
        self.assertEqual(self.code(), 0)

    def test_a_forked_job_writes_to_a_terminal_that_stops_the_background(self):
        def stop_background():
            settings = termios.tcgetattr(0)
            settings[3] |= termios.TOSTOP
            termios.tcsetattr(0, termios.TCSANOW, settings)

        self.start_forked("1:print=one", "0:print=two", in_child=stop_background)
        self.read_until(b"one")
        self.read_until(b"two")
        self.assertEqual(self.code(), 0)

    def test_a_rank_asks_the_terminal(self):
        for start in (self.start, self.start_forked):
            with self.subTest(start=start):
                start("0:ask-terminal=password? ", "0:read-line", "barrier")
                self.read_until(b"password? ")
                self.await_loan()
                os.write(self.terminal, b"secret\n")
                self.read_until(b"asked secret")
                # Standard input is the terminal again.
                os.write(self.terminal, b"typed\n")
                self.read_until(b"read typed")
                self.assertEqual(self.code(), 0)

    def test_ranks_ask_the_terminal_one_after_the_other(self):
        actions = ("0:ask-terminal=first? ", "0:ask-terminal=second? ", "barrier")
        self.start(*actions, "1:ask-terminal=third? ", "barrier")
        for question in (b"first", b"second", b"third"):
            self.read_until(question + b"? ")
            os.write(self.terminal, question + b"\n")
            self.read_until(b"asked " + question)
        self.assertEqual(self.code(), 0)

    @unittest.skipIf(
        os.environ.get("SANITIZER") == "thread",
        "the thread sanitizer holds signals back from a thread in a read",
    )
    def test_keys_reach_the_job_while_a_rank_has_the_terminal(self):
        self.start("pid", "barrier", "0:ask-terminal=password? ", "wait")
        self.read_until(b"password? ")
        os.write(self.terminal, b"\x1a")
        _, status = os.waitpid(self.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status))
        self.assertEqual(os.tcgetpgrp(self.terminal), self.pid)
        os.kill(self.pid, signal.SIGCONT)
        self.await_loan()
        os.write(self.terminal, b"\x03")
        self.assertEqual(self.code(), 128 + signal.SIGINT)

    def test_a_job_in_the_background_says_what_it_waits_for(self):
        self.run_there(["bash", "-c", BACKGROUND_SHELL, GASNETRUN, PROBE], lambda: None)
        self.read_until(b"waits for the terminal (SIGTTOU)")
        os.write(self.terminal, b"foreground\n")
        self.read_until(b"password? ")
        os.write(self.terminal, b"secret\n")
        self.read_until(b"asked secret")
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

    def await_loan(self):
        """Waits until a rank's group has the terminal."""
        while os.tcgetpgrp(self.terminal) == self.pid:
            os.sched_yield()

    def await_state(self, pid, wanted):
        state = None
        while state != wanted:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
                state = stat.read().rsplit(")", 1)[1].split()[0]
            os.sched_yield()


if __name__ == "__main__":
    launched.main()
