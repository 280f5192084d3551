"""Abseil's libraries for dependents in this repository, built once for all settings."""

load("//build_defs:settings_free.bzl", "settings_free_libraries")

def abseil_library(name, libraries, deps = []):
    """Makes a target whose dependents may include all headers of `libraries`.

    Args:
      name: the target's.
      libraries: labels below @com_google_absl//absl, without that prefix.
      deps: libraries of ours that accompany these.
    """
    settings_free_libraries(
        name = name,
        libraries = ["@com_google_absl//absl/" + library for library in libraries] + deps,
    )
