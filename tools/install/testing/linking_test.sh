#!/bin/bash
# Tests a program in two halves, one of which may be a shared library of its
# own, in every kind of code that compilers make. The library exports some data.
# A program that is not position-independent copies the data into itself, and
# every part of the program must see that copy.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

# Sets the compiler's and linker's flags of $conduit and $mode.
choose() {
  local library=gasnet-$conduit-$mode
  compiling=(-O2 -D_GNU_SOURCE=1 "-DGASNET_${mode^^}" -D_REENTRANT
    "-I$prefix/include" "-I$prefix/include/$conduit-conduit")
  # shellcheck disable=SC2207 # several words
  linking=("$(choice "$library" "$1")"
    $(network_libraries "$library") -lstdc++ -lm -pthread)
}

program() { "$compiler" "${compiling[@]}" "$here/linking_program.c" "$@"; }
runtime() {
  "$compiler" "${compiling[@]}" -fPIC -shared "$here/linking_runtime.c" \
    -o libruntime.so "$@"
}
readonly with_runtime=(-o linked -L. "-Wl,-rpath,$PWD" -lruntime)

# The table of segments is large, so programs must not copy it when they start.
copies_nothing_large() {
  ! readelf -rW linked | grep 'R_X86_64_COPY.*gasneti_displacement'
}

# one_program KIND FLAG...: both halves are in the program.
one_program() {
  choose "$1"
  program "${@:2}" "$here/linking_runtime.c" "${linking[@]}" -o linked &&
    copies_nothing_large && run "$conduit" ./linked
}

# runtime_and_program FLAG...: both halves link the shared library.
runtime_and_program() {
  choose shared
  runtime "${linking[@]}" && program "$@" "${with_runtime[@]}" "${linking[@]}" &&
    run "$conduit" ./linked
}

# runtime_has FLAG...: the archive is in the runtime, and the program uses it
# there.
runtime_has() {
  choose static
  runtime "${linking[@]}" && program "$@" "${with_runtime[@]}" &&
    run "$conduit" ./linked
}

# program_has KIND FLAG...: the runtime uses the program's library. The program
# links the shared library, or contains the archive and exports it.
program_has() {
  choose "$1"
  runtime && program "${@:2}" -rdynamic "${with_runtime[@]}" "${linking[@]}" &&
    run "$conduit" ./linked
}

# Tests a runtime that is loaded late, into a program without GASNet.
loaded_late() {
  choose shared
  cat >late.c <<'PROGRAM'
#include <dlfcn.h>
int main(int argc, char **argv) {
  void *runtime = dlopen("./libruntime.so", RTLD_NOW | RTLD_LOCAL);
  int (*start)(int *, char ***);
  if (runtime == 0) return 1;
  *(void **)&start = dlsym(runtime, "runtime_start");
  return start(&argc, &argv);
}
PROGRAM
  runtime "${linking[@]}" && gcc late.c -o linked && run "$conduit" ./linked
}

# PARSYNC's library has the symbols of PAR's, and links in the same way.
linked_modes() { telling_modes "$1" | sed 's/parsync//'; }

# Libraries of conduits differ only in the objects of the network. So for most
# conduits it suffices to test the code that copies data.
for conduit in "${conduits[@]}"; do
  codes=("-fno-pie -no-pie")
  [[ $conduit != smp ]] || codes+=("-fPIE -pie" "-fPIC -pie")
  for mode in $(linked_modes "$conduit"); do
    compilers=(gcc)
    [[ $conduit != smp || $mode != par ]] || compilers+=(clang)
    for compiler in "${compilers[@]}"; do
      for code in "${codes[@]}"; do
        read -ra flags <<<"$code"
        this="$conduit, $mode, $compiler $code"
        expect "$this, shared" one_program shared "${flags[@]}"
        expect "$this, static" one_program static "${flags[@]}"
        expect "$this, runtime" runtime_and_program "${flags[@]}"
        expect "$this, in runtime" runtime_has "${flags[@]}"
        expect "$this, in program" program_has shared "${flags[@]}"
        expect "$this, shown by program" program_has static "${flags[@]}"
      done
    done
    compiler=gcc
    expect "$conduit, $mode, loaded late" loaded_late
  done
done

! $failed
