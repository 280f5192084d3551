"""Starts programs of Open MPI, MPICH and OpenSHMEM."""

import os
import shutil

from programs import Failed, Skipped, available_cpus, parse_samples, run

# Neither the user id nor a resource manager matters, since everything runs on this
# host.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
HERE = ["--mca", "plm", "isolated"]
PACKAGES = "libopenmpi-dev openmpi-bin"
MPICH_PACKAGES = "mpich libmpich-dev"


def require(name, commands, program, packages=PACKAGES):
    """Raises Skipped if the peer cannot be measured here."""
    if len(available_cpus()) < 2:
        raise Skipped(f"{name}: needs two processors")
    if not all(map(shutil.which, commands)):
        raise Skipped(f"{name}: not installed: apt-get install {packages}")
    if not os.path.exists(program):
        raise Skipped(f"{name}: installed after Bazel looked for it: "
                      "run 'bazel shutdown' once")


def measured(name, command, cpus=None, accepted=(0,)):
    """Returns the samples that the command prints. Raises Skipped if the peer fails."""
    try:
        return parse_samples(run(command, cpus, ENVIRONMENT, accepted))
    except Failed as failure:
        raise Skipped(f"{name}: {failure}") from None


# Open MPI without shared memory.
OVER_TCP = ("--mca", "pml", "ob1", "--mca", "btl", "self,tcp",
            "--mca", "osc", "pt2pt")

# Open MPI over the provider that the ofi conduit chooses here.
OVER_LIBFABRIC = ("--mca", "pml", "cm", "--mca", "mtl", "ofi",
                  "--mca", "mtl_ofi_provider_include", "tcp;ofi_rxm")


def open_mpi(launcher, program, count, cpus=None, options=()):
    path = launcher.path(program)
    require("Open MPI", ("mpicc", "mpirun"), path)
    used = cpus or available_cpus()
    places = (["--bind-to", "core"] if count <= len(used)
              else ["--bind-to", "none", "--oversubscribe"])
    command = ["mpirun", *HERE, *options, *places, "-n", str(count), path]
    return measured("Open MPI", command + launcher.options, cpus)


def mpich(launcher, program, count):
    """Measures MPICH, bound to cores since it spins without yielding."""
    path = launcher.path(program)
    require("MPICH", ("mpicc.mpich", "mpirun.mpich"), path, MPICH_PACKAGES)
    command = ["mpirun.mpich", "-bind-to", "core", "-n", str(count), path]
    return measured("MPICH", command + launcher.options)


def open_shmem(launcher, program):
    path = launcher.path(program)
    require("OpenSHMEM", ("oshcc", "oshrun"), path)
    command = ["oshrun", *HERE, "--bind-to", "core", "-n", "2", path]
    # shmem_pair.cc ends without finalising, and oshrun reports that.
    return measured("OpenSHMEM", command + launcher.options, accepted=(0, 1))
