"""Tests of jobs on several hosts, which are network namespaces: the job finds the right
addresses, of either family, and messages arrive."""

import signal
import subprocess
import unittest

import launched
import on_hosts

TRAFFIC = launched.program("TRAFFIC")
REASON = on_hosts.REASON


@unittest.skipIf(REASON, REASON)
class HostsTest(on_hosts.TestOfTraffic):
    def test_traffic(self):
        self.check_job()
        self.check_job(GASNET_SUPERNODE_MAXSIZE="1")
        self.check_job(GASNET_UDP_ENCRYPT="1", GASNET_UDP_OFFLOAD="0")
        self.check_job(
            GASNET_UDP_FAULTS="drop=5,duplicate=2,reorder=10,corrupt=1")

    def test_interfaces_that_lead_nowhere(self):
        self.add_interfaces_that_lead_nowhere()
        self.check_job()

    def test_a_host_that_takes_only_small_datagrams(self):
        self.network.hosts["hostB"].run("ip", "link", "set", "eth0", "mtu", "1300")
        self.check_job()

    def test_a_path_that_drops_large_datagrams(self):
        # The bridge's ends keep their MTU of 1500 bytes, and drop larger packets
        # silently.
        self.on_each_host("ip", "link", "set", "eth0", "mtu", "9000")
        job = self.run_job(TRAFFIC, GASNET_SUPERNODE_MAXSIZE="1")
        self.assertEqual((job.code, job.out), (0, b"all answered\n"))
        for line in job.err.splitlines():
            self.assertRegex(
                line, rb"datagrams of 8960 bytes from host host[AB] "
                rb"\(10\.0\.0\.[23]\) do not reach rank \d on host host[AB] "
                rb"\(10\.0\.0\.[23]\), smaller ones do: .*; the job goes on")
        # One line for each far rank, and none for the neighbour on the same host.
        self.assertEqual(len(job.err.splitlines()), on_hosts.RANKS, job.err)

    def test_a_path_that_takes_less_in_mid_job(self):
        self.on_each_host("ip", "link", "set", "eth0", "mtu", "9000")
        # The ssh connection stays, since it uses the launcher's end, the bridge itself.
        self.network.here.run("ip", "link", "set", "bridge", "mtu", "1500")
        for name in self.network.hosts:
            self.network.here.run("ip", "link", "set", name, "mtu", "9000")
        # Offload is off, since packets that the kernel segments later would pass any
        # bridge.
        with self.start_job(TRAFFIC, "wait", stdin=subprocess.PIPE,
                            GASNET_SUPERNODE_MAXSIZE="1",
                            GASNET_UDP_OFFLOAD="0") as job:
            job.read_until(b"ready\n")
            for name in self.network.hosts:
                self.network.here.run("ip", "link", "set", name, "mtu", "1500")
            job.process.stdin.write(b"go\n")
            job.process.stdin.flush()
            self.assertEqual(job.finish(), 0, job.err)
        self.assertTrue(job.out.endswith(b"all answered\n"), job.out)
        for line in job.err.splitlines():
            self.assertIn(b" do not reach rank ", line)
        self.nothing_left()

    def test_a_link_that_comes_back(self):
        with self.start_job(TRAFFIC, "wait", stdin=subprocess.PIPE) as job:
            job.read_until(b"ready\n")
            self.network.link("hostB", "down")
            job.process.stdin.write(b"go\n")
            job.process.stdin.flush()
            self.network.link("hostB", "up")
            self.assertEqual((job.finish(), job.err), (0, b""))
        self.nothing_left()

    def test_ipv6(self):
        self.on_each_host("ip", "addr", "add", "fd00::{}/64", "dev", "eth0",
                          "nodad")
        self.check_job(GASNET_WORKERIP="fd00::/64")
        self.check_job(GASNET_MASTERIP="fd00::1")
        self.on_each_host("ip", "addr", "add", "fd01::{}/64", "dev", "eth0",
                          "nodad")
        self.check_job(GASNET_WORKERIP="fd01::/64")

    def test_an_address_that_is_not_there(self):
        job = self.run_job(TRAFFIC, GASNET_WORKERIP="192.0.2.0/24")
        self.assertNotEqual(job.code, 0)
        self.assertIn(b"GASNET_WORKERIP is '192.0.2.0/24': host 0 (hostA) has no such "
                      b"IPv4 address; it has lo 127.0.0.1/8, eth0 10.0.0.2/24",
                      job.err)

    def test_a_rank_without_a_socket(self):
        # The two ranks of this host have only one port.
        self.network.hosts["hostB"].run(
            *("sh", "-c"),
            "echo 40000 40000 >/proc/sys/net/ipv4/ip_local_port_range")
        job = self.run_job(TRAFFIC)
        self.assertEqual((job.code, job.out), (1, b""))
        (line,) = job.err.splitlines()
        self.assertRegex(line, rb"\(rank [23], .*: gasnet_init: binding a UDP socket "
                         rb"to 10\.0\.0\.3: Address already in use$")


@unittest.skipIf(REASON, REASON)
class DeadNetworkTest(on_hosts.TestOfDeadNetwork):
    def test_the_living_one_is_of_another_family(self):
        self.network.add_ipv6()
        for number, host in enumerate(self.network.hosts.values(), 2):
            host.run("ip", "addr", "del", f"10.0.0.{number}/24", "dev", "eth0")
        self.check_job(hosts="hostA-v6,hostB-v6")

    def test_where_silence_has_a_limit_both_ends_are_named(self):
        job = self.run_job(TRAFFIC, GASNET_WORKERIP="dead0",
                           GASNET_REQUESTTIMEOUT_MAX="300000")
        self.assertNotEqual(job.code, 0)
        self.assertRegex(
            job.err, rb"rank \d on host host[AB] \(10\.1\.0\.[23]\) has not answered "
            rb"for \d+\.\d+ s to packets of host host[AB] \(10\.1\.0\.[23]\); "
            rb"GASNET_REQUESTTIMEOUT_MAX allows 0\.300 s")

    def test_where_nothing_arrives_both_ends_are_named(self):
        with self.start_job(TRAFFIC, GASNET_WORKERIP="dead0",
                            GASNET_STALL_REPORT="2") as job:
            job.read_until(b"(GASNET_WORKERIP chooses", stream="err")
            job.kill(signal.SIGTERM)
            self.assertEqual(job.finish(), 128 + signal.SIGTERM)
        self.assertRegex(
            job.err, rb"the network of rank \d has waited for \d+\.\d s: no answer from "
            rb"host host[AB] \(10\.1\.0\.[23]\) to \d+ packets of host host[AB] "
            rb"\(10\.1\.0\.[23]\); nothing has ever come from it: does a firewall "
            rb"drop UDP\? \(GASNET_WORKERIP chooses other addresses\)")
        self.nothing_left()


if __name__ == "__main__":
    launched.main()
