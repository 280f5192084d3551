#!/bin/bash
# run_two.sh GASNETRUN PROGRAM [ARGS]: PROGRAM as two bound ranks.
set -euo pipefail
launcher=$1
shift
exec "$launcher" -n 2 --bind core "$@"
