#!/bin/bash
# ./dev lint [--tidy [FILES]]
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"
cd "$root" || exit 1

failed=false

# check WHAT COMMAND...: runs a check and continues, so that one run shows every
# complaint.
check() {
  local what=$1
  shift
  "$@" || {
    say "lint: $what: failed"
    failed=true
  }
}

shell_scripts() {
  git ls-files -co --exclude-standard | while read -r file; do
    [[ -f $file && ! -L $file ]] || continue
    case $file in *.sh | dev | .ci/run) printf '%s\n' "$file" ;; esac
  done
}

shellcheck_all() {
  shell_scripts | xargs -r -d '\n' shellcheck -x
}

layering() {
  local query rules
  query=$(python3 -B scripts/layering.py --query) &&
    rules=$(bazel_do query --noshow_progress --output=xml "$query") &&
    python3 -B scripts/layering.py <<<"$rules"
}

# Uses the PAR library, which has most of the code.
tidy() {
  local files=("$@")
  [[ ${#files[@]} -gt 0 ]] || mapfile -t files < <(source_files | grep '\.cc$')
  printf '%s\n' "${files[@]}" | xargs -d '\n' -P "$(nproc)" -I '{}' \
    clang-tidy --quiet '{}' -- -std=c++20 -I. -Iapi/include -DGASNET_PAR=1 \
    -DGASNET_SEGMENT_FAST=1 2>/dev/null
}

case ${1:-} in
  '' | --tidy) ;;
  *) die "lint: unknown argument '$1'; accepted: --tidy [FILES]" ;;
esac

check format scripts/format.sh --check
check shellcheck shellcheck_all
check sources python3 scripts/check_sources.py
check layering layering
check mutants python3 -B scripts/mutate.py --check
[[ ${1:-} != --tidy ]] || check clang-tidy tidy "${@:2}"

$failed && exit 1
say "lint: clean"
