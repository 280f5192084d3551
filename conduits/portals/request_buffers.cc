#include "conduits/portals/request_buffers.h"

#include <utility>

#include "absl/status/statusor.h"
#include "core/thread/mode.h"

namespace gasnet::portals_conduit {

RequestBuffers::RequestBuffers(ConduitInterface& interface, const Plan& plan,
                               PortalsStatistics& statistics)
    : interface_(interface),
      statistics_(statistics),
      bytes_(plan.credits.buffer_bytes),
      chunk_(plan.chunk),
      count_(plan.credits.buffers),
      buffers_(std::make_unique<Buffer[]>(count_)) {
  unlinked_.reserve(count_);
}

absl::Status RequestBuffers::Start() {
  const absl::Status mapped = memory_.Map(count_ * bytes_);
  if (!mapped.ok()) return mapped;
  for (size_t i = 0; i < count_; ++i) {
    buffers_[i].start = memory_.base() + i * bytes_;
    const absl::Status appended = interface_.Append(EntryOf(buffers_[i]));
    if (!appended.ok()) return appended;
    linked_.fetch_add(1, std::memory_order_relaxed);
  }
  return absl::OkStatus();
}

PortalEntry RequestBuffers::EntryOf(Buffer& buffer) const {
  return {.table = PortalTable::kRequests,
          .start = buffer.start,
          .length = bytes_,
          .options = PTL_ME_OP_PUT | PTL_ME_MANAGE_LOCAL | PTL_ME_NO_TRUNCATE,
          .min_free = chunk_,
          .user = Tag(buffer, TagKind::kNone)};
}

void RequestBuffers::Handled(const ptl_event_t& event) {
  auto& buffer = Untag<Buffer>(event.user_ptr);
  const auto bytes = static_cast<int64_t>(event.mlength);
  if (bytes == 0) return;
  const auto end = static_cast<std::byte*>(event.start) - buffer.start + bytes;
  const bool is_last = static_cast<size_t>(end) > bytes_ - chunk_;
  Count(buffer, is_last ? bytes - end - 1 : bytes);
}

void RequestBuffers::Unlinked(const ptl_event_t& event) {
  linked_.fetch_sub(1, std::memory_order_relaxed);
  Count(Untag<Buffer>(event.user_ptr), 1);
}

void RequestBuffers::Count(Buffer& buffer, int64_t change) {
  int64_t before;
  // Releases this thread's reads of the buffer. The thread that reaches 0
  // acquires the reads of all other threads. So it may reuse the buffer.
  if constexpr (thread::kConcurrent) {
    before = buffer.balance.fetch_add(change, std::memory_order_acq_rel);
  } else {
    before = buffer.balance.load(std::memory_order_relaxed);
    buffer.balance.store(before + change, std::memory_order_relaxed);
  }
  if (before + change == 0) Refresh(buffer);
}

void RequestBuffers::Refresh(Buffer& buffer) {
  statistics_.Note(Counted::kRefreshes);
  if (AppendAgain(buffer)) return;
  const thread::Holder hold(lock_);
  unlinked_.push_back(&buffer);
  has_unlinked_.store(true, std::memory_order_relaxed);
}

bool RequestBuffers::AppendAgain(Buffer& buffer) {
  // Counts the buffer before the call. When the call returns, the buffer may
  // already be full and unlinked again.
  linked_.fetch_add(1, std::memory_order_relaxed);
  if (interface_.AppendAgain(EntryOf(buffer))) return true;
  linked_.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

void RequestBuffers::AppendUnlinked() {
  const thread::Holder hold(lock_);
  while (!unlinked_.empty()) {
    if (!AppendAgain(*unlinked_.back())) return;
    unlinked_.pop_back();
  }
  has_unlinked_.store(false, std::memory_order_relaxed);
}

}  // namespace gasnet::portals_conduit
