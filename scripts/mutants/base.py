"""A mutant, and short names for the tests that should notice it."""

import collections

Mutant = collections.namedtuple("Mutant", "name file old new tests")
MUTANTS = []


def mutant(name, file, old, new, *tests):
    MUTANTS.append(Mutant(name, file, old, new, tests))


def row(test, suite="smp_par_fast"):
    return f"//conformance:{suite}_{test}"


def reference(test):
    return row(test, "smp_par_reference")


def fake(test):
    return row(test, "fake_par_fast")


def udp(test):
    return row(test, "udp_par_fast")
