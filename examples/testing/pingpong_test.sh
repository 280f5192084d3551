#!/bin/bash
# pingpong_test.sh PINGPONG GASNETRUN: runs the program by itself, and as ./dev
# run starts it.
set -euo pipefail

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

output=$("$1" 1000)
[[ $output == *'1000 rounds of 8 bytes'*'pingpong ok' ]] || fail "alone: $output"
output=$("$2" -n 2 "$1" 1000)
[[ $(grep -c '^pingpong ok$' <<<"$output") -eq 2 ]] || fail "launched: $output"
