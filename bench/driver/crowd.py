"""More ranks than processors, compared with two ranks there."""

FLOOD = "all-to-all flood, each"
FEW = 2


def crowd(launcher, mode, ranks, cpus):
    """Returns samples of the crowd. A message of its flood is compared with one of a
    flood between two ranks on the same processors, since more ranks should not raise
    its cost."""
    program = f"bench/ranks/smp_crowd_{mode}"
    samples = launcher.ranks(program, ranks, cpus)
    flood = [s for s in samples if s["operation"] == FLOOD]
    if flood:
        few = launcher.with_only(FLOOD).ranks(program, FEW, cpus)
        for sample, limit in zip(flood, few):
            sample.update(limit_name=f"the same with {FEW} ranks",
                          limit=limit["value"])
    return samples
