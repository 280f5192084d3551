#!/bin/bash
# Tests effects of the portals conduit's variables, by the statistics that
# ranks print when they end.
#
# Arguments: gasnetrun, the suite's programs over the portals conduit.
set -euo pipefail

launcher=$1 suite=$2
export GASNET_SUPERNODE_MAXSIZE=1 GASNET_PORTAL_STATISTICS=1

fail() {
  echo "$1; it said:"
  echo "$said"
  exit 1
}

# run ROW [NAME=VALUE...]: runs a row; sets $said and $code.
run() {
  code=0
  said=$(env "${@:2}" "$launcher" -n 2 --timeout 60 "$suite" "$1" 2>&1) || code=$?
}

# counted NAME: prints the sum of a counter over the ranks.
counted() {
  grep 'Portals statistics:' <<<"$said" | grep -oE "\b$1 [0-9]+" |
    awk '{ sum += $2 } END { print sum + 0 }'
}

# most NAME: prints the largest value of a counter of any rank.
most() {
  grep 'Portals statistics:' <<<"$said" | grep -oE "\b$1 [0-9]+" |
    awk '$2 > most { most = $2 } END { print most + 0 }'
}

# field NAME RANK: prints a field of the rank's line in its file of credits.
field() {
  grep '^rank ' "$credits.$2" | grep -oE "\b$1 [0-9]+" | awk '{ print $2 }'
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

overflow='WARNING.* has refused a message although there are credits: [0-9]* of'
grep -q "$overflow" <<<"$said" && fail "there were no credits"

run am_flood_short PORTALS4_FAULTS=disable=50
((code == 0)) || fail "am_flood_short ended with $code where entries are shut"
(($(counted refusals) > 2)) || fail "little was refused"
count=$(grep -c "$overflow" <<<"$said") || true
((count == 1 || count == 2)) || fail "$count ranks reported an overflow, once each"

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

# A poll takes only a limited number of events of a queue.
run am_flood_short
((code == 0)) || fail "am_flood_short ended with $code"
(($(most most_am) > 1 && $(most most_am) <= 8)) ||
  fail "a poll took $(most most_am) requests"
(($(most most_safe) > 1 && $(most most_safe) <= 12)) ||
  fail "a poll took $(most most_safe) completions and replies"
run am_flood_short GASNET_PORTAL_AM_LIMIT=1 GASNET_PORTAL_SAFE_LIMIT=2 \
  GASNET_PORTAL_SYS_LIMIT=1 GASNET_PORTAL_FLOW_CONTROL=0 PORTALS4_FAULTS=disable=20
((code == 0)) || fail "am_flood_short ended with $code where polls take little"
(($(most most_am) == 1)) || fail "a poll took $(most most_am) requests, not 1"
(($(most most_safe) == 2)) ||
  fail "a poll took $(most most_safe) completions and replies, not 2"
(($(most most_sys) == 1)) ||
  fail "a poll took $(most most_sys) system messages, not 1"

# Each rank writes a file, with correct sums.
credits=$TEST_TMPDIR/credits
run am_flood_short GASNET_PORTAL_CREDIT_STATS=1 \
  GASNET_PORTAL_CREDIT_STATS_FILE="$credits.%r"
((code == 0)) || fail "am_flood_short ended with $code"
for rank in 0 1; do
  [[ -s $credits.$rank ]] || fail "rank $rank wrote no file"
  (($(field total $rank) == $(field bank $rank) + $(field lent $rank))) ||
    fail "the credits of rank $rank are not consistent: $(<"$credits.$rank")"
  (($(field requests_sent $rank) > 0)) || fail "rank $rank sent nothing"
done
run am_short GASNET_PORTAL_CREDIT_STATS=1 \
  GASNET_PORTAL_CREDIT_STATS_FILE=/nowhere/at/all
((code == 0)) || fail "am_short ended with $code without a place for its file"
grep -q 'WARNING.*GASNET_PORTAL_CREDIT_STATS: /nowhere/at/all' <<<"$said" ||
  fail "nobody was told that the file cannot be written"

# If descriptors cover all memory, nothing is registered.
run transfer_local_side
((code == 0)) || fail "transfer_local_side ended with $code"
(($(counted bounced) == 0 && $(counted binds) == 0)) ||
  fail "memory was registered"

# If descriptors do not cover all memory, some is registered.
limits=PORTALS4_LIMITS=max_md_length=2097152

# limited ROW [NAME=VALUE...]: runs the row with those limits. It must pass.
limited() {
  run "$1" "$limits" "${@:2}"
  ((code == 0)) || fail "$1 ended with $code where $limits ${*:2}"
}

limited transfer_local_side
both=$(counted bounced)
limited transfer_local_side GASNET_PORTAL_PUT_BOUNCE_LIMIT=0
gets=$(counted bounced)
limited transfer_local_side GASNET_PORTAL_GET_BOUNCE_LIMIT=0
puts=$(counted bounced)
((puts > 0 && gets > 0 && puts < both && gets < both)) ||
  fail "$both have bounce buffers, $puts of puts, $gets of gets"
limited transfer_local_side GASNET_PORTAL_PUTGET_BOUNCE_LIMIT=0
(($(counted bounced) == 0)) || fail "there are bounce buffers"
limited transfer_local_side GASNET_PORTAL_PUTGET_BOUNCE_LIMIT=0 \
  GASNET_PORTAL_PUT_BOUNCE_LIMIT=64
(($(counted bounced) > 0)) || fail "the limit of puts does not go first"

limited transfer_large
(($(most largest_bound) == 131072)) ||
  fail "a descriptor covers $(most largest_bound) bytes"
(($(counted binds) > 0 && $(counted releases) == 0)) ||
  fail "descriptors are not kept"
limited transfer_large GASNET_FIREHOSE_MAXREGION_SIZE=16K
(($(most largest_bound) == 16384)) ||
  fail "a descriptor covers $(most largest_bound) bytes, not 16 KiB"
limited transfer_large GASNET_FIREHOSE_MAXVICTIM_R=3
(($(most most_bound) == 3 && $(counted releases) > 0)) ||
  fail "there were $(most most_bound) descriptors, not 3"
limited transfer_large GASNET_FIREHOSE_MAXREGION_SIZE=16K \
  GASNET_FIREHOSE_MAXVICTIM_M=64K
(($(most most_bound_bytes) == 65536)) ||
  fail "descriptors covered $(most most_bound_bytes) bytes, not 64 KiB"

limited transfer_large GASNET_USE_FIREHOSE=0
(($(most largest_bound) > 131072)) || fail "descriptors are as with firehose"
(($(counted binds) == $(counted releases))) || fail "descriptors are kept"
(($(most most_bound) > 1)) || fail "there was one descriptor at a time"
limited transfer_large GASNET_USE_FIREHOSE=0 GASNET_PORTAL_NUM_TMPMD=1
(($(most most_bound) == 1)) || fail "there were $(most most_bound) descriptors"

limited transfer_large
grep -q 'firehose:' <<<"$said" && fail "firehose tells what nobody asked for"
limited transfer_large GASNET_FIREHOSE_VERBOSE=1
grep -q 'firehose: bound' <<<"$said" || fail "firehose tells nothing"

# A Portals that pins bound memory still leaves room for the rest.
run am_long PORTALS4_LIMITS=features=0
((code == 0)) || fail "am_long ended with $code where segments are pinned"
