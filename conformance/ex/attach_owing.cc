// A process may attach although it has not received all its replies. When all
// processes call gex_Segment_Attach, more replies are under way than there is
// room for (GASNet-EX, sections 7.2 and 11.2).
#include <stdlib.h>

#include "conformance/ex/ex_harness.h"
#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kAsk = 200, kAnswer };
constexpr int kAsked = 64;

char answer[1 << 16];
volatile int answered = 0;

size_t AnswerBytes() {
  const size_t most = gex_AM_LUBReplyMedium();
  return most < sizeof answer ? most : sizeof answer;
}

void Ask(gex_Token_t token) {
  CHECK_EQ(gex_AM_ReplyMedium0(token, kAnswer, answer, AnswerBytes(),
                               GEX_EVENT_NOW, 0),
           0);
}
void Answer(gex_Token_t, void*, size_t bytes) {
  CHECK_EQ(bytes, AnswerBytes());
  answered = answered + 1;
}

gex_AM_Entry_t handlers[] = {
    {kAsk, reinterpret_cast<gex_AM_Fn_t>(&Ask),
     GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, nullptr, "ask"},
    {kAnswer, reinterpret_cast<gex_AM_Fn_t>(&Answer),
     GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, nullptr, "answer"},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  JoinEx(&argc, &argv, handlers, COUNT_OF(handlers));
  const gex_Rank_t right = (Me() + 1) % Size();
  for (int i = 0; i < kAsked; ++i) {
    CHECK_EQ(gex_AM_RequestShort0(conformance::tm, right, kAsk, 0), 0);
  }
  CHECK_OK(gex_Segment_Attach(&segment, conformance::tm, GASNET_PAGESIZE));
  GASNET_BLOCKUNTIL(answered == kAsked);
  return FinishJob();
}
