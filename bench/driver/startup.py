"""The time from the launcher's start to its exit."""

from timing import nanoseconds, sample

# The most that a start over libfabric should take, relative to bare processes.
FABRIC_AIM = 1.1

SHELL = "i=0; while [ $i -lt {count} ]; do /bin/true & i=$((i+1)); done; wait"
AIM = 5


def hello(launcher, count):
    """Compares hello with a shell that starts as many processes and waits."""
    operation = f"hello with {count} ranks"
    if launcher.only not in operation:
        return []
    shell = ["sh", "-c", SHELL.format(count=count)]
    ours = [launcher.gasnetrun, "-n", str(count), launcher.path("examples/hello")]
    samples = []
    for _ in range(launcher.effort.repetitions):
        limit = nanoseconds(shell)
        samples.append(sample(operation, "ns", nanoseconds(ours),
                              "a shell, as many true", limit, AIM))
    return samples


def fabric(launcher, count, env):
    """Compares ranks that are connected only by libfabric with as many bare
    processes."""
    operation = f"start of {count} ranks, libfabric"
    if launcher.only not in operation:
        return []
    bare = [launcher.path("bench/peers/fabric_start"), str(count)]
    variables = [f"--env={name}={value}" for name, value in env.items()]
    ours = [launcher.gasnetrun, "-n", str(count), *variables,
            launcher.path("bench/ranks/ofi_resident_seq")]
    samples = []
    for _ in range(launcher.effort.repetitions):
        limit = nanoseconds(bare)
        samples.append(sample(operation, "ns", nanoseconds(ours),
                              "as many bare endpoints", limit, FABRIC_AIM))
    return samples
