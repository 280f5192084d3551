#!/bin/bash
# Checks the requests of ./dev install to Bazel. Another program replaces Bazel
# here.
set -euo pipefail

install=$PWD/scripts/install.sh
failed=false
fail() {
  printf 'FAILED: %s\n' "$*"
  failed=true
}

export HOME=$TEST_TMPDIR
cd "$TEST_TMPDIR"
here=$(realpath .)
mkdir bin
cat >bin/bazel <<'BAZEL'
#!/bin/bash
printf '<%s>' "$@"
BAZEL
chmod +x bin/bazel
PATH=$here/bin:$PATH

# asks END ARGUMENT...: checks the end of the command that Bazel gets.
asks() {
  local end=$1 said
  shift
  said=$("$install" "$@")
  [[ $said == "<run>"*"$end" ]] || fail "$* asks for $said"
}

# refuses WHY ARGUMENT...
refuses() {
  local why=$1 said
  shift
  if said=$("$install" "$@" 2>&1); then
    fail "$* asks for $said"
  elif [[ $said != *"$why"* ]]; then
    fail "$* is refused without '$why': $said"
  fi
}

asks "<--config=as_installed><//tools/install><--><--prefix=/opt/gasnet>" \
  --prefix=/opt/gasnet
asks "<--><--prefix=$here/of here>" --prefix="of here"
asks "<--config=dbg><//tools/install><--><--prefix=/p>" --prefix=/p --config=dbg
DESTDIR=/stage asks "<--prefix=/stage/opt/gasnet>" --prefix=/opt/gasnet
DESTDIR=stage asks "<--prefix=$here/stage/opt/gasnet>" --prefix=/opt/gasnet
DESTDIR='' asks "<--prefix=/opt/gasnet>" --prefix=/opt/gasnet

refuses "--prefix=DIR is missing" --config=dbg
refuses "--prefix=DIR is missing" --prefix=
refuses "unknown argument '/opt'" --prefix /opt
# shellcheck disable=SC2088 # as the shell leaves it
refuses "--prefix is '~/gasnet'" --prefix='~/gasnet'

! $failed
