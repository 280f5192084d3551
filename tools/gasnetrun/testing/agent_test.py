"""The agent by itself, with a launcher that is none."""

import signal
import struct
import subprocess
import unittest

import launched

AGENT = [launched.program("GASNETRUN"), "--agent"]
PROBE = launched.program("PROBE")

# Frame types.
START, TO_RANKS, END_RANK, SIGNAL_GROUPS, FINISH = 8, 18, 19, 20, 26


def frame(kind, payload):
    return b"GJ" + struct.pack("<HI", kind, len(payload)) + payload


def note(kind, rank=0, value=0, rest=b""):
    return frame(kind, struct.pack("<II", rank, value) + rest)


def text(value):
    return struct.pack("<I", len(value)) + value


def texts(*values):
    return struct.pack("<I", len(values)) + b"".join(text(value) for value in values)


def start(silence=60_000, host_of=(0, 0), program=None, mark=b"", relays=0):
    numbers = struct.pack(f"<I{len(host_of)}I", len(host_of), *host_of)
    program = (program or PROBE).encode()
    return frame(
        START,
        b"s" * 16
        + struct.pack("<I", 0)
        + numbers
        + struct.pack("<IIIII", relays, silence, 0o22, 0, 0)
        + b"".join(map(text, (program, b"", b"/", b"")))
        + texts(b"probe", b"plain-print=up", b"plain-wait")
        + texts(mark),
    )


class AgentTest(unittest.TestCase):
    def agent(self):
        return launched.Job(AGENT, stdin=subprocess.PIPE)

    def say(self, job, said):
        job.process.stdin.write(said)
        job.process.stdin.flush()

    def hang_up(self, job):
        job.process.stdin.close()
        job.process.stdin = None

    def test_what_is_no_start_ends_it(self):
        good = start()
        for said in (
            b"",
            b"hello, agent",
            good[:-1],
            note(FINISH),
            frame(START, b""),
            frame(START, good[8:-1]),
            start(silence=0),
            start(host_of=()),
            start(host_of=(1, 1)),
            b"GJ" + struct.pack("<HI", START, 0xFFFFFFFF),
        ):
            with self.subTest(said), self.agent() as job:
                self.say(job, said)
                self.hang_up(job)
                self.assertEqual(job.finish(), 1)

    def code_of(self, job):
        """Its exit code; it ends while its input is open."""
        code = job.process.wait(launched.PATIENCE)
        job.finish()
        return code

    def begun(self, **options):
        """An agent whose ranks are up."""
        job = self.agent()
        self.say(job, start(mark=job.mark, **options))
        for _ in range(2):
            job.read_until(b"up\n")
            job.out = job.out.replace(b"up\n", b"", 1)
        return job

    def test_it_ends_its_ranks_with_the_launcher(self):
        with self.begun() as job:
            self.assertEqual(len(job.find(b"probe")), 2)
            self.hang_up(job)
            self.assertEqual(job.finish(), 1)

    def test_it_ends_its_ranks_when_the_launcher_is_silent(self):
        with self.begun(silence=300) as job:
            self.assertEqual(self.code_of(job), 1)

    def test_it_ends_its_ranks_when_the_launcher_talks_nonsense(self):
        for said in (
            start(),
            b"no frame",
            note(END_RANK, rank=2),
            note(SIGNAL_GROUPS, value=1000),
            note(25, rest=b"input that nobody asked for" * 1000),
            note(24, rank=2),
            note(10),
            frame(TO_RANKS, b"short"),
        ):
            with self.subTest(said), self.begun() as job:
                self.say(job, said)
                self.assertEqual(self.code_of(job), 1)

    def test_it_finishes_when_it_is_told_to(self):
        with self.begun() as job:
            self.say(job, note(FINISH))
            self.assertEqual(self.code_of(job), 0)
            self.assertTrue(job.out.endswith(note(28)))

    def test_it_tells_why_it_cannot_start(self):
        with self.agent() as job:
            self.say(job, start(program="/no-such/program"))
            self.assertEqual(self.code_of(job), 127)
            self.assertIn(b"program '/no-such/program' not found", job.out)

    def test_its_guardian_ends_its_ranks(self):
        with self.begun() as job:
            job.kill(signal.SIGKILL)
            self.assertEqual(self.code_of(job), -signal.SIGKILL)


if __name__ == "__main__":
    launched.main()
