"""Tests gasnetrun --stats: the table and the picture of statistics that the ranks send,
on one host and on several."""

import os
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import launched
import several_hosts
from several_hosts import GASNETRUN, PROBE

SVG = "{http://www.w3.org/2000/svg}"
# Each rank has sent 1 KiB for itself and each rank before it to the next one, and has
# waited for a tenth of its second for each of them (job/testing/sample_statistics.h).
ALL_OF_THREE = """\
time in GASNet: 30.0 %; waiting there: 20.0 %
call                             calls      bytes mean time   of time   waiting
gasnet_put                          12    6.0 KiB   75.0 ms    30.0 %    66.7 %
waited for                       waits            mean time   of time
barrier                              6               100 ms    20.0 %
busiest pairs               operations      bytes
rank 2 with rank 0                   4    3.0 KiB
rank 1 with rank 2                   4    2.0 KiB
rank 0 with rank 1                   4    1.0 KiB
all pairs                           12    6.0 KiB
handlers run: 30
waiting by rank: least 10.0 % (rank 0), mean 20.0 %, most 30.0 % (rank 2)
"""
REPORTED = r"^GASNet statistics: {} ranks, {} reported{}; wall time [\d.]+ (ms|s)$"
HOSTS = ((), ("-H", "localhost,hostB"), ("-H", "hostA,hostB,hostC"))


def run(*actions, ranks=3, options=("--stats",), hosts=(), **rest):
    command = [GASNETRUN, "-n", str(ranks), *hosts, *options, PROBE, *actions]
    env = several_hosts.environment(**rest.pop("env", {}))
    return launched.run(command, env=env, **rest)


class TableTest(unittest.TestCase):
    def test_the_table_is_the_last_on_standard_error(self):
        for hosts in HOSTS:
            with self.subTest(hosts=hosts):
                job = run("print-error=said", "statistics", "barrier", hosts=hosts)
                self.assertEqual((job.code, job.out), (0, b""))
                text = job.err.decode()
                self.assertTrue(text.startswith("said\n" * 3), text)
                header, table = text.removeprefix("said\n" * 3).split("\n", 1)
                self.assertRegex(header, REPORTED.format(3, 3, ""))
                self.assertEqual(table, ALL_OF_THREE)

    def test_ranks_that_die_before_they_report_are_missing(self):
        for hosts in HOSTS:
            with self.subTest(hosts=hosts):
                job = run("1:kill=9", "statistics", "wait", hosts=hosts)
                self.assertEqual(job.code, 128 + 9)
                header = REPORTED.format(3, "[012]", r", \d missing")
                self.assertRegex(job.err.decode(), r"(?m)" + header)
                self.assertNotIn(b"rank 1 with rank 2", job.err)

    def test_some_are_missing(self):
        for hosts in HOSTS:
            with self.subTest(hosts=hosts):
                job = run("!1:statistics", "barrier", "exit=4", hosts=hosts)
                self.assertEqual(job.code, 4)
                header = REPORTED.format(3, 2, ", 1 missing")
                self.assertRegex(job.err.decode(), r"(?m)" + header)
                self.assertIn(b"(rank 0), mean 20.0 %, most 30.0 % (rank 2)", job.err)

    def test_a_rank_that_died_after_its_report_has_reported(self):
        job = run("statistics", "barrier", "1:kill=11", "wait")
        self.assertRegex(job.err.decode(), r"(?m)" + REPORTED.format(3, 3, ""))
        self.assertTrue(job.err.decode().endswith(ALL_OF_THREE))

    def test_hosts_that_are_reached_through_others(self):
        hosts = ",".join(f"h{number}" for number in range(7))
        env = {"GASNET_SSH_OUT_DEGREE": "2", **several_hosts.IN_THEIR_TIME}
        job = run("statistics", "barrier", ranks=7, hosts=("-H", hosts), env=env)
        self.assertRegex(job.err.decode(), r"(?m)" + REPORTED.format(7, 7, ""))

    def test_the_largest_statistics_arrive(self):
        for hosts in HOSTS:
            with self.subTest(hosts=hosts):
                job = run("statistics=large", "barrier", hosts=hosts)
                text = job.err.decode()
                self.assertRegex(text, REPORTED.format(3, 3, "").replace("$", r"\n"))
                self.assertRegex(text, r"\npairs that are not known +20700 +0 B\n")
                self.assertRegex(text, r"\nall pairs +60012 +6.0 KiB\n")

    def test_a_program_without_statistics(self):
        job = run("barrier")
        self.assertRegex(job.err.decode(), REPORTED.format(3, 0, ", 3 missing"))


class WishTest(unittest.TestCase):
    """The ranks send statistics only if the launcher wants them."""

    def test_the_ranks_are_told(self):
        for hosts in HOSTS:
            job = run("0:env=GASNETRUN_STATISTICS", "barrier", hosts=hosts)
            self.assertEqual(job.out, b"'1'\n")

    def test_without_the_option_they_are_told_nothing(self):
        job = run(
            "statistics",
            "0:env=GASNETRUN_STATISTICS",
            "barrier",
            options=["-E", "GASNETRUN_STATISTICS=1"],
            env={"GASNETRUN_STATISTICS": "1"},
        )
        self.assertEqual((job.code, job.out, job.err), (0, b"(unset)\n", b""))

    def test_without_gasnetrun_they_are_ignored(self):
        env = {"GASNETRUN_STATISTICS": "1"}
        for nodes in ("1", "3"):
            command = [PROBE, "statistics", "barrier"]
            job = launched.run(command, env={**env, "GASNET_PSHM_NODES": nodes})
            self.assertEqual((job.code, job.out, job.err), (0, b"", b""))


class PictureTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def picture(self, *actions, **options):
        """Returns the root of the picture that a job has written."""
        option = ["--stats=picture.svg"]
        job = run(*actions, options=option, cwd=self.directory, **options)
        self.assertIn(b"GASNet statistics: ", job.err)
        path = os.path.join(self.directory, "picture.svg")
        root = ElementTree.parse(path).getroot()
        self.assertEqual(root.tag, SVG + "svg")
        return root

    def titles(self, root, css_class):
        return [
            rect.find(SVG + "title").text
            for rect in root.iter(SVG + "rect")
            if rect.get("class") == css_class and rect.find(SVG + "title") is not None
        ]

    def test_cells_and_bars(self):
        for hosts in HOSTS:
            with self.subTest(hosts=hosts):
                root = self.picture("!2:statistics", "barrier", hosts=hosts)
                self.assertEqual(
                    self.titles(root, "cell"),
                    [
                        "rank 0 with rank 1: 4 operations, 1.0 KiB",
                        "rank 1 with rank 2: 4 operations, 2.0 KiB",
                    ],
                )
                self.assertEqual(
                    self.titles(root, "waiting"),
                    [
                        "rank 0: computing 80.0 %, in GASNet 10.0 %, waiting 10.0 %",
                        "rank 1: computing 70.0 %, in GASNet 10.0 %, waiting 20.0 %",
                    ],
                )
                self.assertEqual(
                    self.titles(root, "missing"), ["rank 2: has not reported"]
                )

    def test_many_ranks_are_grouped_by_host(self):
        hosts = ("-H", "localhost:33,hostB:33")
        root = self.picture(
            "!3:statistics",
            "barrier",
            ranks=66,
            hosts=hosts,
            env=several_hosts.IN_THEIR_TIME,
        )
        cells = self.titles(root, "cell")
        self.assertEqual(len(cells), 4)
        self.assertIn(" with host hostB: 4 operations, 33.0 KiB", cells[1])
        self.assertTrue(cells[2].startswith("host hostB with "), cells)
        self.assertIn("(32 of 33 ranks have reported)", self.titles(root, "working")[0])

    def test_a_picture_that_cannot_be_written_is_told(self):
        for path, reason in (
            ("/no/such/file.svg", b"No such file or directory"),
            ("/dev/full", b"No space left on device"),
            (self.directory, b"Is a directory"),
        ):
            job = run("statistics", "barrier", "exit=3", options=[f"--stats={path}"])
            self.assertEqual(job.code, 3)
            text = f"gasnetrun: error: --stats: cannot write '{path}': ".encode()
            self.assertIn(ALL_OF_THREE.encode() + text + reason, job.err)


if __name__ == "__main__":
    launched.main()
