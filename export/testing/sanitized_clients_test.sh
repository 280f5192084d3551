#!/bin/bash
# sanitized_clients_test.sh ARCHIVE GASNETRUN: checks that a client instrumented
# with a sanitizer runs with an uninstrumented library, alone and as a job of
# two. ARCHIVE is the smp conduit's library for GASNET_PAR.
set -euo pipefail

archive=$1 gasnetrun=$2
# Suppressions match function names.
! readelf -p .comment "$archive" 2>/dev/null | grep clang >/dev/null || {
  echo "SKIP: clang, which made this library, names functions without namespaces"
  exit 0
}
client=$TEST_TMPDIR/client
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

# The sanitizer cannot see how the library's own threads synchronise.
echo 'race:^gasnet::' >"$TEST_TMPDIR/suppressions"
export TSAN_OPTIONS=suppressions=$TEST_TMPDIR/suppressions

# compile COMPILER SANITIZER SOURCE
compile() {
  "$1" "-fsanitize=$2" -g -O1 -DGASNET_PAR=1 -Iapi/include "$3" "$archive" \
    -lstdc++ -lm -pthread -o "$client" 2>&1
}

# is_done NODES COMMAND...
is_done() {
  local said
  said=$("${@:2}" 2>&1) || said+=$'\n'"status $?"
  # There must be no other output, in particular no report of a sanitizer.
  [[ $(wc -l <<<"$said") == "$1" &&
    $(grep -c '^node [0-9]* is done$' <<<"$said") == "$1" ]] ||
    fail "$this, $1 nodes: $said"
}

checked=0
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || continue
  for sanitizer in thread address undefined; do
    this="$compiler -fsanitize=$sanitizer"
    said=$(compile "$compiler" "$sanitizer" export/testing/sanitized_client.c) || {
      fail "$this does not build: $said"
      continue
    }
    is_done 1 "$client"
    is_done 2 "$gasnetrun" -n 2 "$client"
    checked=$((checked + 1))
  done
done
((checked > 0)) || fail "there is no compiler"

! $failed
