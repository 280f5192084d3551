#include "coll/testing/client_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"

namespace gasnet::coll::testing {
namespace {

constexpr std::byte kGuardByte{0xA5};

bool Has(const std::vector<Rank>& list, Rank node) {
  return std::find(list.begin(), list.end(), node) != list.end();
}

Bytes RandomBytes(size_t nbytes, std::mt19937_64& random) {
  Bytes bytes(nbytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

}  // namespace

ClientMemory::ClientMemory(Rank nodes, size_t arena_bytes, uint64_t seed,
                           Hooks hooks)
    : arena_bytes_(arena_bytes), random_(seed), hooks_(std::move(hooks)) {
  const size_t total = arena_bytes * 2 * nodes;
  void* const at = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) Fatal("no memory for %u simulated nodes", nodes);
  for (size_t i = 0; i < size_t{2} * nodes; ++i) {
    arenas_.push_back({.base = static_cast<std::byte*>(at) + i * arena_bytes});
  }
}

ClientMemory::~ClientMemory() {
  munmap(arenas_[0].base, arena_bytes_ * arenas_.size());
}

size_t ClientMemory::AddOperation(SyncMode in, SyncMode out,
                                  std::vector<Rank> members) {
  watches_.push_back({.in = in, .out = out, .members = std::move(members)});
  return watches_.size() - 1;
}

Area& ClientMemory::Add(size_t op, Rank node, size_t nbytes, bool is_dest,
                        bool in_segment, size_t misalignment) {
  Arena& arena = arenas_[2 * node + (in_segment ? 0 : 1)];
  const size_t start = (arena.used + kGuard + 15) / 16 * 16 + misalignment % 16;
  if (start + nbytes + kGuard > arena_bytes_) {
    Fatal("an arena of %zu bytes is too small for a test", arena_bytes_);
  }
  arena.used = start + nbytes + kGuard;
  std::byte* const at = arena.base + start;
  std::memset(at - kGuard, static_cast<int>(kGuardByte), kGuard);
  std::memset(at + nbytes, static_cast<int>(kGuardByte), kGuard);
  Bytes initial = RandomBytes(nbytes, random_);
  auto area = std::make_unique<Area>(Area{.op = op,
                                          .node = node,
                                          .is_dest = is_dest,
                                          .at = at,
                                          .initial = initial,
                                          .expected = initial});
  watches_[op].areas.push_back(area.get());
  return *(areas_[at] = std::move(area));
}

bool ClientMemory::InSegment(Rank node, const void* at, size_t nbytes) const {
  const auto* const first = static_cast<const std::byte*>(at);
  const std::byte* const base = arenas_[2 * node].base;
  return first >= base && first + nbytes <= base + arena_bytes_;
}

// ---- the client's calls
// -------------------------------------------------------

void ClientMemory::Enter(size_t op, Rank node) {
  Watch& watch = watches_[op];
  const bool is_first = watch.entered.empty();
  watch.entered.push_back(node);
  switch (watch.in) {
    case SyncMode::kNone:
      if (is_first) Fill(op, node, true);
      return;
    case SyncMode::kMine:
      return Fill(op, node, false);
    case SyncMode::kAll:
      if (watch.entered.size() == watch.members.size()) Fill(op, node, true);
      return;
  }
}

void ClientMemory::Fill(size_t op, Rank node, bool all) {
  for (Area* const area : watches_[op].areas) {
    if ((!all && area->node != node) || area->size() == 0) continue;
    std::memcpy(area->at, area->initial.data(), area->size());
  }
}

void ClientMemory::Synced(size_t op, Rank node) {
  Watch& watch = watches_[op];
  watch.synced.push_back(node);
  const bool is_first = watch.synced.size() == 1;
  const bool is_last = watch.synced.size() == watch.members.size();
  for (Area* const area : watch.areas) {
    switch (watch.out) {
      case SyncMode::kNone:
        if (area->node == node && area->is_dest) {
          CheckContents(*area, area->expected, "after its node's sync");
        }
        if (is_last) Settle(*area);
        break;
      case SyncMode::kMine:
        if (area->node == node) Settle(*area);
        break;
      case SyncMode::kAll:
        if (is_first) Settle(*area);
        break;
    }
  }
}

// Checks the contents of an area. Then overwrites the contents like a client
// that reuses the area.
void ClientMemory::Settle(Area& area) {
  CheckContents(area, area.expected, "when the client may use it again");
  area.final = RandomBytes(area.size(), random_);
  if (area.size() > 0) {
    std::memcpy(area.at, area.final.data(), area.size());
  }
}

void ClientMemory::CheckAll() {
  for (const auto& [at, area] : areas_) {
    if (!area->final.empty()) {
      CheckContents(*area, area->final, "long after its operation");
    }
    for (size_t i = 0; i < kGuard; ++i) {
      if (at[area->size() + i] != kGuardByte || *(at - 1 - i) != kGuardByte) {
        Complain(absl::StrCat(Name(*area), ": bytes beside it were written"));
        break;
      }
    }
  }
}

void ClientMemory::CheckContents(const Area& area, const Bytes& expected,
                                 const char* when) {
  for (size_t i = 0; i < area.size(); ++i) {
    if (area.at[i] == expected[i]) continue;
    return Complain(absl::StrCat(Name(area), ": byte ", i, " of ", area.size(),
                                 " is wrong ", when));
  }
}

// ---- accesses
// -----------------------------------------------------------------

void ClientMemory::Read(const void* from, size_t nbytes) {
  Check(from, nbytes, false);
}
void ClientMemory::Write(const void* to, size_t nbytes) {
  Check(to, nbytes, true);
}

void ClientMemory::Check(const void* at, size_t nbytes, bool writes) {
  const auto* const first = static_cast<const std::byte*>(at);
  if (nbytes == 0) return;
  auto it = areas_.upper_bound(first);
  const Area* area = nullptr;
  if (it != areas_.begin()) area = (--it)->second.get();
  const bool within =
      area != nullptr && first + nbytes <= area->at + area->size();
  if (!within) {
    if (ArenaOf(first) != nullptr) Complain("an access beside all areas");
    return;
  }
  const char* const what = writes ? ": written" : ": read";
  if (!MayBegin(*area)) Complain(absl::StrCat(Name(*area), what, " too early"));
  if (IsOver(*area, writes))
    Complain(absl::StrCat(Name(*area), what, " too late"));
  if (writes && !area->is_dest) {
    Complain(absl::StrCat(Name(*area), what, ", but is a source"));
  }
  const bool maps = remote_ || hooks_.may_touch(area->node, at, nbytes);
  if (!maps)
    Complain(absl::StrCat(Name(*area), what, " by who does not map it"));
  if (again_) return;
  const bool remote = std::exchange(remote_, false);
  hooks_.preempt();
  remote_ = remote;
}

bool ClientMemory::MayBegin(const Area& area) const {
  const Watch& watch = watches_[area.op];
  switch (watch.in) {
    case SyncMode::kNone:
      return !watch.entered.empty();
    case SyncMode::kMine:
      return Has(watch.entered, area.node);
    case SyncMode::kAll:
      break;
  }
  return watch.entered.size() == watch.members.size();
}

bool ClientMemory::IsSynced(size_t op, Rank node) const {
  return Has(watches_[op].synced, node) || hooks_.is_synced(op, node);
}

bool ClientMemory::IsOver(const Area& area, bool writes) const {
  const Watch& watch = watches_[area.op];
  const auto synced = [&](Rank node) { return IsSynced(area.op, node); };
  const std::vector<Rank>& all = watch.members;
  if (again_) return watch.out != SyncMode::kNone && synced(area.node);
  switch (watch.out) {
    case SyncMode::kNone:
      return (writes && synced(area.node)) ||
             std::all_of(all.begin(), all.end(), synced);
    case SyncMode::kMine:
      return synced(area.node);
    case SyncMode::kAll:
      break;
  }
  return std::any_of(all.begin(), all.end(), synced);
}

const ClientMemory::Arena* ClientMemory::ArenaOf(const std::byte* at) const {
  const std::byte* const base = arenas_[0].base;
  if (at < base || at >= base + arena_bytes_ * arenas_.size()) return nullptr;
  return &arenas_[static_cast<size_t>(at - base) / arena_bytes_];
}

std::string ClientMemory::Name(const Area& area) const {
  return absl::StrCat("operation ", area.op, ", rank ", area.node, ", ",
                      area.is_dest ? "dest" : "source", " of ", area.size(),
                      " bytes");
}

void ClientMemory::Complain(std::string text) {
  constexpr size_t kMax = 5;
  if (violations_.size() < kMax) violations_.push_back(std::move(text));
}

}  // namespace gasnet::coll::testing
