// Puts and gets by Portals: an rma::Rma, one operation each, with a record from
// a fixed number.
//
//   free --Post--> under way --its event--> free
//
// Descriptors lie over all memory, so that sources are sent from where they
// are. A put whose source is wanted back sooner is volatile as far as Portals
// has that; a larger one gives its source back when it is complete. Any
// threads.
#ifndef CONDUITS_PORTALS_TRANSFERS_H_
#define CONDUITS_PORTALS_TRANSFERS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conduits/portals/interface.h"
#include "conduits/portals/pool.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/tickets.h"
#include "core/rma/rma.h"
#include "core/rma/under_way.h"
#include "core/segment.h"

namespace gasnet::portals {

class Transfers {
 public:
  // most: under way at once.
  Transfers(Interface& interface, Tickets& tickets, Statistics& statistics,
            size_t most)
      : interface_(interface),
        tickets_(tickets),
        statistics_(statistics),
        pool_(most) {}

  // By rank; of those that are not reached, size 0.
  void SetSegments(std::vector<Segment> segments) {
    segments_ = std::move(segments);
  }

  // rma::Rma.
  rma::Posted Post(const rma::Put& put);
  rma::Posted Post(const rma::Get& get);
  bool Reaches(Rank peer) const {
    return peer < segments_.size() && segments_[peer].size > 0;
  }
  const rma::Thresholds& thresholds() const { return thresholds_; }

  // The ticket is the caller's, and the transfer's from then on.
  rma::Posted PostWithTicket(const rma::Put& put);

  // The payload of a Long, to an entry that tells of it; the same.
  void PostLong(const rma::Put& put, Table table, uint64_t match_bits,
                uint64_t header_data);
  // It was refused: `user` is of its event.
  void PostAgain(void* user);

  // The peer is not reached any more. It is never complete, but for the payload
  // of a Long: nobody waits for a message.
  void Abandon(void* user);

  // Of its event.
  void Complete(const ptl_event_t& event);
  // "put of 8 bytes to rank 3"
  static std::string Describe(void* user);
  static Rank PeerOf(void* user);

  // Whether any is under way; true as well where that cannot be told now. Any
  // time, signal handlers included.
  bool IsBusy() { return pool_.MayBeUsed(); }

 private:
  struct alignas(kRecordAlignment) Transfer {
    bool is_put = false;
    Rank peer = 0;
    size_t nbytes = 0;
    rma::UnderWay* complete = nullptr;
    rma::UnderWay* sources = nullptr;
    // Of a Long's payload, to post it again.
    const void* from = nullptr;
    Target to;
  };

  Transfer& Begin(bool is_put, Rank peer, size_t nbytes,
                  rma::UnderWay* complete, rma::UnderWay* sources);
  void Give(Transfer& transfer);
  bool TakeTicket() {
    if (tickets_.Take()) return true;
    statistics_.Note(Counted::kNoTicket);
    return false;
  }
  Target TargetOf(Rank peer, const void* remote) const {
    return {
        .peer = peer,
        .table = Table::kSegment,
        .offset = reinterpret_cast<uintptr_t>(remote) - segments_[peer].base};
  }

  Interface& interface_;
  Tickets& tickets_;
  Statistics& statistics_;
  const rma::Thresholds thresholds_;
  Pool<Transfer> pool_;
  std::vector<Segment> segments_;
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_TRANSFERS_H_
