# For tests that use an installed prefix as a client without Bazel would.
# Sourced: installs all libraries, or those of $installer, and moves to TEST_TMPDIR.
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

# telling_modes CONDUIT: the modes, a word each, to compile many programs in.
# The first two conduits, of which one has a network, show all that the modes
# make different.
telling_modes() {
  if [[ " ${conduits[*]:0:2} " == *" $1 "* ]]; then
    echo "${modes[@]}"
  else
    echo par
  fi
}

# Nothing of an installation may depend on where it was made. Sets $prefix to
# where it is in the end.
install_and_move() {
  local installed=$TEST_TMPDIR/installed
  "$install_package/${installer:-install}" --prefix="$installed" || exit 1
  # A checked build is a prefix of its own.
  [[ ! -d $installed/debug ]] || installed=$installed/debug
  prefix=$TEST_TMPDIR/prefix
  mv "$installed" "$prefix"
}

# choice LIBRARY KIND: how the linker is told, in one word, to take the static or
# the shared library, which a program finds where it is.
choice() {
  if [[ $2 == shared ]]; then
    printf '%s\n' "-Wl,-L$prefix/lib,-rpath,$prefix/lib,-l$1"
  else
    printf '%s\n' "-Wl,-L$prefix/lib/static,-l$1"
  fi
}

# run CONDUIT PROGRAM: runs it on two nodes and compares what it says. One that
# hangs is ended long before the test is.
run() {
  "$prefix/bin/gasnetrun_$1" -n 2 --timeout=60 "$2" | sort |
    diff - <(printf 'node %d of 2\n' 0 1)
}

# The same on nodes that share no memory, and so use the network.
run_apart() { GASNET_SUPERNODE_MAXSIZE=1 run "$@"; }

# is_linked KIND PROGRAM: whether it uses our shared library or has the archive.
is_linked() {
  local kind=static
  ! readelf -dW "$2" | grep 'NEEDED.*\[libgasnet[-_]' >/dev/null || kind=shared
  [[ $kind == "$1" ]] || {
    printf '%s is linked with the %s library\n' "$2" "$kind"
    return 1
  }
}

# Shows what a command says only if it fails.
quietly() {
  local said
  said=$("$@" 2>&1) || {
    printf '%s\n' "$said"
    return 1
  }
}

install_and_move
cd "$TEST_TMPDIR"
