"""Tests of a hostile host, which repeats and forges datagrams of a job under its ranks'
addresses: the job goes on unharmed."""

import contextlib
import os
import subprocess
import sys
import unittest

import launched
import on_hosts

TRAFFIC = launched.program("TRAFFIC")
REPLAYER = os.path.abspath(os.environ["REPLAYER"])


@unittest.skipIf(on_hosts.REASON, on_hosts.REASON)
class HostileHostTest(on_hosts.TestOnHosts):
    names = ("hostA", "hostB", "hostile")

    @contextlib.contextmanager
    def replayer(self):
        hostile = str(self.network.hosts["hostile"].holder.pid)
        # The hostile host hears all packets that pass the port of host A.
        with subprocess.Popen(
                self.network.here.command(
                    *(sys.executable, REPLAYER, "hostA", hostile),
                    *("10.0.0.2", "10.0.0.3")),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            self.assertEqual(process.stdout.readline(), b"listening\n")
            try:
                yield process
            finally:
                process.stdin.close()

    def datagrams(self, host, what):
        """Returns how many datagrams the host's kernel has counted as `what`."""
        table = subprocess.run(
            self.network.hosts[host].command("cat", "/proc/net/snmp"),
            stdout=subprocess.PIPE, text=True, check=True).stdout
        names, numbers = (line.split() for line in table.splitlines()
                          if line.startswith("Udp:"))
        return int(numbers[names.index(what)])

    def check_unharmed(self, **env):
        with self.replayer() as replayer:
            with self.start_job(TRAFFIC, "wait", stdin=subprocess.PIPE,
                                GASNET_UDP_OFFLOAD="0", **env) as job:
                job.read_until(b"ready\n")
                job.process.stdin.write(b"go\n")
                job.process.stdin.flush()
                self.assertEqual(job.finish(), 0, job.err)
                self.assertEqual((job.out, job.err), (b"ready\nall answered\n", b""))
            replayer.stdin.close()
            sent = int(replayer.stdout.readline())
        # The hostile host has heard most of the traffic, and reached the ranks.
        self.assertGreater(sent, 1000)
        self.assertGreater(self.datagrams("hostA", "InDatagrams"),
                           self.datagrams("hostB", "OutDatagrams"))
        self.nothing_left()

    def test_replayed_and_forged(self):
        self.check_unharmed()
        self.check_unharmed(GASNET_UDP_ENCRYPT="1")


if __name__ == "__main__":
    launched.main()
