#!/bin/bash
# Tests that a transfer that fails in the network ends the job with a message
# that names it.
#
# Arguments: gasnetrun, the suite's programs over the fake conduit.
set -euo pipefail

code=0
said=$(GASNET_FAKE_FAIL=20 "$1" -n 2 --timeout 60 "$2" transfer_explicit 2>&1) ||
  code=$?
told=$(grep -cE '(put|get) of [0-9]+ bytes, rank [01], failed' <<<"$said" || true)
# The twentieth transfer of both ranks may fail.
if ((code == 0 || told < 1 || told > 2)); then
  echo "the job ended with $code, having said:"
  echo "$said"
  exit 1
fi
