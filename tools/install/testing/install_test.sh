#!/bin/bash
# What an installation consists of, and what its libraries show.
# shellcheck source=tools/install/testing/prefix.sh
source tools/install/testing/prefix.sh

lib=$prefix/lib

# What archive $1 shows, or asks for, that is not ours or the system's.
foreign_to_archive() {
  nm -C "$1" | grep -E '(^| )[A-TV-Zu] ' | grep -vE ' gasnet\w*$'
  nm -C "$1" | grep -E ' [Uw] .*(absl|testing)::'
}

# What shared library $1 shows or asks for.
foreign_to_shared_library() {
  nm -DC --defined-only "$1" | grep -vE ' gasnet\w*$'
  nm -DC --undefined-only "$1" | grep 'absl::'
  readelf -dW "$1" | grep NEEDED | grep -vE '\[lib(c|m|stdc\+\+|gcc_s)\.so' |
    grep -v '\[ld-linux'
}

none_foreign() {
  local found
  found=$("$1" "$2" || true)
  [[ -z $found ]] || {
    printf '%s:\n%s\n' "$2" "$found"
    return 1
  }
}

# The names of a shared library: for the linker, for programs, and its own.
versioned() {
  local soname
  soname=$(readelf -dW "$lib/$1.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
  [[ $soname == "$1".so.[0-9] && -L $lib/$soname &&
    $(readlink "$lib/$1.so") == "$soname" &&
    $(readlink "$lib/$soname") == "$soname".[0-9]*.[0-9]* ]]
}

# The variables of the make fragment are those of pkg-config.
same_variables() {
  local mode=$1 variable made asked
  for variable in CC CXX LD LD_REQUIRES_CXX CFLAGS OPT_CFLAGS MISC_CFLAGS \
    CPPFLAGS MISC_CPPFLAGS DEFINES INCLUDES CXXFLAGS OPT_CXXFLAGS \
    MISC_CXXFLAGS CXXCPPFLAGS LIBDIRS LDFLAGS LIBS; do
    # shellcheck disable=SC2016 # the expansion is one of make
    made=$(printf 'include %s\nshow:\n\t@echo "$(GASNET_%s)"\n' \
      "$prefix/include/smp-conduit/smp-$mode.mak" "$variable" |
      make -s -f - show | xargs)
    asked=$(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config \
      --variable="GASNET_$variable" "gasnet-smp-$mode" |
      sed "s|$lib/pkgconfig/../..|$prefix|g" | xargs)
    [[ $made == "$asked" && (-n $made || $variable == MISC_C*) ]] || {
      printf 'GASNET_%s: make says "%s", pkg-config "%s"\n' \
        "$variable" "$made" "$asked"
      return 1
    }
  done
}

expect "the manual page" test -s "$prefix/share/man/man1/gasnetrun.1"
expect "the launcher of the conduit" test -x "$prefix/bin/gasnetrun_smp"
expect "no name of where it was installed first" \
  sh -c "! grep -rI '$TEST_TMPDIR' '$prefix'"
for mode in seq parsync par; do
  name=libgasnet-smp-$mode
  expect "symbols of others in $name.a" \
    none_foreign foreign_to_archive "$lib/$name.a"
  expect "symbols of others in $name.so" \
    none_foreign foreign_to_shared_library "$lib/$name.so"
  expect "names of $name.so" versioned "$name"
  expect "variables of $name" same_variables "$mode"
done

! $failed
