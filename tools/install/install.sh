#!/bin/bash
# install --prefix=DIR [--portals4-names], from Bazel's runfiles: see `./dev
# install`.
#
# A checked build goes to DIR/debug, a whole prefix of its own. One of its
# headers differs, so a program is built for one or the other.
set -euo pipefail
umask 022

# The directory in which `bazel run` was called. Bazel starts this script in the
# runfiles.
caller=${BUILD_WORKING_DIRECTORY:-$PWD}
here=tools/install

die() {
  printf 'install: %s\n' "$*" >&2
  exit 1
}

# Prints the release, from a header, in the form that build systems ask for.
release() {
  awk '/GASNET_RELEASE_VERSION_/ { printf "%s%s", dot, $3; dot = "." }' \
    api/include/gasnet_config.h
}

is_checked() { grep -q '^#define GASNET_DEBUG' api/include/gasnet/build_config.h; }

parse_arguments() {
  prefix=
  plain_names=false
  local argument
  for argument in "$@"; do
    case $argument in
      --prefix=?*) prefix=${argument#--prefix=} ;;
      --portals4-names) plain_names=true ;;
      *)
        die "unknown argument '$argument'; accepted: --prefix=DIR," \
          "--portals4-names"
        ;;
    esac
  done
  [[ -n $prefix ]] || die "--prefix=DIR is missing"
  [[ $prefix == /* ]] || prefix=$caller/$prefix
  version=$(release)
  read -r cc cxx ar <"$here/compilers.txt"
  optimise=-O2
  if is_checked; then
    prefix=$prefix/debug
    optimise=-g
  fi
}

# copy_headers FROM TO: copies the headers below FROM, through Bazel's links.
copy_headers() {
  local header
  (cd "$1" && find -L . -type f '(' -name '*.h' -o -name '*.inc' ')') |
    while read -r header; do
      install -D -m 644 "$1/$header" "$2/${header#./}"
    done
}

install_headers() {
  local include conduit
  for include in */include; do
    # These have a directory of their own, for programs that ask for them.
    [[ $include != portals/* ]] || continue
    copy_headers "$include" "$prefix/include"
  done
  for include in conduits/*/include; do
    conduit=$(basename "${include%/include}")
    copy_headers "$include" "$prefix/include/$conduit-conduit"
  done
}

# install_shared NAME: installs libNAME.so.VERSION, and its names for programs
# and linkers.
install_shared() {
  local shared file
  shared=$(echo "$here/shared/lib$1".so.*)
  file=$(basename "$shared")
  soname=${file%.*.*}
  install -D -m 755 "$shared" "$prefix/lib/$file"
  ln -sfn "$file" "$prefix/lib/$soname"
}

# install_object NAME: installs the object that archive NAME consists of.
install_object() {
  mkdir -p "$prefix/lib/gasnet"
  "$ar" p "$here/static/lib$1.a" >"$prefix/lib/gasnet/$1.o"
  chmod 644 "$prefix/lib/gasnet/$1.o"
}

# thin_archive DIRECTORY OBJECT...: makes $library an archive of references to
# objects, by their paths from there.
thin_archive() (
  cd "$prefix/lib/$1"
  rm -f "lib$library.a"
  "$ar" rcsDT "lib$library.a" "${@:2}"
)

# Installs front and core (libraries.bzl).
install_conduit_library() {
  local core=gasnet-${library##*-}
  if [[ $cores != *" $core "* ]]; then
    install_object "$core"
    install_shared "$core"
    cores+=" $core "
  fi
  install_object "$library"
  thin_archive . "gasnet/$library.o" "gasnet/$core.o"
  thin_archive static "../gasnet/$library.o" "../gasnet/$core.o"
}

install_library() {
  if [[ $library == gasnet-* ]]; then
    install_conduit_library
  else
    install -D -m 644 "$here/static/lib$library.a" "$prefix/lib/lib$library.a"
    ln -sfn "../lib$library.a" "$prefix/lib/static/lib$library.a"
  fi
  install_shared "$library"
  ln -sfn "$soname" "$prefix/lib/lib$library.so"
}

# Installs the software Portals 4, under names that no other Portals library
# has.
install_portals() {
  local library=gasnet-portals4 shared
  copy_headers portals/include "$prefix/include/$library"
  shared=$(echo portals/shared/lib$library.so.*)
  install -D -m 644 "portals/lib$library.a" "$prefix/lib/lib$library.a"
  install -D -m 755 "$shared" "$prefix/lib/$(basename "$shared")"
  ln -sfn "$(basename "$shared")" "$prefix/lib/lib$library.so.0"
  ln -sfn "lib$library.so.0" "$prefix/lib/lib$library.so"
  cat >"$prefix/lib/pkgconfig/$library.pc" <<PC
prefix=\${pcfiledir}/../..
includedir=\${prefix}/include/$library
libdir=\${prefix}/lib

Name: $library
Description: Portals 4 in software
Version: 0.1.0
Cflags: -I\${includedir}
Libs: -L\${libdir} -Wl,-rpath,\${libdir} -l$library
Libs.private: $(<"portals/lib$library.libs") -lstdc++ -lm -pthread
PC
}

# Links for programs that were written for another Portals library and look for
# its files. Each is NAME=TARGET, below the prefix.
plain_portals=(
  include/portals4.h=gasnet-portals4/portals4.h
  include/portals4=gasnet-portals4/portals4
  lib/libportals.a=libgasnet-portals4.a
  lib/libportals.so=libgasnet-portals4.so
  lib/libportals4.a=libgasnet-portals4.a
  lib/libportals4.so=libgasnet-portals4.so
  lib/pkgconfig/portals4.pc=gasnet-portals4.pc
)

# Fails, before anything is installed, if another library has one of the names.
check_plain_portals() {
  local name path
  for name in "${plain_portals[@]}"; do
    path=$prefix/${name%=*}
    [[ -e $path || -L $path ]] || continue
    [[ -L $path && $(readlink "$path") == "${name#*=}" ]] ||
      die "--portals4-names: $path is there already and is not ours;" \
        "accepted: a prefix without another Portals library"
  done
}

install_plain_portals() {
  local name
  for name in "${plain_portals[@]}"; do
    ln -sfn "${name#*=}" "$prefix/${name%=*}"
  done
}

# Prints the make fragment, from its template.
fragment() {
  local up=.. directory search='' spawner=ssh unknown=''
  [[ $fragment != */* ]] || up=../..
  for directory in $includes ''; do
    search+=" -I\$(${variables}_PREFIX)/include${directory:+/$directory}"
  done
  [[ $library != gasnet-smp-* ]] || spawner=fork
  # The tools library has no jobs.
  [[ $library == gasnet-* ]] || unknown='/_SPAWNER_/d; /^# The ways/d'
  sed -e "$unknown" -e "s|@SPAWNER@|$spawner|" -e "s|@V@|$variables|g" -e "s|@LIBRARY@|$library|g" \
    -e "s|@FRAGMENT@|$fragment|" -e "s|@UP@|$up|" -e "s|@DEFINES@|$defines|" \
    -e "s|@INCLUDES@|${search# }|" -e "s|@OPTIMISE@|$optimise|" \
    -e "s|@CC@|$cc|" -e "s|@CXX@|$cxx|" -e "s|@LIBS@|$libs|" \
    "$here/fragment.mak"
}

# Prints the pkg-config file. $1 is the make fragment with the variables, $2 the
# path from the file's directory to the prefix, $3 STATIC or SHARED.
describe() {
  cat <<PC
prefix=\${pcfiledir}/$2
includedir=\${prefix}/include
libdir=\${prefix}/lib
${variables}_PREFIX=\${prefix}
PC
  # shellcheck disable=SC2016 # the expansions are those of make
  sed -n -e 's/ *\$(MANUAL_[A-Z]*)//g' -e 's/\$(\([A-Z_]*\))/${\1}/g' \
    -e "/_LIBRARY ?=/s/_STATIC_/_$3_/" \
    -e "s/^\(${variables}_[A-Z_]*\) ?*= \{0,1\}/\1=/p" "$1"
  cat <<PC

Name: $library
Description: $description
Version: $version
Cflags: \${${variables}_CPPFLAGS}
Libs: \${${variables}_LIBS}
PC
}

# Installs the descriptions for build systems. Programs find packages by name;
# the file's directory decides the kind of library.
install_descriptions() {
  local packages=$prefix/lib/pkgconfig
  mkdir -p "$packages/shared"
  describe "$1" ../.. STATIC >"$packages/$library.pc"
  describe "$1" ../../.. SHARED >"$packages/shared/$library.pc"
}

install_libraries() {
  local library target variables fragment includes defines libs description
  local soname cores=
  local cmake=$prefix/lib/cmake/GASNet
  mkdir -p "$prefix/lib/static" "$cmake"
  : >"$cmake/GASNetLibraries.cmake"
  while IFS='|' read -r library target variables fragment includes defines \
    libs description; do
    libs="$libs -lstdc++ -lm -pthread"
    libs=${libs# }
    install_library
    mkdir -p "$(dirname "$prefix/include/$fragment")"
    fragment >"$prefix/include/$fragment"
    install_descriptions "$prefix/include/$fragment"
    printf '_gasnet_library(%s %s %s "%s" "%s" "%s")\n' "$target" "$library" \
      "$soname" "$includes" "-D_GNU_SOURCE=1 $defines" "$libs" \
      >>"$cmake/GASNetLibraries.cmake"
  done <"$(echo "$here"/libraries*.txt)"
  install -m 644 "$here/GASNetConfig.cmake" "$cmake"
  sed "s/@VERSION@/$version/" "$here/GASNetConfigVersion.cmake" \
    >"$cmake/GASNetConfigVersion.cmake"
}

# Makes another name of gasnetrun.
install_alias() {
  ln -sfn gasnetrun "$prefix/bin/$1"
  echo '.so man1/gasnetrun.1' >"$prefix/share/man/man1/$1.1"
}

# Installs gasnetrun, a name of it for each conduit, and the usual name of udp
# conduits' launcher; gasnet_trace; and the manual pages.
install_programs() {
  local include page
  install -D -m 755 tools/gasnetrun/gasnetrun "$prefix/bin/gasnetrun"
  install -D -m 755 tools/gasnet_trace/gasnet_trace "$prefix/bin/gasnet_trace"
  for page in docs/man/*.[1-9]; do
    install -D -m 644 "$page" "$prefix/share/man/man${page##*.}/${page##*/}"
  done
  for include in "$prefix"/include/*-conduit; do
    install_alias "gasnetrun_$(basename "${include%-conduit}")"
  done
  install_alias amudprun
}

# Installs documents for users, and the licences. The libraries contain parts of
# Abseil, whose licence must accompany them.
install_documents() {
  local where=$prefix/share/doc/GASNet
  install -D -m 644 -t "$where" README.md docs/MIGRATING.md docs/ENVIRONMENT.md
  install -D -m 644 LICENSE "$where/LICENSE"
  install -D -m 644 ../com_google_absl/LICENSE "$where/LICENSE.abseil"
}

parse_arguments "$@"
! $plain_names || check_plain_portals
install_headers
install_libraries
install_portals
! $plain_names || install_plain_portals
install_programs
install_documents
printf 'installed in %s\n' "$prefix"
