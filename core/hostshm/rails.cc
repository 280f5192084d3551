#include "core/hostshm/rails.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/cpu.h"
#include "base/env.h"
#include "base/log.h"
#include "core/hostshm/tuning.h"

namespace gasnet::hostshm {

unsigned RailsToUse(unsigned host_cpus, unsigned host_ranks) {
  const unsigned processors = std::min(OnlineCpus(), host_cpus / host_ranks);
  return static_cast<unsigned>(
      EnvInt("GASNET_HOST_RAILS", std::clamp(processors, 1U, thread::kMaxRails),
             1, thread::kMaxRails));
}

void Rails::Init(Rail& first, const Layout& layout, uint32_t host_rank) {
  all_[0] = &first;
  layout_ = layout;
  me_ = host_rank;
}

absl::Status Rails::Make(unsigned index) {
  const absl::MutexLock lock(&making_);
  if (Has(index)) return absl::OkStatus();
  const absl::StatusOr<unsigned char*> memory =
      source_.load(std::memory_order_acquire)->RailMemory(index);
  if (!memory.ok()) return memory.status();
  auto rail = std::make_unique<Rail>();
  rail->Init(*memory, *memory, layout_, me_);
  all_[index] = rail.get();
  own_[index] = std::move(rail);
  made_.fetch_or(Mask{1} << index, std::memory_order_release);
  return absl::OkStatus();
}

// Usually a thread moves once, since moves spread threads over the other rails
// in turn. But its record may come from an ended thread that used the same
// rail. If the thread keeps colliding with others there, it moves again.
// Replies may still come on the rail that the thread leaves, so the thread
// serves that rail.
bool Rails::Move(thread::ThreadState& self) {
  const unsigned most = most_.load(std::memory_order_relaxed);
  if (most == 1 || !has_memory_.load(std::memory_order_relaxed)) return false;
  const unsigned from = OwnOf(self.rails);
  if (from != 0 && ++self.rails.met < kMeetingsPerMove) return false;
  const uint32_t moves = moves_.fetch_add(1, std::memory_order_relaxed);
  const unsigned to = 1 + moves % (most - 1);
  const absl::Status made = Make(to);
  if (!made.ok()) {
    if (has_memory_.exchange(false, std::memory_order_relaxed)) {
      Warn("threads share rings to the ranks of this host: %s",
           std::string(made.message()).c_str());
    }
    return false;
  }
  self.rails.met = 0;
  self.rails.own = static_cast<uint8_t>(to);
  if (from != 0) Serve(self, from);
  return true;
}

Rails::Mask Rails::ToLookAt(thread::ThreadState& self) {
  thread::RailUse& use = self.rails;
  if (++use.looks >= kPollsPerLookAtRails) ServeUnpolled(self);
  const unsigned own = OwnOf(use);
  if (at(own).server() != 0) at(own).SetServer(0);
  Mask to_poll = Mask{1} << own | (use.serves & made());
  for (Mask bits = to_poll; bits != 0; bits &= bits - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(bits));
    if (index != own && at(index).server() != NameOf(self)) {
      use.serves &= ~(bits & -bits);
      to_poll &= ~(bits & -bits);
    } else {
      at(index).CountPoll();
    }
  }
  return to_poll;
}

uint32_t Rails::PollCount() const {
  uint32_t count = 0;
  for (Mask bits = made(); bits != 0; bits &= bits - 1) {
    count += at(static_cast<unsigned>(std::countr_zero(bits))).polls();
  }
  return count;
}

void Rails::Serve(thread::ThreadState& self, unsigned index) {
  at(index).SetServer(NameOf(self));
  self.rails.serves |= Mask{1} << index;
}

void Rails::ServeUnpolled(thread::ThreadState& self) {
  thread::RailUse& use = self.rails;
  use.looks = 0;
  const unsigned own = OwnOf(use);
  for (Mask bits = made(); bits != 0; bits &= bits - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(bits));
    const uint32_t polls = at(index).polls();
    const bool stands_still = use.polls_seen[index] == polls;
    use.polls_seen[index] = polls;
    if (index != own && stands_still) Serve(self, index);
  }
}

}  // namespace gasnet::hostshm
