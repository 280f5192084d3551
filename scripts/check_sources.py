"""Checks those rules of docs/STYLE.md that no other tool checks.

usage: check_sources.py     (in the checkout)

Prints `FILE:LINE: complaint` for each violation, and fails if there is any.
"""

import os
import re
import subprocess
import sys

import included
import references
import sentences
import spec_names

MAX_LINES = 400
C_SUFFIXES = (".h", ".c", ".cc", ".inc")
CODE_SUFFIXES = C_SUFFIXES + (".py", ".sh", ".bzl")

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
DEFINE = re.compile(r"^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
RETURN = re.compile(r"\breturn\b")
# This is in two halves so that this file passes its own check.
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
QUIET_GREP = re.compile(r"[^|]\| *(?:\\\n *)?grep -[a-zA-Z]*q")
GETENV = re.compile(r"\b(?:secure_)?getenv *\(")
# Code that passes a value on to a client unchanged, or implements the shared readers.
READS_ANY_ENV = {"base/env.cc", "base/own_env.h", "gasnet_tools/src/client.cc"}
# Tests and programs do not belong to the libraries.
PROGRAMS = re.compile(r"^(?:bench|build_defs|conformance|examples)/|/testing/|_test\.cc$")
# The beginning of an absolute path: no character of a relative one precedes it.
BEGIN = r"(?<![\w.$}~*-])"
HOME = re.compile(BEGIN + r"/(?:home/[a-z]|ro" r"ot/|Users/[A-Za-z])")
GUARD = re.compile(r"^#ifndef (\w+)\n#define \1$", re.MULTILINE)
# Clients test for the first. The usual name of the second would be that of
# gasnet/config.h. All macros of the third begin with _GEX_ or GEX_.
OTHER_GUARDS = {
    "api/include/gasnet.h": "_GASNET_H",
    "api/include/gasnet_config.h": "GASNET_VERSIONS_H_",
    "api/include/gasnet_fwd.h": "_GEX_FWD_H",
}


def _line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def _blank(match):
    """Returns the same number of lines, all empty."""
    return "\n" * match.group().count("\n") or " "


def check_length(path, text):
    lines = text.count("\n")
    if path.endswith(CODE_SUFFIXES) and lines > MAX_LINES:
        yield lines, f"{lines} lines; the most is {MAX_LINES}"


def check_whitespace(_, text):
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            yield number, "white space at the end of the line"
    if text and not text.endswith("\n"):
        yield _line_of(text, len(text)), "no newline at the end of the file"


def check_macros(path, text):
    if not path.endswith(C_SUFFIXES):
        return
    code = COMMENT.sub(_blank, STRING.sub('""', text))
    for macro in DEFINE.finditer(code):
        found = RETURN.search(macro.group())
        if found:
            line = _line_of(code, macro.start() + found.start())
            yield line, "a macro must not contain return"


def check_getenv(path, text):
    """Finds reads of the environment without base/env.h and base/own_env.h, for which
    an empty value is the default."""
    if not path.endswith((".h", ".cc")) or path in READS_ANY_ENV:
        return
    if PROGRAMS.search(path):
        return
    code = COMMENT.sub(_blank, STRING.sub('""', text))
    for found in GETENV.finditer(code):
        yield _line_of(code, found.start()), "use base/env.h or base/own_env.h"


def check_pipelines(path, text):
    """Finds pipes to grep -q. It ends early, its writer may then die of SIGPIPE, and
    pipefail makes that a failure."""
    if path.endswith(".sh") and "pipefail" in text:
        for found in QUIET_GREP.finditer(text):
            yield _line_of(text, found.start()), "a pipe to grep -q; use >/dev/null"


def check_unfinished(path, text):
    if path.endswith(CODE_SUFFIXES):
        for found in UNFINISHED.finditer(text):
            yield _line_of(text, found.start()), f"{found.group()}: finish it"


def guard_of(path):
    """Returns the guard of a header, by the path with which others include it."""
    included = path.split("/include/")[-1]
    guard = re.sub(r"\W", "_", included).upper() + "_"
    return OTHER_GUARDS.get(path, guard)


def check_guard(path, text):
    if not path.endswith(".h"):
        return
    found = GUARD.search(text)
    if not found or found.group(1) != guard_of(path):
        yield 1, f"its include guard is not {guard_of(path)}"


def machine_paths(root):
    """Returns paths of this machine, which no file should contain."""
    shared = {"/", "/tmp", "/var/tmp", "/usr", "/usr/src", "/opt", "/srv"}
    candidates = {root, os.path.dirname(root), os.path.expanduser("~")}
    absolute = {path for path in candidates if path.startswith("/")}
    return sorted(path + "/" for path in absolute - shared)


def check_machine_paths(text, paths):
    for found in HOME.finditer(text):
        yield _line_of(text, found.start()), "a path of a home directory"
    for path in paths:
        for found in re.finditer(BEGIN + re.escape(path), text):
            line = _line_of(text, found.start())
            yield line, f"a path of this machine: {path}"


def check(path, text, paths):
    """Returns all complaints about one file, as (line, complaint)."""
    for rule in (
        check_length,
        check_whitespace,
        check_macros,
        check_getenv,
        check_pipelines,
        check_unfinished,
        check_guard,
        sentences.check_headless,
    ):
        yield from rule(path, text)
    yield from check_machine_paths(text, paths)


def _files():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"],
        check=True,
        capture_output=True,
    ).stdout.decode()
    return sorted({path for path in listed.split("\0") if os.path.isfile(path)})


def read(path):
    """Returns a file's text, or None if it is not text."""
    with open(path, "rb") as file:
        content = file.read()
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def main():
    paths = machine_paths(os.getcwd())
    texts = {path: read(path) for path in _files()}
    tree = references.Tree(texts)
    names = spec_names.names_of(texts)
    wrong = False
    for path, text in texts.items():
        complaints = list(check(path, text, paths)) if text else []
        complaints += spec_names.check(names, path, text or "")
        complaints += included.check(path, text or "", texts)
        if text and path.endswith(".md"):
            complaints += references.check(tree, path, text)
        for line, complaint in complaints:
            print(f"{path}:{line}: {complaint}")
            wrong = True
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
