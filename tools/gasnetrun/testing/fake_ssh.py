#!/usr/bin/python3
"""Replaces ssh. Runs the command on this host, in a session of its own, and forwards
its input and output as ssh would. So killing or stopping this process cuts or freezes
the connection.

FAKE_SSH names the faults, and their hosts: "hostB=refuse,hostC=banner". The fault of
"onward" applies to every host when this is called on another host. FAKE_PATH is the
PATH on all hosts.
"""

import os
import re
import signal
import struct
import subprocess
import sys
import threading


def fail(message):
    sys.stderr.write(message + "\n")
    sys.exit(255)


def mode_of(host):
    wrong = os.environ.get("FAKE_SSH", "")
    modes = dict(entry.split("=") for entry in wrong.split(",") if entry)
    if "FAKE_HOST" in os.environ and "onward" in modes:
        return modes["onward"]
    return modes.get(host, "")


def carry(source, sink):
    """Forwards bytes up to the end, and then the end."""
    while True:
        try:
            data = os.read(source, 1 << 16)
            if not data:
                break
            while data:
                data = data[os.write(sink, data) :]
        except OSError:
            break
    os.close(sink)


def linger():
    """Keeps the connection open although the agent has closed it."""
    os.write(1, frames_of_agent(hello()))
    os.close(1)
    signal.pause()


def begin(host, mode, options):
    """Makes the faults that precede the connection."""
    if mode == "lingers":
        linger()
    if mode == "refuse":
        fail(f"ssh: connect to host {host} port 22: Connection refused")
    if mode == "password":
        if "BatchMode=yes" not in options:
            signal.pause()
        fail(f"{host}: Permission denied (publickey,password).")
    if mode == "hostkey":
        fail("Host key verification failed.")
    if mode == "hang":
        signal.pause()
    if mode == "banner":
        sys.stderr.write("Warning: this host is watched\n")
        os.write(1, b"Welcome!\n\0GJ=gasnetrun-agent\n")


def frames_of_agent(*frames):
    """Returns frames; each is a type and its bytes."""
    said = b"\n=gasnetrun-agent=\n"
    for kind, payload in frames:
        said += b"GJ" + struct.pack("<HI", kind, len(payload)) + payload
    return said


def agent_saying(*frames):
    """Returns a command that acts as an agent up to its HELLO, and then sends this."""
    octal = "".join(f"\\{byte:03o}" for byte in frames_of_agent(*frames))
    return f"printf '{octal}'; cat >/dev/null"


def hello(version=5):
    return 7, struct.pack("<II", version, 1)


def note(kind, rank, value=0, rest=b""):
    return kind, struct.pack("<II", rank, value) + rest


# False agents, for a host whose ranks are 2 and 3.
IMPOSTORS = {
    "garbage": "printf '\\n=gasnetrun-agent=\\nthis is no frame'; cat >/dev/null",
    "version": agent_saying(hello(version=99)),
    "no-hello": agent_saying(note(10, 2)),
    "second-hello": agent_saying(hello(), hello()),
    "foreign-rank": agent_saying(hello(), note(10, 0)),
    "no-rank": agent_saying(hello(), note(10, 4_000_000_000)),
    "not-started": agent_saying(hello(), note(11, 2)),
    "started-twice": agent_saying(hello(), note(10, 2), note(10, 2)),
    "not-joined": agent_saying(hello(), note(10, 2), note(13, 2)),
    "statistics": agent_saying(
        hello(), note(10, 2), note(11, 2, 1, b"probe"), note(46, 2)
    ),
    "after-the-end": agent_saying(hello(), note(10, 2), note(16, 2), note(16, 2)),
    "no-stream": agent_saying(hello(), note(10, 2), note(15, 2, 2, b"x")),
    "finished": agent_saying(hello(), note(28, 0)),
    "short": agent_saying(hello(), (10, b"abc")),
    "wrong-side": agent_saying(hello(), note(26, 0)),
    "too-long": agent_saying(hello(), (10, b"x" * 100)),
    "no-relay": agent_saying(hello(), note(35, 1, 0, b"x")),
    # False agents for a host through which host 2 is reached.
    "relay-of-nobody": agent_saying(hello(), note(35, 3, 0, b"x")),
    "relay-credit": agent_saying(hello(), note(36, 2, 1)),
    "relay-after-end": agent_saying(hello(), note(35, 2), note(35, 2, 0, b"x")),
    "relay-after-its-end": agent_saying(hello(), note(39, 2), note(38, 2, 0, b"x")),
    "relay-start": agent_saying(hello(), note(34, 2, 0, b"")),
}


def main():
    *options, host, command = sys.argv[1:]
    mode = mode_of(host)
    begin(host, mode, options)
    if mode == "missing":
        command = re.sub(r"\S*/gasnetrun\b", "/no-such/gasnetrun", command, count=1)
    command = IMPOSTORS.get(mode, command)
    child = subprocess.Popen(
        ["sh", "-c", command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={
            **os.environ,
            "FAKE_HOST": host,
            "PATH": os.environ.get("FAKE_PATH", os.environ["PATH"]),
        },
        start_new_session=True,
        close_fds=False,
    )
    out = os.dup(1)
    os.set_inheritable(out, False)
    os.close(1)
    pump = threading.Thread(
        target=carry, args=(0, child.stdin.fileno()), daemon=True
    )
    pump.start()
    carry(child.stdout.fileno(), out)
    code = child.wait()
    os._exit(code if code >= 0 else 255)


main()
