// A pool of a fixed number of records. Each record is taken by one user at a
// time. Take returns the record that was given back last, because this record
// is still in the cache. Thread-safe.
#ifndef CONDUITS_PORTALS_POOL_H_
#define CONDUITS_PORTALS_POOL_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals_conduit {

template <class Record>
class Pool {
 public:
  explicit Pool(size_t size)
      : records_(std::make_unique<Record[]>(size)), size_(size) {
    idle_.reserve(size);
    for (size_t i = size; i > 0; --i) idle_.push_back(&records_[i - 1]);
  }

  // Takes a record. Returns null if none is left.
  Record* Take() {
    const thread::Holder hold(lock_);
    if (idle_.empty()) return nullptr;
    Record* const taken = idle_.back();
    idle_.pop_back();
    return taken;
  }
  void Give(Record& record) {
    const thread::Holder hold(lock_);
    idle_.push_back(&record);
  }

  // Returns true if any record is taken. Also returns true while another thread
  // is taking or giving back a record, or if a signal handler interrupted a
  // thread in this work.
  bool MayBeUsed() {
    if (!lock_.try_lock()) return true;
    const thread::Holder hold(lock_, std::adopt_lock);
    return idle_.size() < size_;
  }

  size_t size() const { return size_; }
  Record& at(size_t index) { return records_[index]; }
  size_t IndexOf(const Record& record) const {
    return static_cast<size_t>(&record - records_.get());
  }

 private:
  const std::unique_ptr<Record[]> records_;
  const size_t size_;
  thread::SpinLock lock_;
  std::vector<Record*> idle_ ABSL_GUARDED_BY(lock_);
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_POOL_H_
