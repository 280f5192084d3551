"""Tests that strangers that send to the sockets of a job neither stop nor harm it.

They are processes of the same host that know every port of the job, but not its
key: they send empty datagrams, short ones, garbage, and datagrams that look like
packets.
"""

import os
import random
import socket
import subprocess
import threading
import unittest

import udp_sockets

SEED = int(os.environ.get("STRANGERS_SEED") or "1")
NODES = 3
LOOPBACK = "0100007F"
PATIENCE = 50  # seconds after which the job counts as hung


def ranks_of(launcher, program):
    """Returns the ids of the launcher's children that run the program."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8") as stat:
                parent = int(stat.read().rpartition(") ")[2].split()[1])
            if (parent == launcher
                    and os.path.samefile(f"/proc/{entry}/exe", program)):
                found.append(int(entry))
        except OSError:
            pass  # it has ended, or belongs to another user
    return found


def datagrams(generator):
    """Returns the datagrams that a stranger sends in one turn."""
    def noise(size):
        return generator.getrandbits(8 * size).to_bytes(size, "little")

    # A packet of rank 0 to rank 1 except for its tag: counter, ranks, lane, sequence
    # number 1, acknowledging everything, and no records.
    header = (noise(16) + (1).to_bytes(8, "little") + bytes([0, 0, 1, 0])
              + bytes(4) + (1).to_bytes(8, "little") + b"\xff" * 32)
    return [b"", noise(1), header[:71], header, header + noise(24), noise(1472),
            noise(40000)]


class Stranger(threading.Thread):
    """Sends to a port until the test stops it."""

    def __init__(self, port, seed):
        super().__init__(daemon=True)
        self._port = port
        self._generator = random.Random(seed)
        self._stopped = threading.Event()
        self.sent = 0

    def run(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            while not self._stopped.is_set():
                for datagram in datagrams(self._generator):
                    sender.sendto(datagram, ("127.0.0.1", self._port))
                    self.sent += 1
                self._stopped.wait(0.001)

    def stop(self):
        self._stopped.set()
        self.join()


class StrangersTest(unittest.TestCase):
    def test_job_goes_on(self):
        program = os.path.abspath(os.environ["TRAFFIC"])
        job = subprocess.Popen(
            [os.path.abspath(os.environ["GASNETRUN"]), "-n", str(NODES),
             "-E", "GASNET_SUPERNODE_MAXSIZE=1", "--timeout", str(PATIENCE),
             program, "wait"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(job.kill)
        self.assertEqual(job.stdout.readline(), "ready\n")
        bound = [place for pid in ranks_of(job.pid, program)
                 for place in udp_sockets.of_process(pid)]
        # Strangers on interfaces other than the chosen one reach no rank.
        self.assertEqual([address for address, _ in bound], [LOOPBACK] * NODES)
        ports = [int(port, 16) for _, port in bound]
        strangers = [Stranger(port, SEED + i) for i, port in enumerate(ports)]
        for stranger in strangers:
            stranger.start()
        output, _ = job.communicate("go\n")
        for stranger in strangers:
            stranger.stop()
        self.assertEqual((job.returncode, output), (0, "all answered\n"),
                         f"STRANGERS_SEED={SEED}")
        for stranger in strangers:
            self.assertGreater(stranger.sent, 0)


if __name__ == "__main__":
    unittest.main()
