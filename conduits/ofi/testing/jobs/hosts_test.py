"""Tests of jobs over libfabric on several hosts, which are network namespaces: the
job finds the interface that connects the hosts, for either address family. It reports
ranks that chose different providers, and a network that carries nothing."""

import os
import signal
import unittest

import launched
import on_hosts

SOAK = launched.program("SOAK")
STRICT = launched.program("STRICT")
TRAFFIC = launched.program("TRAFFIC")
WORK = launched.program("WORK")
REASON = on_hosts.REASON


@unittest.skipIf(REASON, REASON)
class HostsTest(on_hosts.TestOfTraffic):
    def test_traffic(self):
        self.check_job()
        self.check_job(GASNET_SUPERNODE_MAXSIZE="1")
        self.check_job(GASNET_OFI_WAIT="naps")

    def test_interfaces_that_lead_nowhere(self):
        self.add_interfaces_that_lead_nowhere()
        self.check_job()

    def test_everything_at_once(self):
        self.add_interfaces_that_lead_nowhere()
        job = self.run_job(SOAK, "300")
        self.assertEqual((job.code, job.err), (0, b""))

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

    def test_a_provider_that_one_host_alone_has(self):
        # libfabric offers no other provider there.
        other = "ip addr | grep -q 10.0.0.2/24 || export FI_PROVIDER=net; exec $0"
        job = self.run_job("sh", "-c", other, TRAFFIC)
        self.assertEqual((job.code, job.out), (1, b""))
        (line,) = job.err.splitlines()
        self.assertRegex(
            line,
            rb"\(rank 2, hostB, .*: gasnet_init: libfabric has no provider that "
            rb"can carry this job: .*net on eth0: taken only if "
            rb"GASNET_OFI_PROVIDER names it.*; rank 0 and 1 more: tcp;ofi_rxm of "
            rb"libfabric [0-9.]+; rank 2 and 1 more: none$",
        )

    def test_hosts_whose_providers_take_different_messages(self):
        smaller = "ip addr | grep -q 10.0.0.2/24 || export GASNET_STRICT=most=4096"
        job = self.run_job(
            *("sh", "-c", smaller + '; exec "$0"', TRAFFIC),
            FI_PROVIDER_PATH=os.path.dirname(STRICT),
            GASNET_OFI_PROVIDER="strict",
        )
        self.assertEqual((job.code, job.out), (1, b""))
        (line,) = job.err.splitlines()
        self.assertRegex(
            line,
            rb"\(rank 0, hostA, .*: gasnet_init: the ranks of this job use "
            rb"different providers of libfabric, or providers that take different "
            rb"messages "
            rb"\(rank 0 and 1 more: \S*strict of libfabric [0-9.]+; rank 2 and 1 "
            rb"more: \S*strict of libfabric [0-9.]+\); GASNET_OFI_PROVIDER names "
            rb"one for all$",
        )


@unittest.skipIf(REASON, REASON)
class FirewallTest(on_hosts.TestOnHosts):
    with_dead_network = True

    def test_a_first_put_that_does_not_pass_is_told(self):
        with self.start_job(
            WORK,
            "first",
            GASNET_WORKERIP="10.1.0.0/24",
            GASNET_STALL_REPORT="2",
        ) as job:
            job.read_until(b" for a put of 64 bytes to rank 3, on host ", "err")
            job.kill(signal.SIGTERM)
            self.assertEqual(job.finish(), 128 + signal.SIGTERM, job.err)
        self.nothing_left()


@unittest.skipIf(REASON, REASON)
class DeadNetworkTest(on_hosts.TestOfDeadNetwork):
    pass


if __name__ == "__main__":
    launched.main()
