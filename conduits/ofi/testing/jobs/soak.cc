// Random mixtures of all operations that move data, on every thread of every
// node: messages of all categories, all forms of puts and gets, non-contiguous
// memory, values, memset, and split-phase barriers. Each byte is checked.
//
//   soak STEPS [SEED]   takes STEPS steps on each thread
//
// Ends with code 5 if a node's memory grows too much in the second half.
//
// Each part of a node's memory belongs to one thread of one node. Only that
// thread writes to the part. The thread does so only when no message of it is
// still on the way to the part.
#include <gasnet.h>
#include <gasnet_vis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <random>
#include <thread>
#include <vector>

namespace {

enum : gasnet_handler_t { kShort = 200, kPayload, kAnswer };

constexpr int kThreads = 2;
// The size of the largest transfer. It exceeds the size of a message and the
// size of the bounce buffers.
constexpr size_t kLargest = 100000;
constexpr int kBarrierSteps = 50;
constexpr long kMaxGrowth = 8 << 20;

struct Area {
  unsigned char message[kLargest];
  unsigned char data[kLargest];
};

std::atomic<int> answers[kThreads];
gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
unsigned long locked = 0;  // guarded by lock
std::vector<gasnet_seginfo_t> segments;

void Require(bool holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "node %d: %s\n", static_cast<int>(gasnet_mynode()), what);
  gasnet_exit(4);
}

void Fill(unsigned char* data, size_t nbytes, unsigned key) {
  for (size_t i = 0; i < nbytes; ++i) {
    data[i] = static_cast<unsigned char>(key + i * 7 + i / 256);
  }
}
void Check(const unsigned char* data, size_t nbytes, unsigned key) {
  for (size_t i = 0; i < nbytes; ++i) {
    Require(data[i] == static_cast<unsigned char>(key + i * 7 + i / 256),
            "a byte is wrong");
  }
}

void CountLocked() {
  gasnet_hsl_lock(&lock);
  ++locked;
  gasnet_hsl_unlock(&lock);
}

void OnShort(gasnet_token_t token, gasnet_handlerarg_t thread) {
  CountLocked();
  gasnet_AMReplyShort1(token, kAnswer, thread);
}
void OnPayload(gasnet_token_t token, void* data, size_t nbytes,
               gasnet_handlerarg_t thread, gasnet_handlerarg_t key) {
  Check(static_cast<unsigned char*>(data), nbytes, static_cast<unsigned>(key));
  gasnet_AMReplyShort1(token, kAnswer, thread);
}
void OnAnswer(gasnet_token_t, gasnet_handlerarg_t thread) {
  answers[thread].fetch_add(1, std::memory_order_release);
}

class Worker {
 public:
  Worker(int thread, unsigned seed)
      : thread_(thread),
        random_(seed * 1000003u + gasnet_mynode() * kThreads +
                static_cast<unsigned>(thread)),
        data_(kLargest),
        back_(kLargest) {}

  void Run(int steps) {
    for (int i = 0; i < steps; ++i, ++step_) {
      if (thread_ == 0) Meet();
      Step();
    }
  }
  void Finish() {
    AwaitAnswers();
    if (thread_ == 0 && in_barrier_) EndBarrier();
  }

 private:
  size_t Below(size_t limit) { return random_() % limit; }

  // Begins or ends a barrier. Called by one thread of each node. All nodes call
  // it after equal numbers of steps.
  void Meet() {
    if (step_ % kBarrierSteps == 0) {
      gasnet_barrier_notify(step_, 0);
      in_barrier_ = true;
      barrier_ = step_;
    } else if (in_barrier_ && step_ % kBarrierSteps == kBarrierSteps / 2) {
      EndBarrier();
    }
  }
  void EndBarrier() {
    Require(gasnet_barrier_wait(barrier_, 0) == GASNET_OK, "a barrier differs");
    in_barrier_ = false;
  }

  void Step() {
    static constexpr void (Worker::*kSteps[])() = {
        &Worker::SendShort, &Worker::SendMedium, &Worker::SendLong,
        &Worker::LendLong,  &Worker::PutThenGet, &Worker::PutAndGetLater,
        &Worker::PutRegion, &Worker::PutValues,  &Worker::Set,
        &Worker::PutPieces,
    };
    peer_ = static_cast<gasnet_node_t>(Below(gasnet_nodes()));
    constexpr size_t kUpTo[] = {64, 8192, kLargest};
    size_ = Below(kUpTo[Below(3)] + 1);
    key_ = static_cast<unsigned>(Below(1 << 20));
    Fill(data_.data(), size_, key_);
    (this->*kSteps[Below(std::size(kSteps))])();
  }

  Area* There() {
    return static_cast<Area*>(segments[peer_].addr) +
           gasnet_mynode() * kThreads + static_cast<unsigned>(thread_);
  }
  void AwaitAnswers() {
    GASNET_BLOCKUNTIL(answers[thread_].load(std::memory_order_acquire) ==
                      asked_);
  }
  // Gets the first `nbytes` bytes back from the peer and checks the bytes.
  void CheckThere(size_t nbytes) {
    std::fill_n(back_.begin(), nbytes, 0);
    gasnet_get_bulk(back_.data(), peer_, There()->data, nbytes);
    Check(back_.data(), nbytes, key_);
  }

  void SendShort() {
    gasnet_AMRequestShort1(peer_, kShort, thread_);
    ++asked_;
  }
  void SendMedium() {
    gasnet_AMRequestMedium2(peer_, kPayload, data_.data(),
                            std::min(size_, gasnet_AMMaxMedium()), thread_,
                            static_cast<int>(key_));
    ++asked_;
  }
  void SendLong() {
    AwaitAnswers();
    gasnet_AMRequestLong2(peer_, kPayload, data_.data(), size_,
                          There()->message, thread_, static_cast<int>(key_));
    ++asked_;
  }
  // Sends a LongAsync. The caller must leave the source unchanged until the
  // handler has answered.
  void LendLong() {
    AwaitAnswers();
    gasnet_AMRequestLongAsync2(peer_, kPayload, data_.data(), size_,
                               There()->message, thread_,
                               static_cast<int>(key_));
    ++asked_;
    AwaitAnswers();
  }

  void PutThenGet() {
    gasnet_put(peer_, There()->data, data_.data(), size_);
    CheckThere(size_);
  }
  void PutAndGetLater() {
    const gasnet_handle_t put =
        gasnet_put_nb_bulk(peer_, There()->data, data_.data(), size_);
    SendShort();
    gasnet_wait_syncnb(put);
    gasnet_get_nbi_bulk(back_.data(), peer_, There()->data, size_);
    SendShort();
    gasnet_wait_syncnbi_gets();
    Check(back_.data(), size_, key_);
  }
  // Puts the data in parts. Overwrites the source of each part at once, because
  // these puts are not bulk puts.
  void PutRegion() {
    const size_t part = (size_ / 40 + 1) * 8;
    gasnet_begin_nbi_accessregion();
    for (size_t at = 0; at < size_; at += part) {
      const size_t nbytes = std::min(part, size_ - at);
      gasnet_put_nbi(peer_, There()->data + at, data_.data() + at, nbytes);
      std::fill_n(data_.begin() + static_cast<ptrdiff_t>(at), nbytes, 0);
    }
    gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
    CheckThere(size_);
  }
  void PutValues() {
    const gasnet_register_value_t value = key_;
    gasnet_put_val(peer_, There()->data, value, 4);
    Require(gasnet_get_val(peer_, There()->data, 4) == value,
            "a value differs");
  }
  void Set() {
    const int value = static_cast<int>(key_ % 256);
    gasnet_memset(peer_, There()->data, value, size_);
    gasnet_get_bulk(back_.data(), peer_, There()->data, size_);
    for (size_t i = 0; i < size_; ++i) Require(back_[i] == value, "not set");
  }
  // Puts pieces of 12 bytes to places 24 bytes apart, and gets the pieces back.
  void PutPieces() {
    const size_t words = size_ / 24;
    const size_t there[] = {24}, here[] = {12}, count[] = {12, words};
    gasnet_puts_nbi_bulk(peer_, There()->data, there, data_.data(), here, count,
                         1);
    gasnet_wait_syncnbi_puts();
    std::fill_n(back_.begin(), 12 * words, 0);
    gasnet_wait_syncnb(gasnet_gets_nb_bulk(back_.data(), here, peer_,
                                           There()->data, there, count, 1));
    Check(back_.data(), 12 * words, key_);
  }

  const int thread_;
  std::minstd_rand random_;
  std::vector<unsigned char> data_;
  std::vector<unsigned char> back_;
  int step_ = 0;
  int asked_ = 0;
  int barrier_ = 0;
  bool in_barrier_ = false;
  gasnet_node_t peer_ = 0;
  size_t size_ = 0;
  unsigned key_ = 0;
};

void Barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

long Resident() {
  FILE* const file = fopen("/proc/self/statm", "r");
  long pages = 0;
  Require(file != nullptr && fscanf(file, "%*d %ld", &pages) == 1, "no statm");
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

// Runs all threads. Each takes `steps` steps.
void RunAll(std::vector<Worker>& workers, int steps) {
  std::vector<std::thread> threads;
  for (Worker& worker : workers) {
    threads.emplace_back([&worker, steps] {
      worker.Run(steps);
      worker.Finish();
    });
  }
  for (std::thread& thread : threads) thread.join();
  Barrier();
}

void Soak(int steps, unsigned seed) {
  std::vector<Worker> workers;
  for (int i = 0; i < kThreads; ++i) workers.emplace_back(i, seed);
  RunAll(workers, steps / 2);
  const long before = Resident();
  RunAll(workers, steps - steps / 2);
  const long grown = Resident() - before;
  if (grown > kMaxGrowth) {
    fprintf(stderr, "node %d: %ld bytes grown\n",
            static_cast<int>(gasnet_mynode()), grown);
    gasnet_exit(5);
  }
}

}  // namespace

int main(int argc, char** argv) {
  gasnet_handlerentry_t handlers[] = {
      {kShort, reinterpret_cast<void (*)()>(OnShort)},
      {kPayload, reinterpret_cast<void (*)()>(OnPayload)},
      {kAnswer, reinterpret_cast<void (*)()>(OnAnswer)},
  };
  if (gasnet_init(&argc, &argv) != GASNET_OK || argc < 2) return 1;
  const size_t wanted = gasnet_nodes() * kThreads * sizeof(Area);
  const size_t pages = wanted / GASNET_PAGESIZE + 1;
  if (gasnet_attach(handlers, 3, pages * GASNET_PAGESIZE, 0) != GASNET_OK) {
    return 1;
  }
  segments.resize(gasnet_nodes());
  gasnet_getSegmentInfo(segments.data(), static_cast<int>(gasnet_nodes()));
  Barrier();
  Soak(atoi(argv[1]), argc > 2 ? static_cast<unsigned>(atoi(argv[2])) : 1);
  if (gasnet_mynode() == 0) printf("all is as it should be\n");
  fflush(stdout);
  Barrier();
  gasnet_exit(0);
  return 0;
}
