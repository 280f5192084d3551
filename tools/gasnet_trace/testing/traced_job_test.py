"""Traces jobs, and checks that the files have all that their ranks did."""

import collections
import json
import os
import re
import subprocess
import tempfile
import unittest

RANKS = 3

# The calls of each rank in traced.cc.
CALLS = {
    "gasnet_AMRequestMedium": 7,
    "gasnet_AMReplyShort": 7,
    "gasnet_put": 3,
    "gasnet_get": 2,
    "gasnet_barrier_notify": 2,
    "gasnet_barrier_wait": 2,
}
HANDLERS = {"200": 7, "201": 7}


def program(name):
    return os.path.abspath(os.environ[name])


class TracedJobTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def trace(self, *arguments, conduit="smp", code=0, **settings):
        """Runs a job, and returns the paths of its traces."""
        environment = dict(
            os.environ,
            GASNET_CONDUIT=conduit,
            GASNET_TRACEFILE=f"{self.directory}/trace.%",
            **settings,
        )
        ran = subprocess.run(
            [program("GASNETRUN"), "-n", str(RANKS), program("TRACED"), *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(ran.returncode, code, ran.stderr)
        self.errors = ran.stderr
        return sorted(
            os.path.join(self.directory, name) for name in os.listdir(self.directory)
        )

    def report(self, *arguments):
        return subprocess.run(
            [program("GASNET_TRACE"), *arguments],
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def check_events(self, paths, replies=None):
        """Checks the events of each rank."""
        self.assertEqual(len(paths), RANKS)
        begun = collections.Counter()
        ended = collections.Counter()
        for line in self.report("--text", *paths).splitlines():
            found = re.search(
                r"rank (\d+) thread \d+ +(?:handler )?(\w+)(?: .*)? (begins|ends)\b", line
            )
            if found:
                rank, name, what = found.groups()
                (begun if what == "begins" else ended)[int(rank), name] += 1
        for rank in range(RANKS):
            for name, count in (CALLS | HANDLERS).items():
                self.assertEqual(begun[rank, name], count, (rank, name))
                self.assertEqual(ended[rank, name], count, (rank, name))

    def test_each_conduit(self):
        for conduit in ("smp", "udp", "ofi", "portals"):
            with self.subTest(conduit=conduit):
                alone = {} if conduit == "smp" else {"GASNET_SUPERNODE_MAXSIZE": "1"}
                self.check_events(self.trace(conduit=conduit, **alone))

    def test_native_transfers(self):
        """The networks that put and get by themselves complete all that they posted."""
        for conduit in ("ofi", "portals"):
            with self.subTest(conduit=conduit):
                statistics = f"{self.directory}/counts"
                paths = self.trace(conduit=conduit, GASNET_SUPERNODE_MAXSIZE="1",
                                   GASNET_STATSFILE=f"{statistics}.%")
                paths = [path for path in paths if not path.startswith(statistics)]
                self.check_transfers(self.report("--text", *paths))
                for rank in range(RANKS):
                    with open(f"{statistics}.{rank}", encoding="utf-8") as file:
                        counts = file.read()
                    self.assertRegex(counts, r"(?m)^C  put +3 +192 +3 +3 ")
                    self.assertRegex(counts, r"(?m)^C  get +3 +24 +3 +3 ")

    def check_transfers(self, text):
        """Checks that each rank has posted and completed its puts and gets."""
        found = re.findall(
            r"rank (\d+) thread \d+ +native (put|get) (\d+) is (\w+), rank \d+, "
            r"(\d+) bytes\n", text)
        for kind, size in ("put", "64"), ("get", "8"):
            for rank in range(RANKS):
                numbers = {
                    what: sorted(each[2] for each in found if
                                 each[:2] == (str(rank), kind) and each[3:] == (what, size))
                    for what in ("posted", "complete")}
                self.assertEqual(len(set(numbers["posted"])), 3, (rank, kind))
                self.assertEqual(numbers["posted"], numbers["complete"])
        self.assertEqual(len(found), RANKS * 12)

    def test_messages_of_the_library(self):
        """Over udp puts and gets are messages, which each rank sends and handles."""
        statistics = f"{self.directory}/counts"
        paths = self.trace(conduit="udp", GASNET_SUPERNODE_MAXSIZE="1",
                           GASNET_STATSFILE=f"{statistics}.%")
        paths = [path for path in paths if not path.startswith(statistics)]
        text = self.report("--text", *paths)
        sizes = {"put_medium_request": 192, "put_done_reply": 0,
                 "get_medium_request": 0, "get_medium_reply": 24}
        for name, size in sizes.items():
            for rank in range(RANKS):
                begin = rf"rank {rank} thread \d+ +"
                sent = re.findall(rf"{begin}message {name} is sent, rank \d", text)
                run = re.findall(rf"{begin}handler {name} begins, from rank \d", text)
                self.assertEqual((len(sent), len(run)), (3, 3), (name, rank))
                with open(f"{statistics}.{rank}", encoding="utf-8") as file:
                    counts = file.read()
                self.assertRegex(counts, rf"(?m)^A  {name} +3 +{size} +3 ")
                self.assertRegex(counts, rf"(?m)^A  {name} +3 +{size}$")
                # The client's messages are calls.
                self.assertNotRegex(counts, r"(?m)^A  20[01] +\d+ +\d+$")
        self.assertNotRegex(text, "message 20[01] is sent")

    def test_a_rank_that_is_killed(self):
        paths = self.trace("dies", code=137)
        self.check_events(paths)

    def test_lines_and_places_of_the_client(self):
        paths = self.trace()
        text = self.report("--text", *paths)
        for rank in range(RANKS):
            self.assertIn(f"rank {rank} has 7 replies", text)
        summary = self.report("--summary", *paths)
        self.assertRegex(summary, r"traced\.cc:1000\b")
        self.assertRegex(summary, r"traced\.cc:2000\b")

    def test_arrows_for_viewers(self):
        paths = self.trace()
        events = json.loads(self.report("--chrome", *paths))["traceEvents"]
        phases = collections.Counter(event["ph"] for event in events)
        # A request and its reply each have one.
        messages = RANKS * 2 * 7
        self.assertEqual(phases["s"], messages)
        self.assertEqual(phases["f"], messages)

    def arrows(self, paths):
        """Returns the number of arrows, and that of messages without one."""
        report = json.loads(self.report("--chrome", *paths))
        count = sum(event["ph"] == "s" for event in report["traceEvents"])
        return count, report["otherData"]["messages_without_arrow"]

    def test_a_mask_without_messages_ends_the_arrows(self):
        self.assertEqual(self.arrows(self.trace("dies", code=137)), (RANKS * 2 * 7, 0))

    def test_a_rank_that_left_messages_out_has_no_arrows(self):
        # Ranks 2 and 0 exchange messages without rank 1.
        self.assertEqual(self.arrows(self.trace("masks")), (2 * 7, (RANKS - 1) * 2 * 7))

    def test_masks(self):
        paths = self.trace(GASNET_TRACEMASK="A")
        text = self.report("--text", *paths)
        self.assertEqual(text.count("gasnet_AMRequestMedium begins"), RANKS * 7)
        self.assertNotIn("gasnet_put", text)

    def test_nodes(self):
        paths = self.trace(GASNET_TRACENODES="0,2")
        self.assertEqual(
            [os.path.basename(path) for path in paths], ["trace.0", "trace.2"]
        )

    def test_a_directory_that_does_not_exist(self):
        missing = os.path.join(self.directory, "missing", "trace.%")
        paths = self.trace_to(missing)
        self.assertEqual(paths, [])
        self.assertRegex(self.errors, "GASNET_TRACEFILE: .*missing/trace.0")

    def trace_to(self, path):
        ran = subprocess.run(
            [program("GASNETRUN"), "-n", "1", program("TRACED")],
            env=dict(os.environ, GASNET_CONDUIT="smp", GASNET_TRACEFILE=path),
            capture_output=True,
            text=True,
            check=True,
        )
        self.errors = ran.stderr
        return os.listdir(self.directory)


if __name__ == "__main__":
    unittest.main()
