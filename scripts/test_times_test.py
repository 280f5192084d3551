"""Tests of test_times.py."""

import json
import unittest

import test_times


def result(label, millis, **more):
    return json.dumps({
        "id": {"testResult": {"label": label}},
        "testResult": {"testAttemptDurationMillis": str(millis), **more},
    })


def metrics(millis):
    timing = {"wallTimeInMs": str(millis)}
    return json.dumps({"buildMetrics": {"timingMetrics": timing}})


class TestTimesTest(unittest.TestCase):
    def test_adds_up_what_ran(self):
        run = test_times.run_of_events("plain", [
            result("//a:b", 1000),
            result("//a:b", 500),  # a second shard or attempt
            result("//a:c", 9000, cachedLocally=True),
            result("//a:d", 9000, executionInfo={"cachedRemotely": True}),
            metrics(120_000),
        ])
        self.assertEqual(run.wall, 120)
        self.assertEqual(run.tests, {"//a:b": 1.5})

    def test_prints_each_configuration_and_the_slowest_tests(self):
        many = {f"//a:t{i}": float(i) for i in range(10)}
        lines = test_times.report([
            test_times.Run("plain", 90.0, many),
            test_times.Run("tsan", 30.0, {"//a:slow": 60.0}),
        ])
        self.assertEqual(lines[0], "time: plain: 1.5 min; 10 tests ran, "
                                   "0.8 min if one by one")
        self.assertEqual(lines[1], "time: tsan: 0.5 min; 1 tests ran, "
                                   "1.0 min if one by one")
        self.assertEqual(lines[2], "    60 s: //a:slow (tsan)")
        self.assertEqual(lines[3], "    9 s: //a:t9 (plain)")
        self.assertEqual(len(lines), 2 + test_times.SLOWEST)


if __name__ == "__main__":
    unittest.main()
