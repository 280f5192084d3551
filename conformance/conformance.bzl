"""Makes the tests of the suite for a conduit.

All programs of a threading mode are linked into one, to save hundreds of links:
each is compiled with its main() renamed after the test, and suite_main.cc calls
the one that the first argument names. They are compiled for any conduit, once in
each configuration, and linked with each conduit's library; a test target runs
one test in one configuration.
"""

load("//build_defs:modes.bzl", MODE_MACROS = "MODES")
load("//build_defs:transition.bzl", "CONFIGURATION_ATTRS", "configuration_transition")
load("//conformance:exclusions.bzl", "EXCLUSIONS")
load("//conformance:rows.bzl", "MODES", "SEGMENTS")
load("//conformance:table.bzl", "TESTS")

# Which builds a row's `checks` and `reference` admit.
_ADMITTED = {
    False: ["also", "no"],
    True: ["also", "only"],
}

# The builds the suite is run in, besides one for each kind of segment: on the
# reference extended API; with checks for misuse, where one threading mode is
# enough for what is not about misuse; and both.
_REFERENCE = "reference"
_CHECKED = "checked"
_CHECKED_REFERENCE = "checked_reference"

# Differs from a fast segment in its name, so one threading mode is enough, and
# of the rows those that look at what the headers say.
_LARGE = "large"

# A job with the variable that hides what is native has the program of a fast
# segment, or the checked one.
_HIDE_NATIVE = {"GASNET_REFERENCE": "1"}

def _configuration(segment, reference = False, checks = False):
    return struct(segment = segment, reference = reference, checks = checks)

def _configurations(conduit_segments):
    configurations = {
        segment: _configuration(segment)
        for segment in conduit_segments
    }
    configurations[_REFERENCE] = _configuration("fast", reference = True)
    configurations[_CHECKED] = _configuration("fast", checks = True)
    configurations[_CHECKED_REFERENCE] = _configuration(
        "fast",
        reference = True,
        checks = True,
    )
    return configurations

# A large segment is a fast one to all that the table says.
_SEGMENT_OF_ROWS = {"fast": "fast", "large": "fast", "everything": "everything"}

def _is_wanted(row, mode, variant, configuration):
    if mode not in row["modes"]:
        return False
    if _SEGMENT_OF_ROWS[configuration.segment] not in row["segments"]:
        return False
    if variant == _LARGE and not (mode == "par" and row["of_conduit"]):
        return False
    if row["reference"] not in _ADMITTED[configuration.reference]:
        return False
    if row["checks"] not in _ADMITTED[configuration.checks]:
        return False
    if variant == _CHECKED_REFERENCE:
        return row["reference"] == "only"
    return variant != _CHECKED or mode == "par" or row["checks"] == "only"

def _exclusion_reason(conduit, mode, segment, variant, name):
    here = dict(
        test = name,
        conduit = conduit,
        mode = mode,
        segment = segment,
        variant = variant,
    )
    for row in EXCLUSIONS:
        if all([row[key] in ["", here[key]] for key in here]):
            return row["reason"]
    return ""

# --- Programs ---

# Built only for the tests, in their configurations.
_INDIRECT = ["manual"]

# What gasnet.h promises its clients to need, and quick to compile.
_LANGUAGE = ["-std=c++17"]

def _is_c(row):
    return row["source"].endswith(".c") and row["language"] != "c++"

def _program_source(name, row):
    """The file to compile: of a C program that is one in C++ too, a copy."""
    if not row["source"].endswith(".c") or _is_c(row):
        return row["source"]
    copy = name + ".cc"
    native.genrule(
        name = name + "_source",
        testonly = True,
        srcs = [row["source"]],
        outs = [copy],
        cmd = "cp $< $@",
        tags = _INDIRECT,
    )
    return copy

def _suite_list_impl(ctx):
    lines = ["// The tests of one program. Made by conformance.bzl."]
    lines.append("#include \"conformance/suite_main.h\"")
    for test in ctx.attr.c_tests:
        lines.append("extern \"C\" int %s_main(int argc, char** argv);" % test)
    for test in ctx.attr.cc_tests:
        lines.append("int %s_main(int argc, char** argv);" % test)
    lines.append("const SuiteTest kSuite[] = {")
    for test in ctx.attr.c_tests + ctx.attr.cc_tests:
        lines.append("    {\"%s\", %s_main}," % (test, test))
    lines.append("    {nullptr, nullptr}};\n")
    source = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.write(source, "\n".join(lines))
    return DefaultInfo(files = depset([source]))

_suite_list = rule(
    doc = "The table by which suite_main.cc finds the tests.",
    implementation = _suite_list_impl,
    attrs = {
        "c_tests": attr.string_list(),
        "cc_tests": attr.string_list(),
    },
)

def _object(name, test, deps):
    """The program of one test, to be linked into one of several."""
    native.cc_library(
        name = name,
        testonly = True,
        srcs = [_program_source(name, TESTS[test])],
        copts = [] if _is_c(TESTS[test]) else _LANGUAGE,
        linkstatic = True,
        local_defines = ["main=%s_main" % test],
        tags = _INDIRECT,
        deps = deps,
    )

def _client(mode):
    """The name of what a program sees that is compiled for any conduit."""
    return "client_" + mode

def _harness(mode):
    return "harness_" + mode

def _name_of_object(mode, test):
    return "any_%s_%s" % (mode, test)

def conformance_objects():
    """What the programs of all conduits share, compiled for any of them."""
    for mode in MODES:
        native.cc_library(
            name = _client(mode),
            testonly = True,
            defines = [MODE_MACROS[mode] + "=1"],
            tags = _INDIRECT,
            deps = ["//api:gasnet"],
        )
        native.cc_library(
            name = _harness(mode),
            testonly = True,
            srcs = [
                "harness.cc",
                "out_of_band.cc",
            ],
            copts = _LANGUAGE,
            hdrs = [
                "harness.h",
                "out_of_band.h",
            ],
            linkopts = ["-lpthread"],
            linkstatic = True,
            tags = _INDIRECT,
            deps = [
                _client(mode),
                "//api:gasnet",
            ],
        )
        for test, row in TESTS.items():
            if mode in row["modes"] and not row["of_conduit"]:
                _object(
                    _name_of_object(mode, test),
                    test,
                    [
                        _client(mode),
                        _harness(mode),
                        "//api:gasnet",
                    ],
                )

def _program(name, mode, library, tests):
    """One program that holds the tests."""
    objects = []
    for test in tests:
        if TESTS[test]["of_conduit"]:
            objects.append("%s_%s" % (name, test))
            _object(objects[-1], test, [_harness(mode), library])
        else:
            objects.append(_name_of_object(mode, test))
    is_c = {test: _is_c(TESTS[test]) for test in tests}
    _suite_list(
        name = name + "_list",
        c_tests = [test for test in tests if is_c[test]],
        cc_tests = [test for test in tests if not is_c[test]],
    )
    native.cc_binary(
        name = name,
        testonly = True,
        srcs = ["suite_main.cc", "suite_main.h", name + "_list"],
        tags = _INDIRECT,
        # Some are run there under other launchers.
        visibility = ["//tools/gasnetrun/testing:__pkg__"],
        deps = objects + [library],
    )

def _stems(row):
    """The programs that hold a row's test."""
    if row["checks"] == "only":
        return ["misuse"]
    return ["suite", "headers"] if row["of_conduit"] else ["suite"]

def _stem_for(row, variant):
    """The one of them that is run: the smallest that has what is wanted."""
    return "headers" if variant == _LARGE else _stems(row)[0]

def _programs(conduit, mode):
    """The suite, and apart from it what few configurations need: what only a
    build with checks runs, and what looks at what the headers say."""
    library = "//conduits/%s:gasnet_%s" % (conduit, mode)
    rows = {name: row for name, row in TESTS.items() if mode in row["modes"]}
    for stem in ["suite", "misuse", "headers"]:
        tests = [name for name, row in rows.items() if stem in _stems(row)]
        _program("%s_%s_%s" % (conduit, stem, mode), mode, library, tests)

# --- Tests ---

def _conformance_test_impl(ctx):
    program = ctx.attr.program[0][DefaultInfo].files_to_run.executable
    plan = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(plan, json.encode(dict(
        test = ctx.attr.test,
        ranks = ctx.attr.ranks,
        cases = json.decode(ctx.attr.cases),
        excluded = ctx.attr.excluded,
        launcher = ctx.executable.launcher.short_path,
        program = program.short_path,
    )))
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(script, "#!/bin/sh\nexec %s %s\n" % (
        ctx.executable._runner.short_path,
        plan.short_path,
    ), is_executable = True)
    files = [plan, program, ctx.executable.launcher, ctx.executable._runner]
    files.append(ctx.file._process_report)
    return DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles(files = files),
    )

_conformance_test = rule(
    doc = "Runs one test in one configuration, with several numbers of nodes.",
    implementation = _conformance_test_impl,
    attrs = dict(
        CONFIGURATION_ATTRS,
        cases = attr.string(doc = "The row's cases, as JSON."),
        excluded = attr.string(doc = "Why the test is not run, if it is not."),
        launcher = attr.label(cfg = "target", executable = True),
        program = attr.label(cfg = configuration_transition, executable = True),
        ranks = attr.int_list(),
        test = attr.string(),
        _process_report = attr.label(
            default = "//conformance:process_report.py",
            allow_single_file = True,
        ),
        _runner = attr.label(
            cfg = "target",
            default = "//conformance:runner",
            executable = True,
            allow_single_file = True,
        ),
    ),
    test = True,
)

def _on(flag):
    return "on" if flag else "off"

def _sanitizer_tags(mode, variant, sanitized):
    """Sanitizers see a suite once natively and once on the reference."""
    if sanitized and mode == "par" and variant in ["fast", _REFERENCE]:
        return []
    return ["no-asan", "no-ubsan", "no-tsan"]

def _with_env(cases, env):
    """The cases, each with these variables where it does not set them itself."""
    return {
        name: dict(case, env = dict(env, **case.get("env", {})))
        for name, case in cases.items()
    }

def _test_target(suite, conduit, mode, variant, configuration, name, row, env, ranks, sanitized):
    target = "%s_%s_%s_%s" % (suite, mode, variant, name)
    stem = _stem_for(row, variant)
    segment = configuration.segment
    _conformance_test(
        name = target,
        size = "medium",
        cases = json.encode(_with_env(row["cases"], dict(
            env,
            **(_HIDE_NATIVE if configuration.reference else {})
        ))),
        checks = _on(configuration.checks),
        excluded = _exclusion_reason(conduit, mode, segment, variant, name),
        launcher = "//tools/gasnetrun",
        program = "%s_%s_%s" % (conduit, stem, mode),
        ranks = ranks or row["ranks"],
        segment = segment,
        tags = [suite, mode, variant] + _sanitizer_tags(mode, variant, sanitized),
        test = name,
    )
    return target

def conformance_programs(conduit):
    """The programs of the table, in each threading mode.

    Args:
      conduit: the name of its folder in conduits/.
    """
    for mode in MODES:
        _programs(conduit, mode)

def conformance_tests(
        conduit,
        name = "",
        env = {},
        segments = SEGMENTS,
        wanted = {},
        tests = [],
        ranks = [],
        sanitized = True):
    """Every test of the table for a conduit.

    Makes targets NAME_MODE_VARIANT_TEST, where the variant is a kind of segment,
    "reference", "checked" or "checked_reference"; and the test suite NAME of
    them all.

    Args:
      conduit: the name of its folder in conduits/; conformance_programs is
        called for it once.
      name: by default the conduit's.
      env: variables to set, by name, where a case does not.
      segments: the kinds of segment to test it with; "fast" is one.
      wanted: from each threading mode to its variants, where not all are wanted.
      tests: the tests to run, where not all are wanted.
      ranks: numbers of nodes, where not those of the rows.
      sanitized: whether sanitizers see any of them.
    """
    name = name or conduit
    targets = []
    for mode in wanted or MODES:
        for variant, configuration in _configurations(segments).items():
            if wanted and variant not in wanted[mode]:
                continue
            for test in tests or TESTS:
                row = TESTS[test]
                if _is_wanted(row, mode, variant, configuration):
                    targets.append(_test_target(
                        name,
                        conduit,
                        mode,
                        variant,
                        configuration,
                        test,
                        row,
                        env,
                        ranks,
                        sanitized,
                    ))
    native.test_suite(name = name, tests = targets)
