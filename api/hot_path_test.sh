#!/bin/bash
# Checks that an 8-byte transfer to mapped memory calls nothing. A transfer that
# completes a put fences once, any other not at all. A constant atomic on mapped
# memory calls nothing, and is exactly one locked instruction.
#
# The test reads the machine code of a function that does one of these
# operations. The instructions from its entry to its first return run if no
# conditional jump is taken. They must contain the expected number of fences,
# but neither a call nor an unconditional jump. The only other function that the
# code may name is the slow path.
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
#include <gasnet_ratomic.h>
#ifdef __cplusplus
extern "C" {
#endif
void hot_put(gasnet_node_t node, void *to, const void *from) {
  gasnet_put(node, to, from, 8);
}
void hot_put_val(gasnet_node_t node, void *to, gasnet_register_value_t value) {
  gasnet_put_val(node, to, value, 8);
}
void hot_memset(gasnet_node_t node, void *to, int value) {
  gasnet_memset(node, to, value, 8);
}
void hot_get(void *to, gasnet_node_t node, const void *from) {
  gasnet_get(to, node, from, 8);
}
gasnet_handle_t hot_put_nb(gasnet_node_t node, void *to, const void *from) {
  return gasnet_put_nb(node, to, from, 8);
}
void hot_put_nbi(gasnet_node_t node, void *to, const void *from) {
  gasnet_put_nbi(node, to, from, 8);
}
void hot_memset_nbi(gasnet_node_t node, void *to, int value) {
  gasnet_memset_nbi(node, to, value, 8);
}
int hot_ex_put(gex_Rank_t rank, void *to, const void *from) {
  return gex_RMA_PutBlocking(&gasneti_tm_all, rank, to, from, 8, 0);
}
int hot_ex_get(void *to, gex_Rank_t rank, void *from) {
  return gex_RMA_GetBlocking(&gasneti_tm_all, to, rank, from, 8, 0);
}
gex_Event_t hot_ex_put_nb(gex_Rank_t rank, void *to, const void *from,
                          gex_Event_t *leaf) {
  return gex_RMA_PutNB(&gasneti_tm_all, rank, to, from, 8, leaf, 0);
}
int hot_ex_put_nbi(gex_TM_t tm, gex_Rank_t rank, void *to, const void *from) {
  return gex_RMA_PutNBI(tm, rank, to, from, 8, GEX_EVENT_DEFER, 0);
}
gex_Event_t hot_ex_fetch_add(gex_AD_t ad, int64_t *result, gex_Rank_t rank,
                             void *at) {
  return gex_AD_OpNB_I64(ad, result, rank, at, GEX_OP_FADD, 1, 0, 0);
}
int hot_ex_swap(gex_AD_t ad, uint32_t *result, gex_Rank_t rank, void *at) {
  return gex_AD_OpNBI_U32(ad, result, rank, at, GEX_OP_SWAP, 7, 0,
                          GEX_FLAG_AD_REL | GEX_FLAG_AD_ACQ);
}
#ifdef __cplusplus
}
#endif
CLIENT

# check COMPILER STANDARD FUNCTION FENCES SLOW_PATH
check() {
  local what="$3 by $1 -std=$2" code hot fences
  code=$(objdump -dr --no-show-raw-insn -j ".text.$3" "$TEST_TMPDIR/client.o")
  hot=$(sed '/\bret/q' <<<"$code")
  grep -q '\bret' <<<"$hot" || fail "$what never returns: $code"
  ! grep -qE '\s(call|jmp)' <<<"$hot" || fail "$what leaves its path: $code"
  fences=$(grep -cE '\s(lock|mfence|xchg)' <<<"$hot" || true)
  ((fences == $4)) || fail "$what has $fences fences, not $4: $code"
  ! grep 'R_X86_64_PLT32' <<<"$code" | grep -vE "\b$5-" >/dev/null ||
    fail "$what calls something other than $5: $code"
  checked=$((checked + 1))
}

checked=0
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || continue
  for standard in c11 c++20; do
    "$compiler" -x "${standard%%[0-9]*}" "-std=$standard" -O2 \
      -ffunction-sections -DGASNET_PAR=1 -Iapi/include -c \
      "$TEST_TMPDIR/client.c" -o "$TEST_TMPDIR/client.o"
    this=("$compiler" "$standard")
    check "${this[@]}" hot_put 1 gasneti_put_val
    check "${this[@]}" hot_put_val 1 gasneti_put_val
    check "${this[@]}" hot_memset 1 gasneti_memset
    check "${this[@]}" hot_get 0 gasneti_get_val
    check "${this[@]}" hot_put_nb 0 gasneti_put_nb_val
    check "${this[@]}" hot_put_nbi 0 gasneti_put_nbi_val
    check "${this[@]}" hot_memset_nbi 0 gasneti_memset_nbi
    check "${this[@]}" hot_ex_put 1 gasneti_gex_RMA_PutBlockingVal
    check "${this[@]}" hot_ex_get 0 gasneti_gex_RMA_GetBlocking
    check "${this[@]}" hot_ex_put_nb 0 gasneti_gex_RMA_PutNBVal
    # Clang puts the code for other teams onto the path.
    [[ $compiler != clang ]] || continue
    check "${this[@]}" hot_ex_put_nbi 0 gasneti_gex_RMA_PutNBIVal
    check "${this[@]}" hot_ex_fetch_add 1 gasneti_gex_AD_OpNB_I64
    check "${this[@]}" hot_ex_swap 1 gasneti_gex_AD_OpNBI_U32
  done
done
((checked > 0)) || fail "there is no compiler"

! $failed
