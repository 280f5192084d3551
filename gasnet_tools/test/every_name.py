#!/usr/bin/env python3
"""every_name.py NAMES: writes a C and C++ program that uses all names.

It does not compile if a name is missing, is of another kind, or exists but must
not.
"""

import sys

TEMPLATES = {
    "function": '  {{"{0}", (anything)&{0}}},',
    "variable": '  {{"{0}", (anything)(size_t)&{0}}},',
}


def read_names(path):
    with open(path, encoding="ascii") as lines:
        return [line.split() for line in lines if not line.startswith("#")]


def preprocessor_checks(names):
    for name, kind in names:
        if kind == "macro":
            yield f'#ifndef {name}\n#error "{name} is missing"\n#endif'
        elif kind == "undefined":
            yield f'#ifdef {name}\n#error "{name} must not be defined"\n#endif'


def entries(names, prefix):
    for name, kind in names:
        if not kind.startswith(prefix):
            continue
        kind = kind[len(prefix):]
        if kind in TEMPLATES:
            yield TEMPLATES[kind].format(name)
        elif kind == "type":
            yield f'  {{"{name}", sizeof({name}) != 0 ? &something : 0}},'


def main():
    names = read_names(sys.argv[1])
    print("\n".join(preprocessor_checks(names)))
    print("static const struct entry every_name[] = {")
    print("\n".join(entries(names, "")))
    print("#ifdef GASNET_DEBUGMALLOC")
    print("\n".join(entries(names, "debug-")))
    print("#endif\n};")


main()
