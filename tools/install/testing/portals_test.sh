#!/bin/bash
# Tests the installed software Portals: under its own names, and under the plain
# names if these are requested and free.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

lib=$prefix/lib

# defines_ptl FILE: prints names of Portals functions that other code can link
# with.
defines_ptl() {
  case $1 in
    *.a) nm -g --defined-only "$1" ;;
    *) nm -D --defined-only "$1" ;;
  esac | grep -E ' Ptl\w+$'
}

shows_portals() {
  [[ $(defines_ptl "$1" | grep -c .) -ge 55 ]] &&
    ! nm -DC --defined-only "$lib/libgasnet-portals4.so" | grep -v ' Ptl'
}

shows_none() { ! defines_ptl "$1"; }

# client FLAGS...: compiles and runs the client.
client() {
  gcc -Wall -Werror "$here/portals_client.c" -o portals_client "$@" &&
    [[ $(./portals_client) == portals ]]
}

by_pkg_config() {
  # shellcheck disable=SC2046 # several words
  client $(PKG_CONFIG_PATH=$2/pkgconfig pkg-config --cflags --libs "$1")
}

no_plain_names() {
  ! find "$1" -iname '*portals4*' -o -name 'libportals*' | grep -v gasnet-portals4
}

for file in "$lib"/libgasnet*.{a,so}; do
  case $file in
    */libgasnet-portals4.*) expect "$file" shows_portals "$file" ;;
    *) expect "no Portals in $file" shows_none "$file" ;;
  esac
done
expect "names of its own alone" no_plain_names "$prefix"
expect "its pkg-config file" by_pkg_config gasnet-portals4 "$lib"

# The other libraries that the archive needs.
needs=$(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --static --libs-only-l \
  gasnet-portals4)
read -ra needs <<<"${needs#* }"

# install_plainly PREFIX
install_plainly() {
  "$install_package/install" --prefix="$1" --portals4-names
}
# Tests the plain names with any Portals library of this build.
plain=$TEST_TMPDIR/plain
mkdir "$plain"
(cd "$install_package/../.." && install_plainly "$plain")
in=$plain
[[ ! -d $in/debug ]] || in=$in/debug
expect "the plain pkg-config file" by_pkg_config portals4 "$in/lib"
expect "by hand" client "-I$in/include" "-L$in/lib" "-Wl,-rpath,$in/lib" \
  -lportals4
expect "by the older name" client "-I$in/include" "-L$in/lib" \
  "-Wl,-rpath,$in/lib" -lportals
expect "by the older name, the archive" client "-I$in/include" "-L$in/lib" \
  -l:libportals.a "${needs[@]}" -pthread
expect "by hand, the archive" client "-I$in/include" "-L$in/lib" \
  -l:libportals4.a "${needs[@]}" -pthread
again() { (cd "$install_package/../.." && install_plainly "$plain"); }
expect "a second time" quietly again

# refuses FILE: checks that nothing is installed if another library has a file
# of that name.
refuses() {
  local other=$TEST_TMPDIR/other said
  rm -rf "$other"
  mkdir -p "$(dirname "$other${in#"$plain"}/$1")"
  echo another >"$other${in#"$plain"}/$1"
  ! said=$(cd "$install_package/../.." && install_plainly "$other" 2>&1) &&
    [[ $said == *"/$1 is there already and is not ours"* ]] &&
    [[ $(cat "$other${in#"$plain"}/$1") == another ]] &&
    [[ $(find "$other" -type f | wc -l) == 1 ]]
}
for name in include/portals4.h lib/libportals{,4}.{a,so} \
  lib/pkgconfig/portals4.pc; do
  expect "another's $name" refuses "$name"
done

! $failed
