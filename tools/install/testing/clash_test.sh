#!/bin/bash
# A client that has a definition of its own for every name of Abseil's that is
# inside the library: neither the linker nor the dynamic linker may mix them up.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

# Whoever calls or reads one of these comes to grief.
names_of_abseil() {
  nm "$prefix/lib/libgasnet-smp-$1.a" | awk '
    NF == 3 && tolower($2) ~ /[tbdrv]/ && $3 ~ /absl|Absl/ && $3 !~ /[.]/ {
      if (seen[$3]++ == 0) {
        printf ".globl %s\n.type %s, @function\n%s:\n", $3, $3, $3
      }
    }
    END { print "ud2\n.section .note.GNU-stack,\"\",@progbits" }'
}

# clash MODE KIND
clash() {
  local library=gasnet-smp-$1 choice
  choice=-l$library
  [[ $2 == shared ]] || choice=-l:lib$library.a
  names_of_abseil "$1" >own.s
  [[ $(grep -c '^\.globl _ZN4absl' own.s) -gt 100 ]] || {
    echo "the archive does not show what of Abseil is inside"
    return 1
  }
  gcc "-DGASNET_${1^^}" "-I$prefix/include" "$here/client.c" own.s -rdynamic \
    "-L$prefix/lib" "-Wl,-rpath,$prefix/lib" "$choice" -lstdc++ -lm -pthread \
    -o client && is_linked "$2" client && run ./client
}

for mode in seq parsync par; do
  expect "no clash, $mode, static" clash "$mode" static
  expect "no clash, $mode, shared" clash "$mode" shared
done

! $failed
