// Transfers that the network performs by itself (core/rma/rma.h).
//
// A small memset becomes a put of bytes that this rank generates.
//
// An Iop counts each transfer, as one of its parts or as its only part. If the
// network has no room for a transfer, the call serves the network until there
// is room, unless the transfer is part of an Attempt. A put whose source must
// be reusable when the call returns serves the network until the source has
// been read.
#ifndef EXTENDED_NATIVE_H_
#define EXTENDED_NATIVE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/am/wait.h"
#include "core/observe/seam.h"
#include "core/reference_only.h"
#include "core/rma/atomic.h"
#include "core/rma/pending_count.h"
#include "core/rma/rma.h"
#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "extended/attempt.h"
#include "extended/operations.h"

namespace gasnet::extended {

class Native final : public Layer {
 public:
  static constexpr LayerName kName = LayerName::kNativeTransfers;
  // Returns the native transfers of this rank.
  static Native& Mine() { return runtime->layer<Native>(); }

  // Reads the abilities of the network. Call it after the job is attached.
  void Start() {
    rma_ = IsReferenceOnly() ? nullptr : runtime->rma();
    const Rank ranks = runtime->job().size();
    has_atomics_.assign(ranks, false);
    if (rma_ == nullptr) return;
    thresholds_ = rma_->thresholds();
    reaches_.resize(ranks);
    for (Rank rank = 0; rank < ranks; ++rank) {
      reaches_[rank] = rma_->Reaches(rank);
      has_atomics_[rank] = rma_->HasAtomics(rank);
    }
  }

  // Return true if the network itself performs a transfer of this kind and
  // size.
  bool Puts(Rank node, size_t nbytes) const {
    return nbytes >= thresholds_.put && reaches_[node];
  }
  bool Gets(Rank node, size_t nbytes) const {
    return nbytes >= thresholds_.get && reaches_[node];
  }
  bool Fills(Rank node, size_t nbytes) const {
    return nbytes <= rma::kMaxFill && nbytes <= thresholds_.fill &&
           Puts(node, nbytes);
  }

  // Returns true if the network itself performs atomics on the node's segment.
  bool HasAtomics(Rank node) const { return has_atomics_[node]; }

  // Start transfers as parts of iop; nbytes is not 0.
  void Put(Iop& iop, Rank node, void* dest, const void* src, size_t nbytes,
           Source source, Attempt* attempt = nullptr) {
    rma::PendingCount sources;
    const bool stays = source == Source::kStays;
    PostAll(rma::Put{node, dest, src, nbytes, &iop.native_puts,
                     stays ? nullptr : &sources},
            attempt);
    if (!sources.IsOver()) {
      runtime->engine().WaitUntil([&] { return sources.IsOver(); },
                                  am::WaitForTransfers{node});
    }
  }
  void Get(Iop& iop, void* dest, Rank node, const void* src, size_t nbytes,
           Attempt* attempt = nullptr) {
    PostAll(rma::Get{node, dest, src, nbytes, &iop.native_gets}, attempt);
  }

  void Fill(Iop& iop, Rank node, void* dest, int value, size_t nbytes) {
    std::array<std::byte, rma::kMaxFill> bytes;
    std::memset(bytes.data(), value, nbytes);
    Put(iop, node, dest, bytes.data(), nbytes, Source::kReusable);
  }

  // Starts an atomic. Its counter is one of an Iop.
  void Atomic(const rma::Atomic& atomic, Attempt* attempt) {
    if (attempt != nullptr) [[unlikely]] {
      attempt->PostAtomic(*rma_, atomic);
      return;
    }
    UntilPosted(atomic.peer, [&] {
      return rma_->PostAtomic(atomic) != rma::PostState::kRetry;
    });
  }

  // Start transfers as operations of their own. The functions return the
  // operation to sync, or null if the operation is refused.
  Operation* Put(Rank node, void* dest, const void* src, size_t nbytes,
                 Source source, Attempt* attempt) {
    Iop& iop = Operations::Mine().TakeIop();
    Put(iop, node, dest, src, nbytes, source, attempt);
    return Operations::Mine().KeepUnless(IsRefused(attempt), iop);
  }
  Operation* Get(void* dest, Rank node, const void* src, size_t nbytes,
                 Attempt* attempt) {
    Iop& iop = Operations::Mine().TakeIop();
    Get(iop, dest, node, src, nbytes, attempt);
    return Operations::Mine().KeepUnless(IsRefused(attempt), iop);
  }
  Operation& Fill(Rank node, void* dest, int value, size_t nbytes) {
    Iop& iop = Operations::Mine().TakeIop();
    Fill(iop, node, dest, value, nbytes);
    return iop;
  }

 private:
  template <class Request>
  void PostAll(Request request, Attempt* attempt) {
    if (attempt != nullptr) [[unlikely]] {
      attempt->Post(*rma_, request);
      return;
    }
    for (;;) {
      const size_t taken = PostSome(request);
      if (taken == request.nbytes) return;
      request.nbytes -= taken;
      request.dest = static_cast<std::byte*>(request.dest) + taken;
      request.src = static_cast<const std::byte*>(request.src) + taken;
    }
  }

  // Posts bytes from the front of the transfer, and waits until at least one is
  // posted. Returns how many were posted.
  template <class Request>
  size_t PostSome(const Request& request) {
    rma::Posted posted;
    UntilPosted(request.peer, [&] {
      posted = rma_->Post(request);
      return posted.state != rma::PostState::kRetry;
    });
    return posted.nbytes;
  }

  // Calls `post` until it returns true, and serves the network meanwhile.
  template <class Post>
  static void UntilPosted(Rank peer, Post post) {
    if (post()) [[likely]]
      return;
    observe::ObservedWait observed;
    observed.Begin();
    am::Wait wait;
    do {
      runtime->engine().WaitStep(wait, am::EndedBy::kEvents,
                                 am::WaitForTransfers{peer});
    } while (!post());
    runtime->engine().EndWait(wait);
    observed.End(am::WaitForTransfers{peer});
  }

  // These members are constant once the job is attached. rma_ is null if the
  // network performs no transfers. The thresholds are then too high for any
  // transfer.
  rma::Rma* rma_ = nullptr;
  rma::Thresholds thresholds_{.put = SIZE_MAX, .get = SIZE_MAX};
  // by rank: true if the network reaches the rank's segment
  std::vector<bool> reaches_;
  // by rank: true if the network performs atomics on the rank's segment
  std::vector<bool> has_atomics_;
};

}  // namespace gasnet::extended

#endif  // EXTENDED_NATIVE_H_
