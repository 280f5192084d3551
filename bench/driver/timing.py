"""Samples of whole programs, measured by the driver itself."""

import time

from programs import run


def nanoseconds(command, cpus=None):
    """Returns the time from the start of a command to its end."""
    start = time.monotonic_ns()
    run(command, cpus)
    return time.monotonic_ns() - start


def sample(operation, unit, value, limit_name, limit, aim=None):
    """Returns a sample of our own library, in the form that benchmark programs print."""
    made = {
        "operation": operation, "size": 0, "mode": "seq", "who": "ours",
        "unit": unit, "value": value, "limit_name": limit_name, "limit": limit,
    }
    return made if aim is None else {**made, "aim": aim}
