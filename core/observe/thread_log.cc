#include "core/observe/thread_log.h"

namespace gasnet::observe {

ThreadLog::ThreadLog(Rank ranks, const std::atomic<uint32_t>& mask)
    : ranks_(ranks),
      mask_(mask),
      peers_(new std::atomic<PeerCounts*>[ranks / kBlock + 1]()) {}

ThreadLog::~ThreadLog() {
  for (size_t block = 0; block <= ranks_ / kBlock; ++block) {
    delete[] peers_[block].load(std::memory_order_relaxed);
  }
  delete[] peers_;
}

PeerCounts* ThreadLog::NewBlock(size_t block) {
  auto* const made = new PeerCounts[kBlock];
  peers_[block].store(made, std::memory_order_release);
  return made;
}

}  // namespace gasnet::observe
