#!/bin/bash
# headers_test.sh COMPILER: clients of every language and mode compile without
# a warning, and a client of no mode or of two is told what is wrong.
set -euo pipefail

compiler=$1
command -v "$compiler" >/dev/null || {
  echo "SKIP: $compiler is not installed"
  exit 0
}
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

readonly strict=(-Wall -Wextra -Wpedantic -Werror -Iapi/include)

# compile STANDARD FLAG...: standard input, as C or C++.
compile() {
  local language=c
  [[ $1 != c++* ]] || language=c++
  "$compiler" -x "$language" "-std=$1" "${strict[@]}" "${@:2}" -c - \
    -o "$TEST_TMPDIR/client.o"
}

client() {
  cat <<'CLIENT'
#include <gasnet.h>
#include <gasnet.h>
#include <gasnet/value.h>
int client(int *argc, char ***argv);
int client(int *argc, char ***argv) {
  static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
  volatile int done = 0;
  if (gasnet_init(argc, argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) return 2;
  gasnet_hsl_lock(&lock);
  gasnet_hsl_unlock(&lock);
  gasnet_AMRequestShort2(0, 200, 1, 2);
  gasnet_AMRequestMedium0(0, 201, argc, sizeof(*argc));
  gasnet_wait_syncnb(gasnet_put_nb(0, argc, argc, sizeof(*argc)));
  gasnet_put_val(0, argc, gasnet_get_val(0, argc, 4), 4);
  GASNET_BLOCKUNTIL(done);
  return (int)gasnet_mynode();
}
CLIENT
}

for mode in SEQ PARSYNC PAR; do
  for standard in c11 c17 c++17 c++20; do
    client | compile "$standard" -O2 "-DGASNET_$mode=1" ||
      fail "$compiler -std=$standard, GASNET_$mode"
  done
done

# rejects WHAT FLAG...: the compiler must say which macros there are.
rejects() {
  local said
  if said=$(client | compile c11 "${@:2}" 2>&1); then
    fail "$1 compiles"
  elif [[ $said != *"exactly one of GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR"* ]]; then
    fail "$1 is rejected without the reason: $said"
  fi
}
rejects "a client of no mode"
rejects "a client of two modes" -DGASNET_SEQ=1 -DGASNET_PAR=1
rejects "a client of three modes" -DGASNET_SEQ -DGASNET_PAR -DGASNET_PARSYNC

! $failed
