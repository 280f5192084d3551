#!/bin/bash
# send_path_test.sh ARCHIVE MODE: checks that a small message between ranks of
# one host is sent without a call. The list below has all functions that the
# sending functions may call. Those on the list run only if there is no room, no
# awake receiver, more than 16 ranks, a message to this rank or another host, a
# network, another endpoint, a message longer than a line, another thread in
# the way, or statistics. Compilers tend to move other code out of line when nearby code grows,
# which costs some 20 % of a flood's time. ARCHIVE is the smp conduit's library
# for GASNET_MODE.
set -euo pipefail

skip() {
  echo "SKIP: $*"
  exit 0
}
[[ $(uname -m) == x86_64 ]] || skip "reads x86-64 machine code"
! grep -q GASNET_DEBUG api/include/gasnet/build_config.h ||
  skip "debug builds check every argument, by calls"

archive=$1
mode=$2
! readelf -p .comment "$archive" 2>/dev/null | grep clang >/dev/null ||
  skip "clang, which made this library, shares code between functions"
client=$TEST_TMPDIR/client
cat >"$client.c" <<'CLIENT'
#include <gasnet.h>
int main(void) {
  gasnet_AMRequestShort0(0, 200);
  gasnet_AMRequestMedium0(0, 200, 0, 0);
  gasnet_AMReplyShort0(0, 200);
  gasnet_AMReplyMedium0(0, 200, 0, 0);
  return 0;
}
CLIENT
cc -std=c11 -DGASNET_"$mode" -Iapi/include -Iconduits/smp/include "$client.c" \
  "$archive" -lstdc++ -lm -pthread -o "$client"

rare='ServeAndRequest|SendWhenRoom|SelfDelivery<.*>::Run(Short|Medium)'
rare+='|Link::(SendElsewhere|MoreHasMessages)|ReplyAcross'
rare+='|HostLink::(RailsHaveMessages|RailToSendOn|SendByThread)|Doorbell::Wake'
rare+='|Refuse|Fatal|stack_chk_fail|exported::Run<|ObservedSource'

failed=false
for name in Request Reply; do
  for category in Short Medium; do
    function=gasneti_AM$name$category
    code=$(objdump -d -C --no-show-raw-insn "$client" |
      awk -v start="<$function>:" '$2 == start { on = 1 } /^$/ { on = 0 } on')
    [[ -n $code ]] || { echo "FAILED: no $function" && failed=true; }
    calls=$(grep -E '\<(call|jmp) .*<' <<<"$code" | grep -v "<${function}[+>.]" |
      sed 's/^[^<]*//' | grep -vE "$rare" || true)
    [[ -z $calls ]] || { echo "FAILED: $function calls $calls" && failed=true; }
  done
done
! $failed
