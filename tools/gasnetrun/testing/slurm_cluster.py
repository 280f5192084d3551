"""A private Slurm on this machine: munged, slurmctld and a slurmd, with a directory,
keys and ports of its own. Needs root.

The daemons are children of the test; nothing else belongs to the cluster.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

TOOLS = (
    *("setpriv", "munged", "slurmctld", "slurmd"),
    *("srun", "salloc", "scancel", "squeue"),
)

# Makes a daemon end with the test, whatever ends the test.
DIES_WITH_US = ("setpriv", "--pdeathsig", "KILL")

# Seconds after which a daemon counts as missing.
PATIENCE = 50

# There are more CPUs than real ones, so that every job finds room.
CONFIGURATION = """
ClusterName=gasnet
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={directory}/munge/socket
CredType=cred/munge
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
SwitchType=switch/none
MpiDefault=pmi2
KillWait=5
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 Port={node_port} CPUs=64
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def _which(tool):
    """Finds a tool, also in directories that are only in root's PATH."""
    return shutil.which(tool, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def why_not():
    """Returns the reason why no such cluster is possible here, or nothing."""
    missing = [tool for tool in TOOLS if _which(tool) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    return "" if os.geteuid() == 0 else "Slurm's daemons need root"


def _free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    with contextlib.ExitStack() as stack:
        for one in sockets:
            stack.enter_context(one)
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Cluster:
    """A running cluster. close() shuts it down."""

    def __init__(self):
        # A socket's path must be short, and munged checks the permissions of its
        # directory.
        self.directory = tempfile.mkdtemp(prefix="slurm-", dir="/tmp")
        os.chmod(self.directory, 0o755)
        self.daemons = []
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self):
        for name in ("munge", "state", "spool"):
            os.mkdir(os.path.join(self.directory, name), 0o755)
        self._start_munged()
        controller_port, node_port = _free_ports(2)
        configuration = os.path.join(self.directory, "slurm.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(
                CONFIGURATION.format(
                    directory=self.directory,
                    host=socket.gethostname(),
                    controller_port=controller_port,
                    node_port=node_port,
                )
            )
        self.environment = {"SLURM_CONF": configuration}
        self._start_daemon("slurmctld", "Running as primary controller")
        self._start_daemon("slurmd", "slurmd started", "-N", "node")

    def _start_munged(self):
        directory = self.directory
        key = os.path.join(directory, "key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(128))
        path = os.path.join(directory, "munge", "socket")
        munged = subprocess.Popen(
            [
                *(*DIES_WITH_US, _which("munged"), "--foreground", "--force"),
                *(f"--socket={path}", f"--key-file={key}"),
                f"--pid-file={directory}/munged.pid",
                f"--seed-file={directory}/seed",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.daemons.append(munged)
        give_up = time.monotonic() + PATIENCE
        while not os.path.exists(path):
            if munged.poll() is not None or time.monotonic() > give_up:
                raise AssertionError("munged has not started")
            os.sched_yield()

    def _start_daemon(self, name, ready, *options):
        """Starts a daemon, and waits until it has logged that it is ready."""
        log = os.path.join(self.directory, name + ".log")
        with open(log, "wb") as file:
            daemon = subprocess.Popen(
                [
                    *(*DIES_WITH_US, _which(name), "-D", "-v", *options),
                    *("-f", self.environment["SLURM_CONF"]),
                ],
                stdout=subprocess.DEVNULL,
                stderr=file,
                env={**os.environ, **self.environment},
                start_new_session=True,
            )
        self.daemons.append(daemon)
        give_up = time.monotonic() + PATIENCE
        while True:
            with open(log, encoding="utf-8", errors="replace") as file:
                said = file.read()
            if ready in said:
                return
            if daemon.poll() is not None or time.monotonic() > give_up:
                raise AssertionError(f"{name} has not started: {said}")
            os.sched_yield()

    def run(self, *command):
        """Returns the output of one of Slurm's commands."""
        return subprocess.run(
            command,
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            check=True,
            timeout=PATIENCE,
        ).stdout.decode()

    def close(self):
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
