#!/bin/bash
# Installs under a prefix and uses that as a client without Bazel would.
set -euo pipefail

here=$PWD/tools/install
prefix=$TEST_TMPDIR/prefix
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
cd "$TEST_TMPDIR"
failed=false

expect() {
  local what=$1
  shift
  "$@" || {
    printf 'FAILED: %s\n' "$what"
    failed=true
  }
}

# client COMPILER... MODE: compiles, runs on three nodes, and compares.
client() {
  local mode=${*: -1} flags
  eval "flags=($(pkg-config --cflags --libs "gasnet-smp-$mode"))"
  "${@:1:$#-1}" -Wall -Wextra -Wpedantic -Werror "$here/client.c" \
    -x none "${flags[@]}" -o "client-$mode" || return 1
  "$prefix/bin/gasnetrun" -n 3 "./client-$mode" | sort |
    diff - <(printf 'node %d of 3\n' 0 1 2)
}

# The symbols that archive $1 shows, or asks for, and that are not ours or the
# system's.
foreign_symbols() {
  nm -C "$prefix/lib/libgasnet-smp-$1.a" |
    grep -E '(^| )[A-TV-Zu] ' | grep -vE ' gasnet\w*$'
  nm -C "$prefix/lib/libgasnet-smp-$1.a" | grep -E ' U .*(absl|testing)::'
}

none_foreign() {
  local found
  found=$(foreign_symbols "$1" || true)
  [[ -z $found ]] || {
    printf '%s\n' "$found"
    return 1
  }
}

(cd "$here/../.." && tools/install/install --prefix="$prefix") || exit 1
expect "the manual page" test -s "$prefix/share/man/man1/gasnetrun.1"
for mode in seq parsync par; do
  expect "C client, $mode" client cc -std=c11 "$mode"
  expect "C++ client, $mode" client c++ -std=c++17 -x c++ "$mode"
  expect "symbols of others in $mode" none_foreign "$mode"
done

! $failed
