// Replies of negotiated payload. A handler may prepare a reply while its
// thread's own Commit waits, and may reply after a cancelled reply (GASNet-EX,
// section 12).
#include <string.h>

#include <atomic>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kMedium = 200, kLong, kMediumReply, kLongReply };

constexpr int kMessages = 600;
constexpr size_t kMax = 900;
constexpr size_t kSlot = 1024;
constexpr int kSlots = kMessages;

// Bits that combine to the kind of a reply.
enum { kOwnBuffer = 1, kCancelled = 2, kVersion2 = 4, kHint = 8, kKinds = 16 };

std::atomic<int> replies{0};
std::atomic<bool> seen[kMessages];

char* ReplyPlace(gex_Rank_t rank, gex_AM_Arg_t number) {
  return SegmentOf(rank) + (kSlots + number % kSlots) * kSlot;
}

void ReplyMedium(gex_Token_t token, const void* buffer, size_t bytes,
                 gex_AM_Arg_t number) {
  const int kind = number % kKinds;
  const void* const own = kind & kOwnBuffer ? buffer : nullptr;
  gex_Event_t* const lc_opt = own != nullptr ? GEX_EVENT_NOW : nullptr;
  gex_AM_SrcDesc_t sd =
      gex_AM_PrepareReplyMedium(token, own, bytes, bytes, lc_opt, 0, 2);
  if (kind & kCancelled) {
    CHECK_EQ(gex_AM_CancelReplyMedium(sd, 0), 0);
    sd = gex_AM_PrepareReplyMedium(token, own, 1, kMax, lc_opt, 0, 2);
  }
  CHECK(sd != GEX_AM_SRCDESC_NO_OP);
  if (own == nullptr) memcpy(gex_AM_SrcDescAddr(sd), buffer, bytes);
  CHECK_PATTERN(gex_AM_SrcDescAddr(sd), bytes, number);
  const gex_AM_Arg_t count = static_cast<gex_AM_Arg_t>(bytes);
  if (kind & kVersion2) {
    CHECK_EQ(
        gex_AM_CommitReplyMedium2_v2(sd, kMediumReply, bytes, 0, number, count),
        0);
  } else {
    gex_AM_CommitReplyMedium(sd, kMediumReply, bytes, number, count);
  }
}

void ReplyLong(gex_Token_t token, const void* buffer, size_t bytes,
               gex_AM_Arg_t number) {
  const int kind = number % kKinds;
  const void* const own = kind & kOwnBuffer ? buffer : nullptr;
  gex_Event_t* const lc_opt = own != nullptr ? GEX_EVENT_NOW : nullptr;
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  char* const to = ReplyPlace(info.gex_srcrank, number);
  char* const hint = kind & kHint ? to : nullptr;
  gex_AM_SrcDesc_t sd =
      gex_AM_PrepareReplyLong(token, own, bytes, bytes, hint, lc_opt, 0, 2);
  if (kind & kCancelled) {
    CHECK_EQ(gex_AM_CancelReplyLong(sd, 0), 0);
    sd = gex_AM_PrepareReplyLong(token, own, 1, kMax, hint, lc_opt, 0, 2);
  }
  if (own == nullptr) memcpy(gex_AM_SrcDescAddr(sd), buffer, bytes);
  const gex_AM_Arg_t count = static_cast<gex_AM_Arg_t>(bytes);
  if (kind & kVersion2) {
    CHECK_EQ(
        gex_AM_CommitReplyLong_v2(sd, kLongReply, bytes, to, 0, number, count),
        0);
  } else {
    gex_AM_CommitReplyLong2(sd, kLongReply, bytes, to, number, count);
  }
}

void OnMedium(gex_Token_t token, void* buffer, size_t bytes,
              gex_AM_Arg_t number) {
  CHECK_PATTERN(buffer, bytes, number);
  ReplyMedium(token, buffer, bytes, number);
}
void OnLong(gex_Token_t token, void* buffer, size_t bytes,
            gex_AM_Arg_t number) {
  CHECK_PATTERN(buffer, bytes, number);
  ReplyLong(token, buffer, bytes, number);
}
void CountReply(const void* buffer, size_t bytes, gex_AM_Arg_t number,
                gex_AM_Arg_t expected) {
  CHECK_EQ(bytes, expected);
  CHECK_PATTERN(buffer, bytes, number);
  CHECK(!seen[number].exchange(true));
  ++replies;
}
void OnMediumReply(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t number,
                   gex_AM_Arg_t expected) {
  CountReply(buffer, bytes, number, expected);
}
void OnLongReply(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t number,
                 gex_AM_Arg_t expected) {
  CHECK(buffer == ReplyPlace(Me(), number));
  CountReply(buffer, bytes, number, expected);
}

// Sends from every process at the same time. So Commits must wait, and serve
// the network while they wait.
void SendAll() {
  for (int number = 0; number < kMessages; ++number) {
    const size_t bytes = 1 + number % kMax;
    const bool is_long = number % 3 == 0;
    const gex_AM_SrcDesc_t sd =
        is_long ? gex_AM_PrepareRequestLong(tm, Next(), nullptr, bytes, bytes,
                                            nullptr, nullptr, 0, 1)
                : gex_AM_PrepareRequestMedium(tm, Next(), nullptr, bytes, bytes,
                                              nullptr, 0, 1);
    FillPattern(gex_AM_SrcDescAddr(sd), bytes, number);
    if (is_long) {
      gex_AM_CommitRequestLong(sd, kLong, bytes,
                               SegmentOf(Next()) + number % kSlots * kSlot,
                               number);
    } else {
      gex_AM_CommitRequestMedium(sd, kMedium, bytes, number);
    }
  }
  GASNET_BLOCKUNTIL(replies == kMessages);
}

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;
constexpr gex_Flags_t kReply = GEX_FLAG_AM_REPLY;
gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kMedium, OnMedium, GEX_FLAG_AM_MEDIUM | kRequest, 1),
    EX_HANDLER(kLong, OnLong, GEX_FLAG_AM_LONG | kRequest, 1),
    EX_HANDLER(kMediumReply, OnMediumReply, GEX_FLAG_AM_MEDIUM | kReply, 2),
    EX_HANDLER(kLongReply, OnLongReply, GEX_FLAG_AM_LONG | kReply, 2),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), 2 * kSlots * kSlot);
  SendAll();
  return FinishJob();
}
