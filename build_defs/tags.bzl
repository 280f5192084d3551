"""Tags that several packages use."""

# Of tests that drive the compilers themselves: no sanitizer would see anything
# of the clients that they make, nor is its runtime among what these link.
NO_SANITIZERS = [
    "no-asan",
    "no-tsan",
    "no-ubsan",
]

# Of tests of launchers, of hosts, of programs in SEQ: no thread of theirs touches what
# another one does, but for the monitor of a job. Its own tests, and the rows of jobs
# in the conformance suite, have the thread sanitizer see that.
ONE_THREAD = ["no-tsan"]

# Tests with this tag are left to `./dev test --all`: they take long, or show what
# others show elsewhere.
THOROUGH = ["thorough"]
