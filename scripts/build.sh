#!/bin/bash
# ./dev build [TARGETS] [BAZEL OPTIONS]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

named=false
for argument in "$@"; do
  [[ $argument == -* ]] || named=true
done
$named || set -- "$@" //...

bazel_do build "$@"
