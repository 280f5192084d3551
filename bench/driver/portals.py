"""The software Portals between two processes, without GASNet."""

from programs import Skipped, available_cpus, parse_samples, run


def portals(launcher):
    if len(available_cpus()) < 2:
        raise Skipped("portals: needs two processors")
    return parse_samples(
        run([launcher.path("bench/portals/pair"), *launcher.options],
            available_cpus()[:2]))
