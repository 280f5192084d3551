#!/bin/bash
# Checks that a signal ends ./dev test and not only the current configuration.
# Another program replaces Bazel here.
set -euo pipefail

tests=$PWD/scripts/test.sh
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

export HOME=$TEST_TMPDIR
cd "$TEST_TMPDIR"
mkdir bin
# shellcheck disable=SC2016 # for the program to expand
printf '#!/bin/bash\n%s\n' 'echo "$@" >>"$ASKED"; exit "$STATUS"' >bin/bazel
chmod +x bin/bazel
PATH=$PWD/bin:$PATH

# ends STATUS CONFIGURATIONS ARGUMENT...: checks that this many configurations
# run if Bazel ends with that exit code. ./dev test gets the ARGUMENTs.
ends() {
  rm -f asked
  ! STATUS=$1 ASKED=$PWD/asked "$tests" "${@:3}" >/dev/null 2>&1 ||
    fail "exit code $1 of Bazel's is taken for a success"
  local runs
  runs=$(wc -l <asked)
  [[ $runs == "$2" ]] || fail "exit code $1 of Bazel's: $runs runs, not $2"
}

ends 3 1             # tests failed
ends 3 6 --all       # in each configuration, after it was built
ends 8 1 --all       # it was interrupted

! $failed
