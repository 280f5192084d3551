"""The times of `bazel test` runs.

usage: test_times.py collect CONFIGURATION EVENTS >>TIMES
       test_times.py report TIMES

EVENTS is the file of --build_event_json_file. `report` prints the duration of each
configuration with the total time of the tests that ran in it, and the slowest tests of
all configurations.
"""

import collections
import json
import sys

SLOWEST = 5

Run = collections.namedtuple("Run", "configuration wall tests")


def _seconds(millis):
    return int(millis) / 1000


def _was_cached(result):
    execution = result.get("executionInfo", {})
    return result.get("cachedLocally") or execution.get("cachedRemotely")


def run_of_events(configuration, lines):
    """Returns the duration of Bazel, and that of each test that it ran, by label."""
    wall, tests = 0, collections.Counter()
    for line in lines:
        event = json.loads(line)
        result = event.get("testResult")
        if result and not _was_cached(result):
            label = event["id"]["testResult"]["label"]
            tests[label] += _seconds(result.get("testAttemptDurationMillis", 0))
        timing = event.get("buildMetrics", {}).get("timingMetrics", {})
        wall += _seconds(timing.get("wallTimeInMs", 0))
    return Run(configuration, wall, dict(tests))


def _minutes(seconds):
    return f"{seconds / 60:.1f} min"


def report(runs):
    lines = []
    for run in runs:
        tests = sum(run.tests.values())
        lines.append(
            f"time: {run.configuration}: {_minutes(run.wall)}; "
            f"{len(run.tests)} tests ran, {_minutes(tests)} if one by one"
        )
    slow = [
        (seconds, label, run.configuration)
        for run in runs for label, seconds in run.tests.items()
    ]
    for seconds, label, configuration in sorted(slow, reverse=True)[:SLOWEST]:
        lines.append(f"    {seconds:.0f} s: {label} ({configuration})")
    return lines


def main(arguments):
    if arguments[:1] == ["collect"] and len(arguments) == 3:
        with open(arguments[2], encoding="utf-8") as lines:
            print(json.dumps(run_of_events(arguments[1], lines)))
        return 0
    if arguments[:1] == ["report"] and len(arguments) == 2:
        with open(arguments[1], encoding="utf-8") as lines:
            print("\n".join(report([Run(*json.loads(line)) for line in lines])))
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
