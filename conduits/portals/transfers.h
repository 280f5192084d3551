// Puts, gets and atomics by Portals: an rma::Rma. Each transfer is one
// operation of Portals, and has a record from a fixed pool.
//
//   free --Post--> under way --its event--> free
//
// If descriptors cover all memory, sources are sent in place. If the source of
// a put must be reusable before the put completes, the put is volatile, up to
// the size that Portals supports. A larger put gives its source back when it
// completes.
//
// If no descriptor covers all memory, a transfer holds a piece of
// local_memory.h. The transfer may then move only the first bytes: those that
// one descriptor covers, or that fit into a bounce buffer. A source that is
// copied to a bounce buffer is reusable at once.
//
// The operands and the result of an atomic are words among the chunks of
// messages, which a descriptor covers in any case. A client's atomic is one
// operation of Portals. SET and CAS are swaps whose result is ignored.
//
// Thread-safe.
#ifndef CONDUITS_PORTALS_TRANSFERS_H_
#define CONDUITS_PORTALS_TRANSFERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/local_memory.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/pool.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/tagged.h"
#include "core/rma/atomic.h"
#include "core/rma/completion.h"
#include "core/rma/pending_count.h"
#include "core/rma/rma.h"
#include "core/segment.h"

namespace gasnet::portals_conduit {

class PortalsTransfers final : public rma::Rma {
 public:
  PortalsTransfers(ConduitInterface& interface, OpSlots& op_slots,
                   PortalsStatistics& statistics,
                   const PortalsSettings& settings)
      : interface_(interface),
        op_slots_(op_slots),
        statistics_(statistics),
        pool_(settings.msg_limit),
        local_(interface.covers_all() ? nullptr
                                      : std::make_unique<LocalMemory>(
                                            interface, settings, statistics)) {}

  absl::Status Start() {
    return local_ == nullptr ? absl::OkStatus() : local_->Start();
  }
  // Sets the segments. `segments` is indexed by rank, and has size 0 for each
  // rank that Portals does not reach. coherent[rank] is true if atomics there
  // are coherent with the processor's. `mine` is this rank's own segment.
  void SetSegments(std::vector<Segment> segments, std::vector<bool> coherent,
                   const Segment& mine) {
    segments_ = std::move(segments);
    coherent_ = std::move(coherent);
    if (local_ != nullptr) local_->CoverSegment(mine);
  }

  // Overrides of rma::Rma.
  rma::Posted Post(const rma::Put& put) override;
  rma::Posted Post(const rma::Get& get) override;
  bool Reaches(Rank peer) const override {
    return peer < segments_.size() && segments_[peer].size > 0;
  }
  const rma::Thresholds& thresholds() const override { return thresholds_; }
  bool HasAtomics(Rank peer) const override {
    return Reaches(peer) && coherent_[peer];
  }
  rma::PostState PostAtomic(const rma::Atomic& atomic) override;

  // Sets the memory for the words of atomics: words_bytes() bytes, aligned like
  // a record. Called before the first atomic.
  size_t words_bytes() const { return pool_.size() * sizeof(AtomicWords); }
  void SetWords(std::byte* memory) {
    words_ = reinterpret_cast<AtomicWords*>(memory);
  }

  // Returns true if the payload of a Long can go as one put.
  bool GoesWhole(const void* payload, size_t nbytes) const {
    return local_ == nullptr || local_->WindowOf(payload, nbytes) != nullptr;
  }
  // Posts the payload of a Long as one put (GoesWhole), to an entry that
  // reports the payload's arrival. Takes over an op slot of the caller.
  void PostLong(const rma::Put& put, PortalTable table, uint64_t match_bits,
                uint64_t header_data);
  // Posts a refused payload of a Long again. `user` is the user pointer of its
  // event.
  void PostAgain(void* user);
  // Puts to the segment a part of a Long's payload that cannot go as one put.
  // Takes over an op slot of the caller, unless it returns kRetry.
  rma::Posted PostPart(const rma::Put& put) {
    return PostInPart(put, /*of_long=*/true);
  }

  // Fetches a part of a message's payload from the sender's offer. Used if no
  // descriptor covers all memory. The caller has an op slot, and keeps it.
  rma::Posted PostFetch(const rma::Get& get, const RemoteTarget& from) {
    return PostInPart(get, from, /*has_op_slot=*/false);
  }

  // Gives up a transfer to a peer that can no longer be reached. The transfer
  // never completes, except the payload of a Long. Completing that payload only
  // frees its source, and no thread waits for its arrival.
  void Abandon(void* user);

  // Completes the transfer that an event reports.
  void Complete(const ptl_event_t& event);
  // Describes a transfer, such as "put of 8 bytes to rank 3".
  static std::string Describe(void* user);
  static Rank PeerOf(void* user);

  // Returns true if any transfer is under way, or may be under way. May be
  // called at any time, also in signal handlers.
  bool IsBusy() { return pool_.MayBeUsed(); }

 private:
  // kFetch is an atomic with a result.
  enum class Kind : uint8_t { kPut, kGet, kAtomic, kFetch };

  struct alignas(kRecordAlignment) Transfer {
    Kind kind = Kind::kPut;
    bool of_long = false;
    bool has_op_slot = true;
    Hold hold;
    Rank peer = 0;
    size_t nbytes = 0;
    rma::Completion completion;
    rma::PendingCount* sources = nullptr;
    // The whole payload of a Long and its target. Kept so that a refused
    // payload can be posted again.
    const void* from = nullptr;
    RemoteTarget to;
    // The destination of a get that uses a bounce buffer, or of an atomic's
    // result.
    void* dest = nullptr;
  };

  // The memory of an atomic for Portals. Separate from others' cache lines.
  struct alignas(kRecordAlignment) AtomicWords {
    uint64_t operand;
    uint64_t compared;
    uint64_t fetched;
  };
  AtomicWords& WordsOf(const Transfer& transfer) {
    return words_[pool_.IndexOf(transfer)];
  }

  Transfer& Begin(Kind kind, Rank peer, size_t nbytes,
                  rma::PendingCount* complete, rma::PendingCount* sources);
  void Give(Transfer& transfer);
  void PutWhole(Transfer& transfer, void* user);
  // Post a put or get of the first bytes. Used if no descriptor covers all
  // memory.
  rma::Posted PostInPart(const rma::Put& put, bool of_long);
  rma::Posted PostInPart(const rma::Get& get, const RemoteTarget& from,
                         bool has_op_slot);
  rma::Posted OrGiveOpSlot(const rma::Posted& posted);
  // Ends the job because not all bytes were moved. Out of line, because it
  // makes a string.
  [[noreturn, gnu::cold, gnu::noinline]] static void EndShort(
      const ptl_event_t& event);
  void TakeOut(Transfer& transfer);
  void Return(Transfer& transfer);
  bool TakeOpSlot() {
    if (op_slots_.Take()) return true;
    statistics_.Note(Counted::kNoOpSlot);
    return false;
  }
  RemoteTarget TargetOf(Rank peer, const void* remote) const {
    return {
        .peer = peer,
        .table = PortalTable::kSegment,
        .offset = reinterpret_cast<uintptr_t>(remote) - segments_[peer].base};
  }

  ConduitInterface& interface_;
  OpSlots& op_slots_;
  PortalsStatistics& statistics_;
  const rma::Thresholds thresholds_;
  Pool<Transfer> pool_;
  // Null if descriptors cover all memory.
  const std::unique_ptr<LocalMemory> local_;
  std::vector<Segment> segments_;
  std::vector<bool> coherent_;  // indexed by rank
  AtomicWords* words_ = nullptr;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_TRANSFERS_H_
