#!/bin/bash
# Programs that find the library by hand, through pkg-config, make and CMake.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
warnings=(-Wall -Wextra -Wpedantic -Werror)

# pkg_config_client MODE KIND COMPILER FLAG...
pkg_config_client() {
  local module=gasnet-smp-$1 kind=$2 flags
  shift 2
  local choice=-l$module
  [[ $kind == shared ]] || choice=-l:lib$module.a
  eval "flags=($(pkg-config "--define-variable=GASNET_LIBRARY=$choice" \
    --cflags --libs "$module"))"
  "$@" "${warnings[@]}" "$here/client.c" -x none "${flags[@]}" -o client &&
    is_linked "$kind" client && run ./client
}

# tools_client FORM KIND COMPILER FLAG...
tools_client() {
  local module=gasnet_tools-$1 kind=$2 flags
  shift 2
  local choice=-l$module
  [[ $kind == shared ]] || choice=-l:lib$module.a
  eval "flags=($(pkg-config "--define-variable=GASNETTOOLS_LIBRARY=$choice" \
    --cflags --libs "$module"))"
  "$@" "${warnings[@]}" "$here/tools_client.c" "${flags[@]}" -o tools_client &&
    ./tools_client
}

# The line that programs have had in their makefiles for long.
by_hand() {
  local mode=$1 compiler=$2 language=$3
  "$compiler" -D_GNU_SOURCE=1 "-DGASNET_${mode^^}" -D_REENTRANT \
    "-I$prefix/include" "-I$prefix/include/smp-conduit" \
    -x "$language" "$here/client.c" -x none "-L$prefix/lib" \
    "-lgasnet-smp-$mode" -lstdc++ -lm -pthread -o client &&
    LD_LIBRARY_PATH=$prefix/lib run ./client
}

# make_client MODE KIND
make_client() {
  local choice=()
  [[ $2 == shared ]] || choice=("GASNET_LIBRARY=-l:libgasnet-smp-$1.a")
  make -s -j2 -f "$here/client.mak" PREFIX="$prefix" MODE="$1" \
    SOURCE="$here/client.c" OUT="make-$1-$2" "${choice[@]}" &&
    is_linked "$2" "make-$1-$2/c" && run "make-$1-$2/c" &&
    is_linked "$2" "make-$1-$2/cc" && run "make-$1-$2/cc"
}

# A client of every target, and of either kind of a target that lets one choose.
cmake_clients() {
  cmake -S "$here/cmake_client" -B cmake "-DSOURCE=$here/client.c" \
    "-DTOOLS_SOURCE=$here/tools_client.c" \
    "-DCMAKE_PREFIX_PATH=$prefix" "$@" && make -s -j2 -C cmake
}

# Shows what a command says only if it fails.
quietly() {
  local said
  said=$("$@" 2>&1) || {
    printf '%s\n' "$said"
    return 1
  }
}

for mode in seq parsync par; do
  for kind in static shared; do
    expect "C with gcc, $mode, $kind" \
      pkg_config_client "$mode" "$kind" gcc -std=c11
    expect "C with clang, $mode, $kind" \
      pkg_config_client "$mode" "$kind" clang -std=c11
    expect "make, $mode, $kind" make_client "$mode" "$kind"
  done
done
for form in seq par; do
  for kind in static shared; do
    expect "tools, $form, $kind" tools_client "$form" "$kind" gcc -std=c11
  done
done
expect "by hand, C" by_hand par gcc c
expect "by hand, C++" by_hand par g++ c++
expect "by hand, C++ linked by gcc" by_hand seq gcc c++

if command -v cmake >/dev/null; then
  expect "CMake" quietly cmake_clients
  for mode in seq parsync par; do
    for kind in static shared; do
      expect "CMake, $mode, $kind" is_linked "$kind" "cmake/smp_${mode}_$kind"
      expect "CMake, $mode, $kind" run "cmake/smp_${mode}_$kind"
    done
    expect "CMake, $mode" is_linked shared "cmake/smp_$mode"
  done
  for form in seq par; do
    for kind in static shared; do
      expect "CMake, tools, $form, $kind" "cmake/tools_${form}_$kind"
    done
  done
  expect "CMake, C" run cmake/c_client
  expect "CMake with GASNet_USE_STATIC_LIBS" \
    quietly cmake_clients -DGASNet_USE_STATIC_LIBS=ON
  expect "CMake with GASNet_USE_STATIC_LIBS" is_linked static cmake/smp_par
else
  echo "SKIP: cmake is not installed"
fi

! $failed
