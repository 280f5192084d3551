"""One static archive of a library and all its dependencies."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

# Objects are position-independent, for programs of every kind and for shared
# libraries. A preloaded library cannot replace functions of this one. Thread-local
# variables are accessed as in a program, since the dynamic linker reserves some room
# for those of libraries that are loaded late.
_PIC_OPTIONS = ["-fPIC", "-fno-semantic-interposition", "-ftls-model=initial-exec"]

_COPT = "//command_line_option:copt"

def _pic_transition_impl(settings, _attr):
    missing = [option for option in _PIC_OPTIONS if option not in settings[_COPT]]
    return {_COPT: settings[_COPT] + missing}

_pic_transition = transition(
    implementation = _pic_transition_impl,
    inputs = [_COPT],
    outputs = [_COPT],
)

# The repositories that this build compiles from source, with its own options.
_ABSEIL = "com_google_absl"
_COMPILED_HERE = ["", _ABSEIL]

def _parts(linking_context, without):
    """Returns our objects, and Abseil's archives, in link order: see docs/STYLE.md."""
    ours, used, left_out = [], [], []
    for linker_input in linking_context.linker_inputs.to_list():
        if linker_input.owner in without:
            left_out.append(linker_input.owner)
            continue
        repository = linker_input.owner.workspace_name
        for library in linker_input.libraries:
            archive = library.static_library or library.pic_static_library
            if not archive:
                continue
            if repository not in _COMPILED_HERE:
                fail("a library for clients must not contain %s" % linker_input.owner)
            if repository == _ABSEIL:
                used.append(archive)
            else:
                # Uses the objects themselves, without an archive.
                ours += library.objects or library.pic_objects or [archive]
    if len(left_out) != len(without):
        fail("it contains %s, not all of %s" % (left_out, without))
    return ours, used

def _merged_archive_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)

    # A dependency through a transition is always a list.
    ours, used = _parts(
        ctx.attr.library[0][CcInfo].linking_context,
        [Label(name) for name in ctx.attr.without],
    )
    merged = ctx.outputs.archive
    arguments = ctx.actions.args()
    arguments.add(merged)
    arguments.add(toolchain.compiler_executable)
    arguments.add(toolchain.objcopy_executable)
    arguments.add(toolchain.ar_executable)
    arguments.add_joined(ctx.attr.exported, join_with = ",")
    arguments.add_all(ours)
    arguments.add("--")
    arguments.add_all(used)
    ctx.actions.run(
        outputs = [merged],
        inputs = depset(ours + used, transitive = [toolchain.all_files]),
        executable = ctx.executable._merge,
        arguments = [arguments],
        mnemonic = "MergeArchive",
        use_default_shell_env = True,
    )
    return [DefaultInfo(
        files = depset([merged]),
        runfiles = ctx.runfiles(files = [merged]),
    )]

merged_archive = rule(
    doc = """NAME.a: all of our objects that `library` consists of, and the objects of
Abseil that they use, as one object. Only `exported` is visible in it. It is compiled
separately, unless the rest of the build has the same options.""",
    implementation = _merged_archive_impl,
    attrs = {
        "exported": attr.string_list(
            doc = "Patterns of the symbols that clients may see.",
            mandatory = True,
        ),
        "library": attr.label(
            cfg = _pic_transition,
            mandatory = True,
            providers = [CcInfo],
        ),
        "without": attr.string_list(
            doc = "Dependencies, by their full names, that are linked where this archive is used.",
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
        "_merge": attr.label(
            cfg = "exec",
            default = "//build_defs:merge_archives",
            executable = True,
        ),
    },
    outputs = {"archive": "%{name}.a"},
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
