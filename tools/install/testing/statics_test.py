"""statics_test.py LIST LIBRARY...: checks that the libraries' variable static data are
those in LIST. The list gives the reason why each is no member of an object."""

import fnmatch
import re
import subprocess
import sys

# A line of `objdump -t`: value, flags, section, size, name.
SYMBOL = re.compile(
    r"[0-9a-f]{16} (?P<flags>.{7}) (?P<section>\S+)\t[0-9a-f]+ +"
    r"(?:\.hidden |\.protected )?(?P<name>.*)")
# Data that are written only while the program is loaded.
RELOCATED = (".data.rel.ro", ".data.rel.local.DW", ".data.rel.DW")
WRITABLE = (".data", ".bss", ".tdata", ".tbss", "*COM*")
# Data of other libraries; constants, by their name; guards, which belong to the guarded
# object.
LEFT_OUT = re.compile(r"\babsl::|^std::|^\.|^DW\.ref\.|^guard variable for |"
                      r"\bk[A-Z]\w*(?:\[abi:\w+\])?$")


def statics_of(library):
    table = subprocess.run(["objdump", "-tC", library], check=True,
                           capture_output=True, text=True).stdout
    for line in table.splitlines():
        symbol = SYMBOL.fullmatch(line)
        if symbol is None or symbol["name"] == "":
            continue
        section = symbol["section"]
        if not section.startswith(WRITABLE) or section.startswith(RELOCATED):
            continue
        if LEFT_OUT.search(symbol["name"]) is None:
            yield symbol["name"]


def main(path, *libraries):
    with open(path, encoding="utf-8") as file:
        listed = [line.strip() for line in file]
    listed = [name for name in listed if name and not name.startswith("#")]
    found = {name for library in libraries for name in statics_of(library)}
    if not found:
        sys.exit("no static data at all: objdump prints another form")

    unused = set(listed)
    failed = False
    for name in sorted(found):
        # Escapes brackets, which are no patterns in names.
        entries = {entry for entry in listed
                   if fnmatch.fnmatchcase(name, entry.replace("[", "[[]"))}
        unused -= entries
        if not entries:
            print(f"{name}: static, and may change; make it a member of its owner, "
                  f"or say in {path} why it can have none")
            failed = True
    for entry in sorted(unused):
        print(f"{entry}: in {path}, and no library has it")
        failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
