#!/bin/bash
# sanitized_clients_test.sh ARCHIVE GASNETRUN: a client that a sanitizer has
# instrumented runs with a library that none has, alone and as a job of two.
# ARCHIVE is the smp conduit's library for GASNET_PAR.
set -euo pipefail

archive=$1 gasnetrun=$2
# Suppressions go by names.
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

# How the library's own threads wait for each other cannot be seen.
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
  # Nothing else, a sanitizer's complaint least of all.
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
