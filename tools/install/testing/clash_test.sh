#!/bin/bash
# Tests a client that defines every hidden name of the library itself. Neither
# the linker nor the dynamic linker may mix them up.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

# hidden_names LIBRARY: prints assembler text with these names. A program that
# calls or reads one fails.
hidden_names() {
  nm "$prefix/lib/lib$1.a" | awk '
    NF == 3 && tolower($2) ~ /[tbdrv]/ && $3 ~ /^_ZN?K?6gasnet/ && $3 !~ /[.]/ {
      if (seen[$3]++ == 0) {
        printf ".globl %s\n.type %s, @function\n%s:\n", $3, $3, $3
      }
    }
    END { print "ud2\n.section .note.GNU-stack,\"\",@progbits" }'
}

# clash CONDUIT MODE KIND
clash() {
  local library=gasnet-$1-$2
  hidden_names "$library" >own.s
  [[ $(grep -c '^\.globl _ZN' own.s) -gt 100 ]] || {
    echo "the archive has no hidden names"
    return 1
  }
  # shellcheck disable=SC2046 # several words
  gcc "-DGASNET_${2^^}" "-I$prefix/include" "$here/client.c" own.s -rdynamic \
    "$(choice "$library" "$3")" \
    $(network_libraries "$library") -lstdc++ -lm -pthread -o client &&
    is_linked "$3" client && run "$1" ./client
}

for conduit in "${conduits[@]}"; do
  for mode in "${modes[@]}"; do
    for kind in "${kinds[@]}"; do
      expect "no clash, $conduit, $mode, $kind" clash "$conduit" "$mode" "$kind"
    done
  done
done

! $failed
