"""The cost of lost datagrams: the same program with and without them."""

# Rows of a loss in per cent, the least share of the bandwidth without loss, and whether
# a round trip with a loss may take a time-out.
LOSSES = ((1, 0.70, True), (5, 0.35, False))


def _compare(samples, whole, percent, share, limits_tail):
    """Adds to lossy samples the values that they are compared with."""
    for lossy, sample in zip(samples, whole):
        lossy["operation"] += f", {percent} % lost"
        if "limit" not in lossy:
            lossy.update(limit_name="the same without loss",
                         limit=sample["value"], aim=1 / share)
        elif limits_tail:
            lossy["aim"] = 1
    return samples


def loss(launcher, program, env):
    """Returns samples of a program with lost datagrams. Those without a limit of
    their own are compared with the same program without loss."""
    whole = launcher.ranks(program, 2, env=env)
    return [s for percent, *aims in LOSSES for s in _compare(
        launcher.ranks(program, 2,
                       env={**env, "GASNET_UDP_FAULTS": f"drop={percent}"}),
        whole, percent, *aims)]
