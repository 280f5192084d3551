#!/bin/bash
# ./dev format [--check]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"
cd "$root"

# Results differ by version of clang-format. That of Debian 12 decides.
readonly decides=14
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')

# Prints the names of the unformatted files.
unformatted() {
  # shellcheck disable=SC2016  # for the inner shell to expand
  source_files | xargs -r -d '\n' -n 1 -P "$(nproc)" bash -c \
    'clang-format --dry-run --Werror "$1" 2>/dev/null || echo "$1"' _ | sort
}

case ${1:-} in
  '')
    [[ $version == "$decides" ]] ||
      die "format: clang-format is version $version; accepted: $decides, which" \
        "is Debian 12's"
    source_files | xargs -r -d '\n' -n 20 -P "$(nproc)" clang-format -i
    ;;
  --check)
    if [[ $version != "$decides" ]]; then
      say "dev: format: not checked: clang-format is version $version here, and" \
        "$decides, which is Debian 12's, decides"
      exit 0
    fi
    files=$(unformatted)
    [[ -z $files ]] || die "not formatted ('./dev format' does it):
$files"
    ;;
  *) die "format: unknown argument '$1'; accepted: --check" ;;
esac
