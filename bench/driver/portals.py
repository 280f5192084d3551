"""The software Portals between two processes, without GASNet."""

from programs import Skipped, available_cpus, parse_samples, run


def _pair(launcher, *arguments):
    if len(available_cpus()) < 2:
        raise Skipped("portals: needs two processors")
    return parse_samples(
        run([launcher.path("bench/portals/pair"), *arguments,
             *launcher.options], available_cpus()[:2]))


def portals(launcher):
    return _pair(launcher)


def datagrams(launcher):
    return _pair(launcher, "datagrams")


def bare(launcher):
    return _pair(launcher, "bare")


def bare_datagrams(launcher):
    return _pair(launcher, "datagrams", "bare")
