#!/bin/bash
# Tests debug builds of the programs (programs/), which report every misuse,
# with the archive of one debug library.
set -euo pipefail
# shellcheck source=tools/install/testing/expect.sh
source tools/install/testing/expect.sh
# shellcheck source=tools/install/testing/programs/lists.sh
source tools/install/testing/programs/lists.sh

# Builds program $1 in $TEST_TMPDIR/$2.
build() {
  local compiler=gcc
  [[ $1 != *.cc ]] || compiler=g++
  "$compiler" -g -Wall -Werror -D_GNU_SOURCE=1 -DGASNET_PAR -D_REENTRANT \
    -Iapi/include -Igasnet_tools/include -Iconduits/smp/include \
    "tools/install/testing/programs/$1" tools/install/static/libgasnet{-smp,}-par.a \
    -lstdc++ -lm -pthread -o "$TEST_TMPDIR/$2"
}

runs() {
  GASNET_PSHM_NODES=2 "$TEST_TMPDIR/$1" | sort |
    diff - <(printf 'node %d of 2\n' 0 1)
}

expect "a debug library" grep -q 'define GASNET_DEBUG 1' \
  api/include/gasnet/build_config.h
for source in "${any_mode[@]}" "${threaded[@]}"; do
  program=${source%.*}
  expect "building $source" build "$source" "$program"
  expect "$source" runs "$program"
done

! $failed
