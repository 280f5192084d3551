#!/bin/bash
# Installs the Debian packages that the build needs and this machine lacks.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

packages=(
  # the build
  bazel-bootstrap bazel-platforms bazel-rules-java bazel-rules-proto
  bazel-skylib g++ pkg-config git python3
  # libraries
  libabsl-dev libbenchmark-dev libfabric-dev libgmock-dev libgtest-dev
  libsodium-dev
  # checks: clang sees layering, formats and lints; cmake and make build clients
  # of what is installed
  clang clang-format clang-tidy cmake libclang-rt-14-dev make shellcheck
  # tests: hosts in network namespaces, each with an ssh server of its own
  iproute2 openssh-client openssh-server
)
# Exists for this processor only; others do without.
[[ $(uname -m) != x86_64 ]] || packages+=(libipsec-mb-dev)

missing_packages() {
  local installed
  # dpkg-query fails where it does not know one of them, and lists the others.
  installed=$({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
    "${packages[@]}" 2>/dev/null || true; } | sed -n 's/^installed //p')
  comm -23 <(printf '%s\n' "${packages[@]}" | sort -u) \
    <(sort -u <<<"$installed")
}

# Runs its arguments as root, asking for a password only where someone can
# answer.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif [[ -t 0 ]]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}

install_packages() {
  [[ $(id -u) -eq 0 ]] || command -v sudo >/dev/null || return 1
  # A fresh machine has no package lists, an old one has stale ones.
  apt_get install --no-install-recommends "$@" ||
    { apt_get update && apt_get install --no-install-recommends "$@"; }
}

main() {
  command -v dpkg-query >/dev/null ||
    die "this is not Debian. Install what these Debian 12 packages contain:" \
      "${packages[*]}"
  local list missing
  list=$(missing_packages)
  mapfile -t missing < <(printf '%s' "$list")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  say "dev: installing ${missing[*]}"
  install_packages "${missing[@]}" ||
    die "these packages are missing. Install them, as root, with:
  apt-get install --no-install-recommends ${missing[*]}"
}

main
