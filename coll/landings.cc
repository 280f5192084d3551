#include "coll/landings.h"

namespace gasnet::coll {

uint64_t Landings::Open(Rank from, std::byte* to, size_t nbytes,
                        Landing** landing) {
  const thread::Holder lock(lock_);
  if (idle_.empty()) {
    idle_.push_back(static_cast<uint32_t>(all_.size()));
    all_.emplace_back().generation = 0;
  }
  const uint32_t index = idle_.back();
  idle_.pop_back();
  Landing& it = all_[index];
  it.to = to;
  it.nbytes = nbytes;
  it.from = from;
  it.claimed = 0;
  it.left.store(nbytes, std::memory_order_relaxed);
  ++it.generation;
  *landing = &it;
  return uint64_t{it.generation} << 32 | index;
}

void Landings::Close(uint64_t name) {
  const thread::Holder lock(lock_);
  const auto index = static_cast<uint32_t>(name);
  ++all_[index].generation;
  idle_.push_back(index);
}

Landing* Landings::Find(Rank from, uint64_t name, uint64_t offset,
                        size_t nbytes, bool claim) {
  const thread::Holder lock(lock_);
  const auto index = static_cast<uint32_t>(name);
  if (index >= all_.size()) return nullptr;
  Landing& it = all_[index];
  if (it.generation != name >> 32 || it.generation % 2 == 0 ||
      it.from != from || offset > it.nbytes || nbytes > it.nbytes - offset ||
      nbytes > it.nbytes - it.claimed) {
    return nullptr;
  }
  if (claim) it.claimed += nbytes;
  return &it;
}

}  // namespace gasnet::coll
