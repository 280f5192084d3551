"""Fuzzers of code that reads bytes from outside."""

load("//build_defs:unit_test.bzl", "unit_test")

def fuzzer(name, deps):
    """Makes the libFuzzer program NAME, and NAME_test.

    The test is short enough for every test run: the package's corpus/ and some
    mutations of it. `./dev fuzz` runs the program for longer, from the same
    corpus.

    Args:
      name: NAME.cc has LLVMFuzzerTestOneInput.
      deps: its dependencies.
    """
    native.cc_binary(
        name = name,
        testonly = True,
        srcs = [name + ".cc"],
        copts = ["-fsanitize=fuzzer,address"],
        linkopts = ["-fsanitize=fuzzer,address"],
        tags = [
            "fuzzer",
            "manual",
        ],
        deps = deps,
    )
    unit_test(
        name = name + "_test",
        size = "small",
        srcs = [
            name + ".cc",
            "//build_defs:fuzz_corpus_test.cc",
        ],
        data = native.glob(["corpus/*"]),
        env = {"CORPUS": native.package_name() + "/corpus"},
        deps = deps + ["@gtest//:gtest_main"],
    )
