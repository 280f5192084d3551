"""Tags that several packages use."""

# Tags of tests that drive the compilers themselves. No sanitizer would see the
# clients that they make, nor do these link its runtime.
NO_SANITIZERS = [
    "no-asan",
    "no-tsan",
    "no-ubsan",
]

# Tags of tests of launchers, of hosts, and of programs in SEQ. Their threads
# share no data, except with the monitor of a job. The thread sanitizer checks
# that one in its own tests, and in the rows of jobs in the conformance suite.
ONE_THREAD = ["no-tsan"]

# The tag of tests that only `./dev test --all` runs: they take long, or show
# what others show elsewhere.
THOROUGH = ["thorough"]
