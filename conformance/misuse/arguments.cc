// Arguments out of their range: nodes, sizes, and addresses outside of the
// segment. A build with checks detects them (sections 2.3.3, 2.3.4, 3.1 and
// 3.4).
#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kNothing = 128, kLargeMediumReply, kLargeLongReply, kLongReplyOutside };

char source[64];
size_t max_medium;
size_t max_long_reply;
char* node_zero_end;  // the end of node 0's segment

void Nothing(gasnet_token_t, void*, size_t) {}

// --- Nodes that do not exist ---

gasnet_node_t NoNode() { return gasnet_nodes(); }

void RequestToNoNode() {
  gasnet_AMRequestMedium0(NoNode(), kNothing, source, 1);
}
void PutToNoNode() { gasnet_put(NoNode(), SharedMemory(0), source, 8); }
void GetFromNoNode() { gasnet_get(source, NoNode(), SharedMemory(0), 8); }
void MemsetNoNode() { gasnet_memset(NoNode(), SharedMemory(0), 0, 8); }
void PutValueToNoNode() { gasnet_put_val(NoNode(), SharedMemory(0), 0, 8); }
void GetValueFromNoNode() { gasnet_get_val(NoNode(), SharedMemory(0), 8); }

// --- Sizes over the maximum ---

void LargeMedium() {
  gasnet_AMRequestMedium0(0, kNothing, source, gasnet_AMMaxMedium() + 1);
}
void LargeLong() {
  gasnet_AMRequestLong0(0, kNothing, source, gasnet_AMMaxLongRequest() + 1,
                        SharedMemory(0));
}
void LargeLongAsync() {
  gasnet_AMRequestLongAsync0(0, kNothing, source, gasnet_AMMaxLongRequest() + 1,
                             SharedMemory(0));
}
void LargeMediumReply(gasnet_token_t token) {
  gasnet_AMReplyMedium0(token, kNothing, source, max_medium + 1);
}
void LargeLongReply(gasnet_token_t token) {
  gasnet_AMReplyLong0(token, kNothing, source, max_long_reply + 1,
                      SharedMemory(0));
}
void PutValueOfNoBytes() { gasnet_put_val(0, SharedMemory(0), 1, 0); }
void PutValueOfManyBytes() {
  gasnet_put_val(0, SharedMemory(0), 1, SIZEOF_GASNET_REGISTER_VALUE_T + 1);
}
void GetValueOfNoBytes() { gasnet_get_val(0, SharedMemory(0), 0); }
void GetValueOfManyBytes() {
  gasnet_get_val(0, SharedMemory(0), SIZEOF_GASNET_REGISTER_VALUE_T + 1);
}

// --- Addresses outside of the segment of node 0 ---

void LongBefore() {
  gasnet_AMRequestLong0(0, kNothing, source, 16, SharedMemory(0) - 8);
}
void LongAcrossEnd() {
  gasnet_AMRequestLong0(0, kNothing, source, 16, node_zero_end - 8);
}
void LongReplyOutside(gasnet_token_t token) {
  gasnet_AMReplyLong0(token, kNothing, source, 16, node_zero_end);
}
void PutToStack() {
  char buffer[8];
  gasnet_put(0, buffer, source, sizeof(buffer));
}
void PutBefore() { gasnet_put(0, SharedMemory(0) - 8, source, 8); }
void PutAcrossEnd() { gasnet_put(0, node_zero_end - 8, source, 16); }
void PutOfWrappingSize() {
  // volatile hides the value from the compiler
  volatile size_t size = ~size_t{0} - 4;
  gasnet_put_bulk(0, SharedMemory(0) + 8, source, size);
}
void PutNbOutside() {
  gasnet_wait_syncnb(gasnet_put_nb_bulk(0, node_zero_end, source, 8));
}
void PutNbiOutside() {
  gasnet_put_nbi(0, node_zero_end, source, 8);
  gasnet_wait_syncnbi_puts();
}
void GetOutside() { gasnet_get(source, 0, node_zero_end, 8); }
void GetNbOutside() {
  gasnet_wait_syncnb(gasnet_get_nb(source, 0, node_zero_end, 8));
}
void MemsetAcrossEnd() { gasnet_memset(0, node_zero_end - 8, 0, 16); }
void PutValueOutside() { gasnet_put_val(0, node_zero_end, 0, 8); }
void GetValueOutside() { gasnet_get_val(0, node_zero_end, 8); }

template <int kHandler>
void Send() {
  CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kHandler));
  for (int i = 0; i < 1000; ++i) CHECK_OK(gasnet_AMPoll());
}

constexpr Case kCases[] = {
    {"request_to_no_node", RequestToNoNode},
    {"put_to_no_node", PutToNoNode},
    {"get_from_no_node", GetFromNoNode},
    {"memset_no_node", MemsetNoNode},
    {"put_val_to_no_node", PutValueToNoNode},
    {"get_val_from_no_node", GetValueFromNoNode},
    {"large_medium", LargeMedium},
    {"large_long", LargeLong},
    {"large_long_async", LargeLongAsync},
    {"large_medium_reply", Send<kLargeMediumReply>},
    {"large_long_reply", Send<kLargeLongReply>},
    {"put_val_of_no_bytes", PutValueOfNoBytes},
    {"put_val_of_many_bytes", PutValueOfManyBytes},
    {"get_val_of_no_bytes", GetValueOfNoBytes},
    {"get_val_of_many_bytes", GetValueOfManyBytes},
    {"long_before", LongBefore},
    {"long_across_end", LongAcrossEnd},
    {"long_reply_outside", Send<kLongReplyOutside>},
    {"put_to_stack", PutToStack},
    {"put_before", PutBefore},
    {"put_across_end", PutAcrossEnd},
    {"put_of_wrapping_size", PutOfWrappingSize},
    {"put_nb_outside", PutNbOutside},
    {"put_nbi_outside", PutNbiOutside},
    {"get_outside", GetOutside},
    {"get_nb_outside", GetNbOutside},
    {"memset_across_end", MemsetAcrossEnd},
    {"put_val_outside", PutValueOutside},
    {"get_val_outside", GetValueOutside},
};

gasnet_handlerentry_t handlers[] = {
    HANDLER(kNothing, Nothing),
    HANDLER(kLargeMediumReply, LargeMediumReply),
    HANDLER(kLargeLongReply, LargeLongReply),
    HANDLER(kLongReplyOutside, LongReplyOutside),
};

void LearnLimits() {
  gasnet_seginfo_t zero;
  CHECK_OK(gasnet_getSegmentInfo(&zero, 1));
  node_zero_end = static_cast<char*>(zero.addr) + zero.size;
  max_medium = gasnet_AMMaxMedium();
  max_long_reply = gasnet_AMMaxLongReply();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  conformance::LearnLimits();
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
