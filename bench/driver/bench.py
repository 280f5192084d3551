"""Measures ours beside the limit and the peers: see docs/PERFORMANCE.md.

Prints a table; writes all samples (results.json) and charts of latency and
bandwidth against size (results.svg) to the output directory.
"""

import argparse
import json
import os
import sys
import time

import groups
import machine
import programs
from figures import figures
from table import table


def parse_arguments(arguments):
    names = ", ".join(groups.GROUPS)
    parser = argparse.ArgumentParser(
        prog="./dev bench", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "name", nargs="?", default="", metavar="NAME",
        help=f"measure the groups with this in their name only, of: {names}",
    )
    parser.add_argument(
        "--quick", action="store_true",
        help="under a minute: fewer and shorter measurements",
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT",
        help="of the chosen groups, measure operations with TEXT in their name",
    )
    parser.add_argument(
        "--output", default="bench-results", metavar="DIR",
        help="where results.json and results.svg go (default: %(default)s)",
    )
    parser.add_argument("--bin", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if not groups.chosen(options.name):
        parser.error(f"no group has '{options.name}' in its name; "
                     f"there are: {names}")
    return options


def measure(options):
    """The samples of all groups, and the complaints of those that failed."""
    effort = programs.QUICK if options.quick else programs.FULL
    launcher = programs.Launcher(options.bin, effort, options.only)
    samples, complaints = [], []
    for name, steps in groups.chosen(options.name).items():
        start = time.monotonic()
        try:
            samples += groups.measure(steps, launcher)
        except programs.Failed as failure:
            complaints.append(f"{name}: {failure}")
        seconds = time.monotonic() - start
        print(f"bench: {name}: {seconds:.0f} s", file=sys.stderr)
    return samples, complaints


def write(directory, samples):
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "results.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"machine": machine.facts(), "samples": samples}, out,
                  indent=1)


def main(arguments):
    options = parse_arguments(arguments)
    samples, complaints = measure(options)
    write(options.output, samples)
    print("\n".join(table(figures(samples))))
    for complaint in complaints:
        print(f"bench: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
