#include "core/observe/thread_log.h"

namespace gasnet::observe {

ThreadLog::ThreadLog(Rank ranks, const std::atomic<uint32_t>& mask,
                     Tracing& its_tracing)
    : tracing(its_tracing),
      ranks_(ranks),
      mask_(mask),
      peers_(new std::atomic<PeerCounts*>[ranks / kBlock + 1]()) {}

ThreadLog::~ThreadLog() {
  for (size_t block = 0; block <= ranks_ / kBlock; ++block) {
    delete[] peers_[block].load(std::memory_order_relaxed);
  }
  delete[] peers_;
}

void ThreadLog::AddPeer(Rank peer) {
  peers_[peer / kBlock].store(new PeerCounts[kBlock],
                              std::memory_order_release);
}

}  // namespace gasnet::observe
