#!/bin/bash
# Tests programs that find the libraries in the ways of other build systems: by
# a find module of their own, or through pkg-config by CMake, meson and
# autoconf. Each finds the static and the shared library.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

projects=$here/finders

# Sets the environment in which finders look for $kind's library.
look_for() {
  # shellcheck disable=SC2016 # the expansion is one of make
  local choices='$(GASNET_STATIC_LIBRARY)' packages=$prefix/lib/pkgconfig
  if [[ $1 == shared ]]; then
    # shellcheck disable=SC2016
    choices='$(GASNET_SHARED_LIBRARY)' packages+=/shared
  fi
  export GASNET_LIBRARY=$choices PKG_CONFIG_PATH=$packages
}

# by_cmake PROJECT FLAG...
by_cmake() {
  cmake -S "$projects/$1" -B "$out" "-DCLIENT=$here/client.c" "${@:2}" &&
    make -s -C "$out"
}
by_module() {
  by_cmake module \
    "-DGASNet_FRAGMENT=$prefix/include/$conduit-conduit/$conduit-par.mak"
}
by_packages() { by_cmake packages "-DPACKAGE=$package"; }

# Copies project $1 with the client: Bazel's own directory consists of links.
copied() {
  rm -rf source
  cp -rL "$projects/$1" source
  cp -L "$here/client.c" source
}
by_meson() {
  copied meson
  meson setup "-Dpackage=$package" source "$out" && ninja -C "$out"
}
by_autoconf() {
  copied autoconf
  (cd source && aclocal && autoconf) && mkdir -p "$out" &&
    (cd "$out" && PACKAGE=$package ../source/configure &&
      cp ../source/client.c . && make -s)
}

# has PROGRAM...: checks that all are installed, and prints those that are not.
has() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || {
      echo "SKIP: $program is not installed"
      return 1
    }
  done
}

# finds WAY: runs by_WAY, which makes $out/client.
finds() {
  out=$1-$conduit-$kind
  expect "$1, $conduit, $kind" quietly "by_$1"
  expect "$1, $conduit, $kind: runs" run "$conduit" "$out/client"
  expect "$1, $conduit, $kind: linked" is_linked "$kind" "$out/client"
}

ways=()
! has cmake pkg-config || ways+=(module packages)
! has meson ninja || ways+=(meson)
! has autoconf aclocal || ways+=(autoconf)

# Tests the first two conduits, one of which has libraries of a network.
for conduit in "${conduits[@]:0:2}"; do
  package=gasnet-$conduit-par
  for kind in "${kinds[@]}"; do
    look_for "$kind"
    for way in "${ways[@]}"; do
      finds "$way"
    done
  done
done

! $failed
