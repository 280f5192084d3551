"""What can be measured: groups of program runs that are repeated in turn.

A group is a list of steps. A step is a function of a Launcher that runs one
program and answers its samples. The steps of a group are repeated together
(ours, a peer, ours, a peer, ...), so that drift of the machine touches all.
"""


def _pair(mode):
    return lambda launcher: launcher.ranks(f"bench/ranks/pair_{mode}", 2)


GROUPS = {
    "pair": [_pair("seq"), _pair("par")],
}


def chosen(part):
    """The groups with `part` in their names, by name."""
    return {name: steps for name, steps in GROUPS.items() if part in name}


def measure(steps, launcher):
    """All samples of a group's steps."""
    samples = []
    for _ in range(launcher.effort.runs):
        for step in steps:
            samples += step(launcher)
    return samples
