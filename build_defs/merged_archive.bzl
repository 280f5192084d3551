"""One static archive out of a library and everything that it is built on."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _archives(linking_context):
    """Static archives in link order: our own, and those from elsewhere."""
    own = []
    foreign = []
    for linker_input in linking_context.linker_inputs.to_list():
        for library in linker_input.libraries:
            archive = library.static_library or library.pic_static_library
            if archive:
                is_own = linker_input.owner.workspace_name == ""
                (own if is_own else foreign).append(archive)
    return own, foreign

def merge_archives(ctx, archive, library):
    """Registers the action that makes `archive` of all of `library`.

    Args:
      ctx: of a rule with MERGE_ATTRS.
      archive: the file to make.
      library: the CcInfo of what to merge.
    """
    toolchain = find_cpp_toolchain(ctx)
    own, foreign = _archives(library.linking_context)
    arguments = ctx.actions.args()
    arguments.add(archive)
    arguments.add(toolchain.compiler_executable)
    arguments.add(toolchain.objcopy_executable)
    arguments.add(toolchain.ar_executable)
    arguments.add_joined(ctx.attr.exported, join_with = ",")
    arguments.add_all(own)
    arguments.add("--")
    arguments.add_all(foreign)
    ctx.actions.run(
        outputs = [archive],
        inputs = depset(own + foreign, transitive = [toolchain.all_files]),
        executable = ctx.executable._merge,
        arguments = [arguments],
        mnemonic = "MergeArchive",
        use_default_shell_env = True,
    )

def _merged_archive_impl(ctx):
    archive = ctx.outputs.archive
    merge_archives(ctx, archive, ctx.attr.library[CcInfo])
    return [DefaultInfo(
        files = depset([archive]),
        runfiles = ctx.runfiles(files = [archive]),
    )]

# What a rule needs to call merge_archives.
MERGE_ATTRS = {
    "exported": attr.string_list(
        doc = "Patterns of the symbols that clients may see.",
        mandatory = True,
    ),
    "_cc_toolchain": attr.label(
        default = "@bazel_tools//tools/cpp:current_cc_toolchain",
    ),
    "_merge": attr.label(
        cfg = "exec",
        default = "//build_defs:merge_archives",
        executable = True,
    ),
}

merged_archive = rule(
    doc = """NAME.a: all of our objects that `library` consists of and what they
need of other libraries, as one object in which only `exported` is visible. A
client may bring its own version of a library that is inside.""",
    implementation = _merged_archive_impl,
    attrs = dict(
        MERGE_ATTRS,
        library = attr.label(mandatory = True, providers = [CcInfo]),
    ),
    outputs = {"archive": "%{name}.a"},
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
