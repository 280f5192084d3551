// Broadcast by active message, over any conduit.
//
//   the others                    root
//   Ready  ---------------------> waits for all of them
//                 <-------------- Data, in pieces of a Medium message
//   Done   ---------------------> waits for all of them   (all_sync only)
//                 <-------------- Release                 (all_sync only)
//
// So no data move before all have entered, the strongest of the
// synchronisations a client can ask for; and a rank may enter the next
// broadcast as soon as it is through with this one. Only main-line code sends.
//
// Ready tells what its sender was called with. Ranks that disagree would wait
// for each other, so the root ends the job first.
//
// Nothing of it is left when the call returns, so that it waits step by step
// and has no progress function.
//
// Called by one thread of a rank at a time, on all ranks in the same order.
#ifndef COLL_BROADCAST_H_
#define COLL_BROADCAST_H_

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/log.h"
#include "coll/arrival.h"
#include "coll/handler_indices.h"
#include "core/conduit.h"
#include "extended/wire.h"

namespace gasnet::coll {

struct BroadcastRequest {
  void* dest = nullptr;
  Rank root = 0;
  const void* source = nullptr;  // of the root
  size_t nbytes = 0;
  bool all_sync = true;  // return only when all have their data

  Terms terms() const { return {.nbytes = nbytes, .all_sync = all_sync}; }
};

template <Conduit C>
class Broadcast {
 public:
  // Called by gasnet_attach before messages can arrive.
  static void RegisterHandlers() {
    arrival_.emplace(C::job().size());
    constexpr am::Lane kRequest = am::Lane::kRequest;
    am::HandlerTable& to = C::engine().handlers();
    to.RegisterInternal(kBroadcastReadyRequest, kRequest, &OnReady);
    to.RegisterInternal(kBroadcastDataRequest, kRequest, am::Category::kMedium,
                        &OnData);
    to.RegisterInternal(kBroadcastDoneRequest, kRequest, &OnDone);
    to.RegisterInternal(kBroadcastReleaseRequest, kRequest, &OnRelease);
  }

  static void Start() {}

  static void Run(const BroadcastRequest& request) {
    const uint32_t number = arrival_->Enter(request.dest, request.nbytes);
    if (C::job().rank() == request.root) {
      Send(request, number);
    } else {
      Receive(request, number);
    }
  }

 private:
  static void Send(const BroadcastRequest& request, uint32_t number) {
    C::engine().WaitUntil([&] { return arrival_->AllReady(request.root); });
    RequireSameTerms(request);
    if (request.nbytes > 0 && request.dest != request.source) {
      std::memcpy(request.dest, request.source, request.nbytes);
    }
    SendData(request, number);
    if (!request.all_sync) return;
    C::engine().WaitUntil([&] { return arrival_->AllDone(); });
    ForOthers(
        [&](Rank rank) { SendShort(rank, kBroadcastReleaseRequest, number); });
  }

  static void Receive(const BroadcastRequest& request, uint32_t number) {
    SendReady(request, number);
    C::engine().WaitUntil([&] { return arrival_->HaveData(); });
    if (!request.all_sync) return;
    SendShort(request.root, kBroadcastDoneRequest, number);
    C::engine().WaitUntil([&] { return arrival_->Released(); });
  }

  // One message at least: it says that there are no bytes.
  static void SendData(const BroadcastRequest& request, uint32_t number) {
    const size_t most = C::engine().MaxMedium();
    size_t offset = 0;
    do {
      const size_t piece = std::min(most, request.nbytes - offset);
      ForOthers([&](Rank rank) {
        SendPiece(rank, request.source, offset, piece, number);
      });
      offset += piece;
    } while (offset < request.nbytes);
  }

  static void SendPiece(Rank rank, const void* source, size_t offset,
                        size_t nbytes, uint32_t number) {
    const std::array args = {static_cast<int32_t>(number),
                             extended::Low(uint64_t{offset}),
                             extended::High(uint64_t{offset})};
    const void* const from =
        nbytes == 0 ? nullptr : static_cast<const char*>(source) + offset;
    C::engine().Request(
        rank, extended::Medium(kBroadcastDataRequest, args, from, nbytes));
  }

  static void SendReady(const BroadcastRequest& request, uint32_t number) {
    const std::array args = {
        static_cast<int32_t>(number), extended::Low(uint64_t{request.nbytes}),
        extended::High(uint64_t{request.nbytes}), int32_t{request.all_sync}};
    C::engine().Request(request.root,
                        extended::Short(kBroadcastReadyRequest, args));
  }

  static void SendShort(Rank rank, HandlerIndex handler, uint32_t number) {
    const std::array args = {static_cast<int32_t>(number)};
    C::engine().Request(rank, extended::Short(handler, args));
  }

  // The ranks after the root first, so that roots do not all send to rank 0
  // first.
  template <class F>
  static void ForOthers(F f) {
    const Rank size = C::job().size();
    for (Rank i = 1; i < size; ++i) f((C::job().rank() + i) % size);
  }

  static void OnReady(void* token, int32_t number, int32_t low, int32_t high,
                      int32_t all_sync) {
    const Rank from = static_cast<const am::Token*>(token)->source;
    const Terms terms = {.nbytes = extended::Join(low, high),
                         .all_sync = all_sync != 0};
    Require(arrival_->NoteReady(from, static_cast<uint32_t>(number), terms),
            token, "ready", number);
  }
  static void OnData(void* token, void* data, size_t nbytes, int32_t number,
                     int32_t low, int32_t high) {
    Require(arrival_->NoteData(static_cast<uint32_t>(number),
                               extended::Join(low, high), data, nbytes),
            token, "data", number);
  }
  static void OnDone(void* token, int32_t number) {
    Require(arrival_->NoteDone(static_cast<uint32_t>(number)), token, "done",
            number);
  }
  static void OnRelease(void* token, int32_t number) {
    Require(arrival_->NoteRelease(static_cast<uint32_t>(number)), token,
            "release", number);
  }

  static void RequireSameTerms(const BroadcastRequest& request) {
    const Terms mine = request.terms();
    const auto dissent = arrival_->FindDissent(mine);
    if (!dissent.has_value()) [[likely]]
      return;
    Fatal("gasnet_coll_broadcast: rank %u has nbytes %" PRIu64
          " and %s, the root, rank %u, has nbytes %" PRIu64
          " and %s; all ranks must give the same",
          dissent->rank, dissent->terms.nbytes, SyncOf(dissent->terms),
          request.root, mine.nbytes, SyncOf(mine));
  }
  static const char* SyncOf(const Terms& terms) {
    return terms.all_sync ? "OUT_ALLSYNC" : "OUT_MYSYNC or OUT_NOSYNC";
  }

  static void Require(bool expected, const void* token, const char* what,
                      int32_t number) {
    if (expected) [[likely]]
      return;
    Fatal(
        "rank %u sent '%s' of broadcast %u, which cannot come now; the ranks "
        "call different collectives (root, nbytes or order), or memory or the "
        "network is corrupted",
        static_cast<const am::Token*>(token)->source, what,
        static_cast<uint32_t>(number));
  }

  static inline std::optional<Arrival> arrival_;
};

}  // namespace gasnet::coll

#endif  // COLL_BROADCAST_H_
