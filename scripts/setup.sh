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
  # the source of Abseil (scripts/abseil.sh)
  dpkg-dev xz-utils
  # libraries
  libbenchmark-dev libfabric-dev libgmock-dev libgtest-dev libpmix-dev
  libsodium-dev
  # checks: clang compiles, formats and lints, and lld links its programs
  clang clang-format clang-tidy lld shellcheck
  # tests: build systems by which clients find the installed library
  autoconf automake cmake make meson
  # sanitizers: llvm-symbolizer names functions, also to suppress by name
  llvm
  # tests: hosts in network namespaces, each with an ssh server of its own
  iproute2 openssh-client openssh-server
  # tests: other launchers; Slurm's daemons run in a directory of a test
  libopenmpi-dev munge openmpi-bin slurm-client slurmctld slurmd
)
# This package exists only for this processor. Builds for others do without it.
[[ $(uname -m) != x86_64 ]] || packages+=(libipsec-mb-dev)

# Prints the packages that clang's sanitizers need. Their name contains the
# version of the release's clang, on which the package clang depends.
clang_runtime() {
  local depends
  depends=$(dpkg-query -W -f '${Depends}' clang 2>/dev/null || true)
  [[ -n $depends ]] || depends=$(apt-cache depends clang 2>/dev/null || true)
  [[ ! $depends =~ clang-([0-9]+) ]] ||
    printf 'libclang-rt-%s-dev\n' "${BASH_REMATCH[1]}"
}

missing_packages() {
  local installed
  # dpkg-query fails if it does not know one of them, but lists the others.
  installed=$({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
    "${packages[@]}" 2>/dev/null || true; } | sed -n 's/^installed //p')
  comm -23 <(printf '%s\n' "${packages[@]}" | sort -u) \
    <(sort -u <<<"$installed")
}

# Runs its arguments as root. Asks for a password only if a user can answer.
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

can_be_root() { [[ $(id -u) -eq 0 ]] || command -v sudo >/dev/null; }

install_packages() {
  can_be_root || return 1
  # A new machine has no package lists, and an old one has stale ones.
  apt_get install --no-install-recommends "$@" ||
    { apt_get update && apt_get install --no-install-recommends "$@"; }
}

main() {
  command -v dpkg-query >/dev/null ||
    die "this is not Debian. Install the contents of these Debian packages:" \
      "${packages[*]}"
  local list missing runtime
  runtime=$(clang_runtime)
  # Without package lists apt finds no clang.
  [[ -n $runtime ]] || { can_be_root && apt_get update; } || true
  runtime=${runtime:-$(clang_runtime)}
  [[ -n $runtime ]] ||
    die "apt does not know the package clang: run 'apt-get update', as root"
  packages+=("$runtime")
  list=$(missing_packages)
  mapfile -t missing < <(printf '%s' "$list")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  say "dev: installing ${missing[*]}"
  install_packages "${missing[@]}" ||
    die "these packages are missing. Install them, as root, with:
  apt-get install --no-install-recommends ${missing[*]}"
}

main
"$root/scripts/abseil.sh"
