# The common part of tests that use an installed prefix like a client without
# Bazel. Sourced: installs all libraries, or those of $installer, and moves to
# TEST_TMPDIR.
# shellcheck shell=bash
set -euo pipefail

install_package=$PWD/tools/install
export here=$install_package/testing

# shellcheck source=tools/install/testing/expect.sh
source "$here/expect.sh"
# The conduits that are installed.
# shellcheck source=tools/install/testing/libraries.sh
source "$here/libraries.sh"
mapfile -t conduits < <(installed_conduits)
export conduits
export modes=(seq parsync par) forms=(seq par) kinds=(static shared)

# telling_modes CONDUIT: prints the modes in which many programs are compiled,
# one word each. The first two conduits, one of which has a network, show all
# differences between modes.
telling_modes() {
  if [[ " ${conduits[*]:0:2} " == *" $1 "* ]]; then
    echo "${modes[@]}"
  else
    echo par
  fi
}

# Installs and then moves the prefix, since an installation must not depend on
# its first place. Sets $prefix to the final place.
install_and_move() {
  local installed=$TEST_TMPDIR/installed
  "$install_package/${installer:-install}" --prefix="$installed" || exit 1
  # A checked build is a prefix of its own.
  [[ ! -d $installed/debug ]] || installed=$installed/debug
  prefix=$TEST_TMPDIR/prefix
  mv "$installed" "$prefix"
}

# choice LIBRARY KIND: prints the one word that makes the linker use the static
# or the shared library, which a program finds at its installed place.
choice() {
  if [[ $2 == shared ]]; then
    printf '%s\n' "-Wl,-L$prefix/lib,-rpath,$prefix/lib,-l$1"
  else
    printf '%s\n' "-Wl,-L$prefix/lib/static,-l$1"
  fi
}

# run CONDUIT PROGRAM: runs it on two nodes and compares its output. The limit
# ends a program that hangs, long before the test's own limit.
run() {
  "$prefix/bin/gasnetrun_$1" -n 2 --timeout=60 "$2" | sort |
    diff - <(printf 'node %d of 2\n' 0 1)
}

# Does the same on nodes that share no memory, and so use the network.
run_apart() { GASNET_SUPERNODE_MAXSIZE=1 run "$@"; }

# is_linked KIND PROGRAM: checks that it uses the shared library or contains the
# archive.
is_linked() {
  local kind=static
  ! readelf -dW "$2" | grep 'NEEDED.*\[libgasnet[-_]' >/dev/null || kind=shared
  [[ $kind == "$1" ]] || {
    printf '%s is linked with the %s library\n' "$2" "$kind"
    return 1
  }
}

# Shows the output of a command only if it fails.
quietly() {
  local said
  said=$("$@" 2>&1) || {
    printf '%s\n' "$said"
    return 1
  }
}

install_and_move
cd "$TEST_TMPDIR"
