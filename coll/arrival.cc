#include "coll/arrival.h"

#include <cstring>

namespace gasnet::coll {

uint32_t Arrival::Enter(void* dest, size_t nbytes) {
  const thread::SpinLockHolder lock(lock_);
  dest_ = static_cast<unsigned char*>(dest);
  nbytes_ = nbytes;
  received_ = 0;
  got_data_ = false;
  done_ = 0;
  released_ = false;
  return ++number_;
}

bool Arrival::NoteReady(Rank from, uint32_t number, const Terms& terms) {
  const thread::SpinLockHolder lock(lock_);
  if (from >= ready_.size()) return false;
  ready_[from] = number;
  if (number != latest_) {
    latest_ = number;
    first_ = {from, terms};
    other_.reset();
  } else if (terms != first_.terms) {
    other_ = {from, terms};
  }
  return true;
}

// The lock is held while copying: whoever sees the data complete sees them.
bool Arrival::NoteData(uint32_t number, uint64_t offset, const void* data,
                       size_t nbytes) {
  const thread::SpinLockHolder lock(lock_);
  if (number != number_ || offset > nbytes_ || nbytes > nbytes_ - offset ||
      nbytes > nbytes_ - received_) {
    return false;
  }
  if (nbytes > 0) std::memcpy(dest_ + offset, data, nbytes);
  received_ += nbytes;
  got_data_ = true;
  return true;
}

bool Arrival::NoteDone(uint32_t number) {
  const thread::SpinLockHolder lock(lock_);
  if (number != number_) return false;
  ++done_;
  return true;
}

bool Arrival::NoteRelease(uint32_t number) {
  const thread::SpinLockHolder lock(lock_);
  if (number != number_) return false;
  released_ = true;
  return true;
}

bool Arrival::AllReady(Rank root) {
  const thread::SpinLockHolder lock(lock_);
  for (Rank rank = 0; rank < ready_.size(); ++rank) {
    if (rank != root && ready_[rank] != number_) return false;
  }
  return true;
}

std::optional<TermsOf> Arrival::FindDissent(const Terms& terms) {
  const thread::SpinLockHolder lock(lock_);
  if (ready_.size() == 1) return std::nullopt;
  return first_.terms == terms ? other_ : first_;
}

bool Arrival::AllDone() {
  const thread::SpinLockHolder lock(lock_);
  return done_ == ready_.size() - 1;
}

bool Arrival::HaveData() {
  const thread::SpinLockHolder lock(lock_);
  return got_data_ && received_ == nbytes_;
}

bool Arrival::Released() {
  const thread::SpinLockHolder lock(lock_);
  return released_;
}

}  // namespace gasnet::coll
