"""From the launcher's start to its exit."""

from timing import nanoseconds, sample

SHELL = "i=0; while [ $i -lt {count} ]; do /bin/true & i=$((i+1)); done; wait"
AIM = 5


def hello(launcher, count):
    """hello against a shell that starts as many processes and waits."""
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
