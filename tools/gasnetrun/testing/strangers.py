"""Strangers that connect to a job while it starts: silent ones, ones that stall in the
middle of a first message, ones that send a large one without a proof, and one that
connects without end."""

import os
import socket
import struct
import threading
import time

import launched

OF_EACH_KIND = 200
# The longest possible MEMBER, without a valid proof.
LARGE = (
    b"GJ" + struct.pack("<HII", 30, 1 << 18, 3) + b"no proof at all!"
).ljust(1 << 18, b"x")


def _listening():
    """Returns the ports on which this host listens, by the number of their socket."""
    ports = {}
    for table in ("tcp", "tcp6"):
        with open(f"/proc/net/{table}", encoding="ascii") as lines:
            for line in list(lines)[1:]:
                words = line.split()
                if words[3] == "0A":
                    ports[words[9]] = int(words[1].rpartition(":")[2], 16)
    return ports


def _sockets(pid):
    numbers = []
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            target = os.readlink(f"/proc/{pid}/fd/{name}")
            if target.startswith("socket:["):
                numbers.append(target[len("socket:[") : -1])
    except OSError:
        pass
    return numbers


def await_port(job, program):
    """Returns the port on which one of a job's processes of this program listens."""
    give_up = time.monotonic() + launched.PATIENCE
    while time.monotonic() < give_up:
        ports = _listening()
        for pid in job.find(program):
            for number in _sockets(pid):
                if number in ports:
                    return ports[number]
        os.sched_yield()
    raise AssertionError("no process listens")


class Crowd:
    """A crowd of strangers. It is a context, and they stay until its end."""

    def __init__(self, port):
        self._port = port
        self._ended = threading.Event()
        self._restless = threading.Thread(target=self._come_and_go)
        self._sockets = []

    def __enter__(self):
        for kind in (b"", LARGE[:7], LARGE):
            self._sockets += [self._connect(kind) for _ in range(OF_EACH_KIND)]
        self._restless.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._restless.join()
        for stream in self._sockets:
            stream.close()

    def _connect(self, message):
        stream = socket.create_connection(("127.0.0.1", self._port))
        stream.setblocking(False)
        if message:
            stream.send(message)
        return stream

    def _come_and_go(self):
        while not self._ended.is_set():
            try:
                self._connect(LARGE).close()
            except OSError:
                if self._ended.wait(0.001):
                    return
