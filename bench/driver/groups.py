"""Groups of program runs that can be measured, repeated in turn.

A group is a list of steps. A step is a function of a Launcher that runs one
program and returns its samples. The steps of a group are repeated together
(ours, a peer, ours, a peer, ...), so that drift of the machine affects all.
"""

import bare_fabric
import busy
import collectives
import crowd
import google_benchmark
import loss
import memory
import peers
import portals
import startup
import ucx
import word_count
from programs import Failed, Skipped, available_cpus, run

# The crowd: this many ranks on two processors.
CROWD, CROWD_CPUS = 16, 2
SWEEP_SHARE = 4  # a sweep has many rows, each with the usual time divided by this


def _local(mode):
    def step(launcher):
        command = [launcher.path(f"bench/local/local_{mode}"),
                   *google_benchmark.options(launcher.effort, launcher.only)]
        return google_benchmark.parse(run(command, available_cpus()[:1]), mode)
    return step


def _pair(mode):
    return lambda launcher: launcher.ranks(f"bench/ranks/smp_pair_{mode}", 2)


def _brief(launcher):
    return launcher.with_milliseconds(
        max(1, launcher.effort.milliseconds // SWEEP_SHARE))


def _crowd_cpus():
    return available_cpus()[:CROWD_CPUS]


def _crowd(mode):
    return lambda launcher: crowd.crowd(launcher, mode, CROWD, _crowd_cpus())


def _idle(launcher):
    return launcher.with_milliseconds(launcher.effort.idle).ranks(
        "bench/ranks/smp_idle_seq", CROWD, _crowd_cpus())


# Ranks that share no memory although they are on one host.
_APART = {"GASNET_SUPERNODE_MAXSIZE": "1"}


def _networked(step):
    """Renames the step's samples."""
    return lambda launcher: [
        {**s, "operation": s["operation"] + ", network"} for s in step(launcher)
    ]


def _datagram(mode):
    return _networked(lambda launcher: launcher.ranks(
        f"bench/ranks/udp_datagram_{mode}", 2, env=_APART))


def _over_fabric(step):
    return lambda launcher: [
        {**s, "operation": s["operation"] + ", libfabric"}
        for s in step(launcher)
    ]


def _without_aims(step):
    """Removes the aims from a program's samples, since they are another conduit's."""
    return lambda launcher: [
        {key: s[key] for key in s if key != "aim"} for s in step(launcher)
    ]


# Ranks whose sleeping threads have no descriptor to wait for.
_NAPPING = {**_APART, "GASNET_OFI_WAIT": "naps"}


def _napping(step):
    return lambda launcher: [
        {**s, "mode": s["mode"] + ", naps"} for s in step(launcher)
    ]


def _over_portals(step, how=""):
    return lambda launcher: [
        {**s, "operation": s["operation"] + ", portals" + how}
        for s in step(launcher)
    ]


_BY_DATAGRAMS = ", datagrams"


def _portals(mode):
    return _over_portals(lambda launcher: launcher.ranks(
        f"bench/ranks/portals_fabric_{mode}", 2, env=_APART))


def _portals_datagrams(mode):
    env = {**_APART, "PORTALS4_TRANSPORT": "datagram"}
    return _over_portals(lambda launcher: launcher.ranks(
        f"bench/ranks/portals_fabric_{mode}", 2, env=env), _BY_DATAGRAMS)


def _idle_portals(launcher):
    return launcher.with_milliseconds(launcher.effort.idle).ranks(
        "bench/ranks/portals_idle_seq", CROWD, _crowd_cpus(), _APART)


def _fabric(mode, env=None):
    return _over_fabric(lambda launcher: launcher.ranks(
        f"bench/ranks/ofi_fabric_{mode}", 2, env=env or _APART))


def _idle_fabric(env=None):
    return _over_fabric(lambda launcher: launcher.with_milliseconds(
        launcher.effort.idle).ranks(
            "bench/ranks/ofi_idle_seq", CROWD, _crowd_cpus(), env or _APART))


def _lossy(mode):
    return _networked(lambda launcher: loss.loss(
        launcher, f"bench/ranks/udp_lossy_{mode}", _APART))


_SERVED = {"GASNET_PROGRESS_THREAD": "1"}


def _computing(launcher):
    return launcher.ranks("bench/ranks/smp_computing_par", 2, env=_SERVED)


def _computing_apart(launcher):
    return launcher.ranks(
        "bench/ranks/udp_computing_par", 2, env={**_APART, **_SERVED})


def _unattended(conduit):
    setting = f"GASNET_{conduit.upper()}_PROGRESS"
    return lambda launcher: launcher.ranks(
        f"bench/ranks/{conduit}_unattended_seq", 2, env={**_APART, setting: "1"})


GROUPS = {
    "local": [_local("seq"), _local("par")],
    "pair": [
        _pair("seq"),
        lambda launcher: peers.open_mpi(launcher, "bench/peers/mpi_pair", 2),
        _pair("par"),
        lambda launcher: peers.open_shmem(launcher, "bench/peers/shmem_pair"),
        lambda launcher: ucx.ucx(launcher, ucx.PAIR),
    ],
    "sweep": [
        lambda launcher: _brief(launcher).ranks("bench/ranks/smp_sweep_seq", 2),
        lambda launcher: peers.open_mpi(
            _brief(launcher), "bench/peers/mpi_sweep", 2),
        lambda launcher: peers.open_shmem(
            _brief(launcher), "bench/peers/shmem_sweep"),
        lambda launcher: ucx.ucx(launcher, ucx.SWEEP),
    ],
    "network": [
        _datagram("seq"),
        _networked(lambda launcher: peers.open_mpi(
            launcher, "bench/peers/mpi_pair", 2, options=peers.OVER_TCP)),
        _datagram("par"),
        _lossy("seq"),
        _lossy("par"),
        _networked(lambda launcher: launcher.with_milliseconds(
            launcher.effort.idle).ranks(
                "bench/ranks/udp_idle_seq", CROWD, _crowd_cpus(), _APART)),
    ],
    "fabric (ofi)": [
        _fabric("seq"),
        _over_fabric(bare_fabric.bare_fabric),
        _napping(_fabric("seq", _NAPPING)),
        _over_fabric(lambda launcher: bare_fabric.bare_fabric(
            launcher, descriptor=True)),
        _fabric("par"),
        _over_fabric(lambda launcher: peers.open_mpi(
            launcher, "bench/peers/mpi_pair", 2,
            options=peers.OVER_LIBFABRIC)),
        _idle_fabric(),
        _napping(_idle_fabric(_NAPPING)),
    ],
    "network-sweep": [
        _networked(lambda launcher: _brief(launcher).ranks(
            "bench/ranks/udp_sweep_seq", 2, env=_APART)),
        _networked(lambda launcher: peers.open_mpi(
            _brief(launcher), "bench/peers/mpi_sweep", 2,
            options=peers.OVER_TCP)),
    ],
    "vis": [
        lambda launcher: launcher.ranks("bench/ranks/smp_vis_seq", 2),
        lambda launcher: peers.open_mpi(launcher, "bench/peers/mpi_vis", 2),
        lambda launcher: peers.mpich(launcher, "bench/peers/mpich_vis", 2),
        _networked(lambda launcher: launcher.ranks(
            "bench/ranks/udp_vis_apart_seq", 2, env=_APART)),
        _networked(lambda launcher: peers.open_mpi(
            launcher, "bench/peers/mpi_vis", 2, options=peers.OVER_TCP)),
        _without_aims(_over_fabric(lambda launcher: launcher.ranks(
            "bench/ranks/ofi_vis_apart_seq", 2, env=_APART))),
    ],
    "ex": [
        lambda launcher: launcher.ranks("bench/ranks/smp_ex_seq", 2),
        lambda launcher: launcher.ranks("bench/ranks/smp_ex_par", 2),
        _networked(lambda launcher: launcher.ranks(
            "bench/ranks/udp_ex_seq", 2, env=_APART)),
    ],
    "coll": collectives.STEPS,
    "portals": [
        portals.portals,
        portals.datagrams,
        _portals("seq"),
        _over_portals(portals.bare),
        _portals("par"),
        _portals_datagrams("seq"),
        _over_portals(portals.bare_datagrams, _BY_DATAGRAMS),
        _over_portals(_idle_portals),
    ],
    "threads": [
        lambda launcher: launcher.ranks(
            "bench/ranks/smp_threads_par", 2, spread=True),
        _networked(lambda launcher: launcher.ranks(
            "bench/ranks/udp_threads_par", 2, spread=True, env=_APART)),
    ],
    "crowd": [
        _crowd("seq"),
        lambda launcher: peers.open_mpi(
            launcher, "bench/peers/mpi_crowd", CROWD, _crowd_cpus()),
        _crowd("par"),
        lambda launcher: word_count.word_count(
            launcher, CROWD_CPUS, CROWD, _crowd_cpus()),
    ],
    "computing": [
        _computing,
        _networked(_computing_apart),
        _networked(_unattended("udp")),
        _over_fabric(_unattended("ofi")),
    ],
    "busy": [lambda launcher: busy.busy(launcher, _crowd_cpus())],
    "idle": [_idle],
    "startup": [
        lambda launcher: startup.hello(launcher, 64),
        lambda launcher: startup.hello(launcher, 128),
        lambda launcher: startup.fabric(launcher, 16, _APART),
    ],
    "memory": [
        lambda launcher: memory.memory(
            launcher, ["bench/ranks/smp_resident_seq"], (32, 64, 128)),
        # All ranks send to all others.
        _networked(lambda launcher: memory.memory(
            launcher, ["bench/ranks/udp_resident_seq", "all"], (2, 16, 64),
            _APART)),
        _over_fabric(lambda launcher: memory.memory(
            launcher, ["bench/ranks/ofi_resident_seq", "all"], (2, 16), _APART)),
    ],
}

# Groups that make all their starts in one run.
ONCE = {"busy"}


def chosen(part):
    """Returns the groups with `part` in their names, by name."""
    return {name: steps for name, steps in GROUPS.items() if part in name}


def measure(name, steps, launcher, skipped, failed):
    """Returns all samples of a group's steps.

    The reason why a step cannot run, or has failed, goes to one of the two lists.
    The step is left out from then on.
    """
    samples = []
    left_out = set()
    for _ in range(1 if name in ONCE else launcher.effort.runs):
        for step in steps:
            if step in left_out:
                continue
            try:
                samples += [{**s, "group": name} for s in step(launcher)]
            except (Failed, Skipped) as reason:
                left_out.add(step)
                list_of = skipped if isinstance(reason, Skipped) else failed
                if str(reason) not in list_of:
                    list_of.append(str(reason))
    return samples
