// The links of a rank, each of one of its endpoints.
#ifndef CORE_NETWORK_LINK_TABLE_H_
#define CORE_NETWORK_LINK_TABLE_H_

#include <array>
#include <atomic>

#include "core/endpoint_index.h"

namespace gasnet::network {

class Link;

// The links of a rank, indexed by endpoint and added in that order.
class LinkTable {
 public:
  unsigned count() const { return count_.load(std::memory_order_acquire); }
  Link& at(unsigned index) const {
    return *all_[index].load(std::memory_order_relaxed);
  }
  void Add(Link& link) {
    const unsigned index = count_.load(std::memory_order_relaxed);
    all_[index].store(&link, std::memory_order_relaxed);
    count_.store(index + 1, std::memory_order_release);
  }

 private:
  std::atomic<unsigned> count_{0};
  std::array<std::atomic<Link*>, kMaxEndpoints> all_{};
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_LINK_TABLE_H_
