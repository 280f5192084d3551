#!/bin/bash
# Tests the parts of an installation, and all exports of its libraries.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

lib=$prefix/lib

# Prints symbols, exported or undefined in $1, of libraries that clients may
# link themselves. Abseil's symbols are local to it and clash with no others.
brought_along() {
  nm -C "$1" | grep -E '^[0-9a-f ]{16} [A-Zuvw] ' |
    grep -E '\b(absl|testing)::'
}

# Prints symbols, exported or undefined in archive $1, that belong neither to
# GASNet nor to the system.
foreign_to_archive() {
  nm -C "$1" | grep -E '(^| )[A-TV-Zu] ' | grep -vE ' (gasnet|gex_)\w*$'
  brought_along "$1"
}

# Prints the same for shared library $1, and the libraries that it needs.
foreign_to_shared_library() {
  local name network
  name=$(basename "$1" .so)
  # -lsodium -lm: sodium|m
  network=$(network_libraries "${name#lib}" | sed -e 's/-l//g' -e 's/ /|/g')
  nm -DC --defined-only "$1" | grep -vE ' (gasnet|gex_)\w*$'
  brought_along "$1"
  readelf -dW "$1" | grep NEEDED | grep -v '\[ld-linux' |
    grep -vE "\[lib(c|m|stdc\+\+|gcc_s|gasnet-${name##*-}${network:+|$network})\.so"
}

none_foreign() {
  local found
  found=$("$1" "$2" || true)
  [[ -z $found ]] || {
    printf '%s:\n%s\n' "$2" "$found"
    return 1
  }
}

# Checks the names of a shared library: the linker's, the programs', and its
# own.
versioned() {
  local soname
  soname=$(readelf -dW "$lib/$1.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
  [[ $soname == "$1".so.[0-9] && -L $lib/$soname &&
    $(readlink "$lib/$1.so") == "$soname" &&
    $(readlink "$lib/$soname") == "$soname".[0-9]*.[0-9]* ]]
}

# Checks that the library stays loaded, since threads call it when they end.
stays_loaded() {
  readelf -dW "$1" | grep 'FLAGS_1.*NODELETE' >/dev/null
}

# Checks that a front contains nothing of the C++ library. With its streams the
# front would be thirty times as large.
is_small() {
  local found
  found=$(nm -C "$1" | grep 'std::' || true)
  [[ -z $found ]] || {
    printf '%s: %s\n' "$1" "$found"
    return 1
  }
}

# Checks that the make fragment and pkg-config have the same variables.
# same_variables LIBRARY FRAGMENT VARIABLE...
same_variables() {
  local library=$1 fragment=$prefix/include/$2 variable made asked
  shift 2
  for variable in "$@"; do
    # shellcheck disable=SC2016 # the expansion is one of make
    made=$(printf 'include %s\nshow:\n\t@echo "$(%s)"\n' "$fragment" \
      "$variable" | make -s -f - show | xargs)
    asked=$(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config \
      --variable="$variable" "$library" |
      sed "s|$lib/pkgconfig/../..|$prefix|g" | xargs)
    [[ $made == "$asked" && (-n $made || $variable == *_MISC_C*) ]] || {
      printf '%s: make says "%s", pkg-config "%s"\n' "$variable" "$made" \
        "$asked"
      return 1
    }
  done
}

# Checks that fragment $1 names compilers by their full paths, since an
# installer compares them with its own.
names_compilers() {
  local path count=0
  while read -r path; do
    [[ $path != /* || ! -x $path ]] || count=$((count + 1))
  done < <(sed -nE 's/^GASNET_(CC|CXX|LD) = //p' "$prefix/include/$1")
  ((count == 3)) || {
    printf '%s has %d paths of compilers\n' "$1" "$count"
    return 1
  }
}

# library LIBRARY FRAGMENT VARIABLE...: checks the properties of every library.
library() {
  expect "symbols of others in lib$1.a" \
    none_foreign foreign_to_archive "$lib/lib$1.a"
  expect "symbols of others in lib$1.so" \
    none_foreign foreign_to_shared_library "$lib/lib$1.so"
  expect "names of lib$1.so" versioned "lib$1"
  expect "lib$1.so stays loaded" stays_loaded "$lib/lib$1.so"
  expect "variables of $1" same_variables "$@"
}

# Checks that binary $1 names its mode and its conduit, in lines that build
# systems look for.
names_mode() {
  local said expected
  said=$(strings -a "$1" | grep '^[$]GASNet' | LC_ALL=C sort)
  # shellcheck disable=SC2016 # the dollars are part of it
  expected='^\$GASNetConduitName: '"${conduit^^}"' \$
\$GASNetConfig: RELEASE=2025\.8\.0,[^ ]*,THREADMODEL=@,[^ ]* \$
\$GASNetThreadModel: GASNET_@ \$$'
  [[ $said =~ ${expected//@/${2^^}} ]] || {
    printf '%s says "%s"\n' "$1" "$said"
    return 1
  }
}

# Checks the same for a program with archive $1, even if the linker leaves parts
# out.
program_names_mode() {
  # shellcheck disable=SC2046 # several words
  gcc "-DGASNET_${2^^}" -D_REENTRANT "-I$prefix/include" -ffunction-sections \
    -fdata-sections "$here/client.c" -Wl,--gc-sections -s -o client \
    "$lib/lib$1.a" $(network_libraries "$1") -lstdc++ -lm -pthread &&
    names_mode client "$2"
}

stripped_names_mode() {
  strip -o stripped "$1" && names_mode stripped "$2"
}

# defines NAME VALUE: checks a definition of the release, which is on one line
# by itself, in the way of scripts that configure a program.
defines() {
  [[ $(awk "/$1/ { print \$3 }" "$prefix/include/gasnet_config.h") == "$2" ]]
}
expect "the release" defines GASNET_RELEASE_VERSION_MAJOR 2025
expect "the release" defines GASNET_RELEASE_VERSION_MINOR 8
expect "the release" defines GASNET_RELEASE_VERSION_PATCH 0
# is_recent LIBRARY
is_recent() {
  PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --atleast-version=1.18 "$1"
}

documents=$prefix/share/doc/GASNet
expect "licences" grep -q "Apache License" "$documents/LICENSE.abseil"
for document in README.md MIGRATING.md ENVIRONMENT.md; do
  expect "$document" test -s "$documents/$document"
done
for program in gasnetrun gasnet_trace; do
  expect "the manual page of $program" test -s "$prefix/share/man/man1/$program.1"
  expect "the version of $program" "$prefix/bin/$program" --version
done
expect "no name of where it was installed first" \
  sh -c "! grep -rI '$TEST_TMPDIR' '$prefix'"
expect "the name that users of udp conduits know" test -x "$prefix/bin/amudprun"
for conduit in "${conduits[@]}"; do
  launcher=gasnetrun_$conduit
  expect "the launcher of $conduit" test -x "$prefix/bin/$launcher"
  expect "its manual page" test -s "$prefix/share/man/man1/$launcher.1"
  for header in gasnet_core.h gasnet_extended.h; do
    expect "the directory of $conduit" \
      test -s "$prefix/include/$conduit-conduit/$header"
  done
  for mode in "${modes[@]}"; do
    library "gasnet-$conduit-$mode" "$conduit-conduit/$conduit-$mode.mak" \
      GASNET_{PREFIX,CC,CXX,LD,LD_REQUIRES_CXX,LD_REQUIRES_MPI} \
      GASNET_SPAWNER_{DEFAULT,FORK,SSH,MPI,PMI} \
      GASNET_{CFLAGS,OPT_CFLAGS,MISC_CFLAGS,CPPFLAGS,MISC_CPPFLAGS} \
      GASNET_{DEFINES,INCLUDES,CXXFLAGS,OPT_CXXFLAGS,MISC_CXXFLAGS} \
      GASNET_{CXXCPPFLAGS,LIBDIRS,LDFLAGS,LIBS,LIBRARY} \
      GASNET_{STATIC,SHARED}_LIBRARY
    expect "compilers of $conduit, $mode" names_compilers \
      "$conduit-conduit/$conduit-$mode.mak"
    library=gasnet-$conduit-$mode
    expect "the front of $library" is_small "$lib/gasnet/$library.o"
    for file in "$lib/gasnet/$library.o" "$lib/lib$library.so"; do
      expect "what $file says" names_mode "$file" "$mode"
    done
    expect "what lib$library.so says" \
      stripped_names_mode "$lib/lib$library.so" "$mode"
    expect "what a program with $library says" \
      program_names_mode "$library" "$mode"
    expect "the release of $library" is_recent "$library"
  done
done
# Checks that a file that uses only the tools, for a single thread, links with a
# library whose threads take turns.
single_threaded_tools() {
  cat >single.c <<'PROGRAM'
#include <gasnet_tools.h>
int main(void) { return gasnett_cpu_count() < 1; }
PROGRAM
  gcc -DGASNETT_THREAD_SINGLE "-I$prefix/include" single.c -o single \
    "$lib/libgasnet-smp-parsync.a" -lstdc++ -lm -pthread && ./single
}
expect "tools for a single thread" single_threaded_tools

for form in "${forms[@]}"; do
  library "gasnet_tools-$form" "gasnet_tools-$form.mak" \
    GASNETTOOLS_{CC,CPPFLAGS,CFLAGS,CXX,CXXFLAGS,LD,LDFLAGS,LIBS}
done

! $failed
