#!/bin/bash
# guarded_calls_test.sh ARCHIVE: a transfer that is not executed touches nothing,
# whatever its node variable holds and however the client was compiled.
# ARCHIVE is the smp conduit's library for GASNET_PAR.
set -euo pipefail

archive=$1
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

# runs COMPILER LANGUAGE LEVEL
runs() {
  local said program=$TEST_TMPDIR/guarded_calls
  said=$("$1" -x "$2" "$3" -Wall -Wextra -Werror -DGASNET_PAR=1 -Iapi/include \
    api/guarded_calls.c -x none "$archive" -lstdc++ -lm -pthread \
    -o "$program" 2>&1) || {
    fail "$* does not build: $said"
    return
  }
  said=$("$program" 2>&1) && [[ $said == *PASSED* ]] ||
    fail "$* does not run, status $?: $said"
}

checked=0
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || continue
  for language in c c++; do
    for level in -O0 -O1 -O2 -O3; do
      runs "$compiler" "$language" "$level"
      checked=$((checked + 1))
    done
  done
done
((checked > 0)) || fail "there is no compiler"

! $failed
