"""A mutant, and short names for the tests that should notice it."""

import collections

Mutant = collections.namedtuple("Mutant", "name file old new tests")
MUTANTS = []

# A mutant that a pattern makes has a Change of patterns.py instead of texts.
Patterned = collections.namedtuple("Patterned", "name file change tests")


def mutant(name, file, old, new, *tests):
    MUTANTS.append(Mutant(name, file, old, new, tests))


def row(test, suite="smp_par_fast"):
    return f"//conformance:{suite}_{test}"


def fake(test):
    return row(test, "fake_par_fast")


def udp(test):
    return row(test, "udp_par_fast")
