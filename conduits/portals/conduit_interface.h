// The Portals interface of this rank, with the parts that the conduit uses:
// four event queues, nine portal table entries, and memory descriptors.
//
// The descriptors cover all memory, if Portals can bind such descriptors. If it
// cannot, two descriptors stay bound over the conduit's own chunks, others are
// bound and released as needed (local_memory.h), and no put is volatile.
//
//   queue      polled       events
//   kSystem    first        messages of the conduit itself
//   kSafe      next         completions and replies; they need no resources
//   kRequests  last         requests, if there is room for a reply
//   kBell      by sleepers  puts of this rank that wake its own thread (bell.h)
//
//   entry      events to    takes
//   kSegment   kSystem      puts, gets and atomics of peers; no event
//   kRequests  kRequests    requests, packed into receive buffers
//   kReplies   kSafe        replies, to the chunk of their request
//   kLongs     kRequests    payloads of requests, to the segment
//   kReplyLongs kSafe       payloads of replies, to the segment
//   kSystem    kSystem      messages without a body
//   kBell      kBell        messages without a body, from this rank to itself
//   kBarrier   kSystem      votes of barriers (barrier.h); they cause no event
//   kOffers    kSafe        gets of payloads that peers fetch (offers.h)
//
// Functions that only run during set-up return a Status. A later error ends the
// job with a message that names the operation, the rank and the reason. This
// class is as thread-safe as Portals.
#ifndef CONDUITS_PORTALS_CONDUIT_INTERFACE_H_
#define CONDUITS_PORTALS_CONDUIT_INTERFACE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/provider.h"
#include "conduits/portals/settings.h"
#include "core/rank.h"

namespace gasnet::portals_conduit {

enum class Queue : uint8_t { kSystem, kSafe, kRequests, kBell };
inline constexpr size_t kQueues = 4;

enum class PortalTable : uint8_t {
  kSegment,
  kRequests,
  kReplies,
  kSystem,
  kBell,
  kLongs,
  kReplyLongs,
  kBarrier,
  kOffers,
};
inline constexpr size_t kTables = 9;

// The kinds of descriptors. An operation through a quiet descriptor causes an
// event only if it fails. An operation through another descriptor causes an
// event when it ends. With a volatile descriptor, the source of up to
// `most_volatile` bytes may be reused at once.
enum class Descriptor : uint8_t {
  kPut,
  kVolatilePut,
  kGet,
  kQuiet,
  kVolatileQuiet
};
inline constexpr size_t kDescriptors = 5;

// A descriptor, and the start of the memory that it covers.
struct DescriptorWindow {
  ptl_handle_md_t handle;
  uintptr_t start;
};

// The result of Bind(). kNoRoom means that no more descriptors are allowed.
// kRefused means that Portals does not bind this memory, or not that much.
enum class BindResult : uint8_t { kYes, kNoRoom, kRefused };

// The peer that an operation addresses, and the place in the peer's memory.
struct RemoteTarget {
  Rank peer = 0;
  PortalTable table = PortalTable::kSegment;
  uint64_t offset = 0;
  uint64_t match_bits = 0;
  uint64_t header_data = 0;
};

// Memory that peers can reach through a portal table entry.
struct PortalEntry {
  PortalTable table = PortalTable::kSegment;
  void* start = nullptr;
  ptl_size_t length = 0;
  unsigned options = 0;
  ptl_size_t min_free = 0;
  void* user = nullptr;
  // The match bits of messages for this entry. Bits in ignore_bits are not
  // compared.
  uint64_t match_bits = 0;
  uint64_t ignore_bits = ~uint64_t{0};
  const ptl_handle_ct_t* counter = nullptr;
};

// An atomic operation of Portals on one item. is_swap: the operation is one of
// PtlSwap. The local memory lies among the chunks.
struct PortalsAtomic {
  ptl_op_t operation;
  ptl_datatype_t type;
  size_t nbytes;
  bool is_swap;
  const void* source;
  void* fetched;         // null: the previous item is not fetched
  const void* compared;  // the operand of a comparing swap
};

class ConduitInterface {
 public:
  static absl::StatusOr<std::unique_ptr<ConduitInterface>> Open(
      const PortalsSettings& settings, const Plan& plan);

  ~ConduitInterface() { Close(); }
  ConduitInterface(const ConduitInterface&) = delete;
  ConduitInterface& operator=(const ConduitInterface&) = delete;
  // Closes the interface and everything made on it. Afterwards Portals reaches
  // no memory of this process, and no other function may be called.
  void Close();

  // Returns the handle, for code that uses Portals directly (barrier.h).
  ptl_handle_ni_t ni() const { return ni_; }
  const ptl_ni_limits_t& limits() const { return limits_; }
  // Returns the index of a portal table entry. All ranks use equal indexes.
  static constexpr ptl_pt_index_t IndexOf(PortalTable table) {
    constexpr ptl_pt_index_t kFirst = 16;
    return kFirst + static_cast<ptl_pt_index_t>(table);
  }

  ptl_process_t id() const { return id_; }
  absl::Status SetMap(std::span<const ptl_process_t> ranks);

  size_t most_bytes() const { return most_bytes_; }
  size_t most_volatile() const { return most_volatile_; }
  // Returns true if an entry may cover memory that is not present.
  bool takes_everything() const { return takes_everything_; }

  // Returns true if atomics of peers on memory of this rank are coherent with
  // the atomic operations of its processor.
  bool has_coherent_atomics() const;

  // Returns true if every descriptor covers all memory.
  bool covers_all() const { return covers_all_; }
  // most_bound returns the maximum number of bound descriptors, bound the
  // current number. Used only if no descriptor covers all memory.
  uint32_t most_bound() const { return most_bound_; }
  uint32_t bound() const { return bound_.load(std::memory_order_relaxed); }
  // Binds descriptors over the memory that messages are sent from. Called only
  // during set-up.
  absl::Status CoverChunks(std::byte* chunks, size_t bytes);
  // Binds a descriptor for operations from and to the memory at `start`. The
  // descriptor causes the events of kind `as`.
  BindResult Bind(void* start, size_t bytes, DescriptorWindow& window,
                  Descriptor as = Descriptor::kPut);
  // Releases a descriptor. Returns false if Portals still uses the descriptor.
  // The caller then tries again.
  bool Release(const DescriptorWindow& window);

  // Append() begins to link an entry. AwaitLinks() returns when all appended
  // entries are linked. Other threads may poll during AwaitLinks().
  //
  // AwaitLinks() keeps events of messages that arrive while it waits for later
  // polls. It leaves rings of the bell in their queue, because the sleeper
  // looks only in this queue. It takes rings only while it waits for the link
  // of the bell's own entry.
  absl::Status Append(const PortalEntry& entry);
  absl::Status AwaitLinks();
  // Appends an entry without waiting for its link. Returns false if there is no
  // room for the entry now.
  bool AppendAgain(const PortalEntry& entry);

  // Returns true if an event belongs to the entry `table`.
  static bool IsOf(const ptl_event_t& event, PortalTable table);

  // Enables a portal table entry that Portals has disabled.
  void Enable(PortalTable table);

  // Sends a message without a payload.
  void SendEmpty(const RemoteTarget& to, void* user);
  const DescriptorWindow& window(Descriptor descriptor) const {
    return windows_[static_cast<size_t>(descriptor)];
  }
  void Put(const DescriptorWindow& window, const void* from, size_t nbytes,
           const RemoteTarget& to, void* user);
  void Put(Descriptor descriptor, const void* from, size_t nbytes,
           const RemoteTarget& to, void* user) {
    Put(window(descriptor), from, nbytes, to, user);
  }
  // Makes Portals put a message without a payload when the counter reaches
  // `count`.
  void PutAt(ptl_handle_ct_t counter, uint64_t count, Descriptor descriptor,
             const RemoteTarget& to, void* user);
  void Get(const DescriptorWindow& window, void* to, size_t nbytes,
           const RemoteTarget& from, void* user);
  void Get(void* to, size_t nbytes, const RemoteTarget& from, void* user) {
    Get(window(Descriptor::kGet), to, nbytes, from, user);
  }

  // Begins an atomic. Causes one event when the atomic is complete.
  void Operate(const PortalsAtomic& atomic, const RemoteTarget& to, void* user);

  // Takes the next event of a queue. Returns false if the queue has none.
  bool Next(Queue queue, ptl_event_t& event) {
    if (kept_count_.load(std::memory_order_relaxed) > 0) [[unlikely]] {
      if (TakeKept(queue, event)) return true;
    }
    while (Get(queue, event)) {
      if (event.type != PTL_EVENT_LINK) [[likely]]
        return true;
      NoteLink(event);
    }
    return false;
  }
  // Waits for an event of one of `queues`, for at most `milliseconds`. Sets
  // `which` to the queue of the event. Returns false if no event has arrived.
  bool Await(std::span<const Queue> queues, int milliseconds, Queue& which,
             ptl_event_t& event);

 private:
  bool Get(Queue queue, ptl_event_t& event) {
    const int answer = PtlEQGet(QueueOf(queue), &event);
    if (answer == PTL_EQ_EMPTY) [[likely]]
      return false;
    CheckTaken(queue, answer);
    return true;
  }
  // Counts the link event of an entry that AwaitLinks() waits for.
  void NoteLink(const ptl_event_t& event);
  void Keep(Queue queue, const ptl_event_t& event)
      ABSL_LOCKS_EXCLUDED(kept_mutex_);
  bool TakeKept(Queue queue, ptl_event_t& event)
      ABSL_LOCKS_EXCLUDED(kept_mutex_);
  ConduitInterface() = default;

  absl::Status Init(const PortalsSettings& settings, const Plan& plan);
  absl::Status AllocateTables(const Plan& plan);
  ptl_handle_eq_t QueueOf(Queue queue) const {
    return queues_[static_cast<size_t>(queue)];
  }
  bool CoverAll();
  int BindMd(void* start, ptl_size_t length, unsigned options,
             DescriptorWindow& window);
  int Link(const PortalEntry& entry, unsigned options);
  static void CheckTaken(Queue queue, int answer);

  bool has_library_ = false;
  bool has_interface_ = false;
  ptl_handle_ni_t ni_;
  ptl_ni_limits_t limits_ = {};
  ptl_process_t id_;
  ptl_uid_t uid_;
  std::array<ptl_handle_eq_t, kQueues> queues_;
  std::array<DescriptorWindow, kDescriptors> windows_ = {};
  size_t most_bytes_ = 0;
  size_t most_volatile_ = 0;
  bool takes_everything_ = false;
  bool covers_all_ = false;
  uint32_t most_bound_ = 0;
  std::atomic<uint32_t> bound_{0};        // relaxed: only a count
  std::atomic<unsigned> unlinked_{0};     // entries whose links are awaited
  std::atomic<bool> awaits_bell_{false};  // also awaits the link of the bell
  std::atomic<bool> link_failed_{false};
  // Events that AwaitLinks() has taken from the queues, indexed by queue, in
  // the order in which they arrived.
  std::atomic<size_t> kept_count_{0};
  absl::Mutex kept_mutex_;
  std::array<std::deque<ptl_event_t>, kQueues> kept_
      ABSL_GUARDED_BY(kept_mutex_);
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_CONDUIT_INTERFACE_H_
