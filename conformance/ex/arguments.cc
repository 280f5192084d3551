// Messages of 0 to gex_AM_MaxArgs() arguments. They are sent by the functions
// with a number in their name and by those without one. Each argument arrives
// as the signed 32-bit number that was sent (GASNet-EX, sections 11.1 and
// 11.2).
#include <stdint.h>

#include <atomic>
#include <initializer_list>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

// kShort, kMedium and kLong are the indices of the handlers for requests with 0
// arguments; the handlers for 1, 2, ... arguments follow. kReplyTo is the index
// for replies.
constexpr int kShort = 130, kMedium = 150, kLong = 170, kReplyTo = 190;
constexpr int kMax = 16;
static_assert(kMax == gex_AM_MaxArgs());

std::atomic<int> requests{0}, replies{0};

// Returns argument i of a message: no two are alike, and some are negative.
constexpr gex_AM_Arg_t Value(int i) {
  return i == 3 ? INT32_MIN : i == 5 ? INT32_MAX : (i % 2 ? -1 : 1) * (i + 17);
}

void CheckArguments(std::initializer_list<gex_AM_Arg_t> arguments) {
  int i = 0;
  for (const gex_AM_Arg_t argument : arguments) CHECK_EQ(argument, Value(i++));
}

#define V(i) Value(i)

// Reply to a request, by the functions without a number in their name.
void ReplyShort(gex_Token_t token, int n);
void ReplyMedium(gex_Token_t token, int n, const void* buffer);

template <class... Args>
void OnShort(gex_Token_t token, Args... args) {
  CheckArguments({args...});
  ReplyShort(token, sizeof...(Args));
  ++requests;
}
template <class... Args>
void OnPayload(gex_Token_t token, void* buffer, size_t bytes, Args... args) {
  CHECK_EQ(bytes, sizeof...(Args));
  CHECK_PATTERN(buffer, bytes, 3);
  CheckArguments({args...});
  ReplyMedium(token, sizeof...(Args), buffer);
  ++requests;
}
template <class... Args>
void OnReply(gex_Token_t, Args... args) {
  CheckArguments({args...});
  ++replies;
}
template <class... Args>
void OnMediumReply(gex_Token_t, void* buffer, size_t bytes, Args... args) {
  CHECK_EQ(bytes, sizeof...(Args));
  CHECK_PATTERN(buffer, bytes, 3);
  CheckArguments({args...});
  ++replies;
}

gex_AM_Entry_t handlers[5 * (kMax + 1)];
int registered = 0;

void Add(int index, gex_AM_Fn_t function, gex_Flags_t flags, unsigned nargs) {
  handlers[registered++] = {static_cast<gex_AM_Index_t>(index),
                            function,
                            flags,
                            nargs,
                            nullptr,
                            nullptr};
}

template <class... Args>
void AddFor() {
  constexpr int n = sizeof...(Args);
  constexpr gex_Flags_t request = GEX_FLAG_AM_REQUEST;
  Add(kShort + n, (gex_AM_Fn_t)OnShort<Args...>, GEX_FLAG_AM_SHORT | request,
      n);
  Add(kMedium + n, (gex_AM_Fn_t)OnPayload<Args...>,
      GEX_FLAG_AM_MEDIUM | request, n);
  Add(kLong + n, (gex_AM_Fn_t)OnPayload<Args...>, GEX_FLAG_AM_LONG | request,
      n);
  Add(kReplyTo + n, (gex_AM_Fn_t)OnReply<Args...>,
      GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, n);
  Add(kReplyTo + 20 + n, (gex_AM_Fn_t)OnMediumReply<Args...>,
      GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, n);
  if constexpr (n < kMax) AddFor<gex_AM_Arg_t, Args...>();
}

int sent = 0;
char payload[kMax];

// Expands OF(n, 0, n arguments) for each n. The 0 stands for flags.
#define FOR_EACH_NUMBER(OF)                                                    \
  OF(0, 0)                                                                     \
  OF(1, 0, V(0))                                                               \
  OF(2, 0, V(0), V(1))                                                         \
  OF(3, 0, V(0), V(1), V(2))                                                   \
  OF(4, 0, V(0), V(1), V(2), V(3))                                             \
  OF(5, 0, V(0), V(1), V(2), V(3), V(4))                                       \
  OF(6, 0, V(0), V(1), V(2), V(3), V(4), V(5))                                 \
  OF(7, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6))                           \
  OF(8, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7))                     \
  OF(9, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8))               \
  OF(10, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9))        \
  OF(11, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10)) \
  OF(12, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), \
     V(11))                                                                    \
  OF(13, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), \
     V(11), V(12))                                                             \
  OF(14, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), \
     V(11), V(12), V(13))                                                      \
  OF(15, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), \
     V(11), V(12), V(13), V(14))                                               \
  OF(16, 0, V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), \
     V(11), V(12), V(13), V(14), V(15))

#define REPLY_SHORT(n, ...)                                           \
  case n:                                                             \
    CHECK_EQ(gex_AM_ReplyShort(token, kReplyTo + n, __VA_ARGS__), 0); \
    break;
#define REPLY_MEDIUM(n, ...)                                         \
  case n:                                                            \
    CHECK_EQ(gex_AM_ReplyMedium(token, kReplyTo + 20 + n, buffer, n, \
                                GEX_EVENT_NOW, __VA_ARGS__),         \
             0);                                                     \
    break;

void ReplyShort(gex_Token_t token, int count) {
  switch (count) { FOR_EACH_NUMBER(REPLY_SHORT) }
}
void ReplyMedium(gex_Token_t token, int count, const void* buffer) {
  switch (count) { FOR_EACH_NUMBER(REPLY_MEDIUM) }
}

// Sends a message of each category, by the functions with and without a number
// in their name.
#define SEND(n, ...)                                                          \
  CHECK_EQ(gex_AM_RequestShort##n(tm, Next(), kShort + n, __VA_ARGS__), 0);   \
  CHECK_EQ(gex_AM_RequestShort(tm, Next(), kShort + n, __VA_ARGS__), 0);      \
  CHECK_EQ(gex_AM_RequestMedium##n(tm, Next(), kMedium + n, payload, n,       \
                                   GEX_EVENT_NOW, __VA_ARGS__),               \
           0);                                                                \
  CHECK_EQ(gex_AM_RequestMedium(tm, Next(), kMedium + n, payload, n,          \
                                GEX_EVENT_NOW, __VA_ARGS__),                  \
           0);                                                                \
  CHECK_EQ(gex_AM_RequestLong##n(tm, Next(), kLong + n, payload, n, Place(0), \
                                 GEX_EVENT_NOW, __VA_ARGS__),                 \
           0);                                                                \
  CHECK_EQ(gex_AM_RequestLong(tm, Next(), kLong + n, payload, n, Place(1),    \
                              GEX_EVENT_NOW, __VA_ARGS__),                    \
           0);                                                                \
  sent += 6;

char* Place(int more) { return SegmentOf(Next()) + (sent + more) * kMax; }

void SendAll() { FOR_EACH_NUMBER(SEND) }

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  AddFor<>();
  CHECK_EQ(registered, COUNT_OF(handlers));
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), 6 * 17 * kMax);
  FillPattern(payload, sizeof payload, 3);
  SendAll();
  // The functions without a number in their name count their arguments, and
  // convert the types.
  const uint8_t small = 17;
  const int64_t wide = -18;
  CHECK_EQ(
      gex_AM_RequestShort(conformance::tm, Next(), kShort + 2, 0, small, wide),
      0);
  ++sent;
  GASNET_BLOCKUNTIL(requests == sent && replies == sent);
  return FinishJob();
}
