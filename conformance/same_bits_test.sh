#!/bin/bash
# Tests that reductions of floating-point numbers have the same bits over every
# conduit, for every placement of ranks, in every run, with a progress thread
# and without.
#
# Arguments: gasnetrun, then the suite's programs over each conduit.
set -euo pipefail

launcher=$1
shift

checksum() { # RANKS PROGRAM [NAME=VALUE...]
  local ranks=$1 program=$2
  shift 2
  env "$@" "$launcher" -n "$ranks" --timeout 100 "$program" coll_checksum |
    sed -n 's/^checksum //p'
}

for ranks in 2 3 5; do
  sums=()
  for program in "$@"; do
    # Each placement of three ranks gets five runs, every other placement one.
    for most in 1 2 3; do
      for ((run = 0; run < (ranks == 3 ? 5 : 1); ++run)); do
        sums+=("$(checksum "$ranks" "$program" GASNET_SUPERNODE_MAXSIZE=$most)")
      done
    done
    sums+=("$(checksum "$ranks" "$program" GASNET_COLL_PROGRESS=thread)")
  done
  different=$(printf '%s\n' "${sums[@]}" | sort -u)
  if [[ ! $different =~ ^[0-9a-f]{16}$ ]]; then
    echo "$ranks ranks: ${sums[*]}"
    exit 1
  fi
  echo "$ranks ranks: $different, ${#sums[@]} times"
done
