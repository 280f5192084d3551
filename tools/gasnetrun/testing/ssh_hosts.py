"""Separate hosts on this machine. Each is a network namespace with an ssh server, and a
bridge joins them. Needs root.

Only the processes that hold the namespaces keep them. Once these processes are killed,
nothing is left.
"""

import os
import pwd
import shutil
import signal
import subprocess
import time

# The file that bash reads before it runs ssh's command.
SHELL_START = os.path.join(pwd.getpwuid(os.geteuid()).pw_dir, ".bashrc")

TOOLS = ("ip", "nsenter", "ssh", "ssh-keygen", "unshare", "/usr/sbin/sshd")

# The names of the server's processes. Since OpenSSH 9.8 each session runs another
# program.
SERVER_NAMES = (b"sshd:", b"sshd-session:")

SERVER_CONFIG = """
HostKey {directory}/host_key
AuthorizedKeysFile {directory}/key.pub
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PidFile none
MaxStartups 100
"""

CLIENT_CONFIG = """
IdentityFile {directory}/key
IdentitiesOnly yes
UserKnownHostsFile {directory}/known_hosts
GlobalKnownHostsFile none
StrictHostKeyChecking yes
HashKnownHosts no
"""


def why_not():
    """Returns the reason why no such hosts are possible here, or nothing."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    if os.geteuid() != 0:
        return "network namespaces and ssh servers need root"
    tried = subprocess.run(
        ["unshare", "--net", "--mount", "--uts", "true"],
        capture_output=True,
        check=False,
    )
    if tried.returncode != 0:
        return f"no namespaces: {tried.stderr.decode().strip()}"
    return ""


def _write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Namespace:
    """A namespace, held by a process; commands run in it."""

    def __init__(self, name):
        self.name = name
        # The script reports that it has started, and waits.
        script = 'mount -t tmpfs none /run && mkdir /run/sshd && hostname "$0"'
        script += " && echo there && exec sleep infinity"
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "sh", "-c", script, name],
            stdout=subprocess.PIPE,
        )
        if self.holder.stdout.readline() != b"there\n":
            raise RuntimeError(f"cannot make a namespace for {name}")
        self.run("ip", "link", "set", "lo", "up")
        # Hides the start file of shells, which may take long on this machine, and may
        # take a lock that outlives a killed shell.
        self.run("sh", "-c", '[ ! -e "$0" ] || mount --bind /dev/null "$0"', SHELL_START)

    def command(self, *command):
        target = str(self.holder.pid)
        return ["nsenter", "-t", target, "-n", "-m", "-u", *command]

    def run(self, *command):
        subprocess.run(self.command(*command), check=True)

    def pids(self):
        """Returns all processes there except the holder."""
        mine = os.stat(f"/proc/{self.holder.pid}/ns/net").st_ino
        found = []
        for entry in os.listdir("/proc"):
            try:
                there = os.stat(f"/proc/{entry}/ns/net").st_ino
            except OSError:
                continue
            if there == mine and entry.isdigit() and int(entry) != self.holder.pid:
                found.append(int(entry))
        return found

    def kill_all(self):
        """Kills all processes there, like a power failure."""
        while pids := self.pids():
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            # A zombie stays until its parent, possibly this process, reaps it.
            if all(_is_zombie(pid) for pid in pids):
                return

    def close(self):
        self.kill_all()
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()


def _is_zombie(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(") ")[2][0] in "ZX"
    except OSError:
        return True


class Network:
    """The network. Launchers run on `here`; `hosts`, by name, have ssh servers.

    with_dead_network: the hosts also have interfaces (dead0) in 10.1.0.0/24, which
    precede the working network. They are up with a carrier, but nothing arrives.
    """

    def __init__(self, directory, names, with_dead_network=False):
        self.directory = directory
        self.here = Namespace("launcher")
        self.hosts = {}
        self.servers = []
        self.here.run("ip", "link", "add", "bridge", "type", "bridge")
        self.here.run("ip", "link", "set", "bridge", "up")
        self.here.run("ip", "addr", "add", "10.0.0.1/24", "dev", "bridge")
        self.with_dead_network = with_dead_network
        if with_dead_network:
            self._add_dead_interface_here()
        self._write_keys()
        for number, name in enumerate(names, 2):
            self._add(name, f"10.0.0.{number}")

    def _path(self, name):
        return os.path.join(self.directory, name)

    def _write_keys(self):
        for key in ("host_key", "key", "stranger"):
            subprocess.run(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self._path(key)],
                check=True,
            )
        _write(self._path("sshd_config"), SERVER_CONFIG.format(directory=self.directory))
        _write(self._path("ssh_config"), CLIENT_CONFIG.format(directory=self.directory))

    def _add_dead_interface_here(self):
        self.here.run(*"ip link add dead0 type veth peer name nobody".split())
        self.here.run("ip", "addr", "add", "10.1.0.1/24", "dev", "dead0")
        for end in ("dead0", "nobody"):
            self.here.run("ip", "link", "set", end, "up")

    def _add_dead_interface(self, host, address):
        port = f"dead-{host.name}"
        self.here.run(
            *("ip", "link", "add", port, "type", "veth", "peer", "name", "dead0"),
            *("netns", str(host.holder.pid)),
        )
        # The other end never answers.
        self.here.run("ip", "link", "set", port, "arp", "off", "up")
        host.run("ip", "addr", "add", f"{address}/24", "dev", "dead0")
        host.run("ip", "link", "set", "dead0", "up")

    def _add(self, name, address):
        host = self.hosts[name] = Namespace(name)
        if self.with_dead_network:
            self._add_dead_interface(host, address.replace("10.0", "10.1"))
        self.here.run(
            *("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0"),
            *("netns", str(host.holder.pid)),
        )
        self.here.run("ip", "link", "set", name, "master", "bridge", "up")
        host.run("ip", "addr", "add", f"{address}/24", "dev", "eth0")
        host.run("ip", "link", "set", "eth0", "up")
        with open(self._path("host_key.pub"), encoding="utf-8") as public:
            key = public.read()
        with open(self._path("known_hosts"), "a", encoding="utf-8") as known:
            known.write(f"{name} {key}")
        with open(self._path("ssh_config"), "a", encoding="utf-8") as config:
            config.write(f"Host {name}\nHostName {address}\nHostKeyAlias {name}\n")
        self._serve(host)

    def add_ipv6(self):
        """Gives all hosts IPv6 addresses too. ssh uses those for a host's name with -v6
        after it."""
        self._add_ipv6_to(self.here, 1, "bridge")
        for number, host in enumerate(self.hosts.values(), 2):
            self._add_ipv6_to(host, number, "eth0")
            with open(self._path("ssh_config"), "a", encoding="utf-8") as config:
                config.write(f"Host {host.name}-v6\nHostName fd00::{number}\n"
                             f"HostKeyAlias {host.name}\n")

    @staticmethod
    def _add_ipv6_to(host, number, device):
        address = f"fd00::{number}/64"
        host.run("ip", "addr", "add", address, "dev", device, "nodad")

    def _serve(self, host):
        config = self._path("sshd_config")
        server = subprocess.Popen(
            host.command("/usr/sbin/sshd", "-D", "-e", "-f", config),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.servers.append(server)
        while b"listening on 0.0.0.0" not in (line := server.stderr.readline()):
            if not line:
                raise RuntimeError(f"no ssh server on {host.name}")

    def link(self, name, state):
        """Cuts the link of a host (down) or restores it (up)."""
        self.here.run("ip", "link", "set", name, state)

    def sessions(self, name):
        """Returns the processes of the host's ssh server that serve a connection."""
        return [pid for pid in self.hosts[name].pids()
                if _words(pid).startswith(SERVER_NAMES) and b"listener" not in _words(pid)]

    def ssh_options(self):
        return f"-F {self._path('ssh_config')}"

    def await_nothing_left(self, patience):
        """Waits for this many seconds at most until no process is left on the hosts.
        Returns those that are left."""
        give_up = time.monotonic() + patience
        while (left := self.left()) and time.monotonic() < give_up:
            os.sched_yield()
        return left

    def left(self):
        """Returns the hosts' processes that are no ssh servers."""
        return [
            (name, pid, words)
            for name, host in self.hosts.items()
            for pid in host.pids()
            if (words := _words(pid)) and not words.startswith(SERVER_NAMES)
            and b"/usr/sbin/sshd" not in words
        ]

    def close(self):
        for host in self.hosts.values():
            host.close()
        self.here.close()
        for server in self.servers:
            server.wait()
            server.stderr.close()


def _words(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as cmdline:
            return cmdline.read().replace(b"\0", b" ")
    except OSError:
        return b""


