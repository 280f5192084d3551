// Messages that are sent in forbidden contexts: in handlers (section 2.4.1), in
// No-Interrupt Sections, and with a lock held (sections 2.4.3 and 2.4.5). A
// build with checks detects them.
#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kForbidden = 128, kReplyTwice, kStartReply, kReplyToReply, kNothing };

gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
int64_t word;

// --- Calls that are forbidden in some contexts ---

void Request() { gasnet_AMRequestShort0(gasnet_mynode(), kNothing); }
void MediumRequest() {
  gasnet_AMRequestMedium0(gasnet_mynode(), kNothing, &word, 0);
}
void Poll() { gasnet_AMPoll(); }
void Block() {
  volatile bool never = false;
  GASNET_BLOCKUNTIL(never);
}
void BlockDone() {
  volatile bool always = true;
  GASNET_BLOCKUNTIL(always);
}
void WaitForNothing() { gasnet_wait_syncnb(GASNET_INVALID_HANDLE); }
void Put() { gasnet_put(0, SharedMemory(0), &word, sizeof(word)); }
void Get() { gasnet_get(&word, 0, SharedMemory(0), sizeof(word)); }
void PutValue() { gasnet_put_val(0, SharedMemory(0), 1, sizeof(word)); }
void Memset() { gasnet_memset(0, SharedMemory(0), 1, sizeof(word)); }
void Notify() { gasnet_barrier_notify(0, 0); }

// --- The contexts ---

void (*forbidden)();

void CallForbidden(gasnet_token_t) { forbidden(); }

template <void (*kCall)()>
void InHandler() {
  forbidden = kCall;
  CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kForbidden));
  for (int i = 0; i < 1000; ++i) CHECK_OK(gasnet_AMPoll());
}

template <void (*kCall)()>
void InSection() {
  gasnet_hold_interrupts();
  kCall();
}

template <void (*kCall)()>
void WithLock() {
  gasnet_hsl_lock(&lock);
  kCall();
}

// --- Replies ---

void ReplyTwice(gasnet_token_t token) {
  CHECK_OK(gasnet_AMReplyShort0(token, kNothing));
  gasnet_AMReplyShort0(token, kNothing);
}

void StartReply(gasnet_token_t token) {
  CHECK_OK(gasnet_AMReplyShort0(token, kReplyToReply));
}

void ReplyToReply(gasnet_token_t token) {
  gasnet_AMReplyShort0(token, kNothing);
}

void Nothing(gasnet_token_t) {}

template <int kHandler>
void Send() {
  CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kHandler));
  for (int i = 0; i < 1000; ++i) CHECK_OK(gasnet_AMPoll());
}

constexpr Case kCases[] = {
    {"request_in_handler", InHandler<Request>},
    {"medium_request_in_handler", InHandler<MediumRequest>},
    {"poll_in_handler", InHandler<Poll>},
    {"block_in_handler", InHandler<Block>},
    {"block_done_in_handler", InHandler<BlockDone>},
    {"wait_for_nothing_in_handler", InHandler<WaitForNothing>},
    {"put_in_handler", InHandler<Put>},
    {"get_in_handler", InHandler<Get>},
    {"put_val_in_handler", InHandler<PutValue>},
    {"memset_in_handler", InHandler<Memset>},
    {"notify_in_handler", InHandler<Notify>},
    {"reply_twice", Send<kReplyTwice>},
    {"reply_to_reply", Send<kStartReply>},
    {"request_in_section", InSection<Request>},
    {"medium_request_in_section", InSection<MediumRequest>},
    {"poll_in_section", InSection<Poll>},
    {"put_in_section", InSection<Put>},
    {"get_in_section", InSection<Get>},
    {"request_with_lock", WithLock<Request>},
    {"poll_with_lock", WithLock<Poll>},
    {"put_with_lock", WithLock<Put>},
    {"get_with_lock", WithLock<Get>},
};

gasnet_handlerentry_t handlers[] = {
    HANDLER(kForbidden, CallForbidden), HANDLER(kReplyTwice, ReplyTwice),
    HANDLER(kStartReply, StartReply),   HANDLER(kReplyToReply, ReplyToReply),
    HANDLER(kNothing, Nothing),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
