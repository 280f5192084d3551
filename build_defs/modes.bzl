"""Libraries and tests that are compiled once for every threading mode."""

load("//build_defs:compiled_once.bzl", "joined_library")
load("//build_defs:source_groups.bzl", "in_groups")
load("//build_defs:tags.bzl", "NO_SANITIZERS", "THOROUGH")
load("//build_defs:unit_test.bzl", "unit_test")
load("//build_defs:variants.bzl", "NO_MATCH")
load("//build_defs/precompiled:precompiled.bzl", "NOT_PRECOMPILED", "PRECOMPILED")

# suffix -> the macro that selects the mode in gasnet.h
MODES = {
    "seq": "GASNET_SEQ",
    "parsync": "GASNET_PARSYNC",
    "par": "GASNET_PAR",
}

# The mode for which mode-independent sources are compiled.
_ANY_MODE = "par"

def configuration_defines():
    """Returns the macros of the library's configuration, apart from its mode."""
    return select({
        "//build_defs:segment_fast": ["GASNET_SEGMENT_FAST=1"],
        "//build_defs:segment_large": ["GASNET_SEGMENT_LARGE=1"],
        "//build_defs:segment_everything": ["GASNET_SEGMENT_EVERYTHING=1"],
    }, no_match_error = NO_MATCH) + select({
        "//build_defs:checks_off": [],
        "//build_defs:checks_on": ["GASNET_DEBUG=1"],
    }, no_match_error = NO_MATCH)

def mode_defines(mode):
    """Returns all macros of one mode's copy of a library."""
    return [MODES[mode] + "=1"] + configuration_defines()

def with_mode(labels, mode):
    """Returns the same targets in one threading mode."""
    suffixed = []
    for label in labels:
        package, colon, name = label.partition(":")
        if not colon:
            name = package.split("/")[-1]
        suffixed.append("%s:%s_%s" % (package, name, mode))
    return suffixed

def _if_once(once, otherwise):
    return select({
        "//build_defs:compiled_once": once,
        "//conditions:default": otherwise,
    })

def _mode_cc_library_of_two(
        name,
        srcs,
        once,
        deps,
        mode_deps,
        local_defines,
        copts,
        apart,
        testonly = None,
        visibility = None,
        **kwargs):
    """Implements mode_cc_library for a library with mode-independent sources."""
    for lost in ["alwayslink", "linkopts", "tags"]:
        if lost in kwargs:
            fail("mode_cc_library %s has `once`, and so can have no `%s`" % (name, lost))

    native.filegroup(
        name = name + "_once_sources",
        srcs = in_groups(name + "_once", once, apart),
        visibility = ["//visibility:private"],
    )
    shared = [":%s_once_sources" % name]
    parts = [
        # The test compares the objects of all modes.
        ("once", shared),
        ("own", in_groups(name + "_own", srcs, apart) +
                _if_once(once = [], otherwise = shared)),
    ]
    for mode in MODES:
        for part, sources in parts:
            native.cc_library(
                name = "%s_%s_%s" % (name, part, mode),
                testonly = testonly,
                srcs = sources,
                local_defines = mode_defines(mode) + local_defines,
                copts = copts,
                deps = deps + with_mode(mode_deps, mode),
                linkstatic = True,
                tags = ["manual"],
                visibility = ["//visibility:private"],
                **kwargs
            )
        joined_library(
            name = "%s_%s" % (name, mode),
            testonly = testonly,
            own = ":%s_own_%s" % (name, mode),
            once = _if_once(
                once = ":%s_once_%s" % (name, _ANY_MODE),
                otherwise = "//build_defs:nothing",
            ),
            deps = deps + with_mode(mode_deps, mode),
            visibility = visibility,
        )
    native.filegroup(
        name = name + "_once",
        testonly = True,
        srcs = [":%s_once_%s" % (name, mode) for mode in MODES],
        tags = ["manual"],
    )
    native.py_test(
        name = name + "_once_test",
        size = "small",
        srcs = ["//build_defs:compiled_once_test.py"],
        args = _if_once(
            once = ["$(locations :%s_once)" % name],
            otherwise = [],
        ),
        data = _if_once(once = [":%s_once" % name], otherwise = []),
        main = "compiled_once_test.py",
        tags = NO_SANITIZERS + THOROUGH,
    )

def mode_cc_library(
        name,
        srcs = [],
        hdrs = [],
        deps = [],
        mode_deps = [],
        textual_hdrs = [],
        propagate = False,
        local_defines = [],
        defines = [],
        once = [],
        copts = [],
        precompiled = True,
        apart = [],
        **kwargs):
    """Makes NAME_seq, NAME_parsync and NAME_par.

    Args:
      name: the stem of the targets' names.
      srcs: sources, compiled three times.
      once: sources with the same result in every mode, compiled once (NAME_once_test
        checks that). Builds with checks, which differ by mode, and builds with
        sanitizers, which the test does not cover, compile them three times.
      hdrs: headers.
      deps: libraries that are the same in every mode.
      mode_deps: libraries made by this macro; each target takes the copy of its
        own mode.
      textual_hdrs: files to include that do not compile by themselves.
      propagate: true to compile dependents of the library with its mode and
        configuration macros too, as clients of gasnet.h must be.
      local_defines: further macros for these sources.
      defines: further macros for these sources and all that depend on them.
      copts: as of cc_library.
      precompiled: as of settings_free_cc_library.
      apart: as of settings_free_cc_library.
      **kwargs: passed on to cc_library (visibility, data, tags, ...).
    """
    begun = PRECOMPILED if precompiled and (srcs or once) else NOT_PRECOMPILED
    copts = copts + begun.copts
    deps = deps + begun.deps
    kwargs["toolchains"] = begun.toolchains
    if once:
        _mode_cc_library_of_two(
            name,
            srcs,
            once,
            hdrs = hdrs,
            textual_hdrs = textual_hdrs,
            deps = deps,
            mode_deps = mode_deps,
            local_defines = local_defines,
            defines = defines,
            copts = copts,
            apart = apart,
            **kwargs
        )
        return
    if precompiled:
        srcs = in_groups(name, srcs, apart)
    for mode in MODES:
        inherited = mode_defines(mode) if propagate else []
        own = [] if propagate else mode_defines(mode)
        native.cc_library(
            name = name + "_" + mode,
            srcs = srcs,
            hdrs = hdrs,
            textual_hdrs = textual_hdrs,
            local_defines = own + local_defines,
            defines = inherited + defines,
            copts = copts,
            deps = deps + with_mode(mode_deps, mode),
            linkstatic = True,
            **kwargs
        )

def mode_cc_binary(name, srcs, deps = [], mode_deps = [], local_defines = [], **kwargs):
    """Makes the program NAME_seq, NAME_parsync and NAME_par."""
    for mode in MODES:
        native.cc_binary(
            name = name + "_" + mode,
            srcs = srcs,
            local_defines = mode_defines(mode) + local_defines,
            deps = deps + with_mode(mode_deps, mode),
            **kwargs
        )

# The sanitizers that skip a mode's tests. Threads meet in GASNET_PAR, and the other
# modes are its code with fewer locks or none. So sanitizers run only GASNET_PAR,
# unless a test does not have that mode.
_NOT_SANITIZED = {
    "seq": NO_SANITIZERS,
    "parsync": NO_SANITIZERS,
    "par": [],
}

def sanitizer_tags(mode):
    """Returns the tags of a test that exists for every mode.

    Args:
      mode: the test's mode.

    Returns:
      the tags that make sanitizers skip it.
    """
    return _NOT_SANITIZED[mode]

def mode_cc_test(
        name,
        srcs,
        deps = ["@gtest//:gtest_main"],
        mode_deps = [],
        modes = [],
        local_defines = [],
        tags = [],
        threads = False,
        **kwargs):
    """Makes a GoogleTest test for each of the modes, and NAME, which runs them all.

    Args:
      name: the stem of the targets' names, and the suite of all of them.
      srcs: sources, compiled once for each mode.
      deps: libraries that are the same in every mode.
      mode_deps: libraries made by mode_cc_library.
      modes: the modes to test. The default is all of them with `threads`, else
        GASNET_SEQ and GASNET_PAR, since GASNET_PARSYNC consists of these for one
        thread.
      local_defines: further macros for these sources.
      tags: of all tests. Sanitizers run those of GASNET_PAR, the thread sanitizer
        only if there are threads.
      threads: as of unit_test.
      **kwargs: passed on to cc_test (size, data, ...).
    """
    modes = modes or [mode for mode in MODES if threads or mode != "parsync"]
    for mode in modes:
        unit_test(
            name = name + "_" + mode,
            srcs = srcs,
            local_defines = mode_defines(mode) + local_defines,
            tags = tags + (sanitizer_tags(mode) if "par" in modes else []),
            threads = threads,
            deps = deps + with_mode(mode_deps, mode),
            **kwargs
        )
    native.test_suite(
        name = name,
        tests = [":%s_%s" % (name, mode) for mode in modes],
    )
