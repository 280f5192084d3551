"""The Portals 4 of the system, for the portals conduit, if one is installed.

Only a build with --//build_defs:portals=system needs it, and only that build fails
if it is absent. @portals4//:libs.bzl has LIBS, the linker's flags.
"""

_BUILD = """# Generated; see third_party/portals4.bzl.
cc_library(
    name = "portals4",
    hdrs = glob(["include/**/*.h"]),
    includes = {includes},
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
)
"""

_ABSENT = """# Generated; see third_party/portals4.bzl.
load("@//third_party:portals4.bzl", "absent_portals4")

absent_portals4(
    name = "portals4",
    visibility = ["//visibility:public"],
)
"""

def _absent_portals4_impl(_ctx):
    fail("--//build_defs:portals=system, but pkg-config does not know portals4: " +
         "install the Portals 4 of your network, set PKG_CONFIG_PATH to where its " +
         "portals4.pc is, or build with --//build_defs:portals=software")

absent_portals4 = rule(
    implementation = _absent_portals4_impl,
    provides = [CcInfo],
)

def _words(ctx, program, option):
    found = ctx.execute([program, option, "portals4"]).stdout
    return [word for word in found.strip().split(" ") if word]

def _portals4_repository_impl(ctx):
    program = ctx.which("pkg-config")
    ctx.file("libs.bzl", "LIBS = %s\n" % repr(_words(ctx, program, "--libs") if program else []))
    if not program or ctx.execute([program, "--exists", "portals4"]).return_code != 0:
        ctx.file("BUILD.bazel", _ABSENT)
        return
    includes = []
    for word in _words(ctx, program, "--cflags-only-I"):
        link = "include/%d" % len(includes)
        ctx.symlink(word[len("-I"):], link)
        includes.append(link)
    ctx.file("BUILD.bazel", _BUILD.format(
        includes = repr(includes),
        linkopts = repr(_words(ctx, program, "--libs")),
    ))

portals4_repository = repository_rule(
    implementation = _portals4_repository_impl,
    configure = True,
    environ = ["PKG_CONFIG_PATH"],
    local = True,
)
