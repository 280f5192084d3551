"""Tags that several packages use."""

# Tags of tests that run the compilers themselves. Sanitizers would not cover
# the clients that they make, which do not link a sanitizer's runtime.
NO_SANITIZERS = [
    "no-asan",
    "no-tsan",
    "no-ubsan",
]

# Tags of tests of launchers, of hosts, and of programs in SEQ. Their threads
# share no data, except with the monitor of a job. The monitor's own tests and
# the rows of jobs in the conformance suite run with the thread sanitizer.
ONE_THREAD = ["no-tsan"]

# The tag of tests that only `./dev test --all` runs: they take long, or repeat
# the results of others.
THOROUGH = ["thorough"]
