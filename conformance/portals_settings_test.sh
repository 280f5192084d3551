#!/bin/bash
# What the portals conduit's variables change, as ranks count it when they end.
# Arguments: gasnetrun, the suite's programs over the portals conduit.
set -euo pipefail

launcher=$1 suite=$2
export GASNET_SUPERNODE_MAXSIZE=1 GASNET_PORTAL_STATISTICS=1

fail() {
  echo "$1; it said:"
  echo "$said"
  exit 1
}

# run ROW [NAME=VALUE...]: sets $said and $code.
run() {
  code=0
  said=$(env "${@:2}" "$launcher" -n 2 --timeout 60 "$suite" "$1" 2>&1) || code=$?
}

# counted NAME: the sum over the ranks.
counted() {
  grep 'Portals statistics:' <<<"$said" | grep -oE "\b$1 [0-9]+" |
    awk '{ sum += $2 } END { print sum + 0 }'
}

run am_long
((code == 0)) || fail "am_long ended with $code"
(($(counted packed) > 0)) || fail "no Long was packed"

run am_long GASNET_PORTAL_PACKED_LONG=0
((code == 0)) || fail "am_long ended with $code where no Long is packed"
(($(counted packed) < $(counted longs))) || fail "Longs were packed"

run am_flood_short GASNET_PORTAL_FLOW_CONTROL=0 PORTALS4_FAULTS=disable=50
((code == 0)) || fail "am_flood_short ended with $code without credits"
(($(counted refusals) > 0)) || fail "nothing was refused"
(($(counted refusals) == $(counted resent))) ||
  fail "what was refused was not sent again, once"

run am_flood_short GASNET_PORTAL_SB_CHUNKS=1
((code == 0)) || fail "am_flood_short ended with $code with one chunk"
(($(counted no_chunk) > 0)) || fail "nobody waited for the chunk"

run am_short GASNET_PORTAL_MSG_LIMIT=3
((code != 0)) || fail "GASNET_PORTAL_MSG_LIMIT=3 was taken"
grep -q 'GASNET_PORTAL_MSG_LIMIT' <<<"$said" || fail "the variable is not named"

run am_short GASNET_PORTAL_AMRECV_SPACE=1K
((code != 0)) || fail "GASNET_PORTAL_AMRECV_SPACE=1K was taken"
grep -q 'GASNET_PORTAL_AMRECV_SPACE is 1024' <<<"$said" ||
  fail "the variable is not named"
