"""Tests the driver on fixed input: merging, medians, table, chart, and parsing."""

import json
import unittest
import xml.dom.minidom

import bench
import busy
import chart
import collectives
import google_benchmark
import groups
import loss
import memory
import programs
import ucx
from figures import figures, meets_aim
from scale import LogScale
from table import format_size, format_value, table


def ours(operation, value, limit=None, size=8, mode="seq", **more):
    made = {"operation": operation, "size": size, "mode": mode, "who": "ours",
            "unit": "ns", "value": value, "group": "pair", **more}
    if limit is not None:
        made.update(limit_name="B", limit=limit)
    return made


def peer(operation, value, size=8, who="MPI"):
    return {"operation": operation, "size": size, "mode": "", "who": who,
            "unit": "ns", "value": value, "group": "pair"}


class CollectivesTest(unittest.TestCase):
    def test_means_are_geometric_of_each_number_of_ranks(self):
        two, four = "scan, in a loop, 2 ranks", "scan, in a loop, 4 ranks"
        other = "gather, after a barrier, 2 ranks"
        lines = list(collectives.means(figures([
            ours(two, 1), peer(two, 2, who="Open MPI"),
            ours(other, 8), peer(other, 4, who="Open MPI"),
            ours(four, 6), peer(four, 10, who="Open MPI"),
            ours("put", 1), peer("put", 9, who="Open MPI"),
        ])))
        self.assertEqual(lines, [
            "mean of 2 collectives, 2 ranks: 1.00 of Open MPI, aim <= 0.75: NO; "
            "worst row 2.00",
            "mean of 1 collectives, 4 ranks: 0.60 of Open MPI, aim <= 0.7: yes; "
            "worst row 0.60",
        ])


class FiguresTest(unittest.TestCase):
    def test_median_least_and_greatest_of_all_samples(self):
        (figure,) = figures([ours("put", v) for v in (5, 1, 3, 9, 4)])
        self.assertEqual(figure.ours, (4, 1, 9))

    def test_ratio_is_of_pairs_not_of_medians(self):
        pairs = ((10, 1), (20, 20), (60, 30))
        (figure,) = figures([ours("put", v, limit) for v, limit in pairs])
        self.assertEqual(figure.limit.ratio, (2, 1, 10))
        self.assertEqual(figure.limit.value.median, 20)

    def test_modes_and_sizes_are_figures_of_their_own_in_order(self):
        found = figures([ours("b", 1), ours("a", 1), ours("b", 1, mode="par"),
                         ours("b", 1, size=16), ours("b", 2)])
        self.assertEqual([(f.operation, f.size, f.mode) for f in found],
                         [("b", 8, "seq"), ("a", 8, "seq"), ("b", 8, "par"),
                          ("b", 16, "seq")])

    def test_peer_stands_beside_every_mode_of_its_operation_and_size(self):
        found = figures([ours("put", 2), ours("put", 4, mode="par"),
                         ours("put", 1, size=16), peer("put", 8),
                         peer("unknown", 1)])
        self.assertEqual([[p.ratio for p in f.peers] for f in found],
                         [[0.25], [0.5], []])

    def test_aim_is_for_the_ratio_or_without_a_limit_for_the_value(self):
        found = figures([ours("a", 12, 10, aim=1.25), ours("b", 13, 10, aim=1.25),
                         ours("c", 0.5, aim=1), ours("d", 3)])
        self.assertEqual([meets_aim(f) for f in found],
                         [True, False, True, None])


class TableTest(unittest.TestCase):
    def test_line_shows_everything(self):
        samples = [ours("put", v, limit=100, aim=1.25)
                   for v in (110, 120, 150)]
        heading, line = table(figures(samples + [peer("put", 480)]))
        self.assertIn("ours/limit", heading)
        self.assertEqual(line.split(), [
            "put", "8", "B", "seq", "B", "100", "ns", "120", "ns", "1.20",
            "1.10..1.50", "<=", "1.25", "yes", "MPI", "480", "ns", "0.25"])

    def test_every_peer_after_the_first_has_a_line(self):
        samples = [ours("put", 1), peer("put", 2), peer("put", 4, who="UCX")]
        lines = list(table(figures(samples)))
        self.assertEqual(len(lines), 3)
        self.assertEqual(lines[2].split(), ["UCX", "4.00", "ns", "0.25"])

    def test_missed_aim_stands_out(self):
        (_, line) = table(figures([ours("put", 3, limit=1, aim=2)]))
        self.assertIn("NO", line.split())

    def test_units(self):
        values = (0.5, 42.4, 9999, 12345, 1234567, 2.5e9)
        self.assertEqual([format_value(v, "ns") for v in values],
                         ["0.50 ns", "42 ns", "9999 ns", "12.3 us", "1.2 ms",
                          "2.5 s"])
        self.assertEqual(format_value(0.04321, "%"), "0.0432 %")
        self.assertEqual([format_size(n) for n in (0, 8, 4096, 4 << 20, 1025)],
                         ["", "8 B", "4 KiB", "4 MiB", "1025 B"])

    def test_sweeps_are_left_to_the_charts_unless_alone(self):
        sweep = {**ours("put", 1, size=16), "group": "sweep"}
        self.assertEqual(bench.tabled([ours("put", 1), sweep]),
                         [ours("put", 1)])
        self.assertEqual(bench.tabled([sweep]), [sweep])


class ChartTest(unittest.TestCase):
    SIZES = (8, 64, 512, 4096, 32768)

    def test_curves_of_ours_the_limit_and_peers(self):
        samples = [{**ours("put", 2 * n, n, size=n), "limit_name": "memcpy"}
                   for n in self.SIZES]
        samples += [peer("put", 4 * n, size=n) for n in self.SIZES]
        samples += [ours("barrier", 5, size=0)]
        samples += [ours("single", 5, size=n) for n in (8, 64)]
        lines = chart.curves(figures(samples))
        self.assertEqual([line.name for line in lines],
                         ["put", "memcpy for put", "MPI: put"])
        self.assertEqual(lines[0].points, [(n, 2 * n) for n in self.SIZES])

    def test_bandwidth_counts_both_ways_of_a_round_trip(self):
        one = chart.Line("put", "", [(100, 50)])
        both = chart.Line("Long there and back", "", [(100, 50)])
        self.assertEqual(chart.bandwidth(one).points, [(100, 2)])
        self.assertEqual(chart.bandwidth(both).points, [(100, 4)])

    def test_picture_is_well_formed_and_has_every_point_in_both_charts(self):
        samples = [ours("put & get", n, size=n) for n in self.SIZES]
        picture = xml.dom.minidom.parseString(chart.svg(figures(samples)))
        circles = picture.getElementsByTagName("circle")
        self.assertEqual(len(circles), 2 * len(self.SIZES))
        x = [float(circle.getAttribute("cx")) for circle in circles[:5]]
        y = [float(circle.getAttribute("cy")) for circle in circles[:5]]
        self.assertEqual(x, sorted(x))
        self.assertEqual(y, sorted(y, reverse=True))

    def test_picture_of_nothing_says_so(self):
        self.assertIn("No operation", chart.svg([]))

    def test_scale_begins_and_ends_at_powers(self):
        scale = LogScale([8, 4 << 20], 2, 0, 190)
        self.assertAlmostEqual(scale(8), 0)
        self.assertAlmostEqual(scale(16), 10)
        self.assertAlmostEqual(scale(4 << 20), 190)
        self.assertEqual(LogScale([20, 3000], 10, 0, 1).ticks(),
                         [10, 100, 1000, 10000])


class ParsingTest(unittest.TestCase):
    def test_samples_among_other_output(self):
        self.assertEqual(programs.parse_samples('hello\n{"value": 1}\n\n'),
                         [{"value": 1}])

    def test_google_benchmark_pairs_repetitions(self):
        def entry(name, family, value, kind="iteration"):
            return {"run_name": name, "run_type": kind, "real_time": value,
                    "family_index": family}

        text = json.dumps({"benchmarks": [
            entry("put to oneself/8/limit", 1, 10),
            entry("put to oneself/8/ours", 0, 11),
            entry("put to oneself/8/limit", 1, 20),
            entry("put to oneself/8/ours", 0, 21),
            entry("put to oneself/8/ours", 0, 16, kind="aggregate"),
            entry("Short/0/ours", 2, 50),
        ]})
        found = google_benchmark.parse(text, "par")
        self.assertEqual([(s["operation"], s["size"], s["value"],
                           s.get("limit")) for s in found],
                         [("put to oneself", 8, 11, 10),
                          ("put to oneself", 8, 21, 20),
                          ("Short", 0, 50, None)])

    def test_ucx_lines(self):
        tests = (ucx.Test("Short", 0, "ucp_am_lat", 8, 10, ucx.THERE_AND_BACK),)
        text = "test,iterations\n0,10,0.3,0.5,0.5,1,1,1,1\nx,1\n"
        (sample,) = ucx.parse(text, tests)
        self.assertEqual((sample["operation"], sample["who"], sample["value"]),
                         ("Short", "UCX am_lat", 1000))
        self.assertEqual(ucx.batch(tests, 2).count("-t ucp_am_lat -s 8"), 2)

    def test_proportional_memory(self):
        rollup = "Rss:      900 kB\nPss:      123 kB\nPss_Anon:  7 kB\n"
        self.assertEqual(memory.proportional_kibibytes(rollup), 123)


class GroupsTest(unittest.TestCase):
    EFFORT = programs.Effort(2, 3, 5, 150)

    def test_part_of_a_name_chooses(self):
        self.assertEqual(list(groups.chosen("startup")), ["startup"])
        self.assertEqual(groups.chosen(""), groups.GROUPS)
        self.assertEqual(groups.chosen("nothing of the kind"), {})

    def test_steps_alternate_and_a_broken_one_is_left_out(self):
        ran = []

        def step(name, error=None):
            def run(_):
                ran.append(name)
                if error:
                    raise error
                return [{"value": name}]
            return run

        steps = [step("ours"), step("absent", programs.Skipped("install it")),
                 step("broken", programs.Failed("crashed")), step("peer")]
        skipped, failed = [], []
        launcher = programs.Launcher("bin", self.EFFORT, "")
        samples = groups.measure("pair", steps, launcher, skipped, failed)
        self.assertEqual(ran, ["ours", "absent", "broken", "peer", "ours",
                               "peer"])
        self.assertEqual(samples[0], {"value": "ours", "group": "pair"})
        self.assertEqual((skipped, failed), (["install it"], ["crashed"]))

    def test_loss_is_compared_with_none(self):
        class Launched:
            def __init__(self):
                self.faults = []

            def ranks(self, _, __, env):
                lost = env.get("GASNET_UDP_FAULTS")
                self.faults.append(lost)
                return [ours("bulk", 14 if lost else 10),
                        ours("tail", 5, limit=20)]

        launched = Launched()
        samples = loss.loss(launched, "program", {"A": "1"})
        self.assertEqual(launched.faults, [None, "drop=1", "drop=5"])
        found = figures(samples)
        self.assertEqual([(f.operation, f.limit.value.median, meets_aim(f))
                          for f in found],
                         [("bulk, 1 % lost", 10, True),
                          ("tail, 1 % lost", 20, True),
                          ("bulk, 5 % lost", 10, True),
                          ("tail, 5 % lost", 20, None)])

    def test_busy_starts_are_compared_with_quiet_ones_and_with_bare_loops(self):
        class Launched:
            effort, only = self.EFFORT, "network"
            starts = 0

            def with_milliseconds(self, _):
                return self

            def ranks(self, program, count, cpus, env, bound):
                assert (program, count, cpus, bound) == (
                    "bench/ranks/udp_busy_seq", 2, [0], False)
                assert env == {"GASNET_SUPERNODE_MAXSIZE": "1"}
                self.starts += 1
                return [ours("x", 5 if self.starts % busy.STARTS else 9)]

            def bare(self, _, __):
                name = "Short round trip, busy, network"
                return [peer("Short round trip, busy", 1, who="other"),
                        peer(name, 7, who="a"), peer(name, 3, who="b")]

        found = figures(busy.busy(Launched(), [0]))
        self.assertEqual(
            [(f.operation.split(": ")[1], f.ours.median, f.limit.name,
              f.limit.value.median, f.aim) for f in found],
            [("beside 0, median of 10", 5, "b", 3, None),
             ("beside 0, worst of 10", 9, "b", 3, None),
             ("beside 1, median of 10", 5, "beside 0, median", 5, 3),
             ("beside 1, worst of 10", 9, "beside 0, median", 5, 3),
             ("beside 2, median of 10", 5, "b", 3, 2),
             ("beside 2, worst of 10", 9, "b", 3, 2)])
        self.assertEqual([p.name for p in found[0].peers], ["a", "b"])

    def test_who_computes_is_ended_in_any_case(self):
        with self.assertRaises(ZeroDivisionError):
            with busy.computing(2, programs.available_cpus()) as others:
                self.assertEqual([other.poll() for other in others],
                                 [None, None])
                raise ZeroDivisionError
        self.assertEqual([other.returncode for other in others], [-9, -9])

    def test_bad_arguments_are_refused(self):
        for arguments in (["nonsense", "--bin=x"], ["--bin=x", "--slow"], []):
            with self.assertRaises(SystemExit) as refused:
                bench.parse_arguments(arguments)
            self.assertEqual(refused.exception.code, 2)

    def test_program_that_fails_says_why(self):
        with self.assertRaisesRegex(programs.Failed, "code 3.*because"):
            programs.run(["sh", "-c", "echo because >&2; exit 3"])
        with self.assertRaisesRegex(programs.Failed, "cannot start"):
            programs.run(["./no such program"])


if __name__ == "__main__":
    unittest.main()
