"""Checks references of documents: their targets must exist.

A link leads to a file of the checkout, and to a heading of it. A path in back quotes
is a file's, and a name of the code must occur somewhere in the code. Code blocks are
not checked: they show text for the reader to write.
"""

import os
import re

FENCE = re.compile(r"^(\s*)```.*?^\s*```", re.DOTALL | re.MULTILINE)
QUOTED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^()\s]*)\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
WORD = re.compile(r"\w+")
FILE = re.compile(r"[\w.-]+\.(?:h|c|cc|inc|py|sh|bzl|bazel|md|mak)")
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
# Constants, types and functions of C++, functions and variables of C.
NAME = re.compile(
    r"(?:\w+::)*(?:k[A-Z]\w*|(?:[A-Z][a-z]+)+|[a-z]+_\w+|[A-Z]+(?:_[A-Z\d]+)+)"
    r"(?:\(.*\))?"
)
# Suffixes of a conduit or a mode, which Bazel's macros and the installation append to
# names.
MADE = re.compile(r"_(?:smp|udp|ofi|portals|seq|parsync|par)$")
# Names of other implementations, and names that a reader or an installation creates.
ELSEWHERE = {
    "GASNET_COLL_ENABLE_SEARCH",
    "GASNET_COLL_SCRATCH_SIZE",
    "GASNET_COLL_TUNING_FILE",
    "GASNET_OFI_MAX_MEDIUM",
    "LoanCredits",
    "gasnet_core.h",
    "gasnet_extended.h",
    "include/gasnet_tools-par.mak",
    "net_MODE_VARIANT_TEST",
    "net_export.cc",
    "sum/BUILD.bazel",
    "sum/sum.c",
}


def _blank(match):
    return "\n" * match.group().count("\n")


def anchor_of(heading):
    """Returns a heading's anchor on web pages of Git hosts."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


class Tree:
    """A checkout, given as a dictionary of texts by path: its paths and words."""

    def __init__(self, texts):
        self.texts = texts
        self.paths = set(texts)
        for path in texts:
            while path := os.path.dirname(path):
                self.paths.add(path)
        self.words = set()
        for path, text in texts.items():
            if not path.endswith(".md"):
                self.words.update(WORD.findall(text or ""))

    def has_path(self, path):
        """Returns true for a path from the root, or its last parts. A header may lack
        its suffix."""
        path = os.path.normpath(path)
        return any(
            name in self.paths or any(each.endswith("/" + name) for each in self.paths)
            for name in (path, path + ".h")
        )

    def has_word(self, word):
        """Returns true for a word of the code, even without an implied prefix."""
        word = MADE.sub("", word)
        return word in self.words or any(
            each.endswith("_" + word) for each in self.words
        )

    def anchors(self, path):
        text = FENCE.sub(_blank, self.texts.get(path) or "")
        return {anchor_of(heading) for heading in HEADING.findall(text)}


def _of_link(tree, document, link):
    target, _, anchor = link.partition("#")
    if re.match(r"[a-z]+:", target):
        return
    near = os.path.join(os.path.dirname(document), target)
    path = os.path.normpath(near) if target else document
    if path not in tree.paths:
        yield f"a link to {target}, which does not exist"
    elif anchor and anchor not in tree.anchors(path):
        yield f"a link to #{anchor}, which is no heading of {path}"


def _of_quoted(tree, quoted):
    is_ours = "/" in quoted and quoted.split("/")[0] in tree.paths
    if quoted in ELSEWHERE:
        return
    if is_ours or FILE.fullmatch(quoted.split("/")[-1]):
        if PATH.fullmatch(quoted) and not tree.has_path(quoted):
            yield f"{quoted} does not exist"
    elif NAME.fullmatch(quoted):
        for word in WORD.findall(quoted.split("(")[0]):
            if not tree.has_word(word):
                yield f"the code has no name {word}"


def check(tree, document, text):
    """Returns all complaints about one document, as (line, complaint)."""
    text = FENCE.sub(_blank, text)
    for number, line in enumerate(text.split("\n"), 1):
        for found in LINK.finditer(line):
            for complaint in _of_link(tree, document, found.group(1)):
                yield number, complaint
        for found in QUOTED.finditer(line):
            for complaint in _of_quoted(tree, found.group(1)):
                yield number, complaint
