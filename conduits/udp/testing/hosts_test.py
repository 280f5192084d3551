"""Jobs on several hosts, as network namespaces: the right addresses are found,
of either family, and messages arrive."""

import os
import signal
import tempfile
import unittest

import launched
import ssh_hosts

GASNETRUN = launched.program("GASNETRUN")
TRAFFIC = launched.program("TRAFFIC")
REASON = ssh_hosts.why_not()
RANKS = 4


class OnHosts(unittest.TestCase):
    with_dead_network = False

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        # sshd wants to be sure who can write where it reads keys.
        os.chmod(directory.name, 0o755)
        self.network = ssh_hosts.Network(
            directory.name, ["hostA", "hostB"], self.with_dead_network)
        self.addCleanup(self.network.close)

    def on_each_host(self, *command):
        """Runs the command; {} in it becomes the host's number."""
        for number, host in enumerate(self.network.hosts.values(), 1):
            host.run(*(word.format(number) for word in command))

    def start_job(self, hosts="hostA,hostB", **env):
        env["GASNET_SSH_OPTIONS"] = self.network.ssh_options()
        # Entering a namespace leads out of the working directory.
        command = self.network.here.command(
            *("sh", "-c", 'cd / && exec "$@"', "sh"),
            *(GASNETRUN, "-n", str(RANKS), "-H", hosts, TRAFFIC),
        )
        return launched.Job(command, env=env)

    def run_job(self, **options):
        with self.start_job(**options) as job:
            job.code = job.finish()
        self.assertEqual(self.network.left(), [])
        return job

    def check_job(self, **options):
        job = self.run_job(**options)
        self.assertEqual((job.code, job.out, job.err),
                         (0, b"all answered\n", b""))


@unittest.skipIf(REASON, REASON)
class HostsTest(OnHosts):

    def test_traffic(self):
        self.check_job()
        self.check_job(GASNET_SUPERNODE_MAXSIZE="1")
        self.check_job(GASNET_UDP_ENCRYPT="1", GASNET_UDP_OFFLOAD="0")
        self.check_job(
            GASNET_UDP_FAULTS="drop=5,duplicate=2,reorder=10,corrupt=1")

    def test_interfaces_that_lead_nowhere(self):
        # The same bridge on every host, as container software makes it, and a
        # network that each host has to itself.
        self.on_each_host("ip", "link", "add", "docker0", "type", "bridge")
        self.on_each_host("ip", "addr", "add", "172.17.0.1/16", "dev", "docker0")
        self.on_each_host("ip", "addr", "add", "10.77.{}.1/24", "dev", "docker0")
        self.on_each_host("ip", "link", "set", "docker0", "up")
        self.check_job()

    def test_ipv6(self):
        self.on_each_host("ip", "addr", "add", "fd00::{}/64", "dev", "eth0",
                          "nodad")
        self.check_job(GASNET_WORKERIP="fd00::/64")
        self.check_job(GASNET_MASTERIP="fd00::1")
        self.on_each_host("ip", "addr", "add", "fd01::{}/64", "dev", "eth0",
                          "nodad")
        self.check_job(GASNET_WORKERIP="fd01::/64")

    def test_an_address_that_is_not_there(self):
        job = self.run_job(GASNET_WORKERIP="192.0.2.0/24")
        self.assertNotEqual(job.code, 0)
        self.assertIn(b"GASNET_WORKERIP is '192.0.2.0/24': host 0 (hostA) has no such "
                      b"IPv4 address; it has lo 127.0.0.1/8, eth0 10.0.0.2/24",
                      job.err)


@unittest.skipIf(REASON, REASON)
class DeadNetworkTest(OnHosts):
    """All hosts are in two networks, and nothing arrives by the first."""

    with_dead_network = True

    def test_the_living_one_is_found(self):
        self.check_job()

    def test_the_launchers_host_has_ranks_too(self):
        self.check_job(hosts="localhost,hostB")
        self.check_job(hosts="hostB,localhost")

    def test_where_nothing_arrives_both_ends_are_named(self):
        with self.start_job(GASNET_WORKERIP="dead0",
                            GASNET_UDP_SILENCE_NOTICE="0.5") as job:
            job.read_until(b"the job goes on\n", stream="err")
            job.kill(signal.SIGTERM)
            self.assertEqual(job.finish(), 128 + signal.SIGTERM)
        self.assertRegex(
            job.err, rb"nothing has ever come from rank \d on host host[AB] "
            rb"\(10\.1\.0\.[23]\), and for 0\.\d s no answer to what host "
            rb"host[AB] \(10\.1\.0\.[23]\) sends")
        self.assertEqual(self.network.left(), [])


if __name__ == "__main__":
    launched.main()
