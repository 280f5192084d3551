"""Support for tests of jobs on hosts that are network namespaces."""

import os
import tempfile
import unittest

import launched
import ssh_hosts

GASNETRUN = launched.program("GASNETRUN")
REASON = ssh_hosts.why_not()
RANKS = 4


class TestOnHosts(unittest.TestCase):
    names = ("hostA", "hostB")
    with_dead_network = False

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        # sshd requires that only trusted users can write to the directory of its keys.
        os.chmod(directory.name, 0o755)
        self.network = ssh_hosts.Network(
            directory.name, self.names, self.with_dead_network)
        self.addCleanup(self.network.close)

    def on_each_host(self, *command):
        """Runs the command on each host; {} in it becomes the host's number."""
        for number, host in enumerate(self.network.hosts.values(), 1):
            host.run(*(word.format(number) for word in command))

    def add_interfaces_that_lead_nowhere(self):
        """Adds the same bridge on every host, like container software, and a different
        network on each host."""
        self.on_each_host("ip", "link", "add", "docker0", "type", "veth", "peer",
                          "name", "container0")
        self.on_each_host("ip", "addr", "add", "172.17.0.1/16", "dev", "docker0")
        self.on_each_host("ip", "addr", "add", "10.77.{}.1/24", "dev", "docker0")
        self.on_each_host("ip", "link", "set", "docker0", "up")
        self.on_each_host("ip", "link", "set", "container0", "up")

    def start_job(self, *program, hosts="hostA,hostB", stdin=None, **env):
        env["GASNET_SSH_OPTIONS"] = self.network.ssh_options()
        # A process that enters a namespace loses its working directory.
        command = self.network.here.command(
            *("sh", "-c", 'cd / && exec "$@"', "sh"),
            *(GASNETRUN, "-n", str(RANKS), "-H", hosts, *program),
        )
        options = {} if stdin is None else {"stdin": stdin}
        return launched.Job(command, env=env, **options)

    def run_job(self, *program, **options):
        with self.start_job(*program, **options) as job:
            job.code = job.finish()
        self.nothing_left()
        return job

    def nothing_left(self):
        self.assertEqual(self.network.await_nothing_left(launched.PATIENCE), [])


class TestOfTraffic(TestOnHosts):
    """Tests with traffic.c, a program in which all ranks send to all."""

    def check_job(self, **options):
        job = self.run_job(launched.program("TRAFFIC"), **options)
        self.assertEqual((job.code, job.out, job.err), (0, b"all answered\n", b""))


class TestOfDeadNetwork(TestOfTraffic):
    """Tests on hosts in two networks, the first of which carries nothing."""

    with_dead_network = True

    def test_the_living_one_is_found(self):
        self.check_job()

    def test_the_launchers_host_has_ranks_too(self):
        self.check_job(hosts="localhost,hostB")
        self.check_job(hosts="hostB,localhost")
