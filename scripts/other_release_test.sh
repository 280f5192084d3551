#!/bin/bash
# Checks the cases that ./dev debian refuses, and those that it reports as
# skipped.
set -euo pipefail

other_release=$PWD/scripts/other_release.sh
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

export HOME=$TEST_TMPDIR
cd "$TEST_TMPDIR"
mkdir bin
PATH=$PWD/bin:$PATH

# answers PROGRAM TEXT: makes a PROGRAM that prints TEXT, so that the test
# neither depends on this machine nor changes it.
answers() {
  printf '#!/bin/bash\nprintf "%%s" "%s"\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}

# skips WHY ARGUMENT...
skips() {
  local why=$1 said
  shift
  said=$("$other_release" "$@" 2>&1) || fail "$* fails: $said"
  [[ $said == "SKIP: "*"$why"* ]] || fail "$* is not skipped for '$why': $said"
}

# refuses WHY ARGUMENT...
refuses() {
  local why=$1 said
  shift
  if said=$("$other_release" "$@" 2>&1); then
    fail "$* is accepted: $said"
  elif [[ $said != *"$why"* ]]; then
    fail "$* is refused without '$why': $said"
  fi
}

answers id 1
answers apt-config ""
refuses "''; accepted: the code name"
refuses "'13'; accepted: the code name" 13
skips "takes root" trixie
answers id 0
answers apt-get ""
skips "apt knows no mirror" trixie
answers apt-get "file:///nowhere/ Debian Debian"
skips "file:///nowhere/, which apt uses, does not offer trixie" trixie --root=other
[[ ! -e other && ! -e .cache ]] || fail "something was made"

! $failed
