"""Describes the state of processes that have not ended in time."""

import contextlib
import os

TICKS = os.sysconf("SC_CLK_TCK")


def _read(*path):
    with contextlib.suppress(OSError):
        with open(os.path.join("/proc", *path), "rb") as file:
            return file.read().decode(errors="replace")
    return ""


def _stat(*path):
    """Returns the fields of a stat file after the name: state, parent, ..."""
    return _read(*path, "stat").rpartition(") ")[2].split()


def with_descendants(root):
    """Returns the process ids of `root` and of its descendants. Omits a descendant if a
    process between the two has ended."""
    parents = {}
    for entry in os.listdir("/proc"):
        stat = _stat(entry) if entry.isdigit() else []
        if stat:
            parents[int(entry)] = int(stat[1])
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def _thread(pid, thread):
    stat = _stat(pid, "task", thread)
    if not stat:
        return []
    name = _read(pid, "task", thread, "comm").strip()
    seconds = (int(stat[11]) + int(stat[12])) / TICKS
    waits_in = _read(pid, "task", thread, "wchan") or "?"
    call = _read(pid, "task", thread, "syscall").split(" ")[0].strip() or "?"
    return [
        f"  {thread} {name}: {stat[0]}, {seconds:.2f} s of processor, "
        f"in {waits_in}, system call {call}"
    ]


def describe(pids):
    """Returns lines that list each process with its threads: their states, their
    processor time, and the place in the kernel where they wait."""
    lines = [f"load: {_read('loadavg').strip()}"]
    for pid in map(str, pids):
        command = _read(pid, "cmdline").replace("\0", " ").strip()
        lines.append(f"process {pid}: {command or '(gone)'}")
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                lines += _thread(pid, thread)
    return lines
