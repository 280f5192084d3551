"""Makes the tests of the suite for a conduit.

Programs contain many tests (programs.bzl). A test target runs one test, or a group
of them, in one configuration. Groups save the start of hundreds of targets.
"""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//build_defs:tags.bzl", "NO_SANITIZERS", "THOROUGH")
load("//build_defs:transition.bzl", "CONFIGURATION_ATTRS", "configuration_transition")
load("//conformance:builds.bzl", "LARGE", "REFERENCE", "configurations", "is_wanted", "repeats_others")
load("//conformance:exclusions.bzl", "EXCLUSIONS")
load("//conformance:programs.bzl", "INDIRECT", "stem_for")
load("//conformance:rows.bzl", "MODES", "RANKS", "SEGMENTS")
load("//conformance:table.bzl", "TESTS")

# Hides native functions. A job with this variable uses the program of a fast segment,
# or the checked one.
_HIDE_NATIVE = {"GASNET_REFERENCE": "1"}

def _exclusion_reason(place, test):
    here = dict(
        test = test,
        conduit = place.conduit,
        mode = place.mode,
        segment = place.configuration.segment,
        variant = place.variant,
    )
    for row in EXCLUSIONS:
        if all([row[key] in ["", here[key]] for key in here]):
            return row["reason"]
    return ""

def _numbers(ranks, brief):
    """Returns the numbers of nodes or, in brief, one of them: above 1 if any is."""
    if not brief:
        return ranks
    several = [number for number in ranks if number > 1] or ranks
    return [several[(len(several) - 1) // 2]]

def _conformance_test_impl(ctx):
    program = ctx.attr.program[0][DefaultInfo].files_to_run.executable
    plan = ctx.actions.declare_file(ctx.label.name + ".json")
    rows = [json.decode(row) for row in ctx.attr.rows]
    brief = ctx.attr.briefly or ctx.attr._brief[BuildSettingInfo].value
    ctx.actions.write(plan, json.encode(dict(
        launcher = ctx.executable.launcher.short_path,
        program = program.short_path,
        rows = [
            dict(row, ranks = _numbers(row["ranks"] or ctx.attr.ranks, brief))
            for row in rows
        ],
    )))
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(script, "#!/bin/sh\nexec %s %s\n" % (
        ctx.executable._runner.short_path,
        plan.short_path,
    ), is_executable = True)
    files = [plan, program, ctx.executable.launcher, ctx.executable._runner]
    files += ctx.files.data
    files.append(ctx.file._process_report)
    return DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles(files = files),
    )

_conformance_test = rule(
    doc = "Runs tests in one configuration, each with several numbers of nodes.",
    implementation = _conformance_test_impl,
    attrs = dict(
        CONFIGURATION_ATTRS,
        briefly = attr.bool(doc = "Takes one of several numbers of nodes for each."),
        data = attr.label_list(allow_files = True),
        launcher = attr.label(cfg = "target", executable = True),
        program = attr.label(cfg = configuration_transition, executable = True),
        ranks = attr.int_list(doc = "Numbers of nodes where a row has none."),
        rows = attr.string_list(doc = "The tests, each as JSON: see runner."),
        _brief = attr.label(default = "//build_defs:brief"),
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

# Rows of these folders build on messages and transfers, and are the same over every
# link.
_ABOVE_LINKS = ["coll", "ex", "vis"]

# No row of these folders has threads. Over smp a node also has the job's monitor, but
# rows of the other folders have that too.
_OF_ONE_THREAD = ["general", "names", "sync"]

# In rows of these folders threads call the reference at once. Over udp that is the
# usual way.
_THREADS_ON_REFERENCE = ["atomicity", "c", "threads", "transfer"]

def _is_for_sanitizers(place, folder):
    """Returns True if sanitizers run it: a suite once natively and once on the
    reference."""
    if folder in _ABOVE_LINKS and place.conduit != "smp":
        return False
    variants = ["fast"] if folder in _ABOVE_LINKS else ["fast", REFERENCE]
    return place.mode == "par" and place.variant in variants

def _sanitizer_tags(place, folder):
    """Returns the tags that exclude a group from sanitizers."""
    if not _is_for_sanitizers(place, folder):
        return NO_SANITIZERS
    if place.variant == REFERENCE:
        return [] if folder in _THREADS_ON_REFERENCE else ["no-tsan"]
    of_one_thread = place.conduit == "smp" and folder in _OF_ONE_THREAD
    return ["no-tsan"] if of_one_thread else []

def _with_env(cases, env):
    """Returns the cases, each with these variables unless it sets them itself."""
    return {
        name: dict(case, env = dict(env, **case.get("env", {})))
        for name, case in cases.items()
    }

# The number of nodes makes a difference if threads meet, in memory and by
# messages. These numbers are enough for other rows.
_FEW_RANKS = [1, 3, 8]

# A sanitizer watches each process by itself, so these numbers suffice: a node alone,
# and one of several. In folders with trees a child also needs children.
_SANITIZED_RANKS = [1, 3]
_SANITIZED_RANKS_OF_TREES = [1, 5]
_WITH_TREES = ["barrier", "coll"]

def _ranks(mode, variant, folder):
    """Returns the numbers of nodes for rows that do not depend on the number."""
    many = mode == "par" and variant in ["fast", REFERENCE]
    sanitized = _SANITIZED_RANKS_OF_TREES if folder in _WITH_TREES else _SANITIZED_RANKS
    return select({
        "//build_defs:full_on": RANKS,
        "//build_defs:full_unsanitized": RANKS,
        "//build_defs:sanitizer_none": RANKS if many else _FEW_RANKS,
        "//conditions:default": sanitized,
    })

def _cases_of(place, row):
    """Returns the cases, except that of a barrier that is the usual one there
    anyway."""
    own_barrier = place.own_barrier and not place.configuration.reference
    if own_barrier or not ("" in row["cases"] and "amdissem" in row["cases"]):
        return row["cases"]
    return {name: row["cases"][name] for name in row["cases"] if name != "amdissem"}

def _plan_of_row(place, test, row, env, ranks):
    """Returns everything that the runner needs to know about a row, as JSON."""
    if place.configuration.reference:
        env = dict(env, **_HIDE_NATIVE)
    return json.encode(dict(
        test = test,
        ranks = ranks or (row["ranks"] if row["ranks"] != RANKS else []),
        cases = _with_env(_cases_of(place, row), env),
        excluded = _exclusion_reason(place, test),
    ))

# A target's rows are of one kind: rows of `./dev test`, and rows that only
# --all or --full runs. The suffix of a target's name tells the kind if the
# plain name is taken.
_KINDS = {
    "short": struct(end = "", tags = []),
    "thorough": struct(end = "_more", tags = THOROUGH),
    "repeating": struct(end = "_rest", tags = INDIRECT),
}

def _kind(place, test, row, repeats):
    if repeats or repeats_others(row, place.mode, place.variant):
        return "repeating"
    return "short" if test in place.short else "thorough"

def _test_target(name, place, stem, rows, ranks, tags):
    _conformance_test(
        name = name,
        data = place.data,
        # Together the tests of a folder may take longer than most tests do.
        size = "large",
        briefly = place.briefly,
        checks = _on(place.configuration.checks),
        launcher = "//tools/gasnetrun",
        program = "%s_%s_%s" % (place.conduit, stem, place.mode),
        ranks = ranks,
        rows = rows,
        segment = place.configuration.segment,
        tags = [place.suite, place.mode, place.variant] + tags,
    )

# Groups by program, for programs that the folder of the test does not
# determine.
_GROUPS = {"headers": "headers", "misuse": "checks"}

def _group(stem, folder):
    """Returns the name of the group for rows of a program and a folder."""
    return folder + "_alike" if stem == "rest" else _GROUPS.get(stem, folder)

def _targets_in(place, tests, env, ranks, sanitized, repeats):
    """Makes the targets for one threading mode and variant.

    Returns:
      the names of the groups of rows that show something new, and of those that
      only repeat others.
    """
    prefix = "%s_%s_%s_" % (place.suite, place.mode, place.variant)
    groups = {kind: {} for kind in _KINDS}
    for test in tests:
        row = TESTS[test]
        if not is_wanted(row, place.mode, place.variant, place.configuration):
            continue
        plan = _plan_of_row(place, test, row, env, ranks)
        stem = stem_for(row, place.mode, few = place.variant == LARGE)
        kind = _kind(place, test, row, repeats)
        folder = row["source"].split("/")[0]
        tags = _sanitizer_tags(place, folder) if sanitized else NO_SANITIZERS
        tags = tags + place.unseen_by
        usual_ranks = place.usual_ranks or _ranks(place.mode, place.variant, folder)
        group = groups[kind].setdefault(
            _group(stem, folder),
            struct(stem = stem, tags = tags, ranks = usual_ranks, plans = []),
        )
        group.plans.append(plan)
        _test_target(
            prefix + test,
            place,
            stem,
            [plan],
            usual_ranks,
            tags + INDIRECT + _KINDS[kind].tags,
        )
    named = {}
    targets = {}
    for kind, about in _KINDS.items():
        targets[kind] = []
        for name, group in groups[kind].items():
            full_name = name + about.end if name in named else name
            named[name] = True
            _test_target(
                prefix + full_name,
                place,
                group.stem,
                group.plans,
                group.ranks,
                group.tags + about.tags,
            )
            targets[kind].append(prefix + full_name)
    return targets["short"] + targets["thorough"], targets["repeating"]

def _unless_full(value):
    return select({
        "//build_defs:full_on": False,
        "//conditions:default": value,
    })

def conformance_tests(
        conduit,
        name = "",
        env = {},
        segments = SEGMENTS,
        wanted = {},
        tests = [],
        ranks = [],
        usual_ranks = [],
        briefly = {},
        tests_in = {},
        short = {},
        sanitized = True,
        unseen_by = [],
        repeats = False,
        own_barrier = False,
        data = []):
    """Makes every test of the table for a conduit.

    Makes these targets:
      NAME_MODE_VARIANT_GROUP. The variant is a kind of segment, "reference",
        "checked" or "checked_reference". The group is the folder of the tests'
        programs, or their program if it is a special one. "_more" is appended if
        only --all runs some of its rows, and "_rest" if only some repeat others.
      NAME_MODE_VARIANT_TEST, which runs only on request by name.
      NAME, the test suite of the groups that show something new.
      NAME_full, the test suite of all groups.

    Args:
      conduit: its name; conformance_programs is called for it once.
      name: defaults to the conduit's.
      env: variables to set, by name, unless a case sets them.
      segments: the kinds of segment to test it with; "fast" is one.
      wanted: maps each threading mode to its variants; by default all.
      tests: the tests to run; by default all.
      ranks: numbers of nodes; by default those of the rows.
      usual_ranks: numbers of nodes for rows that do not depend on the number; by
        default those of the configuration.
      briefly: maps threading modes to variants whose rows run with only one of several
        numbers of nodes, except with --full.
      tests_in: the tests to run in a threading mode, if they are fewer.
      short: the rows that `./dev test` runs, by threading mode and variant; only
        --all runs the others.
      sanitized: true if sanitizers run any of the tests.
      unseen_by: tags that exclude all tests from some sanitizers.
      repeats: true if all tests only repeat others. Then there is no suite NAME.
      own_barrier: true if the conduit's usual barrier is one of its own.
      data: files that the programs need at run time.
    """
    suite = name or conduit
    targets = []
    repeating = []
    for mode in wanted or MODES:
        for variant, configuration in configurations(segments).items():
            if wanted and variant not in wanted[mode]:
                continue
            place = struct(
                suite = suite,
                conduit = conduit,
                mode = mode,
                variant = variant,
                configuration = configuration,
                usual_ranks = usual_ranks,
                briefly = _unless_full(variant in briefly.get(mode, [])),
                short = short.get(mode, {}).get(variant, []),
                own_barrier = own_barrier,
                unseen_by = unseen_by,
                data = data,
            )
            own, repeated = _targets_in(
                place,
                tests_in.get(mode) or tests or TESTS,
                env,
                ranks,
                sanitized,
                repeats,
            )
            targets += own
            repeating += repeated
    if not repeats:
        native.test_suite(name = suite, tests = targets)
    native.test_suite(
        name = suite + "_full",
        tags = INDIRECT,
        tests = targets + repeating,
    )
