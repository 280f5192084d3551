#!/usr/bin/python3
"""Takes the place of ssh: runs the command on this host, in a session of its
own, and carries its input and output as ssh would, so that killing or stopping
this process cuts or freezes the connection.

FAKE_SSH names what goes wrong, and where: "hostB=refuse,hostC=banner".
"""

import os
import re
import signal
import subprocess
import sys
import threading


def fail(message):
    sys.stderr.write(message + "\n")
    sys.exit(255)


def mode_of(host):
    wrong = os.environ.get("FAKE_SSH", "")
    return dict(entry.split("=") for entry in wrong.split(",") if entry).get(host, "")


def carry(source, sink):
    """Until the end, which is passed on."""
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


def begin(host, mode, options):
    """What happens before there is a connection."""
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


def main():
    *options, host, command = sys.argv[1:]
    mode = mode_of(host)
    begin(host, mode, options)
    if mode == "missing":
        command = re.sub(r"\S*/gasnetrun\b", "/no-such/gasnetrun", command, count=1)
    if mode == "garbage":
        command = "printf '\\n=gasnetrun-agent=\\nthis is no frame'; cat"
    if mode == "version":
        command = (
            r"printf '\n=gasnetrun-agent=\nGJ\7\0\10\0\0\0\143\0\0\0\1\0\0\0'; cat"
        )
    child = subprocess.Popen(
        ["sh", "-c", command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "FAKE_HOST": host},
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
