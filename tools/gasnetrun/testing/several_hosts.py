"""Starts jobs on hosts that are all this machine. A program in place of ssh runs the
agents here, and makes the faults happen."""

import os

import launched

GASNETRUN = launched.program("GASNETRUN")
PROBE = launched.program("PROBE")
FAKE_SSH = launched.program("FAKE_SSH_PROGRAM")
HOSTS = "hostA,hostB"
RANKS = 4
# A tree of this many hosts has several levels.
MANY = int(os.environ.get("MANY_HOSTS", "0"))
# This many ranks on one machine need time to end.
IN_THEIR_TIME = {"GASNET_EXITTIMEOUT": "100"}
AGENT = (b"gasnetrun", b"--agent")


def environment(wrong="", **more):
    return {"GASNET_SSH_CMD": FAKE_SSH, "FAKE_SSH": wrong, **more}


def tree_environment(degree, wrong="", **more):
    return environment(wrong, GASNET_SSH_OUT_DEGREE=str(degree), **more)


def tree_of(count, degree, wrong="", variables=None, **options):
    """Returns the options of a job with a rank on each of the hosts h0, h1, ..."""
    return {
        "ranks": count,
        "hosts": ",".join(f"h{number}" for number in range(count)),
        "env": tree_environment(degree, wrong, **(variables or {})),
        **options,
    }


def job(*actions, ranks=RANKS, hosts=HOSTS, options=(), env=None, **rest):
    command = [GASNETRUN, "-n", str(ranks), "-H", hosts, *options, PROBE, *actions]
    return launched.Job(command, env=env or environment(), **rest)


def run(*actions, **options):
    with job(*actions, **options) as started:
        started.code = started.finish()
    return started
