#!/bin/bash
# [DESTDIR=STAGE] ./dev install --prefix=DIR [--portals4-names] [BAZEL OPTIONS]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

prefix=
names=()
options=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --prefix=?*) prefix=${1#--prefix=} ;;
    --portals4-names) names=("$1") ;;
    --*) options+=("$1") ;;
    *) die "install: unknown argument '$1'; accepted: --prefix=DIR, --portals4-names, options of Bazel" ;;
  esac
  shift
done
[[ -n $prefix ]] || die "install: --prefix=DIR is missing"
# The shell does not expand a tilde after the equals sign.
[[ $prefix/ != '~'*/* ]] ||
  die "install: --prefix is '$prefix'; accepted: a directory, with \$HOME for ~"

# Packagers collect in DESTDIR the files that users will find at the prefix.
where=$(realpath -ms -- "${DESTDIR:-}$(realpath -ms -- "$prefix")")
# Compiles the launcher like the libraries, so that common sources are compiled
# once.
bazel_do run --config=as_installed "${options[@]}" //tools/install -- --prefix="$where" \
  "${names[@]}"
