# The common part of the commands of ./dev. Sourced, with $root set to the
# checkout.
# shellcheck shell=bash
: "${root:?}"

# Makes Git list files even if another user owns the checkout.
export GIT_CONFIG_COUNT=1
export GIT_CONFIG_KEY_0=safe.directory
export GIT_CONFIG_VALUE_0=$root

say() { printf '%s\n' "$*" >&2; }

die() {
  say "dev: $*"
  exit 1
}

# Makes $1 a directory that only this user can write to, or fails.
private_directory() {
  mkdir -m 700 "$1" 2>/dev/null
  [[ -d $1 && ! -L $1 && -O $1 && -w $1 ]]
}

# Sets USER and HOME if needed. Bazel keeps its state by user name and home
# directory, which containers and service accounts often lack.
ensure_home() {
  # id prints the number if the user has no name, and fails.
  export USER=${USER:-$(id -un 2>/dev/null || true)}
  if [[ ${HOME:-} == /* && -d $HOME ]] && mkdir -p "$HOME/.cache" 2>/dev/null &&
    [[ -w $HOME/.cache ]]; then
    return
  fi
  local home
  home=${TMPDIR:-/tmp}/gasnet-home-$(id -u)
  private_directory "$home" ||
    die "HOME ('${HOME:-}') cannot be written and neither can $home: set HOME" \
      "to a directory that can"
  export HOME=$home
}

# in_cache NAME: prints the path of a directory among the user's caches.
in_cache() {
  local cache=${XDG_CACHE_HOME:-}
  [[ $cache == /* ]] && mkdir -p "$cache" 2>/dev/null && [[ -w $cache ]] ||
    cache=$HOME/.cache
  printf '%s/%s' "$cache" "$1"
}

cache_directory() { in_cache gasnet-bazel; }

abseil_directory() { in_cache gasnet-abseil; }

# Prints options that put sandboxes into memory. Sandboxes are directories of
# links, one for each action except compilations and links, and are faster in
# memory than on a disk.
sandbox_options() {
  local memory=/dev/shm least_kib=$((2 << 20)) free
  [[ -d $memory && -w $memory ]] || return 0
  free=$(df --output=avail -k "$memory" | tail -n 1)
  [[ $free =~ ^\ *[0-9]+$ ]] && ((free >= least_kib)) || return 0
  # Tests compile programs there and run them.
  [[ ,$(findmnt -no OPTIONS -T "$memory"), != *,noexec,* ]] || return 0
  printf '%s\n' "--sandbox_base=$memory"
}

# bazel COMMAND [ARGUMENTS], from any directory.
bazel_do() {
  local command=$1
  shift
  ensure_home
  local options=()
  case $command in
    build | test | run | coverage)
      mapfile -t options < <(sandbox_options)
      options+=("--disk_cache=$(cache_directory)")
      [[ -t 2 ]] || options+=(--color=no --curses=no
        --show_progress_rate_limit=60)
      ;;
  esac
  # Removes a link to another build tree. Bazel recognises its own link and does
  # not search it for packages, but would follow a link left by another output
  # base.
  local link=$root/bazel-${root##*/}
  [[ ! -L $link || ! -w $root ]] || rm -f "$link"
  (cd "$root" && bazel "$command" "${options[@]}" "$@")
}

# Lists the C and C++ files that are under version control, or not ignored.
source_files() {
  (cd "$root" && git ls-files -co --exclude-standard -- \
    '*.h' '*.c' '*.cc' '*.inc' | sort -u | while read -r file; do
    [[ -f $file ]] && printf '%s\n' "$file"
  done)
}
