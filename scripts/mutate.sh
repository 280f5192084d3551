#!/bin/bash
# ./dev mutate [OPTIONS] [NAMES]: see mutate.py.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

ensure_home
GASNET_DISK_CACHE=$(cache_directory) exec \
  python3 "$root/scripts/mutate.py" "$@"
