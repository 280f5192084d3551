"""What every conduit's package makes in the same way."""

load("//build_defs:modes.bzl", "mode_cc_library")

def conduit_libraries(name):
    """Makes gasnet_MODE, what a client links and includes, and :public_headers.

    The package has NAME_export.cc, include/gasnet_conduit.h and a
    mode_cc_library called "conduit".

    Args:
      name: the conduit's.
    """
    mode_cc_library(
        name = "gasnet",
        srcs = [name + "_export.cc"],
        hdrs = ["include/gasnet_conduit.h"],
        alwayslink = True,
        includes = ["include"],
        linkopts = ["-lpthread"],
        mode_deps = [
            "//conduits/%s:conduit" % name,
            "//api:common",
            "//coll",
            "//core/thread",
            "//extended",
            "//gasnet_tools",
        ],
        propagate = True,
        # The public headers belong to this target, as a client sees it.
        textual_hdrs = ["//api:public_headers"],
        deps = [
            "//api:export",
            "//api:gasnet",
            "//base:env",
            "//base:log",
            "//core:phase",
            "//core:supernodes",
        ],
    )
    native.filegroup(
        name = "public_headers",
        srcs = ["include/gasnet_conduit.h"],
    )
