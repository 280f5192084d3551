#!/bin/bash
# ./dev debian RELEASE [--root=DIR] [COMMAND [ARGUMENTS]]
#
# Builds and tests this checkout in another release of Debian: `./dev run` and
# `./dev test --all`, or `./dev COMMAND` alone. RELEASE is a code name (trixie).
# debootstrap makes the release's root in DIR (~/.cache/gasnet-debian-RELEASE)
# from the mirror that apt uses here. The root is kept for the next time, with
# packages and results; delete it at will. This needs root, debootstrap and the
# mirror. Without them it is skipped, with a line that gives the reason.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

skip() {
  printf 'SKIP: %s\n' "$*"
  exit 0
}

# Prints the mirror from which this machine's apt gets Debian, or nothing if apt
# does not know.
mirror() {
  # shellcheck disable=SC2016 # for apt to expand
  apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' \
    'Identifier: Packages' 2>/dev/null | sed -n 's/ Debian Debian$//p' |
    sort -u | sed 1q
}

has_debootstrap() {
  command -v debootstrap >/dev/null && return
  DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends \
    debootstrap </dev/null >&2
}

# offers URI: succeeds if the mirror has the release.
offers() {
  local found=false where
  where=$(mktemp -d)
  /usr/lib/apt/apt-helper download-file "$1dists/$release/InRelease" \
    "$where/InRelease" >/dev/null 2>&1 && found=true
  rm -rf "$where"
  $found
}

make_root() {
  local uri
  [[ ! -d $there ]] || return 0
  uri=$(mirror)
  [[ -n $uri ]] || skip "apt knows no mirror of Debian: run 'apt-get update'"
  offers "$uri" || skip "$uri, which apt uses, does not offer $release"
  has_debootstrap || skip "debootstrap is missing and cannot be installed"
  say "dev: making a root of $release in $there"
  mkdir -p "$(dirname "$there")"
  rm -rf "$there.partial"
  debootstrap --variant=minbase --include=ca-certificates "$release" \
    "$there.partial" "$uri" >&2
  # Prevents services from starting in the root when their packages are
  # installed.
  printf '#!/bin/sh\nexit 101\n' >"$there.partial/usr/sbin/policy-rc.d"
  chmod 755 "$there.partial/usr/sbin/policy-rc.d"
  mv "$there.partial" "$there"
}

copy_checkout() {
  rm -rf "$there/gasnet"
  mkdir "$there/gasnet"
  (cd "$root" && git ls-files -z -co --exclude-standard |
    tar --create --null --files-from=- --ignore-failed-read) |
    tar --extract --directory="$there/gasnet" --no-same-owner
}

# inside ROOT SCRIPT ARGUMENT...: runs the script in its own namespaces, which
# end with their mounts and processes when it ends. The release's root is also
# the namespace's, so a process that enters it from elsewhere (nsenter) finds no
# other root.
inside() {
  local there=$1 script=$2
  shift 2
  # The root must be a mount itself, or nothing in it could be mounted on.
  mount --bind "$there" "$there"
  mount -t proc proc "$there/proc"
  mount --rbind /sys "$there/sys"
  mount --rbind /dev "$there/dev"
  mount -t tmpfs -o mode=1777 tmpfs "$there/dev/shm"
  mount -t tmpfs tmpfs "$there/run"
  cp --dereference /etc/resolv.conf "$there/etc/resolv.conf"
  cd "$there"
  pivot_root . .
  umount --lazy .
  exec env -i HOME=/root LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${http_proxy:+"http_proxy=$http_proxy"} bash -euc "$script" bash "$@"
}

enter() {
  unshare --mount --pid --fork --kill-child \
    bash -euc "$(declare -f inside); inside \"\$@\"" bash "$there" "$@"
}

parse_arguments() {
  release=${1:-}
  [[ $release =~ ^[a-z]+$ ]] ||
    die "debian: '$release'; accepted: the code name of a release, as trixie"
  shift
  there=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/gasnet-debian-$release
  if [[ ${1:-} == --root=?* ]]; then
    there=$(realpath -ms -- "${1#--root=}")
    shift
  fi
  command=("$@")
}

parse_arguments "$@"
[[ $(id -u) -eq 0 ]] || skip "making a root of $release takes root"
# Sets the proxy of apt, for debootstrap and for apt in the root.
eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
export http_proxy=${http_proxy:-}
make_root
copy_checkout
if [[ ${#command[@]} -gt 0 ]]; then
  # shellcheck disable=SC2016 # for the shell in there to expand
  enter 'cd /gasnet && ./dev "$@"' "${command[@]}"
else
  enter 'cd /gasnet && ./dev run && ./dev test --all'
fi
