"""Tests of jobs over Portals on several hosts, which are network namespaces: the job
finds the right addresses, of either family, and all operations of Portals arrive,
however bad the network is. The report on a host that cannot be reached names the
cause."""

import unittest

import launched
import on_hosts

SOAK = launched.program("SOAK")
TRAFFIC = launched.program("TRAFFIC")
REASON = on_hosts.REASON


@unittest.skipIf(REASON, REASON)
class HostsTest(on_hosts.TestOfTraffic):
    def test_traffic(self):
        self.check_job()
        self.check_job(GASNET_SUPERNODE_MAXSIZE="1")
        self.check_job(GASNET_SUPERNODE_MAXSIZE="1", PORTALS4_TRANSPORT="datagram")

    def test_a_bad_network(self):
        self.check_job(
            PORTALS4_DATAGRAM_FAULTS="drop=5,duplicate=2,reorder=10,corrupt=1")

    def test_everything_at_once(self):
        self.add_interfaces_that_lead_nowhere()
        job = self.run_job(SOAK, "300")
        self.assertEqual((job.code, job.err), (0, b""))

    def test_a_host_that_takes_only_small_datagrams(self):
        self.network.hosts["hostB"].run("ip", "link", "set", "eth0", "mtu", "1300")
        self.check_job()

    def test_ipv6(self):
        self.on_each_host("ip", "addr", "add", "fd00::{}/64", "dev", "eth0", "nodad")
        self.check_job(GASNET_WORKERIP="fd00::/64")

    def test_an_address_that_is_not_there(self):
        job = self.run_job(TRAFFIC, GASNET_WORKERIP="192.0.2.0/24")
        self.assertNotEqual(job.code, 0)
        self.assertIn(
            b"GASNET_WORKERIP is '192.0.2.0/24': host 0 (hostA) has no such IPv4 "
            b"address; it has lo 127.0.0.1/8, eth0 10.0.0.2/24",
            job.err,
        )

    def test_without_datagrams_the_rank_that_is_not_reached_is_told(self):
        job = self.run_job(TRAFFIC, PORTALS4_TRANSPORT="memory")
        self.assertNotEqual(job.code, 0)
        self.assertRegex(
            job.err,
            rb"Portals 4: a (request|vote in a barrier) to rank \d failed: "
            rb"undeliverable")


@unittest.skipIf(REASON, REASON)
class DeadNetworkTest(on_hosts.TestOfDeadNetwork):
    pass


if __name__ == "__main__":
    launched.main()
