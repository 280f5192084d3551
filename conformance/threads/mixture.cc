// Everything at once: at random, every thread of every node sends messages of
// all categories, moves data in all ways and takes locks (sections 1.5, 2.3,
// 2.4.4 and chapter 3).
#include <string.h>

#include <algorithm>
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kShort = 128, kPayload, kAnswer };

constexpr int kThreads = 3;
constexpr int kSteps = 300;
constexpr size_t kLargest = 3000;

// The part of each node's memory that one thread of one node owns.
struct Area {
  char message[kLargest];  // written by Long requests
  char data[kLargest];     // written by transfers
};

std::atomic<int> answers[kThreads];
gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
int locked = 0;  // guarded by `lock`

void CountLocked() {
  gasnet_hsl_lock(&lock);
  ++locked;
  gasnet_hsl_unlock(&lock);
}

void OnShort(gasnet_token_t token, gasnet_handlerarg_t thread) {
  CountLocked();
  CHECK_OK(gasnet_AMReplyShort1(token, kAnswer, thread));
}

void OnPayload(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t thread, gasnet_handlerarg_t key) {
  CHECK_PATTERN(buffer, bytes, key);
  CHECK_OK(gasnet_AMReplyShort1(token, kAnswer, thread));
}

void OnAnswer(gasnet_token_t, gasnet_handlerarg_t thread) {
  CountLocked();
  ++answers[thread];
}

class Worker {
 public:
  explicit Worker(int thread)
      : thread_(thread), random_(gasnet_mynode() * kThreads + thread) {}

  void Step() {
    peer_ = static_cast<gasnet_node_t>(random_.Below(gasnet_nodes()));
    size_ = random_.Below(kLargest + 1);
    key_ = static_cast<gasnet_handlerarg_t>(random_.Next());
    const uint64_t kind = random_.Below(6);
    if (kind == 0) SendShort();
    if (kind == 1) SendMedium();
    if (kind == 2) SendLong();
    if (kind == 3) PutAndGet();
    if (kind == 4) PutAndGetLater();
    if (kind == 5) CountLocked();
  }

  void AwaitAnswers() { GASNET_BLOCKUNTIL(answers[thread_] == asked_); }

 private:
  Area* There() {
    const size_t number = gasnet_mynode() * kThreads + thread_;
    return reinterpret_cast<Area*>(SharedMemory(peer_)) + number;
  }

  void SendShort() {
    CHECK_OK(gasnet_AMRequestShort1(peer_, kShort, thread_));
    ++asked_;
  }

  void SendMedium() {
    size_ = std::min<size_t>(size_, gasnet_AMMaxMedium());
    FillPattern(buffer_, size_, key_);
    CHECK_OK(gasnet_AMRequestMedium2(peer_, kPayload, buffer_, size_, thread_,
                                     key_));
    ++asked_;
  }

  // Sends a Long to its area. Waits first until no earlier message to that area
  // is in flight.
  void SendLong() {
    AwaitAnswers();
    FillPattern(buffer_, size_, key_);
    CHECK_OK(gasnet_AMRequestLong2(peer_, kPayload, buffer_, size_,
                                   There()->message, thread_, key_));
    ++asked_;
  }

  void PutAndGet() {
    FillPattern(buffer_, size_, key_);
    gasnet_put_bulk(peer_, There()->data, buffer_, size_);
    memset(buffer_, 0, size_);
    gasnet_get_bulk(buffer_, peer_, There()->data, size_);
    CHECK_PATTERN(buffer_, size_, key_);
  }

  // Starts a put, sends a message, and synchronizes the put. Then does the same
  // with a get.
  void PutAndGetLater() {
    FillPattern(buffer_, size_, key_);
    gasnet_put_nbi(peer_, There()->data, buffer_, size_);
    memset(buffer_, 0, size_);
    SendShort();
    LetOthersRun();
    gasnet_wait_syncnbi_puts();
    const gasnet_handle_t get =
        gasnet_get_nb_bulk(buffer_, peer_, There()->data, size_);
    SendShort();
    LetOthersRun();
    gasnet_wait_syncnb(get);
    CHECK_PATTERN(buffer_, size_, key_);
  }

  const int thread_;
  Random random_;
  int asked_ = 0;
  gasnet_node_t peer_ = 0;
  size_t size_ = 0;
  gasnet_handlerarg_t key_ = 0;
  alignas(64) char buffer_[kLargest];
};

void Work(int thread) {
  Worker worker(thread);
  for (int step = 0; step < kSteps; ++step) {
    worker.Step();
    LetOthersRun();
  }
  worker.AwaitAnswers();
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kShort, OnShort),
    HANDLER(kPayload, OnPayload),
    HANDLER(kAnswer, OnAnswer),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  using conformance::kThreads;
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(handlers, COUNT_OF(handlers),
                         gasnet_nodes() * kThreads * sizeof(conformance::Area));
  conformance::RunThreads(kThreads, conformance::Work);
  return conformance::FinishJob();
}
