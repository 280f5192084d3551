"""Tags that several packages use."""

# Of tests that drive the compilers themselves: no sanitizer would see anything
# of the clients that they make, nor is its runtime among what these link.
NO_SANITIZERS = [
    "no-asan",
    "no-tsan",
    "no-ubsan",
]

# Tests with this tag are left to `./dev test --all`: they take long, or show what
# others show elsewhere.
THOROUGH = ["thorough"]
