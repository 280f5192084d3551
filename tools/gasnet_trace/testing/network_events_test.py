"""Tests what gasnet_trace says of native transfers and of messages of the library."""

import unittest

from trace_layout import (
    BARRIER_REQUEST, COMPLETED, HANDLER_BEGINS, HANDLER_ENDS, NATIVE_GET, NATIVE_PUT,
    POSTED, SENT, event, ring, trace)
from trace_program import TraceTest

# Rank 0 posts two puts and a get. The second thread takes the completion of a put, and
# that of a get whose post is lost.
TRANSFERRING = {0: trace(0, [
    ring(100, b"".join([
        event(100, POSTED, NATIVE_PUT, 1, 4096, 7),
        event(200, POSTED, NATIVE_PUT, 1, 64, 8),
        event(300, POSTED, NATIVE_GET, 1, 8, 9),
        event(900, COMPLETED, NATIVE_PUT, 1, 64, 8)])),
    ring(101, event(600, COMPLETED, NATIVE_PUT, 1, 4096, 7) +
         event(700, COMPLETED, NATIVE_GET, 1, 5, 3))])}

# Rank 0 sends two messages, and handles one. The library has no handler 100.
OF_THE_LIBRARY = {0: trace(0, [ring(100, b"".join([
    event(100, SENT, BARRIER_REQUEST, 1, 12), event(150, SENT, 100, 1, 5),
    event(200, HANDLER_BEGINS, BARRIER_REQUEST, 1),
    event(300, HANDLER_ENDS, BARRIER_REQUEST)]))])}


class NativeTransfersTest(TraceTest):
    def test_they_last_from_their_post_to_their_completion(self):
        told = self.expect(files=TRANSFERRING)
        self.assertRegex(told, r"native transfers +count +bytes +least ")
        self.assertRegex(told, r"\nput +2 +4,160 +500 ns +600 ns +700 ns +1\.200 us\n")
        self.assertRegex(told, r"\nget +2 +13 +- +- +- +-\n")

    def test_they_have_numbers(self):
        lines = self.expect("--text", files=TRANSFERRING).splitlines()
        self.assertEqual([line.split("thread ")[1] for line in lines], [
            "100  native put 7 is posted, rank 1, 4096 bytes",
            "100  native put 8 is posted, rank 1, 64 bytes",
            "100  native get 9 is posted, rank 1, 8 bytes",
            "101  native put 7 is complete, rank 1, 4096 bytes",
            "101  native get 3 is complete, rank 1, 5 bytes",
            "100  native put 8 is complete, rank 1, 64 bytes"])

    def test_they_overlap_for_viewers(self):
        found = [(end["ph"], end["tid"], end["ts"], end["name"], end["id2"]["local"])
                 for phase in "be" for end in self.events(phase, TRANSFERRING)]
        self.assertEqual(sorted(found), [
            ("b", 1, .1, "native put", "7"), ("b", 1, .2, "native put", "8"),
            ("b", 1, .3, "native get", "9"),
            ("e", 1, .9, "native put", "8"), ("e", 2, .6, "native put", "7")])

    def test_they_have_the_arguments_of_their_events(self):
        begun = {begin["id2"]["local"]: begin for begin in self.events("b", TRANSFERRING)}
        self.assertEqual((begun["8"]["args"], begun["8"]["cat"], begun["8"]["pid"]),
                         ({"peer": 1, "bytes": 64}, "transfer", 1))

    def test_a_completion_without_its_post_is_counted(self):
        notes = self.chrome(TRANSFERRING)["otherData"]
        self.assertEqual(notes["transfers_without_post"], 1)


class MessagesOfTheLibraryTest(TraceTest):
    def test_they_are_summed_by_the_names_of_their_handlers(self):
        told = self.expect(files=OF_THE_LIBRARY)
        self.assertRegex(told, r"\nhandlers .*\nbarrier_request +1 +0 +100 ns ")
        self.assertRegex(told, r"\nmessages of the library .*\n100 +1 +5 +- ")
        self.assertRegex(told, r"\nbarrier_request +1 +12 +- ")

    def test_their_lines_have_the_names_of_their_handlers(self):
        lines = self.expect("--text", files=OF_THE_LIBRARY).splitlines()
        self.assertEqual([line.split("thread 100  ")[1] for line in lines], [
            "message barrier_request is sent, rank 1, 12 bytes",
            "message 100 is sent, rank 1, 5 bytes",
            "handler barrier_request begins, from rank 1",
            "handler barrier_request ends, 100 ns"])

    def test_they_are_instants_without_arrows(self):
        sent = self.events("i", OF_THE_LIBRARY)
        self.assertEqual([each["name"] for each in sent],
                         ["send barrier_request", "send 100"])
        self.assertEqual((sent[0]["args"], sent[0]["cat"], sent[0]["ts"]),
                         ({"peer": 1, "bytes": 12}, "message", .1))
        run, = self.events("X", OF_THE_LIBRARY)
        self.assertEqual(run["name"], "handler barrier_request")
        self.assertEqual(self.events("s", OF_THE_LIBRARY), [])


if __name__ == "__main__":
    unittest.main()
