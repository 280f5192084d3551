"""Libraries that the benchmarks compare ours with, if they are installed.

A peer is found through its own compiler wrapper, which lists the flags that it adds.
Open MPI's lists them for --showme, MPICH's for -link_info. A wrapper that answers the
other's option, or none, counts as not installed.
The repository has one cc_library, `:peer`, which is empty without the peer, and
`peer.bzl` with INSTALLED, which BUILD files load to omit targets.
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

def _answer(ctx, question):
    """Returns the words that the compiler wrapper prints, or None if it cannot say."""
    program = ctx.which(ctx.attr.wrapper)
    if not program:
        return None
    result = ctx.execute([program, question])
    if result.return_code != 0:
        return None
    return [word for word in result.stdout.strip().split(" ") if word]

def _with(words, flag):
    return [word[len(flag):] for word in words if word.startswith(flag)]

def _find(ctx):
    """Returns directories of headers, directories of libraries, and libraries."""
    if ctx.attr.is_mpich:
        words = _answer(ctx, "-link_info")
        if words == None:
            return None
        return _with(words, "-I"), _with(words, "-L"), _with(words, "-l")
    found = [
        _answer(ctx, "--showme:" + what)
        for what in ["incdirs", "libdirs", "libs"]
    ]
    return None if None in found else found

def _link_includes(ctx, directories):
    names = []
    for i, directory in enumerate(directories):
        name = "include%d" % i
        ctx.symlink(directory, name)
        names.append(name)
    return names

def _peer_repository_impl(ctx):
    found = _find(ctx)
    installed = found != None
    ctx.file("peer.bzl", "INSTALLED = %s\n" % installed)
    includes = []
    linkopts = []
    if installed:
        includes, libdirs, libs = found

        # Does not check the dependencies among a peer's libraries.
        linkopts = ["-Wl,--allow-shlib-undefined"]
        linkopts += ["-L" + path for path in libdirs] + ["-l" + lib for lib in libs]
    ctx.file("BUILD.bazel", _BUILD.format(
        includes = repr(_link_includes(ctx, includes)),
        linkopts = repr(linkopts),
    ))

peer_repository = repository_rule(
    implementation = _peer_repository_impl,
    attrs = {
        "is_mpich": attr.bool(),
        "wrapper": attr.string(
            mandatory = True,
            doc = "The peer's compiler wrapper.",
        ),
    },
    configure = True,
    environ = ["PATH"],
    local = True,
)
