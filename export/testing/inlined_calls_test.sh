#!/bin/bash
# inlined_calls_test.sh ARCHIVE PROGRAM: runs a client, a C file that is also
# valid C++, compiled by each compiler in each language and at each optimisation
# level. ARCHIVE is the smp conduit's library for GASNET_PAR.
set -euo pipefail

archive=$1 source=$2
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

# runs COMPILER LANGUAGE LEVEL
runs() {
  local said program=$TEST_TMPDIR/client
  said=$("$1" -x "$2" "$3" -Wall -Wextra -Werror -DGASNET_PAR=1 -Iapi/include \
    "$source" -x none "$archive" -lstdc++ -lm -pthread \
    -o "$program" 2>&1) || {
    fail "$* does not build: $said"
    return
  }
  said=$("$program" 2>&1) || said+=" (status $?)"
  [[ $said == PASSED ]] || fail "$* does not run: $said"
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
