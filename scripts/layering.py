"""Checks that each source includes only headers of its rule and of direct dependencies.

usage: layering.py --query    prints the query whose result the check needs
       layering.py < XML      checks the checkout, the current directory

XML is the result of `bazel query --output=xml`. Prints `FILE:LINE: complaint` for each
violation, and fails if there is any.

A header that another rule lists among its sources is private to that rule. Abseil's
headers are checked like our own, those of other libraries by the repository alone.
Headers of libraries that are loaded at run time or may be absent (libfabric, PMIx, MPI,
SHMEM, a system's Portals) are not checked. An include in any branch of an #if counts,
and so do both sides of a select(). Generated sources are not read. A header for which
__has_include looks may belong to any rule.
"""

import collections
import os
import posixpath
import re
import sys

import build_rules
import included
import spec_names

SOURCES = (".h", ".c", ".cc", ".inc")
# The ending of a rule's name for a threading mode.
MODE = re.compile(r"_(?:seq|parsync|par)$")
OPTIONAL = re.compile(r"\b__has_include\([\"<]([^\">\n]+)[\">]\)")
# The beginnings of includes from other repositories, and of these repositories' labels.
# The compiler finds all of these headers in the system's directories.
EXTERNAL = {
    "gtest/": "@gtest//",
    "gmock/": "@gtest//:gmock",
    "benchmark/": "@benchmark//",
    "sodium.h": "@libsodium//",
    "intel-ipsec-mb.h": "@ipsec_mb//",
}

# All headers of Abseil that sources may include are known.
ABSEIL = "absl/"

Include = collections.namedtuple("Include", "line is_quoted name")


def _without_text(found):
    """Keeps strings, since includes are among them, and blanks the rest."""
    if found.group().startswith('"'):
        return found.group()
    return "\n" * found.group().count("\n") or " "


def includes_of(text):
    """Returns the includes of a source, except those that may be absent."""
    code = spec_names.TEXT.sub(_without_text, text)
    optional = OPTIONAL.findall(code)
    found = (Include(code.count("\n", 0, match.start(match.lastindex)) + 1,
                     match.lastindex == 1, match[match.lastindex])
             for match in included.INCLUDE.finditer(code))
    return [include for include in found if include.name not in optional]


class Check:
    """The rules, and the rules that offer each header."""

    def __init__(self, rules):
        self._rules = rules
        self._owners = collections.defaultdict(set)
        self._offering = collections.defaultdict(set)
        self._directories = set()
        for name, rule in rules.compiled.items():
            self._directories |= rule.include_directories
            for path in rule.files():
                self._owners[path].add(name)
        for name in rules.names():
            for path in rules.public(name):
                self._offering[path].add(name)

    def _meant(self, path, include):
        """Returns the headers that an include may mean, in the compiler's order."""
        if include.is_quoted:
            for directory in (posixpath.dirname(path), ""):
                candidate = posixpath.normpath(posixpath.join(directory, include.name))
                if candidate in self._owners:
                    return [candidate]
        candidates = [posixpath.normpath(posixpath.join(directory, include.name))
                      for directory in sorted(self._directories)]
        return [candidate for candidate in candidates if candidate in self._owners]

    def _nearest(self, names, rule):
        """Returns the name of the rule that a BUILD file would use."""
        mode = MODE.search(rule.name)
        suffix = mode.group() if mode else ""
        return min(names, key=lambda name: (
            not name.endswith(suffix), len(name), name))

    def _complaint(self, rule, include, meant):
        offering = set().union(*(self._offering[header] for header in meant))
        if offering:
            return (f"{include.name} is a header of {self._nearest(offering, rule)}, "
                    f"which is no direct dependency of {rule.name}")
        owners = set().union(*(self._owners[header] for header in meant))
        return (f"{include.name} is private to {self._nearest(owners, rule)}, "
                f"and not for {rule.name}")

    def _of_external(self, rule, offered, include):
        """Returns the complaint about a header of another repository, or None."""
        if include.name.startswith(ABSEIL):
            return f"{include.name} is of no target of //third_party/abseil"
        for beginning, label in EXTERNAL.items():
            if include.name.startswith(beginning):
                if not any(name.startswith(label) for name in offered):
                    return (f"{include.name} is a header of {label}, on which "
                            f"{rule.name} does not depend directly")
        return None

    def of_rule(self, rule, read):
        """Returns the complaints about the sources of a rule, as (path, line, complaint).

        `read` returns the includes of a source by its path.
        """
        visible = rule.files().union(*(self._rules.public(dep) for dep in rule.deps))
        offered = set().union(*(self._rules.offers(dep) for dep in rule.deps))
        for path in sorted(rule.files()):
            for include in read(path):
                meant = self._meant(path, include)
                complaint = None
                if not meant:
                    complaint = self._of_external(rule, offered, include)
                elif visible.isdisjoint(meant):
                    complaint = self._complaint(rule, include, meant)
                if complaint:
                    yield path, include.line, complaint


def check(rules, texts):
    """Returns the complaints about all sources, as (path, line, complaint).

    Rules that one call of a macro makes, as for threading modes, share a complaint.
    `texts` returns a source's text by its path.
    """
    checked = Check(rules)
    known = {}

    def read(path):
        if path not in known:
            known[path] = includes_of(texts(path))
        return known[path]

    found = {}
    for name, rule in sorted(rules.compiled.items()):
        if build_rules.is_ours(name):
            for path, line, complaint in checked.of_rule(rule, read):
                found.setdefault((path, line, rule.place), complaint)
    return [(path, line, found[path, line, place]) for path, line, place in sorted(found)]


def _text(path):
    """Returns the text of a source of this repository, else nothing."""
    if not path.endswith(SOURCES) or not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(arguments):
    if arguments == ["--query"]:
        print(build_rules.QUERY)
        return 0
    complaints = check(build_rules.Rules(sys.stdin.buffer.read()), _text)
    for path, line, complaint in complaints:
        print(f"{path}:{line}: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
