"""Tests gasnet_trace from outside, with made trace files."""

import os
import unittest

from trace_layout import (
    BARRIER, BARRIER_WAIT, CALL_BEGINS, CALL_ENDS, EVENTS, HANDLER_BEGINS, HANDLER_ENDS,
    NOBODY, PUT, REQUEST, SOURCE_LINE, START, THREAD, TRANSFERS, WAITED, event, ring,
    text, trace)
from trace_program import TraceTest

# Rank 0 puts, and then sends a message. Rank 1 handles it, waiting, on another host
# whose clock is 500 behind.
RANK_0 = ring(100, b"".join([
    event(0, THREAD, 0, argument=100),
    event(1_000, SOURCE_LINE, 0, argument=42),
    event(1_000, CALL_BEGINS, PUT, 1, 4096),
    event(3_500, WAITED, TRANSFERS, 1, 0, 2_500),
    event(3_500, CALL_ENDS, PUT),
    event(4_000, CALL_BEGINS, REQUEST, 1, 0, 200),
    event(4_100, CALL_ENDS, REQUEST),
    text(4_200, b'phase "one" \xff of the computation'),
    event(5_000, CALL_BEGINS, BARRIER_WAIT),
]))
RANK_1 = ring(101, b"".join([
    event(0, THREAD, 0, argument=101),
    event(500, CALL_BEGINS, BARRIER_WAIT),
    event(4_500, HANDLER_BEGINS, 200, 0),
    event(4_750, HANDLER_ENDS, 200),
    event(6_400, WAITED, BARRIER, NOBODY, 1, 5_900),
    event(6_500, CALL_ENDS, BARRIER_WAIT),
]))
# Rank 0 sends a message that is refused, and sends it again.
REFUSED = ring(100, b"".join([
    event(3_000, CALL_BEGINS, REQUEST, 1, 8, 200),
    event(3_500, CALL_ENDS, REQUEST, argument=1),
    event(4_000, CALL_BEGINS, REQUEST, 1, 8, 200),
    event(4_100, CALL_ENDS, REQUEST),
]))
JOB = {0: trace(0, [RANK_0], sources=[b"heat.c"]),
       1: trace(1, [RANK_1], host=1, start=(500, 30, START))}

SUMMARY = """\
2 ranks of ./heat over udp, 2 hosts, from 2023-11-14 22:13:20 UTC
15 events in 7.000 us
times of different hosts are uncertain by 30 ns

calls                            count            bytes      least       mean       most      total
gasnet_barrier_wait                  2                0   6.000 us   6.000 us   6.000 us   6.000 us
gasnet_put                           1            4,096   2.500 us   2.500 us   2.500 us   2.500 us
gasnet_AMRequestShort                1                0     100 ns     100 ns     100 ns     100 ns

waits                            count            bytes      least       mean       most      total
barrier                              1                0   5.900 us   5.900 us   5.900 us   5.900 us
transfers                            1                0   2.500 us   2.500 us   2.500 us   2.500 us

handlers                         count            bytes      least       mean       most      total
200                                  1                0     250 ns     250 ns     250 ns     250 ns

source lines                     count            bytes      least       mean       most      total
heat.c:42                            3            4,096     100 ns   1.300 us   2.500 us   2.600 us

not ended at the end of the trace
rank 0, thread 100: gasnet_barrier_wait, for 2.000 us
"""

LINES = """\
     0.000000000 rank 0 thread 100  thread begins
     0.000000500 rank 1 thread 101  thread begins
     0.000001000 rank 0 thread 100  at heat.c:42
     0.000001000 rank 0 thread 100  gasnet_put begins, rank 1, 4096 bytes
     0.000001000 rank 1 thread 101  gasnet_barrier_wait begins
     0.000003500 rank 0 thread 100  waited for transfers, rank 1, 2.500 us
     0.000003500 rank 0 thread 100  gasnet_put ends, 2.500 us
     0.000004000 rank 0 thread 100  gasnet_AMRequestShort begins, rank 1, handler 200
     0.000004100 rank 0 thread 100  gasnet_AMRequestShort ends, 100 ns
     0.000004200 rank 0 thread 100  text: phase "one" \\xff of the computation
     0.000005000 rank 0 thread 100  gasnet_barrier_wait begins
     0.000005000 rank 1 thread 101  handler 200 begins, from rank 0
     0.000005250 rank 1 thread 101  handler 200 ends, 250 ns
     0.000006900 rank 1 thread 101  waited for barrier, 5.900 us
     0.000007000 rank 1 thread 101  gasnet_barrier_wait ends, 6.000 us
"""

class SummaryTest(TraceTest):
    def test_it_sums_over_all_ranks(self):
        self.assertEqual(self.expect(files=JOB), SUMMARY)
        self.assertEqual(self.expect("--summary", files=JOB), SUMMARY)

    def test_it_tells_what_is_missing(self):
        cells = event(9, CALL_ENDS, PUT) * EVENTS
        damaged = event(-START - 1, CALL_ENDS, PUT)
        told = self.expect(files={
            2: trace(2, [ring(7, cells, lost=1_204_330), ring(8, damaged)], ranks=7,
                     untraced=2)})
        self.assertIn("ranks without a trace: 0, 1, 3 to 6\n", told)
        self.assertIn("rank 2, thread 7: the oldest 1,204,331 of 1,204,394 events are gone\n",
                      told)
        self.assertIn("rank 2, thread 8: 1 of 1 events are damaged and left out\n", told)
        self.assertIn("rank 2: 2 threads were not traced, since all rings were in use\n",
                      told)
        self.assertRegex(told, r"gasnet_put +63 +0 +- +- +- +-\n")

    def test_a_line_has_its_outermost_calls(self):
        cells = b"".join([
            event(0, SOURCE_LINE, 1, argument=7), event(1, CALL_BEGINS, PUT),
            event(2, HANDLER_BEGINS, 200), event(3, CALL_BEGINS, REQUEST),
            event(4, CALL_ENDS, REQUEST), event(5, HANDLER_ENDS, 200),
            event(6, CALL_ENDS, PUT), event(7, CALL_BEGINS, 3), event(10, CALL_ENDS, 3),
            event(20, WAITED, BARRIER, NOBODY, 0, 8)])
        told = self.expect(files={
            0: trace(0, [ring(7, cells)], ranks=1, sources=[b"a.c", b"b.c"])})
        self.assertRegex(told, r"b\.c:7 +2 +0 +3 ns +4 ns +5 ns +8 ns\n")
        self.assertRegex(told, r"\ncall 3 +1 +0 +3 ns")

    def test_times_of_ranks_are_averaged(self):
        first = event(1, CALL_BEGINS, PUT, 1, 8) + event(3, CALL_ENDS, PUT)
        second = b"".join([event(1, CALL_BEGINS, PUT, 0, 8), event(5, CALL_ENDS, PUT),
                           event(6, CALL_BEGINS, PUT, 0, 8), event(12, CALL_ENDS, PUT)])
        told = self.expect(files={0: trace(0, [ring(7, first)]),
                                  1: trace(1, [ring(8, second)])})
        self.assertRegex(told, r"gasnet_put +3 +24 +2 ns +4 ns +6 ns +12 ns\n")

    def test_refused_calls_have_a_line_of_their_own(self):
        told = self.expect(files={0: trace(0, [REFUSED])})
        self.assertRegex(told, r"\ngasnet_AMRequestShort +1 +8 +100 ns ")
        self.assertRegex(told, r"\ngasnet_AMRequestShort, refused +1 +0 +500 ns ")

    def test_a_guessed_clock_is_told(self):
        told = self.expect(files={0: JOB[0], 1: trace(1, [RANK_1], host=1)})
        self.assertIn("the clock's offset is only guessed for ranks 1\n", told)

    def test_a_job_without_events_is_told(self):
        told = self.expect(files={0: trace(0, [], ranks=1)})
        self.assertEqual(told, "1 rank of ./heat over udp, 1 host, from "
                               "2023-11-14 22:13:20 UTC\n0 events in 0 ns\n")


class TextTest(TraceTest):
    def test_events_are_in_the_order_of_the_axis(self):
        self.assertEqual(self.expect("--text", files=JOB), LINES)

    def test_a_ring_may_change_hands(self):
        cells = b"".join([event(0, THREAD, 0, argument=5), event(1, CALL_BEGINS, PUT),
                          event(2, THREAD, 0, argument=6), event(3, CALL_ENDS, PUT)])
        lines = self.expect("--text", files={0: trace(0, [ring(6, cells)], ranks=1)})
        self.assertEqual([line.split("  ")[-2:] for line in lines.splitlines()], [
            [" 0.000000000 rank 0 thread 5", "thread begins"],
            [" 0.000000001 rank 0 thread 5", "gasnet_put begins"],
            [" 0.000000002 rank 0 thread 6", "thread begins"],
            [" 0.000000003 rank 0 thread 6", "gasnet_put ends"]])

    def test_times_before_the_start_are_negative(self):
        files = {0: trace(0, [ring(6, event(-1_500, THREAD, 0) + text(-250, b"x"))])}
        self.assertIn("-0.000001500 rank 0", self.expect("--text", files=files))
        instant, = [found for found in self.chrome(files)["traceEvents"]
                    if found["ph"] == "i"]
        self.assertEqual(instant["ts"], -.25)

    def test_the_end_of_a_call_tells_that_it_was_refused(self):
        lines = self.expect("--text", files={0: trace(0, [REFUSED])})
        self.assertIn("  gasnet_AMRequestShort ends, refused, 500 ns\n", lines)
        self.assertIn("  gasnet_AMRequestShort ends, 100 ns\n", lines)

    def test_losses_come_last(self):
        cells = event(9, CALL_ENDS, PUT) * EVENTS
        lines = self.expect("--text", files={0: trace(0, [ring(7, cells, lost=9)])})
        self.assertEqual(lines.splitlines()[-1],
                         "# rank 0, thread 7: the oldest 10 of 73 events are gone")
        self.assertEqual(len(lines.splitlines()), EVENTS)


class ChromeTest(TraceTest):
    def events(self, phase, files=None):
        return super().events(phase, files or JOB)

    def test_slices_nest_on_one_axis(self):
        found = [(slice_["pid"], slice_["tid"], slice_["name"], slice_["ts"],
                  slice_["dur"]) for slice_ in self.events("X")]
        self.assertEqual(found, [
            (1, 1, "gasnet_put", 1, 2.5),
            (1, 1, "wait: transfers", 1, 2.5),
            (1, 1, "gasnet_AMRequestShort", 4, .1),
            (1, 1, "gasnet_barrier_wait", 5, 0),
            (2, 1, "gasnet_barrier_wait", 1, 6),
            (2, 1, "wait: barrier", 1, 5.9),
            (2, 1, "handler 200", 5, .25),
        ])

    def test_slices_have_the_arguments_of_their_events(self):
        slices = {(slice_["pid"], slice_["name"]): slice_ for slice_ in self.events("X")}
        self.assertEqual(slices[1, "gasnet_put"]["args"],
                         {"peer": 1, "bytes": 4096, "line": "heat.c:42"})
        self.assertEqual(slices[1, "gasnet_AMRequestShort"]["args"],
                         {"peer": 1, "bytes": 0, "handler": 200, "line": "heat.c:42"})
        self.assertEqual(slices[2, "handler 200"]["args"], {"from": 0, "bytes": 0})
        self.assertEqual(slices[2, "wait: barrier"]["args"], {"number": 1})
        self.assertTrue(slices[1, "gasnet_barrier_wait"]["args"]["not ended"])
        self.assertNotIn("not ended", slices[2, "gasnet_barrier_wait"]["args"])
        colours = {slice_.get("cname") for (_, name), slice_ in slices.items()
                   if name.startswith("wait")}
        self.assertEqual(len(colours - {None}), 2)

    def test_processes_and_threads_have_names(self):
        names = [(name["pid"], name["tid"], name["name"], name["args"])
                 for name in self.events("M")]
        self.assertEqual(names[:3], [
            (1, 1, "process_name", {"name": "rank 0 on host0, process 4000"}),
            (1, 1, "process_sort_index", {"sort_index": 0}),
            (1, 1, "thread_name", {"name": "thread 100"}),
        ])
        self.assertEqual(len(names), 6)

    def test_lines_of_the_client_are_instants(self):
        instant, = self.events("i")
        self.assertEqual(instant["name"], 'phase "one" \ufffd of the computation')
        self.assertEqual((instant["ts"], instant["pid"]), (4.2, 1))

    def test_a_message_is_an_arrow(self):
        start, = self.events("s")
        end, = self.events("f")
        self.assertEqual((start["pid"], start["tid"], start["ts"]), (1, 1, 4))
        self.assertEqual((end["pid"], end["tid"], end["ts"]), (2, 1, 5))
        self.assertEqual(end["bp"], "e")
        for key in "id", "cat", "name":
            self.assertEqual(start[key], end[key])

    def test_a_refused_message_is_no_arrow(self):
        handled = ring(101, event(4_500, HANDLER_BEGINS, 200, 0, 8))
        files = {0: trace(0, [REFUSED]), 1: trace(1, [handled])}
        start, = self.events("s", files)
        self.assertEqual(start["ts"], 4)
        refused = [slice_["ts"] for slice_ in self.events("X", files)
                   if slice_["args"].get("refused")]
        self.assertEqual(refused, [3])

    def test_notes_tell_errors(self):
        notes = self.chrome(JOB)["otherData"]
        self.assertEqual(notes["clock_error_nanos"], {"0": 0, "1": 30})
        self.assertEqual(notes["program"], "./heat")
        self.assertEqual(notes["ranks"], 2)
        self.assertEqual(notes["ranks_without_trace"], "")
        self.assertEqual(notes["ranks_without_arrows"], [])
        self.assertEqual(notes["messages_without_arrow"], 0)
        self.assertEqual(notes["lost"], "")

    def test_a_rank_that_lost_events_has_no_arrows(self):
        # Two more handlers of the sender ran, and one of them is lost.
        lost = ring(101, event(1_000, HANDLER_BEGINS, 200, 0) * EVENTS, lost=1)
        files = {0: JOB[0], 1: trace(1, [lost], host=1, start=(500, 30, START))}
        self.assertEqual(self.events("s", files), [])
        self.assertEqual(self.events("f", files), [])
        notes = self.chrome(files)["otherData"]
        self.assertEqual(notes["ranks_without_arrows"], [1])
        self.assertIn("the oldest 2 of 65 events are gone", notes["lost"])

    def test_no_arrow_comes_after_a_mask_without_messages(self):
        for until, arrows in (START + 4_500, 0), (START + 4_501, 1), (-1, 0):
            files = {0: JOB[0], 1: trace(1, [RANK_1], host=1, start=(500, 30, START),
                                         messages_until=until)}
            self.assertEqual(len(self.events("s", files)), arrows)
            self.assertEqual(
                self.chrome(files)["otherData"]["messages_without_arrow"], 1 - arrows)

    def test_no_arrow_begins_at_a_rank_that_lost_events(self):
        lost = ring(100, event(900, CALL_BEGINS, REQUEST, 1, 0, 200) * EVENTS)
        files = {0: trace(0, [lost]), 1: JOB[1]}
        self.assertEqual(self.events("s", files), [])

    def test_a_rank_with_damaged_events_has_no_arrows(self):
        damaged = ring(101, event(4_500, HANDLER_BEGINS, 200, 0) + event(4_600, 99, 0))
        files = {0: JOB[0], 1: trace(1, [damaged], host=1, start=(500, 30, START))}
        self.assertEqual(self.events("s", files), [])

    def test_a_slice_without_its_beginning_is_counted(self):
        files = {0: trace(0, [ring(7, event(1, CALL_ENDS, PUT))])}
        self.assertEqual(self.events("X", files), [])
        self.assertEqual(self.chrome(files)["otherData"]["slices_without_beginning"], 1)

    def test_a_rank_with_untraced_threads_has_no_arrows(self):
        files = {0: JOB[0], 1: trace(1, [RANK_1], host=1, untraced=1)}
        self.assertEqual(self.events("s", files), [])
        notes = self.chrome(files)["otherData"]
        self.assertEqual(notes["ranks_without_arrows"], [1])
        self.assertIn("rank 1: 1 thread was not traced", notes["lost"])

    def test_a_rank_without_a_trace_has_no_arrows(self):
        files = {0: JOB[0]}
        self.assertEqual(self.events("s", files), [])
        self.assertEqual(self.chrome(files)["otherData"]["ranks_without_trace"], "1")

    def test_a_job_without_events_is_valid(self):
        found = self.chrome({0: trace(0, [], ranks=1)})
        self.assertEqual(len(found["traceEvents"]), 2)


class CommandLineTest(TraceTest):
    def test_output_goes_to_the_file(self):
        self.assertEqual(self.expect("-o", "out", files=JOB), "")
        with open(os.path.join(self.directory, "out"), encoding="utf-8") as file:
            self.assertEqual(file.read(), SUMMARY)

    def test_a_bad_file_leaves_the_others(self):
        done = self.run_with(files={**JOB, "bad": b"x" * 5000})
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.decode(), SUMMARY)
        self.assertEqual(done.stderr.decode(),
                         "gasnet_trace: error: 'trace.bad': it is no trace of GASNet; "
                         "accepted: a file that GASNET_TRACEFILE named\n")

    def test_without_a_good_file_nothing_is_written(self):
        done = self.run_program("--chrome", "absent")
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"'absent' cannot be read: No such file or directory", done.stderr)

    def test_wrong_calls_are_refused(self):
        for arguments, message in [
                ([], "the names of the trace files are missing"),
                (["--jason", "x"], "unknown option '--jason'; accepted: --summary"),
                (["x", "-o"], "-o needs a value"),
                (["--output=", "x"], "-o is ''; accepted: the name of a file")]:
            done = self.run_program(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr.decode())
            self.assertIn("Try 'gasnet_trace --help'", done.stderr.decode())

    def test_failed_writes_are_errors(self):
        done = self.run_with("-o", "/dev/full", files=JOB)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"'/dev/full' cannot be written: No space left", done.stderr)
        done = self.run_program("-o", "/nowhere/x", "trace.0")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"'/nowhere/x' cannot be written: No such file", done.stderr)

    def test_names_after_two_dashes_are_files(self):
        with open(os.path.join(self.directory, "-t"), "wb") as file:
            file.write(trace(0, [], ranks=1))
        self.assertEqual(self.run_program("--", "-t").returncode, 0)

    def test_help_and_version_are_printed(self):
        for option, begin in (("--help", b"Usage: gasnet_trace"), ("-h", b"Usage: "),
                              ("--version", b"gasnet_trace (GASNet 1.8)\n")):
            done = self.run_program(option)
            self.assertEqual(done.returncode, 0)
            self.assertTrue(done.stdout.startswith(begin))


if __name__ == "__main__":
    unittest.main()
