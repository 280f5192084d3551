"""Makes the tests of the suite for a conduit.

Programs hold many tests (programs.bzl); a test target runs one test in one
configuration.
"""

load("//build_defs:transition.bzl", "CONFIGURATION_ATTRS", "configuration_transition")
load("//conformance:exclusions.bzl", "EXCLUSIONS")
load("//conformance:programs.bzl", "INDIRECT", "stem_for")
load("//conformance:rows.bzl", "MODES", "RANKS", "SEGMENTS")
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
    if variant == _LARGE and mode != "par":
        return False
    if row["reference"] not in _ADMITTED[configuration.reference]:
        return False
    if row["checks"] not in _ADMITTED[configuration.checks]:
        return False
    if variant == _CHECKED_REFERENCE:
        return row["reference"] == "only"
    return variant != _CHECKED or mode == "par" or row["checks"] == "only"

def _repeats(row, variant):
    """Whether another configuration shows the same: run by --full alone."""
    return variant == _LARGE and not row["of_conduit"]

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

# What numbers of nodes show is shown where threads meet, on memory and by
# messages; elsewhere these do.
_FEW_RANKS = [1, 3, 8]

def _ranks(row, mode, variant):
    """How many nodes to run a row with: few, and as many as it names."""
    if row["ranks"] != RANKS or (mode == "par" and variant in ["fast", _REFERENCE]):
        return row["ranks"]
    return select({
        "//build_defs:full_on": row["ranks"],
        "//conditions:default": _FEW_RANKS,
    })

def _test_target(suite, conduit, mode, variant, configuration, name, row, env, ranks, sanitized):
    target = "%s_%s_%s_%s" % (suite, mode, variant, name)
    stem = stem_for(row, few = variant == _LARGE)
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
        ranks = ranks or _ranks(row, mode, variant),
        segment = segment,
        tags = [suite, mode, variant] +
               _sanitizer_tags(mode, variant, sanitized) +
               (INDIRECT if _repeats(row, variant) else []),
        test = name,
    )
    return target

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
    "reference", "checked" or "checked_reference"; the test suite NAME of those
    that show something of their own, and NAME_full of all.

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
    repeating = []
    for mode in wanted or MODES:
        for variant, configuration in _configurations(segments).items():
            if wanted and variant not in wanted[mode]:
                continue
            for test in tests or TESTS:
                row = TESTS[test]
                if _is_wanted(row, mode, variant, configuration):
                    kind = repeating if _repeats(row, variant) else targets
                    kind.append(_test_target(
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
    native.test_suite(
        name = name + "_full",
        tags = INDIRECT,
        tests = targets + repeating,
    )
