#!/bin/bash
# vectorised_test.sh PROGRAM: checks that the kernels use the instructions that
# they are compiled for. A compiler that ignores the pragmas in wide.cc and
# widest.cc makes correct code that is up to 25 times slower. PROGRAM contains
# the kernels, and no other code for these processors.
set -euo pipefail

skip() {
  echo "SKIP: $*"
  exit 0
}
[[ $(uname -m) == x86_64 ]] || skip "reads x86-64 machine code"

code=$(objdump -d --no-show-raw-insn "$1")
failed=false
for registers in xmm ymm zmm; do
  count=$(grep -c "%$registers" <<<"$code" || true)
  echo "$count instructions use $registers registers"
  ((count >= 500)) || failed=true
done
[[ $failed == false ]] || {
  echo "FAILED: at least 500 of each are expected"
  exit 1
}
