"""One shared library out of a library and everything that it is built on."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load(":merged_archive.bzl", "MERGE_ATTRS", "merge_archives")

# Position-independent. Who preloads a library to replace one of our functions
# gets no help, and thread-local variables are as near as in a program, for
# which the dynamic linker keeps some room when a library is loaded late.
_PIC_OPTIONS = ["-fPIC", "-fno-semantic-interposition", "-ftls-model=initial-exec"]

_COPT = "//command_line_option:copt"

def _pic_transition_impl(settings, _attr):
    return {_COPT: settings[_COPT] + _PIC_OPTIONS}

_pic_transition = transition(
    implementation = _pic_transition_impl,
    inputs = [_COPT],
    outputs = [_COPT],
)

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

    # A thread that has called GASNet calls it once more when it ends.
    arguments.add("-Wl,-z,nodelete")
    arguments.add_all(["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"])
    arguments.add_all(ctx.attr.linkopts)

    # Debian's archives refer to tables of the C++ library as only a program or
    # the library itself can, so it is inside, and a client is free to use
    # another version of it.
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
    archive = ctx.actions.declare_file(ctx.label.name + ".pic.a")

    # Dependencies through a transition are always lists.
    merge_archives(ctx, archive, cc_common.merge_cc_infos(direct_cc_infos = [
        dep[CcInfo]
        for dep in ctx.attr.library + ctx.attr._replacements
    ]))
    library = _link(ctx, archive, _version_script(ctx))
    return [DefaultInfo(
        files = depset([library]),
        runfiles = ctx.runfiles(files = [library]),
    )]

shared_library = rule(
    doc = """NAME.so.VERSION: the same as merged_archive makes, as a shared
library. It is compiled for this apart from the rest of the build.""",
    implementation = _shared_library_impl,
    attrs = dict(
        MERGE_ATTRS,
        library = attr.label(
            cfg = _pic_transition,
            mandatory = True,
            providers = [CcInfo],
        ),
        linkopts = attr.string_list(
            doc = "What it needs besides the C++ runtime.",
        ),
        version = attr.string(
            doc = "MAJOR.MINOR.PATCH of the interface; MAJOR is in the soname.",
            mandatory = True,
        ),
        _allowlist_function_transition = attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        _replacements = attr.label(
            cfg = _pic_transition,
            default = "//third_party/absl_pic",
            providers = [CcInfo],
        ),
    ),
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
