"""A system library whose package has no pkg-config file.

Makes @NAME//:NAME, which links it, and @NAME//:libs.bzl with LIBS, the linker's
flags for targets that must name them. Both are empty on machines for which the
library does not exist; on others the compiler must find its header.
"""

_BUILD = """# See third_party/system_library.bzl.
package(default_visibility = ["//visibility:public"])

cc_library(
    name = {name},
    linkopts = {libs},
)
"""

def _require_header(ctx):
    compiler = ctx.which("cc") or ctx.which("gcc") or ctx.which("clang")
    if not compiler:
        fail("%s: there is no C compiler" % ctx.name)
    found = ctx.execute(
        [compiler, "-E", "-include", ctx.attr.header, "-x", "c", "/dev/null"],
    )
    if found.return_code != 0:
        fail(("%s: the compiler does not find %s. Install the Debian package: " +
              "apt-get install %s") %
             (ctx.name, ctx.attr.header, ctx.attr.debian_package))

def _system_library_repository_impl(ctx):
    machine = ctx.execute(["uname", "-m"]).stdout.strip()
    libs = []
    if machine in ctx.attr.machines:
        _require_header(ctx)
        libs = ["-l" + ctx.attr.library]
    ctx.file("BUILD.bazel", _BUILD.format(name = repr(ctx.name), libs = repr(libs)))
    ctx.file("libs.bzl", "LIBS = %s\n" % repr(libs))

system_library_repository = repository_rule(
    implementation = _system_library_repository_impl,
    attrs = {
        "debian_package": attr.string(
            mandatory = True,
            doc = "The Debian package to install when the library is missing.",
        ),
        "header": attr.string(
            mandatory = True,
            doc = "The header, as programs include it.",
        ),
        "library": attr.string(
            mandatory = True,
            doc = "NAME of -lNAME.",
        ),
        "machines": attr.string_list(
            mandatory = True,
            doc = "The machines that have the library, as `uname -m` calls them.",
        ),
    },
    configure = True,
    local = True,
)
