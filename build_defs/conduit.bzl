"""Targets that every conduit's package makes in the same way."""

load("//build_defs:modes.bzl", "mode_cc_library")
load("//build_defs:unit_test.bzl", "unit_test")

# Build systems accept a directory as a conduit's if it contains these.
_LOOKED_FOR = ["core", "extended"]

def _looked_for(part):
    """Makes the file gasnet_PART.h, which stands for gasnet.h. Returns its path."""
    header = "include/gasnet_%s.h" % part
    guard = "GASNET_CONDUIT_%s_H_" % part.upper()
    lines = [
        "/* The %s API: gasnet.h has all of it. Generated. */" % part,
        "#ifndef " + guard,
        "#define " + guard,
        "#include \"gasnet.h\"",
        "#endif",
    ]
    native.genrule(
        name = "gasnet_%s_h" % part,
        outs = [header],
        cmd = "printf '%s\\n' " + " ".join(["'%s'" % line for line in lines]) + " > $@",
    )
    return header

def conduit_target(conduit, target):
    """Returns the label of a conduit's target. The tests' conduit has its own path."""
    folder = "testing/fake" if conduit == "fake" else conduit
    return "//conduits/%s:%s" % (folder, target)

def conduit_libraries(name, needs = [], local_defines = []):
    """Makes gasnet_MODE, which a client links and includes, and :public_headers.

    gasnet_MODE is front_MODE, which belongs to this conduit alone, and the code that
    all libraries share. The package has NAME_export.cc, include/gasnet_conduit.h and a
    mode_cc_library called "conduit".

    Args:
      name: the conduit's.
      needs: external libraries that the conduit calls. Programs for other conduits do
        not link them.
      local_defines: macros for the front.
    """
    headers = ["include/gasnet_conduit.h"] + [_looked_for(part) for part in _LOOKED_FOR]
    mode_cc_library(
        name = "front",
        srcs = [name + "_export.cc"],
        hdrs = ["include/gasnet_conduit.h"],
        local_defines = local_defines,
        # The precompiled header would initialise the streams of the C++ library.
        precompiled = False,
        alwayslink = True,
        includes = ["include"],
        visibility = ["//tools/install:__pkg__"],
        deps = [
            "//api:gasnet",
            "//export:linked_library",
        ] + needs,
    )
    mode_cc_library(
        name = "gasnet",
        hdrs = headers,
        includes = ["include"],
        linkopts = ["-lpthread"],
        mode_deps = [
            ":front",
            ":conduit",
            "//export",
            "//gasnet_tools",
        ],
        propagate = True,
        # The public headers belong to this target, as for a client.
        textual_hdrs = [
            "//api:public_headers",
            "//gasnet_tools:include/gasnet_trace.h",
        ],
        deps = ["//api:gasnet"],
    )
    native.filegroup(
        name = "public_headers",
        srcs = headers,
    )
    unit_test(
        name = "headers_test",
        size = "small",
        srcs = ["//api:conduit_headers_test.c"],
        deps = [":gasnet_par"],
    )
