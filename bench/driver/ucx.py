"""UCX's own ucx_perftest, between two processes over shared memory.

Both sides read the same batch of tests, which has each test once per repetition.
`am_lat` reports the time of one way: a round trip takes twice that.
"""

import collections
import os
import shutil
import socket
import subprocess
import tempfile
import time

from programs import (
    TIMEOUT_SECONDS, Failed, Skipped, available_cpus, run
)

# A row of our table (`operation` of `size` bytes) and UCX's test for it: its name,
# bytes, iterations, and the factor from its latency (us) to our nanoseconds.
Test = collections.namedtuple("Test", "operation size test bytes rounds factor")
THERE_AND_BACK, EACH = 2000, 1000

PAIR = (
    Test("Short request and reply", 0, "ucp_am_lat", 8, 20000, THERE_AND_BACK),
    Test("Medium there and back", 512, "ucp_am_lat", 512, 20000,
         THERE_AND_BACK),
    Test("flood of Mediums, each", 8, "ucp_am_bw", 8, 50000, EACH),
    Test("flood of Shorts, each", 0, "ucp_am_bw", 8, 50000, EACH),
    Test("put", 64 << 10, "ucp_put_bw", 64 << 10, 2000, EACH),
    Test("put", 4 << 20, "ucp_put_bw", 4 << 20, 50, EACH),
)
SWEEP = tuple(
    Test("Long there and back", size, "ucp_am_lat", size,
         max(20, min(5000, (16 << 20) // size)), THERE_AND_BACK)
    for size in (8 << shift for shift in range(0, 20, 3))
)
ENVIRONMENT = {"UCX_TLS": "shm,self", "UCX_LOG_LEVEL": "error"}


def batch(tests, repetitions):
    """Returns the batch file's text. Each line begins with a name, which is printed."""
    return "".join(
        f"{i} -t {test.test} -s {test.bytes} -n {test.rounds} "
        f"-w {test.rounds // 10}\n"
        for _ in range(repetitions) for i, test in enumerate(tests)
    )


def parse(text, tests):
    """Returns samples from the lines NAME,ITERATIONS,PERCENTILE,AVERAGE,...."""
    samples = []
    for line in text.splitlines():
        cells = line.split(",")
        if len(cells) < 4 or not cells[0].isdigit():
            continue
        test = tests[int(cells[0])]
        samples.append({
            "operation": test.operation, "size": test.size, "mode": "",
            "who": "UCX " + test.test.removeprefix("ucp_"), "unit": "ns",
            "value": float(cells[3]) * test.factor,
        })
    return samples


def _free_port():
    with socket.socket() as sock:
        sock.bind(("localhost", 0))
        return sock.getsockname()[1]


def _client(command, server):
    """Returns the client's output. Retries until the server listens."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while True:
        try:
            return run(command, env=ENVIRONMENT)
        except Failed:
            if server.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _run_batch(path):
    cpus = available_cpus()
    common = ["ucx_perftest", "-p", str(_free_port()), "-b", path, "-f", "-v"]
    server = subprocess.Popen(
        [*common, "-c", str(cpus[-1])], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, **ENVIRONMENT},
    )
    try:
        return _client([*common, "-c", str(cpus[0]), "localhost"], server)
    finally:
        server.kill()
        server.wait()


def ucx(launcher, tests):
    if not shutil.which("ucx_perftest"):
        raise Skipped("UCX: not installed: apt-get install ucx-utils")
    if len(available_cpus()) < 2:
        raise Skipped("UCX: needs two processors")
    tests = [test for test in tests if launcher.only in test.operation]
    with tempfile.NamedTemporaryFile("w", suffix=".batch") as out:
        out.write(batch(tests, launcher.effort.repetitions))
        out.flush()
        try:
            return parse(_run_batch(out.name), tests) if tests else []
        except Failed as failure:
            raise Skipped(f"UCX: {failure}") from None
