#!/bin/bash
# link_test.sh ARCHIVE: checks that a client links only with the library that it
# was compiled for. With another, the undefined symbol says what the client was
# compiled for. ARCHIVE is the smp conduit's library for GASNET_PAR.
set -euo pipefail

archive=$1
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

cat >"$TEST_TMPDIR/client.c" <<'CLIENT'
#include <gasnet.h>
int main(void) { gasnet_exit(0); return 0; }
CLIENT

# Makes the header of a conduit other than this library's.
mkdir -p "$TEST_TMPDIR/other"
cat >"$TEST_TMPDIR/other/gasnet_conduit.h" <<'CONDUIT'
#define GASNET_CONDUIT_NAME OTHER
#define GASNET_ALIGNED_SEGMENTS 0
CONDUIT

link() {
  cc -std=c11 "$@" -Iapi/include "$TEST_TMPDIR/client.c" "$archive" -lstdc++ \
    -lm -pthread -o "$TEST_TMPDIR/client" 2>&1
}

links() {
  local said
  said=$(link "${@:2}") || fail "$1 does not link: $said"
}

# refuses WHAT SYMBOL FLAG...
refuses() {
  local said
  if said=$(link "${@:3}"); then
    fail "$1 links"
  elif [[ $said != *"$2"* ]]; then
    fail "$1 is refused without naming $2: $said"
  fi
}

links "a client of this mode and conduit" -DGASNET_PAR=1 \
  -Iconduits/smp/include
links "a client of no conduit in particular" -DGASNET_PAR=1

refuses "a client of GASNET_SEQ" gasneti_compiled_for_threads_SEQ \
  -DGASNET_SEQ=1
refuses "a client of GASNET_PARSYNC" gasneti_compiled_for_threads_PARSYNC \
  -DGASNET_PARSYNC=1
refuses "a client of another conduit" gasneti_compiled_for_conduit_OTHER \
  -DGASNET_PAR=1 "-I$TEST_TMPDIR/other"
refuses "an optimised client of GASNET_SEQ" gasneti_compiled_for_threads_SEQ \
  -DGASNET_SEQ=1 -O2 -ffunction-sections -fdata-sections

! $failed
