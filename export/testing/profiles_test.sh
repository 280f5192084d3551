#!/bin/bash
# profiles_test.sh ARCHIVE: checks that gasnet_exit writes the counts of a
# profiler, as exit(3) does.
set -euo pipefail

archive=$PWD/$1
include=$PWD
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

cd "$TEST_TMPDIR"
cat >client.c <<'CLIENT'
#include <gasnet.h>
int main(int argc, char **argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  gasnet_exit(0);
  return 0;
}
CLIENT

# run COMPILER FLAG...: compiles and runs in a directory without any profile.
run() {
  rm -rf -- *.gcda gmon.out default.profraw
  "$1" -std=c11 "${@:2}" -DGASNET_PAR=1 "-I$include/api/include" \
    "-I$include/conduits/smp/include" client.c "$archive" -lstdc++ -lm \
    -pthread -o client && ./client
}

# writes FILE COMPILER FLAG...
writes() {
  run "${@:2}" || fail "${*:2}: it does not run"
  [[ -n $(compgen -G "$1") ]] || fail "${*:2}: there is no $1"
}

writes '*.gcda' gcc --coverage
writes '*.gcda' clang --coverage
writes gmon.out gcc -pg
writes gmon.out gcc -pg -static
run gcc || fail "without a profiler: it does not run"
[[ -z $(compgen -G '*.gcda') && ! -e gmon.out ]] ||
  fail "without a profiler: there is a profile"

! $failed
