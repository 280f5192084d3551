// Indices of handlers. The library first uses the indices that the table gives.
// The other entries get the highest free indices, in the order of the table. A
// client may register further tables later. A refused table changes nothing
// (GASNet-EX, section 6.3).
#include <string.h>

#include <atomic>
#include <initializer_list>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

constexpr gex_Flags_t kShort = GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST;

std::atomic<int> seen[256];

template <int kNumber>
void Count(gex_Token_t token) {
  ++seen[kNumber];
  gex_Token_Info_t info;
  CHECK((gex_Token_Info(token, &info, GEX_TI_SRCRANK) & GEX_TI_SRCRANK) != 0);
  CHECK_EQ(info.gex_srcrank, (Me() + Size() - 1) % Size());
}

void Send(int index, int number) {
  const int before = seen[number];
  Barrier();
  CHECK_EQ(gex_AM_RequestShort0(tm, Next(), index, 0), 0);
  GASNET_BLOCKUNTIL(seen[number] == before + 1);
  Barrier();
}

void CheckOrder() {
  gex_AM_Entry_t first[] = {
      EX_HANDLER(0, Count<1>, kShort, 0),
      EX_HANDLER(200, Count<2>, kShort, 0),
      EX_HANDLER(0, Count<3>, kShort, 0),
  };
  CHECK_OK(gex_EP_RegisterHandlers(ep, first, 3));
  CHECK_EQ(first[0].gex_index, 255);
  CHECK_EQ(first[1].gex_index, 200);
  CHECK_EQ(first[2].gex_index, 254);

  // The library never assigns an index that another entry gives, even if that
  // entry comes later in the table.
  gex_AM_Entry_t second[] = {
      EX_HANDLER(0, Count<4>, kShort, 0),
      EX_HANDLER(253, Count<5>, kShort, 0),
      EX_HANDLER(GEX_AM_INDEX_BASE, Count<6>, kShort, 0),
  };
  CHECK_OK(gex_EP_RegisterHandlers(ep, second, 3));
  CHECK_EQ(second[0].gex_index, 252);
  CHECK_EQ(second[1].gex_index, 253);
  CHECK_EQ(second[2].gex_index, GEX_AM_INDEX_BASE);

  // The client may reuse the tables after the call.
  memset(first, 0xEE, sizeof first);
  memset(second, 0xEE, sizeof second);
}

void SendToAll() {
  Send(255, 1);
  Send(200, 2);
  Send(254, 3);
  Send(252, 4);
  Send(253, 5);
  Send(GEX_AM_INDEX_BASE, 6);
}

void CheckRefusals() {
  gex_System_SetVerboseErrors(0);
  // A legal entry precedes the illegal one. The legal entry must not be
  // registered either.
  gex_AM_Entry_t taken[] = {
      EX_HANDLER(150, Count<7>, kShort, 0),
      EX_HANDLER(0, Count<7>, kShort, 0),
      EX_HANDLER(200, Count<7>, kShort, 0),
  };
  CHECK(gex_EP_RegisterHandlers(ep, taken, 3) != GASNET_OK);
  CHECK_EQ(taken[1].gex_index, 0);
  gex_AM_Entry_t twice[] = {
      EX_HANDLER(151, Count<7>, kShort, 0),
      EX_HANDLER(151, Count<7>, kShort, 0),
  };
  CHECK(gex_EP_RegisterHandlers(ep, twice, 2) != GASNET_OK);
  gex_AM_Entry_t low[] = {
      EX_HANDLER(GEX_AM_INDEX_BASE - 1, Count<7>, kShort, 0)};
  CHECK(gex_EP_RegisterHandlers(ep, low, 1) != GASNET_OK);
  // In turn, these flags lack category and direction, lack a direction, lack a
  // category, and have two categories.
  for (const gex_Flags_t flags :
       {gex_Flags_t{0}, gex_Flags_t{GEX_FLAG_AM_SHORT},
        gex_Flags_t{GEX_FLAG_AM_REQUEST},
        gex_Flags_t{GEX_FLAG_AM_SHORT | GEX_FLAG_AM_LONG |
                    GEX_FLAG_AM_REQUEST}}) {
    gex_AM_Entry_t vague[] = {EX_HANDLER(150, Count<7>, flags, 0)};
    CHECK(gex_EP_RegisterHandlers(ep, vague, 1) != GASNET_OK);
  }
  gex_AM_Entry_t many[] = {
      EX_HANDLER(150, Count<7>, kShort, gex_AM_MaxArgs() + 1)};
  CHECK(gex_EP_RegisterHandlers(ep, many, 1) != GASNET_OK);
  gex_AM_Entry_t again[] = {
      EX_HANDLER(0, Count<8>, kShort, 0),
      EX_HANDLER(150, Count<9>, kShort, 0),
      EX_HANDLER(151, Count<10>, kShort, 0),
  };
  CHECK_OK(gex_EP_RegisterHandlers(ep, again, 3));
  CHECK_EQ(again[0].gex_index, 251);
  Send(251, 8);
  Send(150, 9);
  Send(151, 10);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  JoinEx(&argc, &argv, nullptr, 0);
  CheckOrder();
  SendToAll();
  CheckRefusals();
  SendToAll();
  CHECK_EQ(seen[7], 0);
  return FinishJob();
}
