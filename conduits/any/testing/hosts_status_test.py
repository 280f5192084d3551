"""Tests of a job on two hosts, one of which is cut off. Over every network the launcher
names the ranks there as those that hold up the others."""

import signal
import subprocess
import unittest

import launched
import on_hosts

HANGS = launched.program("HANGS")
LAST = on_hosts.RANKS - 1


@unittest.skipIf(on_hosts.REASON, on_hosts.REASON)
class HostsStatusTest(on_hosts.TestOnHosts):
    def check(self, conduit):
        with self.start_job(
                HANGS, "late", stdin=subprocess.PIPE, GASNET_CONDUIT=conduit,
                GASNET_STALL_REPORT="3") as job:
            job.read_until(b"ready\n")
            self.network.link("hostB", "down")
            job.process.stdin.write(b"\n")
            job.process.stdin.flush()
            job.read_until(b"not answered", "err")
            job.kill(signal.SIGINT)
            job.finish()
            self.network.link("hostB", "up")
        self.assertRegex(
            job.err.decode(),
            rf"gasnetrun: rank 0 .* waited .* for room to send to rank {LAST}; "
            rf"rank {LAST} .* is on a host that has not answered")

    def test_udp(self):
        self.check("udp")

    def test_ofi(self):
        self.check("ofi")

    def test_portals(self):
        self.check("portals")


if __name__ == "__main__":
    launched.main()
