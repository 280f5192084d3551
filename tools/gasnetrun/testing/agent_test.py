"""Tests the agent by itself, with a false launcher."""

import os
import signal
import struct
import subprocess
import unittest

import launched

AGENT = [launched.program("GASNETRUN"), "--agent"]
PROBE = launched.program("PROBE")

# Frame types.
START, RANK_OUTPUT, TO_RANKS, END_RANK, SIGNAL_GROUPS, FINISH = 8, 15, 18, 19, 20, 26
FINISHED, OUTPUT_TAKEN = 28, 40
RELAY_START, RELAY_DATA, RELAY_TAKEN, RELAY_KILL, RELAY_SAID, RELAY_ENDED = range(34, 40)
WINDOW = 64 << 10
# The largest number of bytes that an agent reads of a rank at once, in whole lines.
READ = 65 << 10


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
        b"s" * 48
        + struct.pack("<I", 0)
        + numbers
        + struct.pack("<IIIII", relays, silence, 0o22, 0, 0)
        + b"".join(map(text, (program, b"", b"/", b"")))
        + texts(b"probe", b"plain-print=up", b"plain-wait")
        + texts(mark),
    )


def relay(number, *words):
    return note(RELAY_START, number, WINDOW, texts(*words))


def notes(said):
    """Returns the complete notes in an agent's output: type, rank, value, bytes."""
    found = []
    at = said.index(b"\n=gasnetrun-agent=\n") + 19
    while len(said) - at >= 8:
        kind, size = struct.unpack_from("<HI", said, at + 2)
        if len(said) - at < 8 + size:
            break
        if size >= 8:
            rank, value = struct.unpack_from("<II", said, at + 8)
            found.append((kind, rank, value, said[at + 16 : at + 8 + size]))
        at += 8 + size
    return found


class WithAnAgent(unittest.TestCase):
    def agent(self):
        return launched.Job(AGENT, stdin=subprocess.PIPE)

    def say(self, job, said):
        job.process.stdin.write(said)
        job.process.stdin.flush()

    def hang_up(self, job):
        job.process.stdin.close()
        job.process.stdin = None

    def code_of(self, job):
        """Returns the job's exit code. The job must end while its input is open."""
        code = job.process.wait(launched.PATIENCE)
        job.finish()
        return code


class AgentTest(WithAnAgent):
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
            start(relays=1025),
            relay(0, b"true"),
            b"GJ" + struct.pack("<HI", START, 0xFFFFFFFF),
        ):
            with self.subTest(said), self.agent() as job:
                self.say(job, said)
                self.hang_up(job)
                self.assertEqual(job.finish(), 1)

    def begun(self, **options):
        """Returns an agent whose ranks have started."""
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
            self.assertIn(
                b"the agent has ended, since nothing was heard from gasnetrun for 0.3 s",
                job.err,
            )

    def test_it_ends_its_ranks_when_the_launcher_talks_nonsense(self):
        for said in (
            start(),
            b"no frame",
            note(END_RANK, rank=2),
            note(SIGNAL_GROUPS, value=1000),
            note(25, rest=b"input that nobody asked for" * 1000),
            note(24, rank=2),
            note(10),
            note(OUTPUT_TAKEN, value=1000),
            frame(TO_RANKS, b"short"),
        ):
            with self.subTest(said), self.begun() as job:
                self.say(job, said)
                self.assertEqual(self.code_of(job), 1)
                self.assertIn(b"the input is not from gasnetrun", job.err)

    def test_it_finishes_when_it_is_told_to(self):
        with self.begun() as job:
            self.say(job, note(FINISH))
            self.assertEqual(self.code_of(job), 0)
            self.assertTrue(job.out.endswith(note(28)))

    def test_it_reports_why_it_cannot_start(self):
        with self.agent() as job:
            self.say(job, start(program="/no-such/program"))
            self.assertEqual(self.code_of(job), 127)
            self.assertIn(b"program '/no-such/program' not found", job.out)

    def test_its_guardian_ends_its_ranks(self):
        with self.begun() as job:
            job.kill(signal.SIGKILL)
            self.assertEqual(self.code_of(job), -signal.SIGKILL)


class RelayTest(WithAnAgent):
    """Tests relays. Other commands replace ssh here."""

    def relaying(self, *said, relays=2):
        job = self.agent()
        self.say(job, start(mark=job.mark, relays=relays) + b"".join(said))
        return job

    def said_of(self, job, kind, number):
        """Returns the bytes of all notes of this kind and number together."""
        return b"".join(
            rest for found, rank, _, rest in notes(job.out)
            if (found, rank) == (kind, number)
        )

    def test_bytes_go_both_ways(self):
        data = note(RELAY_DATA, 5, rest=b"some\0bytes")
        end = note(RELAY_DATA, 5)
        with self.relaying(relay(5, b"cat"), data) as job:
            job.read_until(data)
            self.say(job, end)
            # A rank may print between the two.
            job.read_until(end)
            job.read_until(note(RELAY_ENDED, 5, 0))
            self.say(job, note(FINISH))
            self.assertEqual(self.code_of(job), 0)

    def test_its_lines_and_its_end_are_told(self):
        script = b"echo one >&2; echo two >&2; echo last; exit 3"
        ended = note(RELAY_ENDED, 5, 3 << 8)
        with self.relaying(relay(5, b"sh", b"-c", script)) as job:
            job.read_until(ended)
            self.assertEqual(self.said_of(job, RELAY_SAID, 5), b"onetwo")
            self.assertEqual(self.said_of(job, RELAY_DATA, 5), b"last\n")
            # This note may cross with the relay's end, which is no fault.
            late = note(RELAY_DATA, 5, rest=b"x") + note(RELAY_TAKEN, 5, 5)
            self.say(job, late + note(RELAY_KILL, 5) + note(FINISH))
            self.assertEqual(self.code_of(job), 0)
            self.assertTrue(job.out.endswith(note(FINISHED)))

    def test_what_outlives_it_has_no_say(self):
        # The other process keeps its standard error and output until the agent ends.
        script = b"sh -c 'trap : TERM; kill -STOP $$; echo late >&2' & exit 3"
        with self.relaying(relay(5, b"sh", b"-c", script)) as job:
            job.read_until(note(RELAY_ENDED, 5, 3 << 8))
            self.say(job, note(FINISH))
            self.assertEqual(self.code_of(job), 0)
            self.assertEqual(self.said_of(job, RELAY_SAID, 5), b"")

    def test_it_cannot_be_started(self):
        with self.relaying(relay(5, b"/no-such/ssh")) as job:
            job.read_until(b"/no-such/ssh' not found")
            (ended,) = [found for found in notes(job.out) if found[0] == RELAY_ENDED]
            self.assertEqual(ended[1:3], (5, 127 << 8))
            self.say(job, note(FINISH))
            self.assertEqual(self.code_of(job), 0)

    def test_one_is_killed(self):
        with self.relaying(relay(5, b"cat"), relay(6, b"sleep", b"1000")) as job:
            self.say(job, note(RELAY_KILL, 6))
            job.read_until(note(RELAY_ENDED, 6, signal.SIGKILL))
            data = note(RELAY_DATA, 5, rest=b"the other is there")
            self.say(job, data)
            job.read_until(data)
            self.hang_up(job)
            self.assertEqual(job.finish(), 1)

    def test_no_more_is_said_than_there_is_credit_for(self):
        with self.relaying(relay(5, b"cat", b"/dev/zero"), relay(6, b"cat")) as job:
            # The other relay continues meanwhile.
            job.read_until(b"=gasnetrun-agent=\n")
            turn = 0
            for size in (WINDOW, WINDOW + 1000):
                while len(self.said_of(job, RELAY_DATA, 5)) < size:
                    turn += 1
                    data = note(RELAY_DATA, 6, rest=b"turn %d\n" % turn)
                    self.say(job, data)
                    job.read_until(data)
                if size == WINDOW:
                    self.say(job, note(RELAY_TAKEN, 5, 1000))
            self.say(job, note(FINISH))
            self.assertEqual(self.code_of(job), 0)
            self.assertEqual(len(self.said_of(job, RELAY_DATA, 5)), WINDOW + 1000)

    def output_of(self, job):
        """Returns the bytes of the frames of the ranks' output."""
        return sum(
            16 + len(rest) for kind, _, _, rest in notes(job.out) if kind == RANK_OUTPUT
        )

    def test_no_more_output_is_in_the_way_than_there_is_credit_for(self):
        ranks = 2
        output = start(program="/usr/bin/yes", host_of=(0,) * ranks, relays=1)
        with self.agent() as job:
            self.say(job, output + relay(5, b"cat"))
            job.read_until(b"plain-wait\n")
            credit = 0
            for turn in range(300):
                data = note(RELAY_DATA, 5, rest=b"turn %d\n" % turn)
                self.say(job, data)
                job.read_until(data)
                came = self.output_of(job)
                self.assertLessEqual(came, credit + WINDOW + ranks * READ)
                if turn % 100 == 99:
                    self.say(job, note(OUTPUT_TAKEN, value=came - credit))
                    credit = came
            # All credit was returned, so more output will come.
            while self.output_of(job) == came:
                job.out += os.read(job.process.stdout.fileno(), 1 << 16)
            self.say(job, note(FINISH))
            self.assertEqual(job.finish(), 0)
            self.assertTrue(job.out.endswith(note(FINISHED)))

    def test_what_no_launcher_says_ends_it(self):
        window = note(RELAY_DATA, 5, rest=b"x" * WINDOW)
        for said in (
            (relay(5),),
            (note(RELAY_START, 5, WINDOW, b"no list"),),
            (note(RELAY_START, 5, WINDOW - 1, texts(b"cat")),),
            (note(RELAY_START, 5, 16 * WINDOW + 1, texts(b"cat")),),
            (relay(5, b"cat"), relay(5, b"cat")),
            (relay(5, b"cat"), relay(6, b"cat"), relay(7, b"cat")),
            (note(RELAY_DATA, 5, rest=b"x"),),
            (note(RELAY_KILL, 5),),
            (relay(5, b"cat"), note(RELAY_TAKEN, 5, 1)),
            (relay(5, b"cat"), note(RELAY_DATA, 5), note(RELAY_DATA, 5)),
            (relay(5, b"cat"), note(RELAY_DATA, 5, rest=b"x" * (WINDOW + 1))),
            (relay(5, b"cat"), note(RELAY_ENDED, 5)),
            # More bytes than a pipe and a window hold.
            (relay(5, b"sleep", b"1000"), *[window] * 3),
        ):
            with self.subTest(b"".join(said)[:100]), self.relaying(*said) as job:
                self.assertEqual(self.code_of(job), 1)
        with self.relaying(relay(5, b"cat"), relays=0) as job:
            self.assertEqual(self.code_of(job), 1)

    def test_they_end_with_the_agent(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            with self.relaying(relay(5, b"sleep", b"1000"), relay(6, b"cat")) as job:
                while len(job.find(b"sleep") + job.find(b"cat")) < 2:
                    os.sched_yield()
                job.kill(number)
                dies = number == signal.SIGKILL
                self.assertEqual(
                    self.code_of(job), -number if dies else 128 + number
                )


if __name__ == "__main__":
    launched.main()
