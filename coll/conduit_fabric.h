// The fabric of a conduit, made of active messages, mapped segments and the
// extended API.
//
// A generalized put or get is an Iop that belongs to the fabric, not to a
// thread's Operations. One driving thread may begin the Iop and another thread
// may find that it is done. The first thread may have ended by then. This works
// because the fabric uses only the counters of an Iop. The driving thread
// counts the transfers that it begins. Driving threads are ordered one after
// the other (driving.h). Any polling thread counts completed transfers, with
// release order; IsDone acquires. Transfers that are messages use records of
// the thread that began them. Any thread can return these records to their
// owner (extended/operations.h). No client has a handle of such an Iop.
//
// Beginning a transfer needs room in the network, as any request does. If there
// is no room, the call serves the network until there is room.
#ifndef COLL_CONDUIT_FABRIC_H_
#define COLL_CONDUIT_FABRIC_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

#include "base/clock.h"
#include "base/cpu.h"
#include "coll/fabric.h"
#include "coll/handler_indices.h"
#include "coll/tuning.h"
#include "core/observe/seam.h"
#include "core/runtime/runtime.h"
#include "extended/operation.h"
#include "extended/transfers.h"
#include "extended/wire.h"
#include "gasnet/abi.h"

namespace gasnet::coll {

class ConduitFabric final : public Fabric {
 public:
  void Send(Rank peer, const CollHeader& header, const std::byte* bytes,
            size_t nbytes) override {
    const HeaderWords words = Pack(header);
    const bool is_long = header.type == MessageType::kOffer ||
                         header.type == MessageType::kReady;
    am::Message message = {.args = words.data()};
    message.handler = is_long ? kCollLongRequest : kCollRequest;
    message.num_args = is_long ? kLongHeaderWords : kHeaderWords;
    if (nbytes > 0) {
      message.category = am::Category::kMedium;
      message.handler = kCollPayloadRequest;
      message.payload = bytes;
      message.nbytes = nbytes;
    }
    if (!IsOfSmall(header.type))
      return runtime->engine().Request(peer, message);
    runtime->engine().RequestUnserved(peer, message);
  }

  bool TrySend(Rank peer, const CollHeader& header) override {
    const HeaderWords words = Pack(header);
    am::Message message = {.args = words.data()};
    message.handler = kCollRequest;
    message.num_args = kHeaderWords;
    const am::Post sent =
        runtime->engine().link().Send(peer, am::Lane::kRequest, message);
    if (sent == am::Post::kRetry) return false;
    observe::NoteSent(kCollRequest, peer, 0);
    return true;
  }

  // Returns true for the types of messages that at_once.h uses. Operations that
  // run within their call take these messages out of the network themselves.
  static bool IsOfSmall(MessageType type) {
    return type == MessageType::kEager || type == MessageType::kBase ||
           type == MessageType::kAskBase;
  }

  bool Take(Rank peer, CollHeader& header, std::byte* to,
            size_t nbytes) override {
    return runtime->engine().Take({.from = peer,
                                   .handler = kCollPayloadRequest,
                                   .num_args = kHeaderWords,
                                   .nbytes = nbytes},
                                  to, [&](const int32_t* words) {
                                    header.base = BaseOf(words);
                                    return IsButForBase(words, Pack(header));
                                  });
  }

  // Serves all arrived messages except those that Take looks for.
  static void Serve() {
    runtime->engine().ServeArrivedBut(kCollPayloadRequest);
  }
  // Serves all arrived messages, including those that Take looks for. The
  // oldest message may belong to an operation that this node begins later. If
  // it were left in the network, it would block all messages behind it.
  static void ServeAll() { runtime->engine().ServeArrived(); }

  bool Glance(unsigned looks) override {
    const bool yields = runtime->engine().waits().Yields();
    if (!yields && !runtime->engine().waits().Spins()) return false;
    if (looks == kMaxLooks) return false;
    if (yields) {
      runtime->engine().waits().YieldOrRelax(looks);
    } else if (looks > 0) {
      CpuRelax();
    }
    if (looks % kLooksPerService == kLooksPerService - 1) {
      ServeAll();
    } else {
      Serve();
    }
    return true;
  }

  size_t SendPiece(Rank peer, uint64_t landing, uint64_t address,
                   const std::byte* bytes, size_t nbytes, size_t offset,
                   am::Loan& loan) override {
    const std::array args = {extended::Low(landing), extended::High(landing),
                             extended::Low(uint64_t{offset}),
                             extended::High(uint64_t{offset})};
    const bool lands = runtime->engine().Lands(peer);
    if (!lands && address == 0) {
      const size_t some = std::min(nbytes, runtime->engine().MaxMedium());
      runtime->engine().Request(
          peer, extended::Medium(kCollPieceRequest, args, bytes, some));
      return some;
    }
    const size_t most = runtime->engine().MaxLongTo(peer, am::Lane::kRequest);
    const size_t some = std::min({nbytes, most, kLargestPiece});
    void* const dest =
        lands ? nullptr : reinterpret_cast<void*>(address + offset);
    runtime->engine().Request(peer, extended::Long(kCollLongPieceRequest, args,
                                                   bytes, some, dest, &loan));
    return some;
  }

  std::byte* Mapped(Rank peer, uint64_t address, size_t nbytes) override {
    if (!runtime->segments()[peer].Contains(address, nbytes)) return nullptr;
    return static_cast<std::byte*>(extended::Transfers::Mapped(
        peer, reinterpret_cast<const void*>(address)));
  }
  uint64_t InSegment(const std::byte* bytes, size_t nbytes) override {
    const bool is =
        runtime->segments()[runtime->job().rank()].Contains(bytes, nbytes);
    return is ? reinterpret_cast<uintptr_t>(bytes) : 0;
  }

  // Returns true if this rank and `peer` map each other's segments. Both ranks
  // get the same answer.
  static bool IsNear(Rank peer) {
    return peer != runtime->job().rank() &&
           runtime->segments()[peer].size > 0 &&
           runtime->segments()[runtime->job().rank()].size > 0 &&
           runtime->peers()[peer].size > 0;
  }

  Moves* MovePartners(const CollectiveRequest& request) override {
    if (idle_.empty()) idle_.push_back(&all_.emplace_back());
    PartnerMoves& moves = *idle_.back();
    idle_.pop_back();
    for (size_t i = 0; request.nbytes > 0 && i < request.partners.count; ++i) {
      Move(request, i, moves.iop);
    }
    return HaveMoved(moves) ? nullptr : &moves;
  }
  bool HaveMoved(Moves& moves) override {
    auto& mine = static_cast<PartnerMoves&>(moves);
    if (!mine.iop.IsDone()) return false;
    GASNETI_FENCE();
    idle_.push_back(&mine);
    return true;
  }

  bool MeetsInMemory() const override { return runtime->meetings() != nullptr; }
  void Come(unsigned which, uint32_t number) override {
    static_assert(kWindow <= hostshm::kMeetingWords);
    runtime->meetings()->Come(which, number);
  }
  bool HaveAllCome(unsigned which, uint32_t number, Rank& seen) override {
    return runtime->meetings()->HaveAllCome(which, number, seen);
  }

  int64_t Now() override { return NowNanos(); }
  void WakeOwn() override { runtime->engine().link().WakeOwn(); }

 private:
  struct PartnerMoves : Moves {
    extended::Iop iop;
  };

  // Performs transfer i, or begins it as a part of iop if it takes longer.
  static void Move(const CollectiveRequest& request, size_t i,
                   extended::Iop& iop) {
    using Transfers = extended::Transfers;
    const TransferPartners& partners = request.partners;
    const Rank node =
        partners.nodes == nullptr ? partners.node : partners.nodes[i];
    std::byte* const dest = partners.dests[i];
    const std::byte* const source = partners.sources[i];
    const size_t nbytes = request.nbytes;
    if (request.kind == CollectiveKind::kPut) {
      if (void* const local = Transfers::Mapped(node, dest)) {
        std::memcpy(local, source, nbytes);
      } else {
        Transfers::Put(iop, node, dest, source, nbytes,
                       extended::Source::kStays);
      }
    } else if (const void* const local = Transfers::Mapped(node, source)) {
      std::memcpy(dest, local, nbytes);
    } else {
      Transfers::Get(iop, dest, node, source, nbytes);
    }
  }

  std::deque<PartnerMoves> all_;
  std::vector<PartnerMoves*> idle_;
};

}  // namespace gasnet::coll

#endif  // COLL_CONDUIT_FABRIC_H_
