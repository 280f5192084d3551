#include "conduits/portals/conduit_interface.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "conduits/portals/answers.h"
#include "conduits/portals/tuning.h"

namespace gasnet::portals_conduit {
namespace {

// The number of steps of the barrier in the largest job. This job has 65535
// ranks. Each step takes three entries, three counters and eight triggered
// operations (PortalsBarrier::Fits). This is not a tuning constant.
constexpr int kMaxSteps = 16;
constexpr int kBarrierEntries = 3 * kMaxSteps;
// The smallest limits that Portals 4 permits an implementation to have. The
// conduit needs less.
constexpr ptl_pt_index_t kMinIndex = 63;
constexpr ptl_size_t kMinAtomic = 64;
constexpr ptl_size_t kMinOrderedRead = 8;

// The queue for a table's events, and the options of the table. With
// PTL_PT_FLOWCTRL, lack of room disables the table instead of dropping
// messages.
struct TableRules {
  Queue queue;
  unsigned options;
};
constexpr std::array<TableRules, kTables> kTableRules = {{
    {Queue::kSystem, 0},
    {Queue::kRequests, PTL_PT_FLOWCTRL},
    {Queue::kSafe, 0},
    {Queue::kSystem, 0},
    {Queue::kBell, 0},
    {Queue::kRequests, PTL_PT_FLOWCTRL},
    {Queue::kSafe, 0},
    {Queue::kSystem, 0},
    {Queue::kSafe, 0},
}};

constexpr std::array<unsigned, kDescriptors> kDescriptorOptions = {
    PTL_MD_EVENT_SEND_DISABLE | PTL_MD_UNORDERED,
    PTL_MD_EVENT_SEND_DISABLE | PTL_MD_UNORDERED | PTL_MD_VOLATILE,
    PTL_MD_UNORDERED,
    PTL_MD_EVENT_SUCCESS_DISABLE | PTL_MD_UNORDERED,
    PTL_MD_EVENT_SUCCESS_DISABLE | PTL_MD_UNORDERED | PTL_MD_VOLATILE,
};

absl::Status Failed(std::string_view what, int answer) {
  return absl::UnavailableError(
      absl::StrCat("Portals 4: ", what, " failed: ", AnswerText(answer)));
}

ptl_ni_limits_t Wanted(const Plan& plan) {
  ptl_ni_limits_t limits = {};
  limits.max_entries = static_cast<int>(2 * plan.credits.buffers) +
                       kSpareEntries + kBarrierEntries;
  limits.max_unexpected_headers = kSpareEntries;
  limits.max_mds = kDescriptorsWanted;
  limits.max_cts = kBarrierEntries + kSpareEntries;
  limits.max_eqs = kSpareEntries;
  limits.max_pt_index = kMinIndex;
  limits.max_iovecs = kSpareEntries;
  limits.max_list_size = limits.max_entries;
  limits.max_triggered_ops = 2 * 8 * kMaxSteps;
  limits.max_msg_size = kMaxBytes;
  limits.max_atomic_size = kMinAtomic;
  limits.max_fetch_atomic_size = kMinAtomic;
  limits.max_waw_ordered_size = kMinAtomic;
  limits.max_war_ordered_size = kMinOrderedRead;
  limits.max_volatile_size = kMaxBytes;
  limits.features = PTL_TARGET_BIND_INACCESSIBLE | PTL_COHERENT_ATOMICS;
  return limits;
}

const char* NameOf(Queue queue) {
  static constexpr std::array kNames = {"SYS", "SAFE", "AM", "bell"};
  return kNames[static_cast<size_t>(queue)];
}

}  // namespace

absl::StatusOr<std::unique_ptr<ConduitInterface>> ConduitInterface::Open(
    const PortalsSettings& settings, const Plan& plan) {
  std::unique_ptr<ConduitInterface> made(new ConduitInterface);
  absl::Status status = made->Init(settings, plan);
  if (status.ok()) status = made->AllocateTables(plan);
  if (!status.ok()) return status;
  made->covers_all_ = made->CoverAll();
  if (!made->covers_all_) made->most_volatile_ = 0;
  return made;
}

absl::Status ConduitInterface::Init(const PortalsSettings& settings,
                                    const Plan& plan) {
  if (const int answer = PtlInit(); answer != PTL_OK) {
    return Failed("PtlInit", answer);
  }
  has_library_ = true;
  const ptl_ni_limits_t wanted = Wanted(plan);
  const ptl_interface_t number =
      settings.iface.has_value()
          ? static_cast<ptl_interface_t>(*settings.iface)
          : static_cast<ptl_interface_t>(PTL_IFACE_DEFAULT);
  int answer = PtlNIInit(number, PTL_NI_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY,
                         &wanted, &limits_, &ni_);
  if (answer != PTL_OK) return Failed("PtlNIInit", answer);
  has_interface_ = true;
  answer = PtlGetPhysId(ni_, &id_);
  if (answer == PTL_OK) answer = PtlGetUid(ni_, &uid_);
  if (answer != PTL_OK) return Failed("PtlGetPhysId", answer);
  most_bytes_ = std::min<size_t>(limits_.max_msg_size, kMaxBytes);
  most_volatile_ = std::min<size_t>(limits_.max_volatile_size, most_bytes_);
  most_bound_ = static_cast<uint32_t>(std::max(limits_.max_mds, 0));
  takes_everything_ = (limits_.features & PTL_TARGET_BIND_INACCESSIBLE) != 0;
  if (most_bytes_ < plan.chunk) {
    return absl::UnavailableError(absl::StrCat(
        "Portals 4 takes messages of ", most_bytes_, " bytes; a chunk has ",
        plan.chunk, " (GASNET_PORTAL_CHUNK)"));
  }
  return absl::OkStatus();
}

void ConduitInterface::Close() {
  if (std::exchange(has_interface_, false)) {
    const int answer = PtlNIFini(ni_);
    if (answer != PTL_OK) {
      Warn("Portals 4: PtlNIFini failed: %s", AnswerText(answer));
    }
  }
  if (std::exchange(has_library_, false)) PtlFini();
}

absl::Status ConduitInterface::AllocateTables(const Plan& plan) {
  const std::array<size_t, kQueues> events = {
      plan.system_events, plan.safe_events, plan.request_events, kBellEvents};
  for (size_t i = 0; i < kQueues; ++i) {
    const int answer = PtlEQAlloc(ni_, events[i], &queues_[i]);
    if (answer != PTL_OK) {
      return Failed(
          absl::StrCat("a queue of ", events[i], " events (PtlEQAlloc)"),
          answer);
    }
  }
  for (size_t i = 0; i < kTables; ++i) {
    const ptl_pt_index_t wanted = IndexOf(static_cast<PortalTable>(i));
    ptl_pt_index_t got = wanted;
    const int answer = PtlPTAlloc(ni_, kTableRules[i].options,
                                  QueueOf(kTableRules[i].queue), wanted, &got);
    if (answer != PTL_OK) return Failed("PtlPTAlloc", answer);
    if (got != wanted) {
      return absl::UnavailableError(
          absl::StrCat("Portals 4 gave portal table index ", got, " for ",
                       wanted, ", but peers use the latter"));
    }
  }
  return absl::OkStatus();
}

int ConduitInterface::BindMd(void* start, ptl_size_t length, unsigned options,
                             DescriptorWindow& window) {
  ptl_md_t md = {};
  md.start = start;
  md.length = length;
  md.options = options;
  md.eq_handle = QueueOf(Queue::kSafe);
  md.ct_handle = gasneti_portals_no_counter();
  const int answer = PtlMDBind(ni_, &md, &window.handle);
  if (answer != PTL_OK) return answer;
  window.start = reinterpret_cast<uintptr_t>(start);
  bound_.fetch_add(1, std::memory_order_relaxed);
  return answer;
}

// Binds all descriptors over all memory. If one fails, binds none and returns
// false.
bool ConduitInterface::CoverAll() {
  for (size_t i = 0; i < kDescriptors; ++i) {
    if (BindMd(nullptr, gasneti_portals_everything(), kDescriptorOptions[i],
               windows_[i]) == PTL_OK) {
      continue;
    }
    // Releases the descriptors that are already bound. This works, because no
    // operation uses them.
    while (i > 0) {
      if (Release(windows_[i - 1])) --i;
    }
    return false;
  }
  return true;
}

absl::Status ConduitInterface::CoverChunks(std::byte* chunks, size_t bytes) {
  for (const Descriptor each : {Descriptor::kPut, Descriptor::kQuiet}) {
    const auto i = static_cast<size_t>(each);
    const int answer =
        BindMd(chunks, bytes, kDescriptorOptions[i], windows_[i]);
    if (answer == PTL_OK) continue;
    return Failed(
        absl::StrCat("PtlMDBind over ", bytes,
                     " bytes of chunks (none covers all memory; "
                     "GASNET_PORTAL_SB_CHUNKS, GASNET_PORTAL_RPL_CHUNKS and "
                     "GASNET_PORTAL_MSG_LIMIT make fewer of them)"),
        answer);
  }
  // The remaining descriptors are copies of the two bound above. No put is
  // volatile, because most_volatile() is 0.
  const DescriptorWindow& put = window(Descriptor::kPut);
  windows_[static_cast<size_t>(Descriptor::kVolatilePut)] = put;
  windows_[static_cast<size_t>(Descriptor::kGet)] = put;
  windows_[static_cast<size_t>(Descriptor::kVolatileQuiet)] =
      window(Descriptor::kQuiet);
  return absl::OkStatus();
}

// Binds a descriptor. Gets can also use a descriptor for puts, because it
// reports all events of gets.
BindResult ConduitInterface::Bind(void* start, size_t bytes,
                                  DescriptorWindow& window, Descriptor as) {
  const int answer =
      BindMd(start, bytes, kDescriptorOptions[static_cast<size_t>(as)], window);
  if (answer == PTL_OK) return BindResult::kYes;
  return answer == PTL_NO_SPACE ? BindResult::kNoRoom : BindResult::kRefused;
}

bool ConduitInterface::Release(const DescriptorWindow& window) {
  const int answer = PtlMDRelease(window.handle);
  if (answer == PTL_IN_USE) return false;
  if (answer != PTL_OK) {
    Fatal("Portals 4: PtlMDRelease failed: %s", AnswerText(answer));
  }
  bound_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

absl::Status ConduitInterface::SetMap(std::span<const ptl_process_t> ranks) {
  const int answer = PtlSetMap(ni_, ranks.size(), ranks.data());
  // PTL_IGNORED: the launcher has already set the map.
  if (answer != PTL_OK && answer != PTL_IGNORED) {
    return Failed("PtlSetMap", answer);
  }
  return absl::OkStatus();
}

int ConduitInterface::Link(const PortalEntry& entry, unsigned options) {
  ptl_me_t me = {};
  me.start = entry.start;
  me.length = entry.length;
  me.ct_handle =
      entry.counter != nullptr ? *entry.counter : gasneti_portals_no_counter();
  me.uid = uid_;
  me.options = entry.options | options;
  me.match_id = gasneti_portals_any_rank();
  me.match_bits = entry.match_bits;
  me.ignore_bits = entry.ignore_bits;
  me.min_free = entry.min_free;
  ptl_handle_me_t handle;
  return PtlMEAppend(ni_, IndexOf(entry.table), &me, PTL_PRIORITY_LIST,
                     entry.user, &handle);
}

absl::Status ConduitInterface::Append(const PortalEntry& entry) {
  if (const int answer = Link(entry, 0); answer != PTL_OK) {
    return Failed("PtlMEAppend", answer);
  }
  ++unlinked_;
  if (entry.table == PortalTable::kBell) awaits_bell_.store(true);
  return absl::OkStatus();
}

bool ConduitInterface::AppendAgain(const PortalEntry& entry) {
  const int answer = Link(entry, PTL_ME_EVENT_LINK_DISABLE);
  if (answer == PTL_OK) return true;
  if (answer != PTL_NO_SPACE) {
    Fatal("Portals 4: a receive buffer cannot be appended again: %s",
          AnswerText(answer));
  }
  return false;
}

bool ConduitInterface::IsOf(const ptl_event_t& event, PortalTable table) {
  return static_cast<ptl_pt_index_t>(event.pt_index) == IndexOf(table);
}

void ConduitInterface::Enable(PortalTable table) {
  const int answer = PtlPTEnable(ni_, IndexOf(table));
  if (answer != PTL_OK) {
    Fatal("Portals 4: PtlPTEnable of index %u failed: %s",
          static_cast<unsigned>(IndexOf(table)), AnswerText(answer));
  }
}

void ConduitInterface::CheckTaken(Queue queue, int answer) {
  if (answer == PTL_OK) return;
  if (answer == PTL_EQ_DROPPED) {
    Fatal("Portals 4: events of the %s queue were lost: it is too short",
          NameOf(queue));
  }
  Fatal("Portals 4: the %s queue cannot be read: %s", NameOf(queue),
        AnswerText(answer));
}

bool ConduitInterface::Await(std::span<const Queue> queues, int milliseconds,
                             Queue& which, ptl_event_t& event) {
  std::array<ptl_handle_eq_t, kQueues> handles;
  for (size_t i = 0; i < queues.size(); ++i) handles[i] = QueueOf(queues[i]);
  unsigned index = 0;
  const int answer =
      PtlEQPoll(handles.data(), static_cast<unsigned>(queues.size()),
                static_cast<ptl_time_t>(milliseconds), &event, &index);
  if (answer == PTL_EQ_EMPTY) return false;
  which = queues[index];
  CheckTaken(which, answer);
  if (event.type != PTL_EVENT_LINK) return true;
  NoteLink(event);
  return false;
}

void ConduitInterface::SendEmpty(const RemoteTarget& to, void* user) {
  const DescriptorWindow& quiet = window(Descriptor::kQuiet);
  Put(quiet, reinterpret_cast<const void*>(quiet.start), 0, to, user);
}

void ConduitInterface::Put(const DescriptorWindow& window, const void* from,
                           size_t nbytes, const RemoteTarget& to, void* user) {
  ptl_process_t target = {};
  target.rank = static_cast<ptl_rank_t>(to.peer);
  const int answer =
      PtlPut(window.handle, reinterpret_cast<uintptr_t>(from) - window.start,
             nbytes, PTL_ACK_REQ, target, IndexOf(to.table), to.match_bits,
             to.offset, user, to.header_data);
  if (answer != PTL_OK) [[unlikely]] {
    Fatal(
        "Portals 4: PtlPut of %zu bytes to rank %u, portal table index %u, "
        "failed: %s",
        nbytes, to.peer, static_cast<unsigned>(IndexOf(to.table)),
        AnswerText(answer));
  }
}

void ConduitInterface::PutAt(ptl_handle_ct_t counter, uint64_t count,
                             Descriptor descriptor, const RemoteTarget& to,
                             void* user) {
  ptl_process_t target = {};
  target.rank = static_cast<ptl_rank_t>(to.peer);
  const int answer = PtlTriggeredPut(
      window(descriptor).handle, 0, 0, PTL_ACK_REQ, target, IndexOf(to.table),
      to.match_bits, to.offset, user, to.header_data, counter, count);
  if (answer != PTL_OK) [[unlikely]] {
    Fatal("Portals 4: PtlTriggeredPut to rank %u failed: %s", to.peer,
          AnswerText(answer));
  }
}

void ConduitInterface::Get(const DescriptorWindow& window, void* to,
                           size_t nbytes, const RemoteTarget& from,
                           void* user) {
  ptl_process_t target = {};
  target.rank = static_cast<ptl_rank_t>(from.peer);
  const int answer = PtlGet(
      window.handle, reinterpret_cast<uintptr_t>(to) - window.start, nbytes,
      target, IndexOf(from.table), from.match_bits, from.offset, user);
  if (answer != PTL_OK) [[unlikely]] {
    Fatal("Portals 4: PtlGet of %zu bytes from rank %u failed: %s", nbytes,
          from.peer, AnswerText(answer));
  }
}

}  // namespace gasnet::portals_conduit
