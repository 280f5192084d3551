// With GASNET_PROGRESS_THREAD=1, a process that computes and makes no call
// still answers messages to its endpoints. Without these answers, the waits of
// this test would not end (GASNet-EX).
#include <sched.h>

#include <atomic>

#include "conformance/ex/ex_endpoints.h"

namespace conformance {
namespace {

enum { kAsk = 200, kAskMedium, kAnswer, kGo };

constexpr size_t kBytes = 3000;
constexpr int kRounds = 20;

std::atomic<int> answers{0};
std::atomic<bool> may_go{false};

void OnAsk(gex_Token_t token, gex_AM_Arg_t key) {
  CHECK_EQ(gex_AM_ReplyShort1(token, kAnswer, 0, key), 0);
}
void OnAskMedium(gex_Token_t token, void* data, size_t bytes,
                 gex_AM_Arg_t key) {
  CHECK_PATTERN(data, bytes, static_cast<uint32_t>(key));
  OnAsk(token, key);
}
void OnAnswer(gex_Token_t, gex_AM_Arg_t) { ++answers; }
void OnGo(gex_Token_t) { may_go = true; }

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;

void Register(gex_EP_t ep) {
  gex_AM_Entry_t table[] = {
      {kAsk, reinterpret_cast<gex_AM_Fn_t>(OnAsk), GEX_FLAG_AM_SHORT | kRequest,
       1, nullptr, "OnAsk"},
      {kAskMedium, reinterpret_cast<gex_AM_Fn_t>(OnAskMedium),
       GEX_FLAG_AM_MEDIUM | kRequest, 1, nullptr, "OnAskMedium"},
      {kAnswer, reinterpret_cast<gex_AM_Fn_t>(OnAnswer),
       GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1, nullptr, "OnAnswer"},
      {kGo, reinterpret_cast<gex_AM_Fn_t>(OnGo), GEX_FLAG_AM_SHORT | kRequest,
       0, nullptr, "OnGo"},
  };
  CHECK_OK(gex_EP_RegisterHandlers(ep, table, COUNT_OF(table)));
}

void Ask(gex_EP_Index_t own, gex_EP_Index_t at, gex_Rank_t rank) {
  const gex_TM_t pair = gex_TM_Pair(eps.ep[own], at);
  const int before = answers;
  CHECK_EQ(gex_AM_RequestShort1(pair, rank, kAsk, 0, 1), 0);
  GASNET_BLOCKUNTIL(answers == before + 1);
  char data[kBytes];
  FillPattern(data, kBytes, 2);
  CHECK_EQ(gex_AM_RequestMedium1(pair, rank, kAskMedium, data, kBytes,
                                 GEX_EVENT_NOW, 0, 2),
           0);
  GASNET_BLOCKUNTIL(answers == before + 2);
}

void AskAll() {
  for (gex_Rank_t rank = 1; rank < ex.size; ++rank) {
    for (gex_EP_Index_t own = 0; own < kEndpoints; ++own) {
      for (gex_EP_Index_t at = 0; at < kEndpoints; ++at) Ask(own, at, rank);
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, kBytes);
  CHECK_EQ(gex_System_QueryHiddenAMConcurrencyLevel(), 1);
  MakeEndpoints(kBytes, GEX_EP_CAPABILITY_RMA | GEX_EP_CAPABILITY_AM);
  for (const gex_EP_t ep : eps.ep) Register(ep);
  Barrier();
  if (ex.rank == 0) {
    for (int round = 0; round < kRounds; ++round) AskAll();
    for (gex_Rank_t rank = 1; rank < ex.size; ++rank) {
      CHECK_EQ(gex_AM_RequestShort0(ex.tm, rank, kGo, 0), 0);
    }
  } else {
    while (!may_go) sched_yield();
  }
  return FinishJob();
}
