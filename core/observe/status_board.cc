#include "core/observe/status_board.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/clock.h"

namespace gasnet::observe {
namespace {

using job::StatusPage;
using job::WaitSlot;

constexpr auto kRelease = std::memory_order_release;

}  // namespace

void StatusBoard::Join(StatusPage& page) {
  page_ = &page;
  page.further_waits.store(0, kRelaxed);
  page.asked_at.store(0, kRelaxed);
  page.polled_at.store(0, kRelaxed);
  page.barriers.store(0, kRelaxed);
  for (job::TeamCount& team : page.teams) {
    team.begun.store(0, kRelaxed);
    team.name_and_one.store(0, kRelaxed);
  }
  for (WaitSlot& slot : page.waits) {
    slot.version.store(slot.version.load(kRelaxed) | 1, kRelaxed);
    slot.thread.store(0, kRelaxed);
  }
  WriteNetwork({});
  page.version.store(StatusPage::kVersion, kRelease);
}

void StatusBoard::Leave() {
  if (page_ != nullptr) page_->version.store(0, kRelaxed);
  page_ = nullptr;
}

StatusBoard::Team StatusBoard::AddTeam(uint64_t name) {
  Team added;
  if (page_ == nullptr) return added;
  for (job::TeamCount& team : page_->teams) {
    uint64_t none = 0;
    if (team.name_and_one.load(kRelaxed) != 0 ||
        !team.name_and_one.compare_exchange_strong(none, name + 1,
                                                   std::memory_order_acquire)) {
      continue;
    }
    added.name_ = &team.name_and_one;
    added.begun_ = &team.begun;
    break;
  }
  return added;
}

// Sets the count to 0 before another team may take this place on the page.
void StatusBoard::RemoveTeam(Team& team) {
  team.NoteBegun(0);
  if (team.name_ != nullptr) team.name_->store(0, kRelease);
  team = Team();
}

WaitSlot* StatusBoard::TakeSlot(int32_t thread) {
  for (size_t i = 0; i < page_->waits.size(); ++i) {
    WaitSlot& slot = page_->waits[i];
    int32_t nobody = 0;
    if (slot.thread.load(kRelaxed) != 0 ||
        !slot.thread.compare_exchange_strong(nobody, thread,
                                             std::memory_order_acquire)) {
      continue;
    }
    numbers_[i].store(last_number_.fetch_add(1, kRelaxed) + 1, kRelaxed);
    return &slot;
  }
  return nullptr;
}

void StatusBoard::BeginWait(const Waiting& waiting) {
  if (page_ == nullptr) return;
  WaitSlot* const slot = TakeSlot(gettid());
  if (slot == nullptr) {
    page_->further_waits.fetch_add(1, kRelaxed);
    return;
  }
  slot->since.store(NowNanos(), kRelaxed);
  slot->first.store(waiting.first, kRelaxed);
  slot->second.store(waiting.second, kRelaxed);
  slot->what.store(static_cast<uint32_t>(waiting.what), kRelaxed);
  slot->peer.store(waiting.peer, kRelaxed);
  // Makes the version even. A reader that sees this version sees all stores
  // above.
  slot->version.store(slot->version.load(kRelaxed) + 1, kRelease);
}

// If the page was full, the innermost wait of a thread may have no slot. Ending
// this wait then releases the slot of another wait of the thread. The count of
// further waits stays correct.
void StatusBoard::EndWait() {
  if (page_ == nullptr) return;
  const int32_t thread = gettid();
  WaitSlot* last = nullptr;
  uint64_t number = 0;
  for (size_t i = 0; i < page_->waits.size(); ++i) {
    WaitSlot& slot = page_->waits[i];
    if (slot.thread.load(kRelaxed) != thread) continue;
    if (numbers_[i].load(kRelaxed) < number) continue;
    number = numbers_[i].load(kRelaxed);
    last = &slot;
  }
  if (last == nullptr) {
    page_->further_waits.fetch_sub(1, kRelaxed);
    return;
  }
  // Makes the version odd before another thread may take the slot.
  last->version.store(last->version.load(kRelaxed) + 1, kRelaxed);
  last->thread.store(0, kRelease);
}

// Does nothing while no poll has answered an earlier question.
void StatusBoard::NoteAsked() {
  if (page_ == nullptr) return;
  if (page_->polled_at.load(kRelaxed) < page_->asked_at.load(kRelaxed)) return;
  page_->asked_at.store(NowNanos(), kRelaxed);
}

// The network's wait comes first: a reader that sees this poll then sees this
// wait. If several threads answer at once, one of them writes.
void StatusBoard::NotePolled() {
  if (page_ == nullptr) return;
  if (describe_network_ != nullptr &&
      !describes_.exchange(true, std::memory_order_acquire)) {
    WriteNetwork(describe_network_());
    describes_.store(false, kRelease);
  }
  page_->polled_at.store(NowNanos(), kRelease);
}

void StatusBoard::WriteNetwork(const NetworkWait& wait) {
  job::NetworkSlot& to = page_->network;
  char bytes[job::NetworkSlot::kTextBytes] = {};
  std::memcpy(bytes, wait.text.data(),
              std::min(wait.text.size(), sizeof bytes - 1));
  const uint32_t version = to.version.load(kRelaxed) | 1;
  to.version.store(version, kRelaxed);
  // Release order keeps the stores below behind that of the odd version. So a
  // reader that copies a part of them never finds the earlier, even version,
  // even if this thread is stopped in between.
  to.peer.store(wait.peer, kRelease);
  to.since.store(wait.since, kRelease);
  for (size_t i = 0; i < to.text.size(); ++i) {
    uint64_t word;
    std::memcpy(&word, bytes + i * sizeof word, sizeof word);
    to.text[i].store(word, kRelease);
  }
  to.version.store(version + 1, kRelease);
}

}  // namespace gasnet::observe
