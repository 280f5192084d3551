// Calls that end the job in every build: creating a second client or a second
// segment, and destroying objects that the job needs (GASNet-EX, sections 4.1,
// 5.1, 7.2, 7.5 and 8.2).
#include <gasnet_mk.h>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

void SecondClient() {
  gex_Client_Init(nullptr, nullptr, nullptr, "SECOND", nullptr, nullptr, 0);
}
void SecondSegment() {
  gex_Segment_t second;
  gex_Segment_Attach(&second, tm, GASNET_PAGESIZE);
}
void DestroySegment() { gex_Segment_Destroy(segment, 0); }
void MakeHostKind() {
  gex_MK_t kind;
  gex_MK_Create_args_t wanted = {};
  wanted.gex_class = GEX_MK_CLASS_HOST;
  gex_MK_Create(&kind, client, &wanted, 0);
}
void NoIndex() { (void)gex_AM_RequestShort0(tm, 0, 0, 0); }
void NoHandler() {
  (void)gex_AM_RequestShort0(tm, 0, 222, 0);
  for (;;) CHECK_OK(gasnet_AMPoll());
}

constexpr Case kCases[] = {
    {"second_client", SecondClient},
    {"second_segment", SecondSegment},
    {"destroy_segment", DestroySegment},
    {"host_kind", MakeHostKind},
    {"no_index", NoIndex},
    {"no_handler", NoHandler},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
