// A node sends a message to itself. When the call returns, the message's
// handler and the handler of its reply have run. No poll is needed. Programs
// rely on this, although the specification does not require it. Tests each
// category. The buffer of a Medium is a copy that the handler may write to
// (section 2.3.3.2).
#include <stddef.h>
#include <string.h>

#include <initializer_list>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum {
  kCount = 128,
  kAnswerShort,
  kScribble,
  kAnswerMedium,
  kLong,
  kAnswerLong,
};

enum Activity { kNothing, kRequest, kReply };

// These variables are not atomic, because everything happens on this thread.
Activity activity = kNothing;
int requests = 0;
int replies = 0;
// The last payload that a handler got.
char* last_buffer = nullptr;
size_t last_bytes = 0;

char* Mine() { return SharedMemory(gasnet_mynode()); }

// Checks that a handler runs alone on its thread. One exception is legal: a
// reply's handler may run within the handler of its request.
class Running {
 public:
  explicit Running(gasnet_token_t token) : outer_(activity) {
    gasnet_node_t source;
    CHECK_OK(gasnet_AMGetMsgSource(token, &source));
    CHECK_EQ(source, gasnet_mynode());
    activity = outer_ == kNothing ? kRequest : kReply;
    CHECK(outer_ != kReply);
    ++(outer_ == kNothing ? requests : replies);
  }
  ~Running() { activity = outer_; }

 private:
  const Activity outer_;
};

void Count(gasnet_token_t token) { const Running running(token); }

void AnswerShort(gasnet_token_t token) {
  const Running running(token);
  const int before = replies;
  CHECK_OK(gasnet_AMReplyShort0(token, kCount));
  CHECK_EQ(replies, before + 1);
}

void Scribble(gasnet_token_t token, void* buffer, size_t bytes,
              gasnet_handlerarg_t key) {
  const Running running(token);
  CHECK_PATTERN(buffer, bytes, key);
  CHECK_EQ(reinterpret_cast<uintptr_t>(buffer) % alignof(max_align_t), 0);
  last_buffer = static_cast<char*>(buffer);
  last_bytes = bytes;
  memset(buffer, 0xEE, bytes);
}

// Replies. The source of the reply is the buffer that this handler got.
void AnswerMedium(gasnet_token_t token, void* buffer, size_t bytes,
                  gasnet_handlerarg_t key) {
  const Running running(token);
  CHECK_PATTERN(buffer, bytes, key);
  CHECK_OK(gasnet_AMReplyMedium1(token, kScribble, buffer, bytes, key));
  CHECK(last_buffer != buffer);
  CHECK_PATTERN(buffer, bytes, key);
  memset(buffer, 0x11, bytes);
}

void OnLong(gasnet_token_t token, void* buffer, size_t bytes,
            gasnet_handlerarg_t key) {
  const Running running(token);
  CHECK_PATTERN(buffer, bytes, key);
  last_buffer = static_cast<char*>(buffer);
  last_bytes = bytes;
}

// Replies with the first half of the payload. The reply's destination lies
// right behind the payload.
void AnswerLong(gasnet_token_t token, void* buffer, size_t bytes,
                gasnet_handlerarg_t key) {
  const Running running(token);
  CHECK_PATTERN(buffer, bytes, key);
  char* const to = static_cast<char*>(buffer) + bytes;
  CHECK_OK(gasnet_AMReplyLong1(token, kLong, buffer, bytes / 2, to, key));
  CHECK_PATTERN(to, bytes / 2, key);
}

void CheckRan(int more_requests, int more_replies) {
  static int seen_requests = 0, seen_replies = 0;
  CHECK_EQ(requests, seen_requests += more_requests);
  CHECK_EQ(replies, seen_replies += more_replies);
}

void Shorts() {
  CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kCount));
  CheckRan(1, 0);
  CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kAnswerShort));
  CheckRan(1, 1);
}

void Mediums() {
  const size_t limit = gasnet_AMMaxMedium();
  const auto source = std::make_unique<char[]>(limit + 1);
  for (size_t n = 0; n <= limit; n = NextSize(n, limit)) {
    const auto key = static_cast<gasnet_handlerarg_t>(n);
    char* const from = &source[n % 2 == 0 ? 0 : n < limit ? 1 : 0];
    FillPattern(from, n, key);
    for (const int handler : {kScribble, kAnswerMedium}) {
      CHECK_OK(gasnet_AMRequestMedium1(gasnet_mynode(), handler, from, n, key));
      CheckRan(1, handler == kAnswerMedium);
      CHECK_EQ(last_bytes, n);
      CHECK_PATTERN(from, n, key);
    }
  }
}

void Longs() {
  constexpr size_t kBytes = 6000;
  const auto source = std::make_unique<char[]>(kBytes);
  for (size_t n = 0; n <= kBytes; n = NextSize(n, kBytes)) {
    const auto key = static_cast<gasnet_handlerarg_t>(n);
    char* const dest = Mine() + n % 16;
    FillPattern(source.get(), n, key);
    memset(dest, 0, n);
    CHECK_OK(gasnet_AMRequestLong1(gasnet_mynode(), kLong, source.get(), n,
                                   dest, key));
    CheckRan(1, 0);
    CHECK_PATTERN(dest, n, key);
    CHECK(n == 0 || last_buffer == dest);
    memset(dest, 0, n);
    CHECK_OK(gasnet_AMRequestLongAsync1(gasnet_mynode(), kAnswerLong,
                                        source.get(), n, dest, key));
    CheckRan(1, 1);
    CHECK_PATTERN(dest, n, key);
    CHECK_EQ(last_bytes, n / 2);
  }
}

// Sends Longs whose source and destination overlap. The specification leaves
// the result undefined (2.3.3.3). Here everything arrives unchanged.
void OverlappingLongs() {
  constexpr size_t kBytes = 5000;
  for (const int distance : {-70, -1, 0, 1, 70}) {
    char* const dest = Mine() + 100;
    FillPattern(dest + distance, kBytes, 42);
    CHECK_OK(gasnet_AMRequestLong1(gasnet_mynode(), kLong, dest + distance,
                                   kBytes, dest, 42));
    CheckRan(1, 0);
  }
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kCount, Count),       HANDLER(kAnswerShort, AnswerShort),
    HANDLER(kScribble, Scribble), HANDLER(kAnswerMedium, AnswerMedium),
    HANDLER(kLong, OnLong),       HANDLER(kAnswerLong, AnswerLong),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 16384);
  conformance::Shorts();
  conformance::Mediums();
  conformance::Longs();
  conformance::OverlappingLongs();
  return conformance::FinishJob();
}
