"""A merged archive as a shared library."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _version_script(ctx):
    """The file that tells the linker what is exported."""
    script = ctx.actions.declare_file(ctx.label.name + ".version")
    ctx.actions.write(script, "{ global: %s local: *; };\n" %
                              "".join([name + "; " for name in ctx.attr.exported]))
    return script

def _link(ctx, archive, script):
    """Links all of `archive`; answers the shared library."""
    toolchain = find_cpp_toolchain(ctx)
    soname = "%s.so.%s" % (ctx.label.name.split("/")[-1], ctx.attr.version.split(".")[0])
    library = ctx.actions.declare_file(
        "%s.so.%s" % (ctx.label.name, ctx.attr.version),
    )
    arguments = ctx.actions.args()
    arguments.add_all(["-shared", "-o", library, "-Wl,-soname," + soname])
    arguments.add("-Wl,--version-script=" + script.path)
    arguments.add_all(["-Wl,-z,relro", "-Wl,-z,now", "-Wl,--as-needed"])
    arguments.add("-Wl,--compress-debug-sections=zlib")

    # A thread that has called GASNet calls it once more when it ends.
    arguments.add("-Wl,-z,nodelete")
    arguments.add_all(["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"])
    arguments.add_all(ctx.attr.linkopts)

    # The C++ library is inside: a client is free to use another version of it.
    arguments.add_all(["-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic", "-lm", "-pthread"])
    ctx.actions.run(
        outputs = [library],
        inputs = depset([archive, script], transitive = [toolchain.all_files]),
        executable = toolchain.compiler_executable,
        arguments = [arguments],
        mnemonic = "LinkSharedLibrary",
        use_default_shell_env = True,
    )
    return library

def _shared_library_impl(ctx):
    library = _link(ctx, ctx.file.archive, _version_script(ctx))
    return [DefaultInfo(
        files = depset([library]),
        runfiles = ctx.runfiles(files = [library]),
    )]

shared_library = rule(
    doc = "NAME.so.VERSION: all of a merged_archive, which shows `exported`.",
    implementation = _shared_library_impl,
    attrs = {
        "archive": attr.label(
            allow_single_file = [".a"],
            mandatory = True,
        ),
        "exported": attr.string_list(
            doc = "Patterns of the symbols that clients may see.",
            mandatory = True,
        ),
        "linkopts": attr.string_list(
            doc = "What it needs besides the C++ runtime.",
        ),
        "version": attr.string(
            doc = "MAJOR.MINOR.PATCH of the interface; MAJOR is in the soname.",
            mandatory = True,
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
