"""The libraries that `./dev install` installs, one line for each.

A new conduit is a line in CONDUITS, which suffices to install and test it. The tools
library consists of TOOLS, its headers in HEADERS, and a listing in abi/.

installed_libraries makes a merged_archive, a shared_library and a line in libraries.txt
for every library. install.sh reads libraries.txt. The libraries of PAR also have a
table of their own, libraries_par.txt, for targets that need no others.

The libraries of all conduits share a core for each mode. Each has a front of its own
(//export:linked_library). A program links one library: a thin archive of front and
core, or a shared library that is a filter of the core's.
"""

load("//build_defs:merged_archive.bzl", "merged_archive")
load("//build_defs:modes.bzl", "MODES")
load("//build_defs:shared_library.bzl", "shared_library")
load("@ipsec_mb//:libs.bzl", IPSEC_MB = "LIBS")
load("@portals4//:libs.bzl", PORTALS4 = "LIBS")

# MAJOR changes if installed programs must be linked again: if a line of a
# listing in abi/ is removed or changed. MINOR changes if one is added.
_ABI_VERSION = "3.0.0"

_DATAGRAMS = ["-lsodium"] + IPSEC_MB

# conduit -> the libraries that a program must link for its network. Libfabric
# is loaded only if a rank is on another host, so no program links it. The
# software Portals uses datagrams between hosts, as udp does.
CONDUITS = {
    "smp": [],
    "udp": _DATAGRAMS,
    "ofi": [],
    "portals": _DATAGRAMS,
    # All of them in one library.
    "any": _DATAGRAMS,
}

# The forms of the tools library.
TOOLS = ["seq", "par"]

# Files below an include/ directory, for every program. A conduit's own headers
# are //conduits/CONDUIT:public_headers.
HEADERS = [
    "//api:public_headers",
    "//gasnet_tools:public_headers",
]

# Fronts of the conduits that use ciphers are linked with these.
_CIPHERS = "//core/datagram:linked_ciphers_built"

# Names that are visible to clients.
_EXPORTED = ["gasnet*", "gex_*"]

# Names that fronts and cores share and that are hidden from clients.
_INNER = "gasneti_core_"

# The macros of each mode.
_DEFINES = {
    "seq": ["-DGASNET_SEQ"],
    "parsync": ["-DGASNET_PARSYNC", "-D_REENTRANT"],
    "par": ["-DGASNET_PAR", "-D_REENTRANT"],
}

# The same for the tools library.
_TOOLS_DEFINES = {
    "seq": ["-DGASNETT_THREAD_SAFE=0"],
    "par": ["-DGASNETT_THREAD_SAFE=1", "-D_REENTRANT"],
}

def _library(name, label, listing, target, variables, fragment, includes, defines, libs, description, over_system = None, core = None):
    """Returns one library to install.

    Args:
      name: libNAME.{a,so} and NAME.pc.
      label: the cc_library. With a core it is that of the front.
      listing: the file that lists the shared library's exports.
      target: the CMake package's GASNet::TARGET.
      variables: the prefix of the make fragment's variables.
      fragment: the make fragment, below include/.
      includes: directories below include/ that clients search, besides it.
      defines: flags that clients are compiled with.
      libs: flags that clients are linked with, besides the C++ runtime.
      description: for pkg-config, in a few words.
      over_system: `libs` over a system's Portals, if they differ.
      core: the mode whose core it shares, or None.

    Returns:
      a struct of these.
    """
    before = [name, target, variables, fragment, " ".join(includes), " ".join(defines)]
    return struct(
        name = name,
        label = label,
        listing = listing,
        core = core,
        # Keyed by the choice of Portals: values of select().
        libs = {
            portals: struct(flags = flags, row = before + [" ".join(flags), description])
            for portals, flags in {
                "//build_defs:portals_system": libs if over_system == None else over_system,
                "//conditions:default": libs,
            }.items()
        },
    )

def _gasnet(conduit, mode):
    return _library(
        name = "gasnet-%s-%s" % (conduit, mode),
        label = "//conduits/%s:front_%s" % (conduit, mode),
        core = mode,
        listing = "abi/gasnet.txt",
        target = "%s_%s" % (conduit, mode),
        variables = "GASNET",
        fragment = "%s-conduit/%s-%s.mak" % (conduit, conduit, mode),
        includes = [conduit + "-conduit"],
        defines = _DEFINES[mode],
        libs = CONDUITS[conduit],
        over_system = CONDUITS[conduit] + PORTALS4 if conduit != "portals" else PORTALS4,
        description = "GASNet on the %s conduit, threading mode %s" % (conduit, MODES[mode]),
    )

def _tools(form):
    return _library(
        name = "gasnet_tools-" + form,
        label = "//gasnet_tools:gasnet_tools_" + form,
        listing = "abi/gasnet_tools.txt",
        target = "tools_" + form,
        variables = "GASNETTOOLS",
        fragment = "gasnet_tools-%s.mak" % form,
        includes = [],
        defines = _TOOLS_DEFINES[form],
        libs = [],
        description = "Portable tools of GASNet, form " + form,
    )

LIBRARIES = [_gasnet(conduit, mode) for conduit in CONDUITS for mode in MODES] + [
    _tools(form)
    for form in TOOLS
]

# The shared libraries that conduits' libraries filter.
CORES = ["shared/libgasnet-" + mode for mode in MODES]

# listing -> the shared libraries that it describes
LISTINGS = {
    listing: [
        "shared/lib" + library.name
        for library in LIBRARIES
        if library.listing == listing
    ]
    for listing in {library.listing: None for library in LIBRARIES}
}

def abi_name(listing):
    """Returns `gasnet` for abi/gasnet.txt."""
    return listing[len("abi/"):-len(".txt")]

def abi_arguments(listing):
    """Returns the arguments of testing/abi.sh after its command."""
    return ["$(location %s)" % listing] + [
        "$(location %s)" % library
        for library in LISTINGS[listing]
    ]

def _table_impl(ctx):
    table = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(table, "".join([row + "\n" for row in ctx.attr.rows]))
    return [DefaultInfo(files = depset([table]), runfiles = ctx.runfiles([table]))]

_table = rule(
    implementation = _table_impl,
    attrs = {"rows": attr.string_list(mandatory = True)},
)

# The program has the sanitizer's runtime, so the library leaves it undefined.
_NOTHING_UNDEFINED = select({
    "//build_defs:sanitizer_none": ["-Wl,-z,defs"],
    "//conditions:default": [],
})

def _core(mode):
    """Makes {static,shared}/libgasnet-MODE, which a mode's libraries share."""
    merged_archive(
        name = "static/libgasnet-" + mode,
        exported = _EXPORTED,
        library = "//conduits/any:core_" + mode,
        tags = ["manual"],
        without = [_CIPHERS],
    )
    shared_library(
        name = "shared/libgasnet-" + mode,
        archive = "static/libgasnet-" + mode,
        exported = _EXPORTED,
        linkopts = select({
            "//build_defs:portals_system": PORTALS4,
            "//conditions:default": [],
        }) + _NOTHING_UNDEFINED,
        tags = ["manual"],
        version = _ABI_VERSION,
    )

def _group(name, table, libraries):
    """Makes a filegroup of the libraries and of a table of them."""
    _table(
        name = table,
        rows = select({
            portals: ["|".join(library.libs[portals].row) for library in libraries]
            for portals in LIBRARIES[0].libs
        }),
    )
    native.filegroup(
        name = name,
        srcs = [
            form + library.name
            for library in libraries
            for form in ["static/lib", "shared/lib"]
        ] + [
            form + mode
            for mode in {library.core: None for library in libraries if library.core}
            for form in ["static/libgasnet-", "shared/libgasnet-"]
        ] + [table],
        tags = ["manual"],
    )

def installed_libraries(name):
    """Makes all of LIBRARIES; NAME, which has them all; and NAME_par, which has a part.

    Args:
      name: the filegroup's name.
    """
    for mode in MODES:
        _core(mode)
    for library in LIBRARIES:
        # Built only for targets that depend on them.
        merged_archive(
            name = "static/lib" + library.name,
            exported = _EXPORTED,
            library = library.label,
            tags = ["manual"],
        )
        shared_library(
            name = "shared/lib" + library.name,
            archive = "static/lib" + library.name,
            core = "shared/libgasnet-" + library.core if library.core else None,
            exported = _EXPORTED,
            inner = _INNER,
            linkopts = select({
                portals: of.flags
                for portals, of in library.libs.items()
            }) + _NOTHING_UNDEFINED,
            tags = ["manual"],
            version = _ABI_VERSION,
        )
    _group(name, "libraries", LIBRARIES)
    _group(name + "_par", "libraries_par", [
        library
        for library in LIBRARIES
        if library.name.endswith("-par")
    ])
