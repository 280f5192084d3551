#!/bin/bash
# Tests that a failed libfabric operation ends the job with a message that
# names it.
#
# Arguments: gasnetrun, the suite's programs over the ofi conduit.
set -euo pipefail

# fails KIND TEST PATTERN [WORD]: checks the message if the third operation of
# that kind fails on both ranks. WORD chooses the kind of provider.
fails() {
  local code=0 said
  said=$(GASNET_STRICT=fail=$1@3,${4:-order=none} "$gasnetrun" -n 2 --timeout 20 "$suite" "$2" \
    2>&1) || code=$?
  if ((code == 0)) || ! grep -qE \
    "$3 failed over libfabric's provider strict: Input/output error" <<<"$said"; then
    echo "a job whose $1 fails ended with $code, having said:"
    echo "$said"
    exit 1
  fi
}

gasnetrun=$1
suite=$2
fails write transfer_explicit 'put of [0-9]+ bytes to rank [01]'
fails read transfer_explicit 'get of [0-9]+ bytes from rank [01]'
fails send am_exactly_once '(request|reply) to rank [01]'
fails send am_exactly_once \
  'an operation without a context, such as a small message,' order=sas
fails receive am_exactly_once 'receiving a message'
