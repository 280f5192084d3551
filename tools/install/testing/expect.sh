# Helps tests in bash that continue after a failure and end with `! $failed`.
# Sourced.
# shellcheck shell=bash

export failed=false

# expect WHAT COMMAND...
expect() {
  local what=$1
  shift
  "$@" || {
    printf 'FAILED: %s\n' "$what"
    failed=true
  }
}
