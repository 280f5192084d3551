"""Checks that sources include the headers that the precompiled header has for them.

In all builds before a merge, sources begin with a header of build_defs/precompiled, so
no compiler notices there that these headers are missing. A header that a source
includes through a header of this repository counts, as for a compiler.
"""

import re

import spec_names

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
# Each header, with the names that need it.
NEEDED = {
    "algorithm": r"std::(?:sort|min|max|min_element|max_element|clamp|copy\w*|fill\w*"
                 r"|find\w*|any_of|all_of|none_of|count|count_if|equal|lower_bound"
                 r"|upper_bound|generate\w*|transform|remove\w*|unique|reverse|rotate"
                 r"|shuffle|for_each|ranges::\w+)\b",
    "array": r"std::array\b",
    "atomic": r"std::(?:atomic\w*|memory_order\w*)\b",
    "functional": r"std::(?:function|less|greater|hash|bind\w*|mem_fn|ref|cref)\b",
    "memory": r"std::(?:make_(?:unique|shared)|(?:unique|shared|weak)_ptr)\b",
    "optional": r"std::(?:optional|nullopt|make_optional)\b",
    "span": r"std::span\b",
    "string": r"std::(?:string|to_string|stoi|stoul|getline)\b",
    "string_view": r"std::string_view\b",
    "utility": r"std::(?:pair|make_pair|exchange|as_const|swap)\b",
    "vector": r"std::vector\b",
    "absl/status/status.h": r"absl::\w*(?:Status|Error)\b",
    "absl/status/statusor.h": r"absl::StatusOr\b",
    "absl/strings/str_cat.h": r"absl::(?:StrCat|StrAppend)\b",
    "gtest/gtest.h": r"\bTEST(?:_F|_P)?\(",
}
NEEDED = {header: re.compile(name) for header, name in NEEDED.items()}
# Headers that include another one, by the standard or by their documentation.
PARTS = {
    "absl/status/statusor.h": {"absl/status/status.h", "optional", "string", "utility"},
    "absl/status/status.h": {"functional", "memory", "string", "optional"},
    "absl/strings/str_cat.h": {"array", "string", "string_view", "vector"},
    "gtest/gtest.h": {"memory", "string", "vector", "utility", "functional"},
    "algorithm": {"utility"},
    "functional": {"array", "utility"},
    "map": {"utility", "optional"},
    "memory": {"atomic", "utility", "functional"},
    "optional": {"utility"},
    "span": {"array"},
    "string": {"string_view"},
    "thread": {"atomic", "memory", "string", "utility", "functional"},
    "tuple": {"utility"},
    "vector": {"utility"},
}


def _included(path, texts, seen):
    """Returns all headers that a file includes, directly and through this repository's
    headers."""
    for ours, other in INCLUDE.findall(texts.get(path) or ""):
        header = ours or other
        if header in seen:
            continue
        seen.add(header)
        for part in PARTS.get(header, ()):
            seen.add(part)
        _included(header, texts, seen)
    return seen


def check(path, text, texts):
    """Returns the complaints about one file, as (line, complaint)."""
    if not path.endswith((".cc", ".h")):
        return
    code = spec_names.code_of(text)
    included = _included(path, texts, set())
    for header, name in NEEDED.items():
        found = name.search(code)
        if found and header not in included:
            line = code.count("\n", 0, found.start()) + 1
            yield line, f"{found.group()} needs an include of {header}"
