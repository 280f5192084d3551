// Every active message function for every number of arguments from 0 to 16
// (sections 2.3.2.1, 2.3.3 and 2.3.4), in plain C. Arguments arrive in order,
// and each is the 32-bit signed number that was sent (section 1.7).
//
// Macros make the handlers and the calls. A message of any category with M
// arguments is answered by a message of the same category with M arguments.
#include <stdatomic.h>

#include "conformance/harness.h"

// FOR_ARGS_3(X) is X(0) X(1) X(2).
#define FOR_ARGS_0(X)
#define FOR_ARGS_1(X) X(0)
#define FOR_ARGS_2(X) FOR_ARGS_1(X) X(1)
#define FOR_ARGS_3(X) FOR_ARGS_2(X) X(2)
#define FOR_ARGS_4(X) FOR_ARGS_3(X) X(3)
#define FOR_ARGS_5(X) FOR_ARGS_4(X) X(4)
#define FOR_ARGS_6(X) FOR_ARGS_5(X) X(5)
#define FOR_ARGS_7(X) FOR_ARGS_6(X) X(6)
#define FOR_ARGS_8(X) FOR_ARGS_7(X) X(7)
#define FOR_ARGS_9(X) FOR_ARGS_8(X) X(8)
#define FOR_ARGS_10(X) FOR_ARGS_9(X) X(9)
#define FOR_ARGS_11(X) FOR_ARGS_10(X) X(10)
#define FOR_ARGS_12(X) FOR_ARGS_11(X) X(11)
#define FOR_ARGS_13(X) FOR_ARGS_12(X) X(12)
#define FOR_ARGS_14(X) FOR_ARGS_13(X) X(13)
#define FOR_ARGS_15(X) FOR_ARGS_14(X) X(14)
#define FOR_ARGS_16(X) FOR_ARGS_15(X) X(15)

#define FOR_ALL_M(X) \
  X(0)               \
  X(1)               \
  X(2)               \
  X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)

#define PARAMETER(i) , gasnet_handlerarg_t a##i
#define RECEIVED(i) , a##i
#define SENT(i) , Argument(i)

enum { kMaxM = 16, kShortRequest = 128, kBytes = 24 };
enum {
  kShortReply = kShortRequest + kMaxM + 1,
  kMediumRequest = kShortReply + kMaxM + 1,
  kMediumReply = kMediumRequest + kMaxM + 1,
  kLongRequest = kMediumReply + kMaxM + 1,
  kLongReply = kLongRequest + kMaxM + 1,
};

static char payload[kBytes];
static atomic_int replies;

// Returns argument number i of every message. The first four are extreme
// values. The others have alternating signs.
static gasnet_handlerarg_t Argument(int i) {
  static const gasnet_handlerarg_t kExtremes[] = {-1, INT32_MIN, INT32_MAX, 0};
  if (i < COUNT_OF(kExtremes)) return kExtremes[i];
  return (i % 2 == 0 ? 1 : -1) * (i * 100000007);
}

// Checks the arguments of a message. `received` starts with an extra zero,
// because an array in C must not be empty.
static void CheckArguments(int count, const gasnet_handlerarg_t* received) {
  for (int i = 0; i < count; ++i) {
    CHECK_EQ(received[i + 1], Argument(i));
    // A wider type must hold the same signed number.
    CHECK((int64_t)received[i + 1] == (int64_t)Argument(i));
  }
}

static void CheckPayload(const void* buffer, size_t bytes) {
  CHECK_EQ(bytes, kBytes);
  CHECK_PATTERN(buffer, bytes, 1);
}

// Returns the address where the payload of a reply to this message's sender
// goes.
static void* ReplyAddress(gasnet_token_t token) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  return SharedMemory(source) + kBytes;
}

#define CHECK_ARGUMENTS(M) \
  CheckArguments(M, (const gasnet_handlerarg_t[]){0 FOR_ARGS_##M(RECEIVED)})

#define DEFINE_HANDLERS(M)                                                    \
  static void ShortRequest##M(gasnet_token_t token FOR_ARGS_##M(PARAMETER)) { \
    CHECK_ARGUMENTS(M);                                                       \
    CHECK_OK(gasnet_AMReplyShort##M(token,                                    \
                                    kShortReply + M FOR_ARGS_##M(RECEIVED))); \
  }                                                                           \
  static void ShortReply##M(gasnet_token_t token FOR_ARGS_##M(PARAMETER)) {   \
    (void)token;                                                              \
    CHECK_ARGUMENTS(M);                                                       \
    ++replies;                                                                \
  }                                                                           \
  static void MediumRequest##M(gasnet_token_t token, void* buffer,            \
                               size_t bytes FOR_ARGS_##M(PARAMETER)) {        \
    CHECK_ARGUMENTS(M);                                                       \
    CheckPayload(buffer, bytes);                                              \
    CHECK_OK(gasnet_AMReplyMedium##M(token, kMediumReply + M, buffer,         \
                                     bytes FOR_ARGS_##M(RECEIVED)));          \
  }                                                                           \
  static void LongRequest##M(gasnet_token_t token, void* buffer,              \
                             size_t bytes FOR_ARGS_##M(PARAMETER)) {          \
    CHECK_ARGUMENTS(M);                                                       \
    CheckPayload(buffer, bytes);                                              \
    CHECK_OK(gasnet_AMReplyLong##M(token, kLongReply + M, buffer, bytes,      \
                                   ReplyAddress(token)                        \
                                       FOR_ARGS_##M(RECEIVED)));              \
  }                                                                           \
  static void PayloadReply##M(gasnet_token_t token, void* buffer,             \
                              size_t bytes FOR_ARGS_##M(PARAMETER)) {         \
    (void)token;                                                              \
    CHECK_ARGUMENTS(M);                                                       \
    CheckPayload(buffer, bytes);                                              \
    ++replies;                                                                \
  }

FOR_ALL_M(DEFINE_HANDLERS)

#define HANDLER_ROWS(M)                              \
  HANDLER(kShortRequest + M, ShortRequest##M),       \
      HANDLER(kShortReply + M, ShortReply##M),       \
      HANDLER(kMediumRequest + M, MediumRequest##M), \
      HANDLER(kMediumReply + M, PayloadReply##M),    \
      HANDLER(kLongRequest + M, LongRequest##M),     \
      HANDLER(kLongReply + M, PayloadReply##M),

static gasnet_handlerentry_t handlers[] = {FOR_ALL_M(HANDLER_ROWS)};

#define SEND(M)                                                              \
  CHECK_OK(                                                                  \
      gasnet_AMRequestShort##M(peer, kShortRequest + M FOR_ARGS_##M(SENT))); \
  CHECK_OK(gasnet_AMRequestMedium##M(peer, kMediumRequest + M, payload,      \
                                     kBytes FOR_ARGS_##M(SENT)));            \
  CHECK_OK(gasnet_AMRequestLong##M(peer, kLongRequest + M, payload, kBytes,  \
                                   SharedMemory(peer) FOR_ARGS_##M(SENT)));  \
  CHECK_OK(                                                                  \
      gasnet_AMRequestLongAsync##M(peer, kLongRequest + M, payload, kBytes,  \
                                   SharedMemory(peer) FOR_ARGS_##M(SENT)));

static void SendAllKinds(gasnet_node_t peer) { FOR_ALL_M(SEND) }

int main(int argc, char** argv) {
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), GASNET_PAGESIZE);
  CHECK(gasnet_AMMaxArgs() >= kMaxM);
  FillPattern(payload, kBytes, 1);
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    SendAllKinds(peer);
  }
  GASNET_BLOCKUNTIL(replies == 4 * (kMaxM + 1) * (int)gasnet_nodes());
  return FinishJob();
}
