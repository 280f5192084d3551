"""Checks that names of the specification stay in directories that clients see.

docs/STYLE.md: they appear in api/, in export/ and in programs that use them. The
other directories have names of their own. Comments and messages may name a client's
calls.
"""

import re

NAME = re.compile(r"\b(?:GASNET_[A-Z]\w*|gasnet_\w+)\b")
# A raw string, a string, a comment: no code.
TEXT = re.compile(
    r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.DOTALL)
API = "api/include/"
ROOMS = re.compile(
    r"^(?:api|export|gasnet_tools)/|^conduits/\w+/include/"
    # Programs.
    r"|^(?:bench|conformance|examples)/|/testing/")
# Macros that choose the library's build; compilers get them as options.
BUILD = {
    "GASNET_SEQ", "GASNET_PARSYNC", "GASNET_PAR", "GASNET_DEBUG",
    "GASNET_SEGMENT_FAST", "GASNET_SEGMENT_LARGE", "GASNET_SEGMENT_EVERYTHING",
}
EXCEPTIONS = {
    # Segments are multiples of it.
    "core/hostshm/layout.h": {"GASNET_PAGESIZE"},
    # A client's list is read in place, without a copy.
    "vis/lists.h": {"gasnet_memvec_t"},
}


def code_of(text):
    """Returns the text without comments and strings, with all its lines."""
    return TEXT.sub(lambda found: "\n" * found.group().count("\n") or " ", text)


def names_of(texts):
    """Returns the names that headers of api/ declare or use."""
    found = set()
    for path, text in texts.items():
        if path.startswith(API) and text:
            found.update(NAME.findall(code_of(text)))
    return found


def check(names, path, text):
    """Returns the complaints about one file, as (line, complaint)."""
    if not path.endswith((".h", ".cc", ".c", ".inc")) or ROOMS.search(path):
        return
    allowed = BUILD | EXCEPTIONS.get(path, set())
    code = code_of(text)
    for found in NAME.finditer(code):
        if found.group() in names - allowed:
            line = code.count("\n", 0, found.start()) + 1
            yield line, f"{found.group()} belongs to api/, export/ and programs"
