#include "job/status/rank_status.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/clock.h"
#include "base/syscall.h"
#include "job/status/kernel_state.h"
#include "job/wire/wire.h"

namespace gasnet::job {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

// A copy of a page, aligned like a StatusPage.
struct alignas(StatusPage) PageBytes {
  std::array<unsigned char, kStatusPageBytes> bytes;

  const StatusPage& page() const {
    return *reinterpret_cast<const StatusPage*>(bytes.data());
  }
};

bool ReadPage(int fd, uint32_t place, PageBytes& to) {
  const auto at = static_cast<off_t>(place) * kStatusPageBytes;
  const ssize_t got = RetryOnEintr(
      [&] { return pread(fd, to.bytes.data(), to.bytes.size(), at); });
  return got == static_cast<ssize_t>(to.bytes.size()) &&
         to.page().version.load(kRelaxed) == StatusPage::kVersion;
}

// Returns true if the slot holds a wait that is the same in two copies. One
// copy is not enough. Its bytes are read in any order, so an even version alone
// does not show that the wait is unchanged.
bool IsStable(const WaitSlot& first, const WaitSlot& second) {
  return first.version.load(kRelaxed) % 2 == 0 &&
         std::memcmp(&first, &second, sizeof first) == 0;
}

// Returns the time from `then` to `now`. `then` is untrusted.
int64_t Since(int64_t then, int64_t now) {
  return std::max<int64_t>(0, now - std::max<int64_t>(0, then));
}

WaitFor KnownReason(uint32_t what) {
  return what <= static_cast<uint32_t>(WaitFor::kLast)
             ? static_cast<WaitFor>(what)
             : WaitFor::kAnything;
}

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c >= ' ' && c < 0x7f; });
}

RankWait ReadWait(const WaitSlot& slot, int64_t now) {
  return {.waiting = {.what = KnownReason(slot.what.load(kRelaxed)),
                      .peer = slot.peer.load(kRelaxed),
                      .first = slot.first.load(kRelaxed),
                      .second = slot.second.load(kRelaxed)},
          .nanos = Since(slot.since.load(kRelaxed), now),
          .thread = slot.thread.load(kRelaxed)};
}

void SortWaits(RankStatus& status) {
  std::stable_sort(
      status.waits.begin(), status.waits.end(),
      [](const RankWait& a, const RankWait& b) { return a.nanos > b.nanos; });
}

// Returns the network's wait. Returns none if the slot differs between two
// copies, or is nonsense.
RankStatus::Network ReadNetwork(const NetworkSlot& first,
                                const NetworkSlot& second, int64_t now) {
  const int64_t since = first.since.load(kRelaxed);
  if (since == 0 || first.version.load(kRelaxed) % 2 != 0 ||
      std::memcmp(&first, &second, sizeof first) != 0) {
    return {};
  }
  char bytes[NetworkSlot::kTextBytes];
  for (size_t i = 0; i < first.text.size(); ++i) {
    const uint64_t word = first.text[i].load(kRelaxed);
    std::memcpy(bytes + i * sizeof word, &word, sizeof word);
  }
  const std::string text(bytes, strnlen(bytes, sizeof bytes - 1));
  if (!IsPrintable(text)) return {};
  return {.nanos = std::max<int64_t>(1, Since(since, now)),
          .peer = first.peer.load(kRelaxed),
          .text = text};
}

// Fills in the page's contents. `again` is a second copy of the page. Leaves
// out slots that differ between the copies, because they hold no long waits.
void TakePage(const StatusPage& page, const StatusPage& again, int64_t now,
              RankStatus& status) {
  status.has_page = true;
  status.barriers = page.barriers.load(kRelaxed);
  status.further_waits = page.further_waits.load(kRelaxed);
  const int64_t asked_at = page.asked_at.load(kRelaxed);
  if (page.polled_at.load(kRelaxed) < asked_at) {
    status.unpolled_nanos = Since(asked_at, now);
  }
  for (const TeamCount& team : page.teams) {
    const uint64_t name_and_one = team.name_and_one.load(kRelaxed);
    if (name_and_one == 0) continue;
    status.teams.push_back({name_and_one - 1, team.begun.load(kRelaxed)});
  }
  for (size_t i = 0; i < page.waits.size(); ++i) {
    const WaitSlot& slot = page.waits[i];
    if (slot.thread.load(kRelaxed) == 0 || !IsStable(slot, again.waits[i])) {
      continue;
    }
    status.waits.push_back(ReadWait(slot, now));
  }
  SortWaits(status);
  // The wait of a network that nothing polls is out of date.
  if (status.unpolled_nanos < kLongestWithoutPoll) {
    status.network = ReadNetwork(page.network, again.network, now);
  }
  // A rank that waits for all ranks outside of the barriers does not poll. The
  // missing poll therefore does not count against the rank.
  if (status.HasWait(WaitFor::kAllRanks)) status.unpolled_nanos = 0;
}

// Returns the state of the process at one moment: the state of its first
// thread. If this thread sleeps or has ended, returns 'R' if another thread
// runs, and 'S' if another thread sleeps. The monitor thread is not counted,
// because it runs to answer the launcher.
char LookAtProcess(pid_t pid) {
  const std::optional<KernelState> first = ReadKernelState(FolderOf(pid));
  char letter = first.has_value() ? first->letter : '?';
  if (letter != 'S' && letter != 'Z') return letter;
  for (const std::string& thread : ThreadFolders(pid)) {
    const std::optional<KernelState> other = ReadKernelState(thread);
    if (!other.has_value() || other->name == kMonitorName) continue;
    if (other->letter == 'R') return 'R';
    if (other->letter == 'S') letter = 'S';
  }
  return letter;
}

// Returns the state of a process, from several looks. A process that computes
// runs at every look. Threads of run-time libraries may wake up for a moment,
// but the process then sleeps in at least one look.
char StateOfProcess(pid_t pid) {
  constexpr int kLooks = 4;
  constexpr auto kBetweenLooks = std::chrono::milliseconds(1);
  char letter = LookAtProcess(pid);
  for (int look = 1; look < kLooks && letter == 'R'; ++look) {
    std::this_thread::sleep_for(kBetweenLooks);
    letter = LookAtProcess(pid);
  }
  return letter;
}

// Reads a time. Fails if the time is negative, or so large that sums or
// doubling could overflow.
int64_t ReadNanos(WireReader& in) {
  const auto nanos = static_cast<int64_t>(in.U64());
  if (nanos < 0 || nanos > kNever / 4) in.Fail();
  return nanos;
}

bool ReadBool(WireReader& in) {
  const uint32_t value = in.U32();
  if (value > 1) in.Fail();
  return value == 1;
}

// Reads a number of elements. Fails if the number is above `most`.
uint32_t ReadCount(WireReader& in, size_t most) {
  const uint32_t count = in.U32();
  if (count > most) in.Fail();
  return in.ok() ? count : 0;
}

RankWait ReadWait(WireReader& in) {
  RankWait wait;
  const uint32_t what = in.U32();
  if (what > static_cast<uint32_t>(WaitFor::kLast)) in.Fail();
  wait.waiting.what = KnownReason(what);
  wait.waiting.peer = in.U32();
  wait.waiting.first = in.U64();
  wait.waiting.second = in.U64();
  wait.nanos = ReadNanos(in);
  wait.thread = static_cast<int32_t>(in.U32());
  return wait;
}

}  // namespace

RankStatus ReadStatus(int memory_fd, uint32_t place, pid_t pid, int64_t now) {
  RankStatus status;
  status.process = StateOfProcess(pid);
  PageBytes page;
  PageBytes again;
  if (ReadPage(memory_fd, place, page) && ReadPage(memory_fd, place, again)) {
    TakePage(page.page(), again.page(), now, status);
  }
  return status;
}

void AddWait(RankStatus& status, const RankWait& wait) {
  status.waits.push_back(wait);
  SortWaits(status);
}

std::string EncodeStatus(const RankStatus& status) {
  WireWriter out;
  out.U32(static_cast<unsigned char>(status.process));
  out.U32(status.has_page ? 1 : 0);
  out.U64(static_cast<uint64_t>(status.unpolled_nanos));
  out.U32(status.barriers);
  out.U32(status.further_waits);
  out.U32(static_cast<uint32_t>(status.teams.size()));
  for (const RankStatus::Team& team : status.teams) {
    out.U64(team.name);
    out.U32(team.begun);
  }
  out.U32(static_cast<uint32_t>(status.waits.size()));
  for (const RankWait& wait : status.waits) {
    out.U32(static_cast<uint32_t>(wait.waiting.what));
    out.U32(wait.waiting.peer);
    out.U64(wait.waiting.first);
    out.U64(wait.waiting.second);
    out.U64(static_cast<uint64_t>(wait.nanos));
    out.U32(static_cast<uint32_t>(wait.thread));
  }
  out.U64(static_cast<uint64_t>(status.network.nanos));
  out.U32(status.network.peer);
  out.Text(status.network.text);
  return out.Take();
}

std::optional<RankStatus> DecodeStatus(std::string_view bytes) {
  WireReader in(bytes);
  RankStatus status;
  const uint32_t process = in.U32();
  if (process <= ' ' || process >= 0x7f) in.Fail();
  status.process = static_cast<char>(process);
  status.has_page = ReadBool(in);
  status.unpolled_nanos = ReadNanos(in);
  status.barriers = in.U32();
  status.further_waits = in.U32();
  for (uint32_t left = ReadCount(in, StatusPage::kTeams); left > 0; --left) {
    const uint64_t name = in.U64();
    status.teams.push_back({name, in.U32()});
  }
  for (uint32_t left = ReadCount(in, StatusPage::kWaits); left > 0; --left) {
    status.waits.push_back(ReadWait(in));
  }
  status.network.nanos = ReadNanos(in);
  status.network.peer = in.U32();
  status.network.text = in.Text(NetworkSlot::kTextBytes - 1);
  if (!IsPrintable(status.network.text)) in.Fail();
  if (!in.Complete()) return std::nullopt;
  SortWaits(status);
  return status;
}

}  // namespace gasnet::job
