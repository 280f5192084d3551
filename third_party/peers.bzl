"""Libraries that the benchmarks compare ours with, where they are installed.

A peer is found through its own compiler wrapper, which is asked what it adds
(Open MPI's answer --showme; another MPI's do not and count as not installed).
The repository has one cc_library, `:peer`, empty without the peer, and
`peer.bzl` with INSTALLED, which BUILD files load to leave targets out.
"""

_BUILD = """
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "peer",
    hdrs = glob(["include*/**"]),
    includes = {includes},
    linkopts = {linkopts},
)
"""

def _showme(ctx, wrapper, what):
    """The words of one answer; None where there is no such wrapper."""
    program = ctx.which(wrapper)
    if not program:
        return None
    result = ctx.execute([program, "--showme:" + what])
    if result.return_code != 0:
        return None
    return [word for word in result.stdout.strip().split(" ") if word]

def _link_includes(ctx, directories):
    names = []
    for i, directory in enumerate(directories):
        name = "include%d" % i
        ctx.symlink(directory, name)
        names.append(name)
    return names

def _peer_repository_impl(ctx):
    includes = _showme(ctx, ctx.attr.wrapper, "incdirs")
    libdirs = _showme(ctx, ctx.attr.wrapper, "libdirs")
    libs = _showme(ctx, ctx.attr.wrapper, "libs")
    installed = None not in (includes, libdirs, libs)
    ctx.file("peer.bzl", "INSTALLED = %s\n" % installed)
    linkopts = []
    if installed:
        # What a peer's libraries need of each other is their own affair.
        linkopts = ["-Wl,--allow-shlib-undefined"]
        linkopts += ["-L" + path for path in libdirs] + ["-l" + lib for lib in libs]
    ctx.file("BUILD.bazel", _BUILD.format(
        includes = repr(_link_includes(ctx, includes) if installed else []),
        linkopts = repr(linkopts),
    ))

peer_repository = repository_rule(
    implementation = _peer_repository_impl,
    attrs = {
        "wrapper": attr.string(
            mandatory = True,
            doc = "The peer's compiler wrapper.",
        ),
    },
    configure = True,
    environ = ["PATH"],
    local = True,
)
