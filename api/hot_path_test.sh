#!/bin/bash
# A blocking 8-byte transfer to mapped memory calls nothing.
#
# Checked: in the machine code of a function that does one transfer, the
# instructions from its entry to its first return, which are those executed
# when no conditional jump is taken, contain neither a call nor an
# unconditional jump. The only function named anywhere in it is the slow path.
set -euo pipefail

skip() {
  echo "SKIP: $*"
  exit 0
}
[[ $(uname -m) == x86_64 ]] || skip "reads x86-64 machine code"
! grep -q GASNET_DEBUG api/include/gasnet/build_config.h ||
  skip "debug builds inline nothing, so that they can check every argument"

failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

cat >"$TEST_TMPDIR/client.c" <<'CLIENT'
#include <gasnet.h>
#ifdef __cplusplus
extern "C" {
#endif
void hot_put(gasnet_node_t node, void *to, const void *from) {
  gasnet_put(node, to, from, 8);
}
void hot_get(void *to, gasnet_node_t node, const void *from) {
  gasnet_get(to, node, from, 8);
}
#ifdef __cplusplus
}
#endif
CLIENT

# check COMPILER STANDARD FUNCTION SLOW_PATH
check() {
  local what="$3 by $1 -std=$2" code hot
  code=$(objdump -dr --no-show-raw-insn -j ".text.$3" "$TEST_TMPDIR/client.o")
  hot=$(sed '/\bret/q' <<<"$code")
  grep -q '\bret' <<<"$hot" || fail "$what never returns: $code"
  ! grep -qE '\s(call|jmp)' <<<"$hot" || fail "$what leaves its path: $code"
  ! grep 'R_X86_64_PLT32' <<<"$code" | grep -qv "\b$4-" ||
    fail "$what calls something other than $4: $code"
}

checked=0
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || continue
  for standard in c11 c++20; do
    "$compiler" -x "${standard%%[0-9]*}" "-std=$standard" -O2 \
      -ffunction-sections -DGASNET_PAR=1 -Iapi/include -c \
      "$TEST_TMPDIR/client.c" -o "$TEST_TMPDIR/client.o"
    check "$compiler" "$standard" hot_put gasneti_put_val
    check "$compiler" "$standard" hot_get gasneti_get_val
    checked=$((checked + 2))
  done
done
((checked > 0)) || fail "there is no compiler"

! $failed
