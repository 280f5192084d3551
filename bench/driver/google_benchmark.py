"""Samples from the report of a Google Benchmark program.

Its benchmarks are named OPERATION/BYTES/ours and OPERATION/BYTES/limit; the n-th
repetition of one is compared with the n-th of the other.
"""

import json

# The name of the limit, and the aim, for each operation.
LIMITS = {
    "put to oneself, constant size": ("a loop of stores and fences", 1.2),
    "put to oneself, non-blocking, constant size": ("a loop of stores", 1.2),
    "get from oneself, constant size": ("a loop of loads", 1.2),
    "put to oneself": ("memcpy", None),
    "Short to oneself and its reply": ("two calls", None),
    "Medium to oneself": ("memcpy and a call", None),
}


def _times(report):
    """Returns name -> nanoseconds of each repetition."""
    times = {}
    # The benchmarks run, and are reported, in random order.
    for entry in sorted(report["benchmarks"],
                        key=lambda entry: entry["family_index"]):
        if entry["run_type"] == "iteration":
            times.setdefault(entry["run_name"], []).append(entry["real_time"])
    return times


def parse(text, mode):
    times = _times(json.loads(text))
    samples = []
    for name, values in times.items():
        operation, size, who = name.split("/")[:3]
        if who != "ours":
            continue
        limits = times.get(f"{operation}/{size}/limit", [None] * len(values))
        for value, limit in zip(values, limits):
            sample = {"operation": operation, "size": int(size), "mode": mode,
                      "who": "ours", "unit": "ns", "value": value}
            if limit is not None:
                limit_name, aim = LIMITS[operation]
                sample.update(limit_name=limit_name, limit=limit, aim=aim)
            samples.append(sample)
    return samples


def options(effort, only):
    return [
        "--benchmark_format=json",
        f"--benchmark_repetitions={effort.repetitions}",
        f"--benchmark_min_time={effort.milliseconds / 1000}",
        "--benchmark_enable_random_interleaving=true",
    ] + ([f"--benchmark_filter={only}"] if only else [])
