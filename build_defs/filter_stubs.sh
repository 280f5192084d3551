#!/bin/bash
# filter_stubs.sh OUT NM LIBRARY HIDDEN: writes assembler text that defines all
# symbols that shared library LIBRARY exports, without their contents. Leaves
# out symbols that begin with HIDDEN. See shared_library.bzl.
set -euo pipefail

out=$1 nm=$2 library=$3 hidden=$4
"$nm" -DS -t d --defined-only "$library" | awk -v hidden="$hidden" '
  index($4, hidden) == 1 { next }
  $3 ~ /[TWi]/ {
    printf ".text\n.globl %s\n.type %s, %%function\n%s: .zero 1\n", $4, $4, $4
    next
  }
  {
    # Programs may copy data of this size into themselves.
    size = $2 + 0
    printf "%s\n.balign 64\n", $3 == "R" ? ".section .rodata" : ".bss"
    printf ".globl %s\n.type %s, %%object\n.size %s, %d\n%s: .zero %d\n",
      $4, $4, $4, size, $4, size
  }
  END { print ".section .note.GNU-stack, \"\", %progbits" }' >"$out"
