"""Measures GASNet ("ours"), the limit and the peers side by side: see
docs/PERFORMANCE.md.

Prints a table; writes all samples (results.json) and charts of latency and
bandwidth against size (results.svg) to the output directory.
"""

import argparse
import json
import os
import sys
import time

import chart
import collectives
import groups
import machine
import programs
from figures import figures
from table import table


CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def parse_arguments(arguments):
    names = ", ".join(groups.GROUPS)
    parser = argparse.ArgumentParser(
        prog="./dev bench", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "name", nargs="?", default="", metavar="NAME",
        help=f"measure only the groups with NAME in their names, of: {names}",
    )
    parser.add_argument(
        "--quick", action="store_true",
        help="fewer and shorter measurements",
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT",
        help="of the chosen groups, measure operations with TEXT in their name",
    )
    parser.add_argument(
        "--output", default=os.path.join(CHECKOUT, "bench-results"),
        metavar="DIR",
        help="directory for results.json and results.svg (bench-results/)",
    )
    # scripts/bench.sh passes --bin with the directory of the programs, or --check to
    # check the arguments before anything is built.
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--bin", help=argparse.SUPPRESS)
    place.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if not groups.chosen(options.name):
        parser.error(f"no group has '{options.name}' in its name; "
                     f"there are: {names}")
    return options


def measure(options):
    """Returns the content of results.json."""
    effort = programs.QUICK if options.quick else programs.FULL
    launcher = programs.Launcher(options.bin, effort, options.only)
    results = {"machine": machine.facts(), "samples": [], "skipped": [],
               "failed": []}
    for name, steps in groups.chosen(options.name).items():
        start = time.monotonic()
        results["samples"] += groups.measure(
            name, steps, launcher, results["skipped"], results["failed"])
        seconds = time.monotonic() - start
        print(f"bench: {name}: {seconds:.0f} s", file=sys.stderr)
    return results


def write(directory, results):
    for name, text in (
        ("results.json", json.dumps(results, indent=1)),
        ("results.svg", chart.svg(figures(results["samples"]))),
    ):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as out:
            out.write(text)


def tabled(samples):
    """Returns the samples for the table. Omits sweeps, unless there is nothing else."""
    others = [s for s in samples if not s["group"].endswith("sweep")]
    return others or samples


def show(results):
    print("\n".join(machine.lines(results["machine"])))
    print()
    shown = figures(tabled(results["samples"]))
    print("\n".join(table(shown)))
    for line in collectives.means(shown):
        print(line)
    for reason in results["skipped"]:
        print(f"left out: {reason}")
    for reason in results["failed"]:
        print(f"FAILED: {reason}")


def main(arguments):
    options = parse_arguments(arguments)
    if options.check:
        return 0
    # Makes the directory before the measurements, so that an error does not lose them.
    os.makedirs(options.output, exist_ok=True)
    results = measure(options)
    if options.only and not results["samples"] and not results["failed"]:
        print(f"bench: no operation has '{options.only}' in its name",
              file=sys.stderr)
        return 2
    write(options.output, results)
    show(results)
    print(f"\nall samples: {os.path.join(options.output, 'results.json')}\n"
          f"charts:      {os.path.join(options.output, 'results.svg')}")
    return 1 if results["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
