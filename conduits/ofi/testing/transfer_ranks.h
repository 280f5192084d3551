// Ranks in one process over the fake fabric that can also put and get. The
// segment of a rank is all of the rank's memory.
#ifndef CONDUITS_OFI_TESTING_TRANSFER_RANKS_H_
#define CONDUITS_OFI_TESTING_TRANSFER_RANKS_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/test_ranks.h"
#include "conduits/ofi/transfers.h"
#include "core/rma/pending_count.h"
#include "core/rma/rma.h"

namespace gasnet::ofi::testing {

class TransferRanks {
 public:
  TransferRanks(const FakeFabricOptions& options, Rank ranks)
      : ranks_(options, ranks) {
    std::vector<RemoteMemory> peers(ranks);
    std::vector<Registered> own;
    for (Rank rank = 0; rank < ranks; ++rank) {
      OfiEndpoint& endpoint = ranks_[rank].endpoint();
      const Segment segment = SegmentOf(rank);
      const absl::StatusOr<Registered> made = endpoint.RegisterSegment(segment);
      EXPECT_TRUE(made.ok()) << made.status();
      own.push_back(*made);
      peers[rank] = {made->key,
                     endpoint.paths().virtual_addresses ? segment.base : 0,
                     segment};
    }
    for (Rank rank = 0; rank < ranks; ++rank) {
      OfiTransfers& made = transfers_.emplace_back(ranks_[rank].endpoint(),
                                                   ranks_[rank].clock());
      EXPECT_TRUE(made.Start().ok());
      made.SetMemory(SegmentOf(rank), own[rank], peers);
      ranks_[rank].on_transfer = [&made](OperationContext& context) {
        made.Complete(context);
      };
      ranks_[rank].handler = [](TestRank&, const am::Incoming&) {};
    }
  }

  OfiTransfers& operator[](Rank rank) { return transfers_[rank]; }
  TestRanks& ranks() { return ranks_; }
  FakeFabric& fabric() { return ranks_.fabric(); }
  std::byte* Memory(Rank rank, size_t offset = 0) {
    return ranks_[rank].memory().data() + offset;
  }
  Segment SegmentOf(Rank rank) {
    return {reinterpret_cast<uintptr_t>(Memory(rank)),
            ranks_[rank].memory().size()};
  }

  // Posts the whole request, in as many transfers as necessary.
  template <class Request>
  void PostAll(Rank from, Request request) {
    for (size_t left = request.nbytes; left > 0;) {
      request.nbytes = left;
      const rma::Posted posted = transfers_[from].Post(request);
      if (posted.state == rma::PostState::kRetry) {
        ASSERT_EQ(posted.nbytes, 0u);
        PollAll();
        continue;
      }
      ASSERT_GT(posted.nbytes, 0u);
      ASSERT_LE(posted.nbytes, left);
      left -= posted.nbytes;
      request.dest = static_cast<std::byte*>(request.dest) + posted.nbytes;
      request.src = static_cast<const std::byte*>(request.src) + posted.nbytes;
    }
  }
  void Await(const rma::PendingCount& counter) {
    for (int polls = 0; !counter.IsOver(); ++polls) {
      ASSERT_LT(polls, 100000);
      PollAll();
    }
  }
  void PollAll() {
    ranks_.PollAll();
    for (OfiTransfers& each : transfers_) each.CatchUp();
  }

 private:
  TestRanks ranks_;
  std::deque<OfiTransfers> transfers_;
};

}  // namespace gasnet::ofi::testing

#endif  // CONDUITS_OFI_TESTING_TRANSFER_RANKS_H_
