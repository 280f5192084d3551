#!/bin/bash
# Checks the requests of ./dev setup to apt. Other programs replace apt and dpkg
# here.
set -euo pipefail

setup=$PWD/scripts/setup.sh
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

export HOME=$TEST_TMPDIR
cd "$TEST_TMPDIR"
mkdir bin
PATH=$PWD/bin:$PATH

# stands_for PROGRAM SCRIPT
stands_for() {
  printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}

# Makes a machine with nothing installed; an update fetches the lists of its
# apt.
# shellcheck disable=SC2016 # for the programs to expand
make_machine() {
  stands_for id 'echo "$USER_ID"'
  stands_for sudo 'exit 1'
  stands_for dpkg-query \
    '[[ $3 != "\${Depends}" ]] || printf "%s" "${INSTALLED_CLANG:-}"'
  stands_for apt-cache '[[ -z ${RELEASE_CLANG:-} || ! -e lists ]] ||
    printf "clang\n  Depends: %s\n" "$RELEASE_CLANG"'
  # Its `source` unpacks into the working directory.
  stands_for apt-get 'log=$TEST_TMPDIR/asked; echo "$@" >>"$log"
[[ ${!#} != update || $* == *Dir::Etc* ]] || touch lists
[[ "$*" != *" source abseil" ]] || ${SOURCES:-true} || exit 100
[[ "$*" != *" source abseil" ]] ||
  { mkdir -p abseil-1/absl/status && touch abseil-1/absl/status/BUILD.bazel; }'
}
make_machine
export USER_ID=0

# installs CLANG: checks that exactly this clang's runtime is requested.
installs() {
  rm -f asked
  "$setup" 2>/dev/null || fail "setup fails with clang-$1"
  [[ $(grep -o 'libclang-rt-[^ ]*' asked | sort -u) == "libclang-rt-$1-dev" ]] ||
    fail "with clang-$1 it asks for: $(cat asked)"
}

# refuses WHY
refuses() {
  local said
  if said=$("$setup" 2>&1); then
    fail "setup succeeds: $said"
  elif [[ $said != *"$1"* ]]; then
    fail "setup fails without '$1': $said"
  fi
}

INSTALLED_CLANG="clang-14 (>= 14~)" installs 14
RELEASE_CLANG=clang-19 installs 19
[[ $(head -n 1 asked) == *update ]] || fail "the lists are not updated first"
RELEASE_CLANG=clang-19 installs 19
! grep -q '^[^D]*update$' asked || fail "lists that are there are updated"
kept=$HOME/.cache/gasnet-abseil
[[ -f $kept/current/absl/status/BUILD.bazel ]] || fail "Abseil is not kept"
[[ $(ls "$kept") == $'abseil-1\ncurrent' ]] || fail "left behind: $(ls "$kept")"
! grep -q 'source abseil' asked || fail "Abseil is fetched though it is there"
rm -r "$kept"
RELEASE_CLANG=clang-19 SOURCES=false refuses "set GASNET_ABSEIL"
[[ -z $(ls "$kept") ]] || fail "left behind: $(ls "$kept")"
RELEASE_CLANG=clang-19 GASNET_ABSEIL=$HOME installs 19
rm lists
refuses "apt does not know the package clang"
INSTALLED_CLANG=clang-19 USER_ID=1 refuses "libclang-rt-19-dev"

! $failed
