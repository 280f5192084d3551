"""Makes the programs that hold the tests of the suite.

All programs of a threading mode are linked into one, to save hundreds of links:
each is compiled with its main() renamed after the test, and suite_main.cc calls
the one that the first argument names. They are compiled for any conduit, once in
each configuration, and linked with each conduit's library.
"""

load("//build_defs:conduit.bzl", "conduit_target")
load("//build_defs:modes.bzl", MODE_MACROS = "MODES")
load("//conformance:rows.bzl", "MODES")
load("//conformance:table.bzl", "TESTS")

# Built only if another target needs it, in that target's configuration.
INDIRECT = ["manual"]

# The standard that suffices for gasnet.h, as it promises to clients. It
# compiles quickly.
_LANGUAGE = ["-std=c++17"]

def _is_c(row):
    return row["source"].endswith(".c") and row["language"] != "c++"

def _program_source(name, row):
    """Returns the file to compile: a copy, for a C program that is also compiled as
    C++."""
    if not row["source"].endswith(".c") or _is_c(row):
        return row["source"]
    copy = name + ".cc"
    native.genrule(
        name = name + "_source",
        testonly = True,
        srcs = [row["source"]],
        outs = [copy],
        cmd = "cp $< $@",
        tags = INDIRECT,
    )
    return copy

def _suite_list_impl(ctx):
    lines = ["// The tests of one program. Made by programs.bzl."]
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
    """Makes the program of one test, to be linked with those of other tests."""
    native.cc_library(
        name = name,
        testonly = True,
        srcs = [_program_source(name, TESTS[test])],
        copts = [] if _is_c(TESTS[test]) else _LANGUAGE,
        linkstatic = True,
        local_defines = ["main=%s_main" % test],
        tags = INDIRECT,
        deps = deps,
    )

def _client(mode):
    """Returns the library of headers with which programs for any conduit compile."""
    return "client_" + mode

def _harness(mode):
    return "harness_" + mode

def _trials(mode):
    """Returns the library that tests of collectives share."""
    return "trials_" + mode

def _ex(mode):
    """Returns the library that programs over GASNet-EX share."""
    return "ex_harness_" + mode

# Programs over GASNet-EX in other folders than ex.
_OVER_EX = [
    "transfer/unattended_atomics.cc",
    "transfer/unattended_endpoints.cc",
]

def _deps_of_row(mode, row):
    shared = {"coll": _trials(mode), "ex": _ex(mode)}
    folder = "ex" if row["source"] in _OVER_EX else row["source"].split("/")[0]
    return [shared[folder]] if folder in shared else []

def _name_of_object(mode, test):
    return "any_%s_%s" % (mode, test)

def conformance_objects():
    """Makes objects that the programs of all conduits share, compiled for any
    conduit."""
    for mode in MODES:
        native.cc_library(
            name = _client(mode),
            testonly = True,
            defines = [MODE_MACROS[mode] + "=1"],
            tags = INDIRECT,
            deps = ["//api:gasnet"],
        )
        native.cc_library(
            name = _harness(mode),
            testonly = True,
            srcs = [
                "harness.cc",
                "observe/report.cc",
                "out_of_band.cc",
            ],
            copts = _LANGUAGE,
            hdrs = [
                "harness.h",
                "observe/report.h",
                "out_of_band.h",
            ],
            linkopts = ["-lpthread"],
            linkstatic = True,
            tags = INDIRECT,
            deps = [
                _client(mode),
                "//api:gasnet",
                "//third_party/abseil:synchronization",
            ],
        )
        native.cc_library(
            name = _trials(mode),
            testonly = True,
            srcs = [
                "coll/calls.cc",
                "coll/contents.cc",
                "coll/places.cc",
                "coll/trial.cc",
                "coll/tripwires.cc",
                "coll/tuner_state.cc",
            ],
            copts = _LANGUAGE,
            hdrs = [
                "coll/places.h",
                "coll/trial.h",
                "coll/tuner_state.h",
            ],
            linkstatic = True,
            tags = INDIRECT,
            deps = [
                _client(mode),
                _harness(mode),
                "//api:gasnet",
            ],
        )
        native.cc_library(
            name = _ex(mode),
            testonly = True,
            copts = _LANGUAGE,
            hdrs = [
                "ex/atomic_data.h",
                "ex/coll_data.h",
                "ex/ex_endpoints.h",
                "ex/ex_harness.h",
                "ex/ex_rma.h",
                "ex/random_collectives.h",
            ],
            tags = INDIRECT,
            deps = [
                _client(mode),
                _harness(mode),
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
                        "//base:sanitizer",
                        "//gasnet_tools:trace",
                    ] + _deps_of_row(mode, row),
                )

def _program(name, mode, library, tests):
    """Makes one program that holds the tests."""
    objects = []
    for test in tests:
        if TESTS[test]["of_conduit"]:
            objects.append("%s_%s" % (name, test))
            _object(
                objects[-1],
                test,
                [_harness(mode), library] + _deps_of_row(mode, TESTS[test]),
            )
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
        tags = INDIRECT,
        # Tests there run some of the programs under other launchers.
        visibility = ["//tools/gasnetrun/testing:__pkg__"],
        deps = objects + [library],
    )

# PARSYNC has the threads of PAR and, like SEQ, no locks. Only rows with several
# threads, and rows about the mode itself, can show behaviour of it alone.
_OF_PARSYNC = ["atomicity", "general", "names", "threads"]

def shows_parsync(row):
    """Returns true if a row shows behaviour of PARSYNC that no other mode shows."""
    return row["modes"] != MODES or row["source"].split("/")[0] in _OF_PARSYNC

def _stems(row, mode):
    """Returns the programs that hold a row's test."""
    if row["checks"] == "only":
        return ["misuse"]
    suite = "suite" if mode != "parsync" or shows_parsync(row) else "rest"
    return [suite, "headers"] if row["of_conduit"] else [suite]

def stem_for(row, mode, few):
    """Returns the one of these programs to run. few: true if few rows are wanted."""
    return _stems(row, mode)[-1 if few else 0]

def _programs(conduit, mode):
    """Makes the suite, and separate programs of the rows that few configurations
    need: those that only a build with checks runs, those that check the contents of
    the headers, and those that show the same in another mode."""
    library = conduit_target(conduit, "gasnet_" + mode)
    rows = {name: row for name, row in TESTS.items() if mode in row["modes"]}
    for stem in ["suite", "misuse", "headers", "rest"]:
        tests = [name for name, row in rows.items() if stem in _stems(row, mode)]
        if tests:
            _program("%s_%s_%s" % (conduit, stem, mode), mode, library, tests)

def conformance_programs(conduit):
    """Makes the programs of the table, in each threading mode.

    Args:
      conduit: its name.
    """
    for mode in MODES:
        _programs(conduit, mode)
