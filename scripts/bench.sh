#!/bin/bash
# ./dev bench [NAME] [--quick] [--only TEXT] [--output DIR]: see
# bench/driver/bench.py.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

driver=$root/bench/driver/bench.py
# Refuses a wrong argument before building anything.
python3 "$driver" --check "$@"
for argument in "$@"; do
  case $argument in -h | --help) exit 0 ;; esac
done

bazel_do build --show_result=0 //bench:programs
binaries=$(bazel_do info bazel-bin 2>/dev/null)
exec python3 "$driver" --bin "$binaries" "$@"
