#!/bin/bash
# ./dev fuzz [SECONDS]: runs every fuzzer for this long (60), from its corpus.
# If an input breaks one, leaves that input in the working directory and ends
# with an error.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

seconds=${1:-60}
[[ $# -le 1 && $seconds =~ ^[1-9][0-9]*$ ]] ||
  die "fuzz: '$*'; accepted: a number of seconds for each fuzzer"

here=$PWD
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

mapfile -t fuzzers < <(bazel_do query --noshow_progress \
  'attr(tags, fuzzer, kind(cc_binary, //...))')
((${#fuzzers[@]} > 0)) || die "fuzz: there are no fuzzers"
bazel_do build --config=clang --show_result=0 "${fuzzers[@]}"
binaries=$(bazel_do info --config=clang bazel-bin 2>/dev/null)

for fuzzer in "${fuzzers[@]}"; do
  path=${fuzzer#//}
  name=${path#*:}
  package=${path%:*}
  say "== $fuzzer, $seconds s"
  mkdir -p "$found/$name"
  # New inputs go to the first directory.
  "$binaries/$package/$name" -max_total_time="$seconds" -verbosity=0 \
    -artifact_prefix="$here/$name-" "$found/$name" "$root/$package/corpus"
done
say "dev: ${#fuzzers[@]} fuzzers found nothing"
