// Tests as many threads and as large a segment as programs need: 1000 threads
// that are all alive at once, and a segment of 16 MiB on each node. Each thread
// has its own record. Threads end, and others begin. Only a few threads
// communicate at a time, because a message wakes all waiting threads of a node.
#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kPing = 200, kPong };

constexpr int kThreads = 1000;
constexpr int kGenerations = 3;
constexpr int kAtATime = 16;
constexpr size_t kBytes = size_t{16} << 20;
constexpr size_t kShare = kBytes / 1024;

std::vector<gasnet_threadinfo_t> infos(kThreads);
std::vector<std::atomic<int>> pongs(kThreads);
pthread_barrier_t all_here;
sem_t turns;
int generation = 0;

void OnPing(gasnet_token_t token, gasnet_handlerarg_t thread) {
  CHECK_OK(gasnet_AMReplyShort1(token, kPong, thread));
}
void OnPong(gasnet_token_t, gasnet_handlerarg_t thread) { ++pongs[thread]; }

void Body(int thread) {
  GASNET_BEGIN_FUNCTION();
  infos[thread] = GASNET_GET_THREADINFO();
  // No thread ends before all have begun.
  const int waited = pthread_barrier_wait(&all_here);
  CHECK(waited == 0 || waited == PTHREAD_BARRIER_SERIAL_THREAD);
  CHECK_EQ(GASNET_GET_THREADINFO(), infos[thread]);
  while (sem_wait(&turns) != 0) {
  }
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  char* const there = SharedMemory(next) + static_cast<size_t>(thread) * kShare;
  std::vector<char> sent(kShare);
  std::vector<char> back(kShare);
  FillPattern(sent.data(), kShare, static_cast<uint32_t>(thread));
  gasnet_wait_syncnb(gasnet_put_nb_bulk(next, there, sent.data(), kShare));
  CHECK_OK(gasnet_AMRequestShort1(next, kPing, thread));
  GASNET_BLOCKUNTIL(pongs[thread] == generation + 1);
  gasnet_get_bulk(back.data(), next, there, kShare);
  CHECK_PATTERN(back.data(), kShare, static_cast<uint32_t>(thread));
  CHECK_EQ(sem_post(&turns), 0);
}

gasnet_handlerentry_t handlers[] = {HANDLER(kPing, OnPing),
                                    HANDLER(kPong, OnPong)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::generation;
  using conformance::handlers;
  using conformance::infos;
  using conformance::kGenerations;
  using conformance::kThreads;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        conformance::kBytes);
  CHECK_EQ(pthread_barrier_init(&conformance::all_here, nullptr, kThreads), 0);
  CHECK_EQ(sem_init(&conformance::turns, 0, conformance::kAtATime), 0);
  for (; generation < kGenerations; ++generation) {
    conformance::RunThreads(kThreads, conformance::Body);
    std::sort(infos.begin(), infos.end());
    CHECK(std::adjacent_find(infos.begin(), infos.end()) == infos.end());
    CHECK(infos.front() != nullptr);
  }
  return conformance::FinishJob();
}
