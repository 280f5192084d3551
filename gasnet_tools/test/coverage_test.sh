#!/bin/bash
# coverage_test.sh NAMES SOURCE...: checks that a test of behaviour uses every
# public name. Macros in the tests build the names of atomics.
set -euo pipefail

names=$1
shift
count=0
failed=false
while read -r name kind; do
  [[ $name != '#' ]] || continue
  count=$((count + 1))
  pasted=$(sed -E 's/^(gasnett_(strong)?atomic(32|64)?)_/family##_/' <<<"$name")
  grep -qwF -e "$name" -e "$pasted" "$@" || {
    echo "FAILED: no test uses $name ($kind)"
    failed=true
  }
done <"$names"
((count > 190)) || {
  echo "FAILED: $names has $count names only"
  failed=true
}
! $failed
