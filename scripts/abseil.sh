#!/bin/bash
# Gets the source of Abseil of this Debian release, with Debian's patches,
# through apt's source packages. Keeps it in ~/.cache/gasnet-abseil/VERSION,
# where third_party/abseil/repository.bzl finds it. Needs no root: apt's lists
# of sources go to a directory of its own.
#
# GASNET_ABSEIL names a tree of Abseil's sources to use instead.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

ensure_home
kept=$(abseil_directory)

work=
trap '[[ -z $work ]] || rm -rf "$work"' EXIT

# Writes each of apt's package sources as a source of source packages.
write_source_lists() {
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ ! -f $file ]] ||
      sed -n 's/^[[:blank:]]*deb[[:blank:]]/deb-src /p' "$file"
  done >"$1/sources.list"
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ ! -f $file ]] || sed 's/^Types:.*/Types: deb-src/' "$file" \
      >"$1/sources.list.d/${file##*/}"
  done
}

# apt_get ARGUMENT...: uses only the lists in $work.
apt_get() {
  apt-get -q -o Dir::Etc::sourcelist="$work/sources.list" \
    -o Dir::Etc::sourceparts="$work/sources.list.d" \
    -o Dir::State::lists="$work/lists" -o APT::Sandbox::User="$(id -un)" \
    "$@" </dev/null >&2
}

fetch() {
  mkdir "$work"/{sources.list.d,lists,source}
  write_source_lists "$work"
  # Some of these repositories may have no sources. Debian's has.
  apt_get update || true
  (cd "$work/source" && apt_get source abseil)
}

# Moves the tree into place. Simultaneous runs have a directory each, and one of
# them is kept.
keep() {
  local tree
  tree=$(echo "$work"/source/abseil-*/)
  [[ -f $tree/absl/status/BUILD.bazel ]] || return 1
  mkdir -p "$kept"
  tree=${tree%/}
  [[ -d $kept/${tree##*/} ]] || mv -T "$tree" "$kept/${tree##*/}" 2>/dev/null ||
    [[ -d $kept/${tree##*/} ]]
  ln -sfnT "${tree##*/}" "$kept/current"
}

[[ -z ${GASNET_ABSEIL:-} && ! -f $kept/current/absl/status/BUILD.bazel ]] ||
  exit 0
say "dev: getting the source of Abseil"
mkdir -p "$kept"
work=$(mktemp -d "$kept/fetch.XXXXXX")
{ fetch && keep; } || die "the source of Abseil (abseil-cpp) could not be had from \
where apt has its packages from. Unpack a release of it (20220623 or later) \
anywhere, for example by 'apt-get source abseil' on a machine that can, and set \
GASNET_ABSEIL to that directory, or put it at $kept/current"
