"""Reads the addresses of a process's UDP sockets."""

import os
import re


def of_process(pid):
    """Returns the address and port of each socket, from the kernel's table."""
    sockets = set()
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            match = re.fullmatch(r"socket:\[(\d+)\]",
                                 os.readlink(f"/proc/{pid}/fd/{fd}"))
        except OSError:
            continue
        if match:
            sockets.add(match.group(1))
    bound = []
    with open("/proc/net/udp", encoding="ascii") as table:
        for line in table.readlines()[1:]:
            fields = line.split()
            if fields[9] in sockets:
                bound.append(fields[1].split(":"))
    return bound
