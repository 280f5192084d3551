"""A merged archive as a shared library."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _version_script(ctx):
    """Makes the file that lists exported symbols for the linker."""
    script = ctx.actions.declare_file(ctx.label.name + ".version")
    ctx.actions.write(script, "{ global: %s local: *; };\n" %
                              "".join([name + "; " for name in ctx.attr.exported]))
    return script

def _soname(file):
    """Returns the name by which programs load the library lib.so.MAJOR.MINOR.PATCH."""
    return file.basename.rsplit(".", 2)[0]

def _stubs(ctx, toolchain, core):
    """Makes a file of assembler text with the symbols of `core`."""
    stubs = ctx.actions.declare_file(ctx.label.name + ".stubs.s")
    ctx.actions.run(
        outputs = [stubs],
        inputs = depset([core], transitive = [toolchain.all_files]),
        executable = ctx.executable._stubs,
        arguments = [stubs.path, toolchain.nm_executable, core.path, ctx.attr.inner],
        mnemonic = "FilterStubs",
        use_default_shell_env = True,
    )
    return stubs

def _link(ctx, archive, script):
    """Links all of `archive`. Returns the shared library."""
    toolchain = find_cpp_toolchain(ctx)
    library = ctx.actions.declare_file(
        "%s.so.%s" % (ctx.label.name, ctx.attr.version),
    )
    inputs = [archive, script]
    arguments = ctx.actions.args()
    arguments.add_all(["-shared", "-o", library, "-Wl,-soname," + _soname(library)])
    arguments.add("-Wl,--version-script=" + script.path)
    arguments.add_all(["-Wl,-z,relro", "-Wl,-z,now", "-Wl,--as-needed"])
    arguments.add("-Wl,--compress-debug-sections=zlib")

    # A thread that has called GASNet calls it again when it ends.
    arguments.add("-Wl,-z,nodelete")
    arguments.add_all(["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"])
    if ctx.file.core:
        stubs = _stubs(ctx, toolchain, ctx.file.core)
        inputs += [stubs, ctx.file.core]
        arguments.add_all([stubs, "-Wl,--filter=" + _soname(ctx.file.core)])
        arguments.add_all(["-Wl,--no-as-needed", ctx.file.core, "-Wl,--as-needed"])

        # Makes the dynamic linker load the core next to this library and no other.
        # With the new tag, directories of LD_LIBRARY_PATH would precede it.
        arguments.add_all(["-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN"])
    arguments.add_all(ctx.attr.linkopts)

    # The C++ library is included, so a client may use another version of it.
    arguments.add_all(["-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic", "-lm", "-pthread"])
    ctx.actions.run(
        outputs = [library],
        inputs = depset(inputs, transitive = [toolchain.all_files]),
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
    doc = """NAME.so.VERSION: all of a merged_archive, which exports `exported`.

With a `core` it is a filter (DT_FILTER): it also has the symbols of that shared
library, for a linker to find, but the dynamic linker uses those of the core itself. So
many libraries share one core, and programs see each of them as complete.""",
    implementation = _shared_library_impl,
    attrs = {
        "archive": attr.label(
            allow_single_file = [".a"],
            mandatory = True,
        ),
        "core": attr.label(
            doc = "A shared_library. It is installed next to this one.",
            allow_single_file = True,
        ),
        "exported": attr.string_list(
            doc = "Patterns of the symbols that clients may see.",
            mandatory = True,
        ),
        "inner": attr.string(
            doc = "The prefix of the core's names that are hidden from clients.",
        ),
        "linkopts": attr.string_list(
            doc = "Linker options besides those of the C++ runtime.",
        ),
        "version": attr.string(
            doc = "MAJOR.MINOR.PATCH of the interface; MAJOR is in the soname.",
            mandatory = True,
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
        "_stubs": attr.label(
            cfg = "exec",
            default = "//build_defs:filter_stubs",
            executable = True,
        ),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
