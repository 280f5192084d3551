"""The libraries that `./dev install` installs, one line for each.

installed_libraries makes, of every library, LIBRARY as a merged_archive and a
shared_library, and one line in libraries.txt, which install.sh reads.
"""

load("//build_defs:merged_archive.bzl", "merged_archive")
load("//build_defs:modes.bzl", "MODES")
load("//build_defs:shared_library.bzl", "shared_library")

# MAJOR changes when an installed program must be linked again: when a line of
# abi.txt goes or changes. MINOR changes when one is added.
_ABI_VERSION = "0.1.0"

# conduit -> what a program that uses its network must link.
CONDUITS = {
    "smp": [],
}

# What the compiler must be told for each form of a library.
_DEFINES = {
    "seq": ["-DGASNET_SEQ"],
    "parsync": ["-DGASNET_PARSYNC", "-D_REENTRANT"],
    "par": ["-DGASNET_PAR", "-D_REENTRANT"],
}

def _library(name, label, exported, target, variables, fragment, includes, defines, libs, description):
    """One library to install.

    Args:
      name: libNAME.{a,so} and NAME.pc.
      label: the cc_library.
      exported: patterns of the symbols that clients may see.
      target: the CMake package's GASNet::TARGET.
      variables: the prefix of the make fragment's variables.
      fragment: the make fragment, below include/.
      includes: directories below include/ that clients search, besides it.
      defines: flags that clients are compiled with.
      libs: flags that clients are linked with, besides the C++ runtime.
      description: for pkg-config, in a few words.

    Returns:
      All of that, as a struct.
    """
    return struct(
        name = name,
        label = label,
        exported = exported,
        libs = libs,
        row = [name, target, variables, fragment] +
              [" ".join(words) for words in (includes, defines, libs)] +
              [description],
    )

def _gasnet(conduit, mode):
    return _library(
        name = "gasnet-%s-%s" % (conduit, mode),
        label = "//conduits/%s:gasnet_%s" % (conduit, mode),
        exported = ["gasnet*"],
        target = "%s_%s" % (conduit, mode),
        variables = "GASNET",
        fragment = "%s-conduit/%s-%s.mak" % (conduit, conduit, mode),
        includes = [conduit + "-conduit"],
        defines = _DEFINES[mode],
        libs = CONDUITS[conduit],
        description = "GASNet on the %s conduit, threading mode %s" % (conduit, MODES[mode]),
    )

LIBRARIES = [_gasnet(conduit, mode) for conduit in CONDUITS for mode in MODES]

def _table_impl(ctx):
    # Not a tab: the shell would take two of them for one.
    table = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(table, "".join([row + "\n" for row in ctx.attr.rows]))
    return [DefaultInfo(files = depset([table]), runfiles = ctx.runfiles([table]))]

_table = rule(
    implementation = _table_impl,
    attrs = {"rows": attr.string_list(mandatory = True)},
)

def installed_libraries(name):
    """Makes all of LIBRARIES, libraries.txt, and NAME, which is all of that.

    Args:
      name: of the filegroup.
    """
    built = []
    for library in LIBRARIES:
        # Only what depends on them builds them.
        merged_archive(
            name = "static/lib" + library.name,
            exported = library.exported,
            library = library.label,
            tags = ["manual"],
        )
        shared_library(
            name = "shared/lib" + library.name,
            exported = library.exported,
            library = library.label,
            linkopts = library.libs,
            tags = ["manual"],
            version = _ABI_VERSION,
        )
        built += ["static/lib" + library.name, "shared/lib" + library.name]
    _table(
        name = "libraries",
        rows = ["|".join(library.row) for library in LIBRARIES],
    )
    native.filegroup(
        name = name,
        srcs = built + ["libraries"],
        tags = ["manual"],
    )
