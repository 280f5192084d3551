#!/bin/bash
# install --prefix=DIR, from Bazel's runfiles: see `./dev install`.
set -euo pipefail

# Where `bazel run` was called; we run in the directory of the runfiles.
caller=${BUILD_WORKING_DIRECTORY:-$PWD}

die() {
  printf 'install: %s\n' "$*" >&2
  exit 1
}

parse_arguments() {
  prefix=
  local argument
  for argument in "$@"; do
    case $argument in
      --prefix=?*) prefix=${argument#--prefix=} ;;
      *) die "unknown argument '$argument'; accepted: --prefix=DIR" ;;
    esac
  done
  [[ -n $prefix ]] || die "say where to: --prefix=DIR"
  [[ $prefix == /* ]] || prefix=$caller/$prefix
}

# copy_headers FROM TO: the headers below FROM, whatever Bazel links them to.
copy_headers() {
  local header
  (cd "$1" && find -L . -name '*.h' -type f) | while read -r header; do
    install -D -m 644 "$1/$header" "$2/${header#./}"
  done
}

# A description for pkg-config of the library for one conduit and mode.
describe() {
  local conduit=$1 mode=$2
  local include="-I\${includedir}"
  [[ ! -d $prefix/include/$conduit-conduit ]] ||
    include="-I\${includedir}/$conduit-conduit $include"
  cat <<PC
prefix=$prefix
includedir=\${prefix}/include
libdir=\${prefix}/lib

Name: gasnet-$conduit-$mode
Description: GASNet on the $conduit conduit, threading mode GASNET_${mode^^}
Version: 1.8
Cflags: $include -DGASNET_${mode^^}=1
Libs: -L\${libdir} -lgasnet-$conduit-$mode -lstdc++ -lm -pthread
PC
}

install_libraries() {
  local archive name conduit mode description
  for archive in tools/install/libgasnet-*.a; do
    name=$(basename "$archive" .a)
    IFS=- read -r _ conduit mode <<<"$name"
    install -D -m 644 "$archive" "$prefix/lib/$name.a"
    description=$prefix/lib/pkgconfig/gasnet-$conduit-$mode.pc
    mkdir -p "${description%/*}"
    describe "$conduit" "$mode" >"$description"
  done
}

install_headers() {
  local include conduit
  copy_headers api/include "$prefix/include"
  for include in conduits/*/include; do
    [[ -d $include ]] || continue
    conduit=$(basename "${include%/include}")
    copy_headers "$include" "$prefix/include/$conduit-conduit"
  done
}

install_launcher() {
  local page
  install -D -m 755 tools/gasnetrun/gasnetrun "$prefix/bin/gasnetrun"
  for page in docs/man/*.[1-9]; do
    install -D -m 644 "$page" "$prefix/share/man/man${page##*.}/${page##*/}"
  done
}

parse_arguments "$@"
install_headers
install_libraries
install_launcher
printf 'installed in %s\n' "$prefix"
