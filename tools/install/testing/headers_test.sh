#!/bin/bash
# Tests GASNet's headers and those of other communication libraries in one
# source file, in either order, without a warning.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

# flags_of IMPLEMENTATION: prints the flags for the headers of Open MPI or
# MPICH, one per line. Prints none if it is not installed.
flags_of() {
  ! command -v "mpicc.$1" >/dev/null ||
    "mpicc.$1" -show | tr ' ' '\n' | grep '^-I'
}

# Includes all our headers in one file.
printf '#include <%s>\n' gasnet.h gasnetex.h gasnet_tools.h gasnet_coll.h gasnet_vis.h \
  gasnet_mk.h gasnet_ratomic.h gasnet_trace.h gasnet_finalize.h gasnet_handler.h \
  gasnet_portable_platform.h >all_of_ours.h

# with HEADER FLAG...: compiles HEADER and GASNet's headers in either order, in
# C and C++. The other headers themselves warn in C++, since they cast function
# types.
with() {
  local theirs=$1 language order
  shift
  for language in c c++; do
    for order in "" -DOURS_FIRST; do
      expect "$theirs, $language, $compiler ${order:-theirs first}" \
        "$compiler" -x "$language" -Wall -Wextra -Wno-cast-function-type -Werror \
        -DGASNET_PAR "-I$prefix/include" "-I$prefix/include/smp-conduit" -I. \
        '-DOURS=<all_of_ours.h>' "-DTHEIRS=<$theirs>" ${order:+"$order"} "$@" \
        -fsyntax-only "$here/headers_client.c"
    done
  done
}

# with_installed HEADER IMPLEMENTATION: does so with the header of Open MPI or
# MPICH.
with_installed() {
  local flags
  mapfile -t flags < <(flags_of "$2")
  if ((${#flags[@]} == 0)); then
    echo "SKIP: $1 of $2 is not installed"
  else
    with "$1" "${flags[@]}"
  fi
}

for compiler in gcc clang; do
  with_installed mpi.h openmpi
  with_installed mpi.h mpich
  with_installed shmem.h openmpi
  with rdma/fabric.h
done

! $failed
