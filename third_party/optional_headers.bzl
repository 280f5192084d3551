"""Headers of a library that is loaded at run time, if they are installed.

The repository has one cc_library, `:headers`, which is empty if pkg-config does not
know the module, and `installed.bzl` with INSTALLED, by which BUILD files choose
their sources.
"""

_BUILD = """
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "headers",
    hdrs = glob(["include*/**/*.h"]),
    includes = {includes},
)
"""

def _directories(ctx, module):
    """Returns the directories of headers, or None if there is no such module."""
    program = ctx.which("pkg-config")
    if not program:
        return None
    result = ctx.execute([program, "--cflags-only-I", module])
    if result.return_code != 0:
        return None
    return [word[len("-I"):] for word in result.stdout.strip().split(" ") if word]

def _optional_headers_repository_impl(ctx):
    directories = _directories(ctx, ctx.attr.module)
    ctx.file("installed.bzl", "INSTALLED = %s\n" % (directories != None))
    includes = []
    for i, directory in enumerate(directories or []):
        ctx.symlink(directory, "include%d" % i)
        includes.append("include%d" % i)
    ctx.file("BUILD.bazel", _BUILD.format(includes = repr(includes)))

optional_headers_repository = repository_rule(
    implementation = _optional_headers_repository_impl,
    attrs = {
        "module": attr.string(
            mandatory = True,
            doc = "The module, as pkg-config knows it.",
        ),
    },
    configure = True,
    environ = ["PKG_CONFIG_PATH"],
    local = True,
)
