# The ways in which programs find the libraries. Sourced: installs, as prefix.sh
# does.
# shellcheck shell=bash
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
warnings=(-Wall -Wextra -Wpedantic -Werror)

# by_pkg_config SOURCE VARIABLES LIBRARY KIND COMPILER FLAG...: compiles and
# links `client`.
by_pkg_config() {
  local source=$1 variables=$2 library=$3 kind=$4 flags
  shift 4
  eval "flags=($(pkg-config --cflags --libs "--define-variable=${variables}_LIBRARY=$(
    choice "$library" "$kind"
  )" "$library"))"
  "$@" "${warnings[@]}" "$source" "${flags[@]}" -o client &&
    is_linked "$kind" client
}

# pkg_config_client CONDUIT MODE KIND COMPILER FLAG...
pkg_config_client() {
  local conduit=$1
  by_pkg_config "$here/client.c" GASNET "gasnet-$1-$2" "${@:3}" && run "$conduit" ./client
}

# tools_client FORM KIND EXTENSION COMPILER FLAG...
tools_client() {
  cp "$here/tools_client.c" "tools_client.$3"
  by_pkg_config "tools_client.$3" GASNETTOOLS "gasnet_tools-$1" "$2" "${@:4}" &&
    ./client
}

# Compiles with the usual line of makefiles.
# by_hand CONDUIT MODE COMPILER LANGUAGE
by_hand() {
  local conduit=$1 mode=$2 compiler=$3 language=$4
  # shellcheck disable=SC2046 # several words
  "$compiler" -D_GNU_SOURCE=1 "-DGASNET_${mode^^}" -D_REENTRANT \
    "-I$prefix/include" "-I$prefix/include/$conduit-conduit" \
    -x "$language" "$here/client.c" -x none "-L$prefix/lib" \
    "-lgasnet-$conduit-$mode" $(network_libraries "gasnet-$conduit-$mode") \
    -lstdc++ -lm -pthread -o client &&
    LD_LIBRARY_PATH=$prefix/lib run "$conduit" ./client
}

# Checks that a program compiled for no particular conduit, or with the headers
# in directory HEADERS, links with the library of any conduit.
# of_no_conduit CONDUIT MODE [HEADERS]
of_no_conduit() {
  local conduit=$1 mode=$2
  # shellcheck disable=SC2046 # several words
  gcc -std=c11 "${warnings[@]}" "-DGASNET_${mode^^}" "-I$prefix/include" \
    ${3:+"-I$prefix/include/$3"} "$here/client.c" "-L$prefix/lib/static" \
    "-lgasnet-$conduit-$mode" $(network_libraries "gasnet-$conduit-$mode") \
    -lstdc++ -lm -pthread -o client && run "$conduit" ./client
}

# by_make FRAGMENT VARIABLES LIBRARY KIND SOURCE: compiles and links OUT/c and
# OUT/cc, where OUT is make-LIBRARY-KIND.
by_make() {
  local out=make-$3-$4
  make -s -j2 -f "$here/client.mak" "FRAGMENT=$prefix/include/$1" "V=$2" \
    "$2_LIBRARY=$(choice "$3" "$4")" "SOURCE=$here/$5" "OUT=$out" &&
    is_linked "$4" "$out/c" && is_linked "$4" "$out/cc"
}

# make_client CONDUIT MODE KIND
make_client() {
  local library=gasnet-$1-$2
  by_make "$1-conduit/$1-$2.mak" GASNET "$library" "$3" client.c &&
    run "$1" "make-$library-$3/c" && run "$1" "make-$library-$3/cc"
}

# make_tools_client FORM KIND
make_tools_client() {
  local library=gasnet_tools-$1
  by_make "$library.mak" GASNETTOOLS "$library" "$2" tools_client.c &&
    "make-$library-$2/c" && "make-$library-$2/cc"
}

# Runs the command of the manual, for every kind of program that compilers make.
# as_documented CONDUIT MODE COMPILER FLAG...
as_documented() {
  local flags
  # shellcheck disable=SC2207 # several words
  flags=($(pkg-config --cflags --libs "gasnet-$1-$2"))
  "${@:3}" "$here/client.c" "${flags[@]}" -o client && run "$1" ./client &&
    run_apart "$1" ./client
}

# Checks that a program with the archive needs nothing of the prefix.
stands_alone() {
  ! readelf -dW client | grep 'R.*PATH' >/dev/null && is_linked static client
}
