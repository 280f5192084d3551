#!/bin/bash
# ./dev bench [NAME] [ARGS]: every target tagged "benchmark", or those with NAME
# in their label, one after the other, with ARGS.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

name=
if [[ $# -gt 0 && $1 != -* ]]; then
  name=$1
  shift
fi

mapfile -t benchmarks < <(bazel_do query --noshow_progress \
  "filter('$name', attr(tags, '[\\[ ]benchmark[,\\]]', //...))" | sort)
[[ ${#benchmarks[@]} -gt 0 ]] || die "bench: no benchmark has '$name' in its name"

bazel_do build --show_result=0 "${benchmarks[@]}"
for benchmark in "${benchmarks[@]}"; do
  say "== $benchmark"
  bazel_do run --ui_event_filters=-info --noshow_progress --show_result=0 \
    "$benchmark" -- "$@"
done
