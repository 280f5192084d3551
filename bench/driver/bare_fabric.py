"""Plain libfabric between two processes."""

from programs import Failed, Skipped, available_cpus, parse_samples, run


def bare_fabric(launcher, descriptor=False):
    env = {"BARE_FABRIC_DESCRIPTOR": "1"} if descriptor else {}
    if len(available_cpus()) < 2:
        raise Skipped("bare libfabric: needs two processors")
    try:
        return parse_samples(
            run([launcher.path("bench/peers/fabric_pair"), *launcher.options],
                available_cpus()[:2], env))
    except Failed as failure:
        raise Skipped(f"bare libfabric: {failure}") from None
