#!/bin/bash
# ./dev bench [NAME] [--quick] [--only TEXT] [--output DIR]: see
# bench/driver/bench.py.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

bazel_do build --show_result=0 //bench:programs
binaries=$(bazel_do info bazel-bin)
# Relative paths among the arguments are those of the caller.
exec python3 "$root/bench/driver/bench.py" --bin "$binaries" "$@"
