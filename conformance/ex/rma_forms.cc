// Puts and gets in all forms, at odd addresses and of odd lengths. The peer is
// named by a team and by a pair. A transfer moves exactly its bytes, and a
// transfer of 0 bytes moves none (GASNet-EX, section 13.1).
#include <string.h>

#include <initializer_list>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 70001;
constexpr size_t kGuard = 16;
constexpr size_t kSlot = kGuard + kLargest + 8 + kGuard;
constexpr int kGuardByte = 0xA5;

enum class Form { kBlocking, kNb, kNbi };

alignas(64) char elsewhere[kSlot];
alignas(64) char copy[kSlot];
uint32_t key = 0;

// A transfer whose remote side begins `shift` bytes after an aligned address.
struct Transfer {
  gex_TM_t tm;
  gex_Rank_t peer;
  Form form;
  size_t bytes;
  size_t shift;
  gex_Flags_t flags;
};

char* Slot(gex_Rank_t owner) { return BaseOf(owner) + ex.rank * kSlot; }
char* LocalSlot() { return BaseOf(ex.rank) + ex.size * kSlot; }

// Repeats a call until it succeeds. With GEX_FLAG_IMMEDIATE, every try may
// fail. So the last try is without this flag.
template <class Call>
void UntilStarted(gex_Flags_t flags, Call call) {
  for (int tries = 0; tries < 3; ++tries) {
    if (call(flags) == 0) return;
    CHECK((flags & GEX_FLAG_IMMEDIATE) != 0);
    CHECK_OK(gasnet_AMPoll());
  }
  CHECK_EQ(call(flags & ~GEX_FLAG_IMMEDIATE), 0);
}

void SyncOnce(gex_Event_t event) {
  CHECK(event != GEX_EVENT_NO_OP);
  gex_Event_Wait(event);
}

gex_Event_t PutNb(const Transfer& t, char* there, const char* source) {
  gex_Event_t event = GEX_EVENT_NO_OP;
  UntilStarted(t.flags, [&](gex_Flags_t flags) {
    event = gex_RMA_PutNB(t.tm, t.peer, there, source, t.bytes, GEX_EVENT_NOW,
                          flags);
    return event == GEX_EVENT_NO_OP;
  });
  return event;
}
gex_Event_t GetNb(const Transfer& t, char* here, char* there) {
  gex_Event_t event = GEX_EVENT_NO_OP;
  UntilStarted(t.flags, [&](gex_Flags_t flags) {
    event = gex_RMA_GetNB(t.tm, here, t.peer, there, t.bytes, flags);
    return event == GEX_EVENT_NO_OP;
  });
  return event;
}

void Put(const Transfer& t, char* there, const char* source) {
  switch (t.form) {
    case Form::kBlocking:
      return UntilStarted(t.flags, [&](gex_Flags_t flags) {
        return gex_RMA_PutBlocking(t.tm, t.peer, there, source, t.bytes, flags);
      });
    case Form::kNb:
      return SyncOnce(PutNb(t, there, source));
    case Form::kNbi:
      UntilStarted(t.flags, [&](gex_Flags_t flags) {
        return gex_RMA_PutNBI(t.tm, t.peer, there, source, t.bytes,
                              GEX_EVENT_DEFER, flags);
      });
      gex_NBI_Wait(GEX_EC_PUT, 0);
  }
}

void Get(const Transfer& t, char* here, char* there) {
  switch (t.form) {
    case Form::kBlocking:
      return UntilStarted(t.flags, [&](gex_Flags_t flags) {
        return gex_RMA_GetBlocking(t.tm, here, t.peer, there, t.bytes, flags);
      });
    case Form::kNb:
      return SyncOnce(GetNb(t, here, there));
    case Form::kNbi:
      UntilStarted(t.flags, [&](gex_Flags_t flags) {
        return gex_RMA_GetNBI(t.tm, here, t.peer, there, t.bytes, flags);
      });
      gex_NBI_Wait(GEX_EC_GET, 0);
  }
}

// Checks the bytes of a slot after a transfer. The bytes around them must stay
// unchanged.
void CheckSlot(const char* slot, size_t at, size_t bytes) {
  CHECK_BYTES(slot, at, kGuardByte);
  CHECK_PATTERN(slot + at, bytes, key);
  CHECK_BYTES(slot + at + bytes, kGuard, kGuardByte);
}

// Puts to the peer and gets back, each in the form under test. Checks the put
// by a blocking get of the whole slot. The test of blocking forms has come
// first.
void Test(const Transfer& t, char* local) {
  const size_t all = kGuard + t.shift + t.bytes + kGuard;
  const size_t there = kGuard + t.shift;
  const size_t here = kGuard + (t.bytes + 3 * t.shift) % 8;
  ++key;
  memset(copy, kGuardByte, all);
  CHECK_EQ(gex_RMA_PutBlocking(ex.tm, t.peer, Slot(t.peer), copy, all, 0), 0);

  FillPattern(local + here, t.bytes, key);
  Put(t, Slot(t.peer) + there, local + here);
  memset(copy, 0, all);
  CHECK_EQ(gex_RMA_GetBlocking(ex.tm, copy, t.peer, Slot(t.peer), all, 0), 0);
  CheckSlot(copy, there, t.bytes);

  memset(local, kGuardByte, here + t.bytes + kGuard);
  Get(t, local + here, Slot(t.peer) + there);
  CheckSlot(local, here, t.bytes);
}

void TestPeer(gex_TM_t tm, gex_Rank_t peer, gex_Flags_t flags) {
  size_t shift = 0;
  for (Form form : {Form::kBlocking, Form::kNb, Form::kNbi}) {
    for (char* local : {elsewhere, LocalSlot()}) {
      for (size_t n = 0; n <= kLargest; n = NextSize(n, kLargest)) {
        shift = (shift + 1) % 8;
        Test({tm, peer, form, n, shift, flags}, local);
      }
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::ex;
  conformance::StartExJob(&argc, &argv, 8 * conformance::kSlot);
  const gex_TM_t pair = gex_TM_Pair(ex.ep, 0);
  for (gex_Rank_t peer = 0; peer < ex.size; ++peer) {
    conformance::TestPeer(ex.tm, peer, 0);
    conformance::TestPeer(pair, peer, GEX_FLAG_IMMEDIATE);
    if (peer == ex.rank) continue;
    conformance::TestPeer(ex.tm, peer, GEX_FLAG_PEER_NEVER_SELF);
  }
  return conformance::FinishJob();
}
