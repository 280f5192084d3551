"""Tests of one program each, run by the sanitizers that can find errors in them."""

load("//build_defs/precompiled:precompiled.bzl", "NOT_PRECOMPILED", "PRECOMPILED_TEST")

# Makes a test fail if it creates a thread without declaring threads.
_ONE_THREAD = "//build_defs:one_thread"

def one_thread(threads):
    """Returns the tags and deps of a test with or without threads.

    Args:
      threads: true if the test creates threads or handles signals.

    Returns:
      its tags and its further deps.
    """
    if threads:
        return struct(deps = [], tags = [])

    # Memory accesses of one thread do not race.
    return struct(deps = [_ONE_THREAD], tags = ["no-tsan"])

def unit_test(name, threads = False, deps = [], tags = [], copts = [], srcs = [], precompiled = True, **kwargs):
    """Makes a cc_test that the thread sanitizer runs only if it has threads.

    Args:
      name: as of cc_test.
      threads: true if the test creates threads or handles signals: the sanitizer
        treats a handler as a thread. A test that creates a thread without declaring
        it fails.
      deps: as of cc_test.
      tags: as of cc_test.
      copts: as of cc_test.
      srcs: as of cc_test.
      precompiled: as of settings_free_cc_library. Tests in another standard of the
        language cannot begin with the precompiled header.
      **kwargs: passed on to cc_test.
    """
    further = one_thread(threads)
    is_c = [source for source in srcs if source.endswith(".c")]
    begun = PRECOMPILED_TEST if precompiled and not is_c else NOT_PRECOMPILED
    native.cc_test(
        name = name,
        srcs = srcs,
        tags = tags + further.tags,
        copts = copts + begun.copts,
        deps = deps + further.deps + begun.deps,
        toolchains = begun.toolchains,
        **kwargs
    )
