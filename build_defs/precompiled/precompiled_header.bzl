"""A header that the compiler has read once for all sources of a configuration."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

# Makes the result independent of the build's directory. Paths are relative to the
# directory in which the compiler runs, and there are no times.
_HERE = "/proc/self/cwd"
_OF_CLANG = [
    "-Xclang",
    "-relocatable-pch",
    "-Xclang",
    "-isysroot",
    "-Xclang",
    _HERE,
    "-Xclang",
    "-fno-pch-timestamp",
]

def _command(ctx, toolchain, header, output, context, options):
    """Returns the compiler's path, arguments and environment, as for any source."""
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = header.path,
        output_file = output.path,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts +
                             ["-x", "c++-header"] + options,
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        preprocessor_defines = context.defines,
    )
    kind = CPP_COMPILE_ACTION_NAME
    return struct(
        compiler = cc_common.get_tool_for_action(
            feature_configuration = features,
            action_name = kind,
        ),
        arguments = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = kind,
            variables = variables,
        ),
        environment = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = kind,
            variables = variables,
        ),
    )

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    header = ctx.file.header
    by_clang = toolchain.compiler == "clang"
    output = ctx.actions.declare_file(header.basename + (".pch" if by_clang else ".gch"))
    context = cc_common.merge_cc_infos(
        cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
    ).compilation_context
    options = _OF_CLANG if by_clang else []
    command = _command(ctx, toolchain, header, output, context, options)
    ctx.actions.run(
        outputs = [output],
        inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
        executable = command.compiler,
        arguments = command.arguments,
        env = dict(command.environment, PWD = _HERE),
        mnemonic = "PrecompileHeader",
    )
    return [DefaultInfo(files = depset([output]))]

precompiled_header = rule(
    doc = """HEADER.gch, which g++ uses in place of HEADER if the options are the same,
or HEADER.pch, which clang uses.""",
    implementation = _precompiled_header_impl,
    attrs = {
        "deps": attr.label_list(
            doc = "Libraries whose headers the header includes.",
            providers = [CcInfo],
        ),
        "header": attr.label(
            doc = "The header. The compiler looks for the output in its directory.",
            allow_single_file = [".h"],
            mandatory = True,
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
