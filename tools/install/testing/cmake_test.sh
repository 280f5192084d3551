#!/bin/bash
# Tests projects that find the package through CMake.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

command -v cmake >/dev/null || {
  echo "SKIP: cmake is not installed"
  exit 0
}

# Builds a client of every target, and of both kinds if a target offers them.
# cmake_clients FLAG...
cmake_clients() {
  cmake -S "$here/cmake_client" -B cmake "-DSOURCES=$here" \
    "-DCONDUIT=${conduits[0]}" "-DCMAKE_PREFIX_PATH=$prefix" "$@" &&
    make -s -j2 -C cmake
}

# Checks that a request for an absent component prints a list of those that
# exist.
names_what_there_is() {
  local said
  mkdir -p absent
  cat >absent/CMakeLists.txt <<'PROJECT'
cmake_minimum_required(VERSION 3.16)
project(absent LANGUAGES C)
find_package(GASNet REQUIRED COMPONENTS absent_par)
PROJECT
  said=$(! cmake -S absent -B absent/build "-DCMAKE_PREFIX_PATH=$prefix" 2>&1) &&
    tr -s ' \n' ' ' <<<"$said" |
    grep -q "no absent_par; there are.*${conduits[0]}_par"
}

expect "configuring and building" quietly cmake_clients
for conduit in "${conduits[@]}"; do
  for mode in "${modes[@]}"; do
    for kind in "${kinds[@]}"; do
      expect "$conduit, $mode, $kind" \
        is_linked "$kind" "cmake/${conduit}_${mode}_$kind"
      expect "$conduit, $mode, $kind" \
        run "$conduit" "cmake/${conduit}_${mode}_$kind"
    done
    expect "$conduit, $mode" is_linked shared "cmake/${conduit}_$mode"
  done
done
for form in "${forms[@]}"; do
  for kind in "${kinds[@]}"; do
    expect "tools, $form, $kind" "cmake/tools_${form}_$kind"
  done
done
expect "C" run "${conduits[0]}" cmake/c_client
expect "a directory that asks again" run "${conduits[0]}" cmake/again/again
expect "GASNet_USE_STATIC_LIBS" quietly cmake_clients -DGASNet_USE_STATIC_LIBS=ON
expect "GASNet_USE_STATIC_LIBS" is_linked static "cmake/${conduits[0]}_par"
expect "a component that there is not" names_what_there_is

! $failed
