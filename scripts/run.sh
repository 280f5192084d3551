#!/bin/bash
# ./dev run [PROGRAM] [-n N] [ARGS]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

program=wordcount
nodes=4

if [[ $# -gt 0 && $1 != -* ]]; then
  program=$1
  shift
fi
case ${1:-} in
  -n)
    [[ $# -ge 2 ]] || die "run: -n needs a number of nodes"
    nodes=$2
    shift 2
    ;;
  -n*)
    nodes=${1#-n}
    shift
    ;;
esac
[[ ${1:-} != -- ]] || shift

# Uses the documentation as input, since every checkout has it.
if [[ $program == wordcount && $# -eq 0 ]]; then
  mapfile -d '' documents < <(find "$root" -maxdepth 1 -name '*.md' -print0
    find "$root/docs" -type f \( -name '*.md' -o -name '*.[1-9]' \) -print0)
  set -- "${documents[@]}"
fi

if ! bazel_do query --noshow_progress "//examples:$program" >/dev/null 2>&1; then
  say "dev: there is no example '$program'. The examples are:"
  bazel_do query --noshow_progress 'kind(cc_binary, //examples:all)' \
    2>/dev/null | sed 's/.*:/  /' >&2
  exit 1
fi

bazel_do build --ui_event_filters=-info --noshow_progress \
  "//examples:$program" //tools/gasnetrun >&2

binaries=$(bazel_do info --noshow_progress bazel-bin 2>/dev/null)
exec "$binaries/tools/gasnetrun/gasnetrun" -n "$nodes" \
  "$binaries/examples/$program" "$@"
