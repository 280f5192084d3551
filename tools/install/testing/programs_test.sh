#!/bin/bash
# Tests programs in the style of existing ones (programs/). They are built
# unchanged in each of the ways that a program finds the library, and run on two
# nodes.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

! grep -q '^#define GASNET_SEGMENT_EVERYTHING' \
  "$prefix/include/gasnet/build_config.h" || {
  echo "SKIP: the programs keep their data in segments"
  exit 0
}
programs=$here/programs
# shellcheck source=tools/install/testing/programs/lists.sh
source "$programs/lists.sh"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

# Sets $sources to the programs for mode $1.
choose() {
  sources=("${any_mode[@]}")
  [[ $1 != par ]] || sources+=("${threaded[@]}")
}

# run_all CONDUIT DIRECTORY
run_all() {
  local source
  for source in "${sources[@]}"; do
    expect "$2/$source on $1" run "$1" "$2/${source%.*}"
  done
}

run_tools() {
  local source
  for source in "${tools_alone[@]}"; do
    expect "$1/$source" test "$("$1/${source%.*}")" == "counted to 4000"
  done
}

# by_make FRAGMENT VARIABLES SOURCE...: builds into OUT, with the archive.
by_make() {
  mkdir "$out"
  make -s -j2 -f "$programs/Makefile" "FRAGMENT=$prefix/include/$1" "V=$2" \
    "PROGRAMS=${*:3}" "OUT=$out"
}

# by_pkg_config LIBRARY SOURCE...: builds into OUT, by compilers without flags.
by_pkg_config() {
  local library=$1 source compiler
  shift
  mkdir "$out"
  for source in "$@"; do
    compiler=gcc
    [[ $source != *.cc ]] || compiler=g++
    # shellcheck disable=SC2046 # several words
    "$compiler" -Wall -Werror "$programs/$source" -o "$out/${source%.*}" \
      $(pkg-config --cflags --libs "$library") || return 1
  done
}

# by_cmake TARGET SOURCE...: builds into OUT.
by_cmake() {
  cmake -S "$programs" -B "$out" "-DCMAKE_PREFIX_PATH=$prefix" \
    "-DLIBRARY=$1" "-DPROGRAMS=$(IFS=';' && echo "${*:2}")" &&
    make -s -j2 -C "$out"
}

for conduit in "${conduits[@]}"; do
  for mode in $(telling_modes "$conduit"); do
    choose "$mode"
    out=make-$conduit-$mode
    expect "make, $conduit, $mode" by_make "$conduit-conduit/$conduit-$mode.mak" \
      GASNET "${sources[@]}"
    run_all "$conduit" "$out"
  done
done
# clients_test.sh shows that this way works in the other modes and over the
# other conduits.
choose par
out=pkg-config-${conduits[0]}
expect "pkg-config" by_pkg_config "gasnet-${conduits[0]}-par" "${sources[@]}"
run_all "${conduits[0]}" "$out"
for form in "${forms[@]}"; do
  out=make-tools-$form
  expect "make, tools, $form" by_make "gasnet_tools-$form.mak" GASNETTOOLS \
    "${tools_alone[@]}"
  run_tools "$out"
done
out=pkg-config-tools
expect "pkg-config, tools" by_pkg_config gasnet_tools-par "${tools_alone[@]}"
run_tools "$out"

if command -v cmake >/dev/null; then
  choose par
  out=cmake-${conduits[0]}
  expect "CMake" quietly by_cmake "${conduits[0]}_par" "${sources[@]}"
  run_all "${conduits[0]}" "$out"
  out=cmake-tools
  expect "CMake, tools" quietly by_cmake tools_par "${tools_alone[@]}"
  run_tools "$out"
else
  echo "SKIP: cmake is not installed"
fi

! $failed
