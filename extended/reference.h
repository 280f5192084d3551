// Transfers by active messages, for conduits without better means:
//
// - put: a Medium request (small) or Long request, answered by a Short
//   reply
// - get: a Short request, answered by a Long reply, or by a Medium reply
//   (small, or a destination outside this rank's segment if the link needs
//   an address)
// - memset: a Short request, executed by the target, answered by a Short
//   reply
//
// A transfer larger than one message is cut into parts, all of them in flight
// at once. A call that sends a request returns when the request's source may be
// reused, or is on loan. Two sources are lent: the source of a large put, if it
// stays unchanged until the put is complete, and the part of the segment that a
// large get reads. A put with a loan is always an Iop, and the Iop holds the
// loan.
//
// A message that finds no room waits for room, unless it is part of an Attempt.
//
// Handlers run on any thread; operation.h has all state that they share. When a
// call has sent a request to this rank itself, the handlers of the request and
// of its reply have both run. So the record must be ready before the send. A
// request handler touches memory of this rank only after it has checked that
// the range is inside this rank's segment. The link places a Long's payload
// before the handler runs, and checks it against the segment. ClaimGet then
// makes sure that the payload is exactly the requested range.
#ifndef EXTENDED_REFERENCE_H_
#define EXTENDED_REFERENCE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/runtime/runtime.h"
#include "extended/attempt.h"
#include "extended/handler_indices.h"
#include "extended/operations.h"
#include "extended/peer.h"
#include "extended/request_handlers.h"
#include "extended/tuning.h"
#include "extended/wire.h"

namespace gasnet::extended {

class Reference {
 public:
  // Start an operation; nbytes is not 0. The functions return the operation to
  // sync, or null if the operation is refused.
  static Operation* Put(const Peer& peer, void* dest, const void* src,
                        size_t nbytes, Source source,
                        Attempt* attempt = nullptr) {
    const bool lends = source == Source::kStays && nbytes > PutThreshold(peer);
    if (nbytes <= PutPart(peer, nbytes) && !lends)
      return SendPut(nullptr, peer, dest, src, nbytes, nullptr, attempt);
    Iop& iop = Operations::Mine().TakeIop();
    Put(iop, peer, dest, src, nbytes, source, attempt);
    return Operations::Mine().KeepUnless(IsRefused(attempt), iop);
  }
  static Operation* Get(void* dest, const Peer& peer, const void* src,
                        size_t nbytes, Attempt* attempt = nullptr) {
    if (nbytes <= GetPart(peer, dest, nbytes))
      return SendGet(nullptr, dest, peer, src, nbytes, attempt);
    Iop& iop = Operations::Mine().TakeIop();
    Get(iop, dest, peer, src, nbytes, attempt);
    return Operations::Mine().KeepUnless(IsRefused(attempt), iop);
  }
  static Operation& Memset(const Peer& peer, void* dest, int value,
                           size_t nbytes) {
    return SendMemset(nullptr, peer, dest, value, nbytes);
  }

  // Like the functions above, but start parts of iop.
  static void Put(Iop& iop, const Peer& peer, void* dest, const void* src,
                  size_t nbytes, Source source, Attempt* attempt = nullptr) {
    am::Loan* const loan = source == Source::kStays ? &iop.loan : nullptr;
    const size_t part = PutPart(peer, nbytes);
    for (size_t done = 0; done < nbytes; done += part) {
      if (SendPut(&iop, peer, At(dest, done), At(src, done),
                  std::min(part, nbytes - done), loan, attempt) == nullptr)
        return;
    }
  }
  static void Get(Iop& iop, void* dest, const Peer& peer, const void* src,
                  size_t nbytes, Attempt* attempt = nullptr) {
    const size_t part = GetPart(peer, dest, nbytes);
    for (size_t done = 0; done < nbytes; done += part) {
      if (SendGet(&iop, At(dest, done), peer, At(src, done),
                  std::min(part, nbytes - done), attempt) == nullptr)
        return;
    }
  }
  static void Memset(Iop& iop, const Peer& peer, void* dest, int value,
                     size_t nbytes) {
    SendMemset(&iop, peer, dest, value, nbytes);
  }

  // Starts a value get; nbytes is 1 to 8.
  static Transfer& GetValue(const Peer& peer, const void* src, size_t nbytes) {
    Transfer& transfer = Operations::Mine().StartValueGet(peer.node, nbytes);
    RequestGet(transfer, peer, src, nullptr);
    return transfer;
  }

  // Registers the handlers in the table of an endpoint.
  static void RegisterHandlers(am::HandlerTable& to) {
    using am::Category;
    constexpr am::Lane kReply = am::Lane::kReply;
    RegisterRequestHandlers(to);
    to.RegisterInternal(kPutDoneReply, kReply, &OnPutDone);
    to.RegisterInternal(kGetMediumReply, kReply, Category::kMedium,
                        &OnGetMediumReply);
    to.RegisterInternal(kGetLongReply, kReply, Category::kLong,
                        &OnGetLongReply);
    to.RegisterInternal(kGetLandReply, kReply, Category::kLong,
                        &OnGetLongReply);
    to.RegisterLanding(kGetLandReply, &LandGet);
  }

 private:
  static void* At(void* base, size_t offset) {
    return static_cast<std::byte*>(base) + offset;
  }
  static const void* At(const void* base, size_t offset) {
    return static_cast<const std::byte*>(base) + offset;
  }

  static size_t PutThreshold(const Peer& peer) {
    return peer.is_further ? peer.engine().MaxMedium() : Threshold(peer);
  }
  // Returns the largest transfer in bytes that uses a Medium message whatever
  // its destination.
  static size_t Threshold(const Peer& peer) {
    return std::min(kMediumLongThreshold, peer.engine().MaxMedium());
  }
  static bool UsesLongReply(const Peer& peer, const void* dest, size_t nbytes) {
    return nbytes > Threshold(peer) &&
           (peer.engine().Lands(peer.node) ||
            peer.from.segment().Contains(dest, nbytes));
  }

  // Return how many bytes of a transfer of nbytes fit one message.
  static size_t PutPart(const Peer& peer, size_t nbytes) {
    if (peer.is_further) return peer.engine().MaxMedium();
    return nbytes <= Threshold(peer)
               ? nbytes
               : peer.engine().MaxLongTo(peer.node, am::Lane::kRequest,
                                         peer.across);
  }
  static size_t GetPart(const Peer& peer, const void* dest, size_t nbytes) {
    return UsesLongReply(peer, dest, nbytes)
               ? peer.engine().MaxLongTo(peer.node, am::Lane::kReply)
               : peer.engine().MaxMedium();
  }

  // Send one message of an operation. The functions return null if the
  // operation is refused.
  static Transfer* SendPut(Iop* iop, const Peer& peer, void* dest,
                           const void* src, size_t nbytes, am::Loan* loan,
                           Attempt* attempt) {
    Transfer& transfer = Operations::Mine().StartPut(peer.node, iop);
    const int32_t index = Index(transfer);
    const int32_t generation = Generation(transfer);
    if (nbytes <= PutThreshold(peer)) {
      const std::array args = {index, generation, Low(dest), High(dest)};
      return UnlessRefused(
          Send(peer, Medium(kPutMediumRequest, args, src, nbytes), attempt),
          transfer);
    }
    const std::array args = {index, generation};
    return UnlessRefused(
        Send(peer, Long(kPutLongRequest, args, src, nbytes, dest, loan),
             attempt),
        transfer);
  }

  static Transfer& SendMemset(Iop* iop, const Peer& peer, void* dest, int value,
                              size_t nbytes) {
    Transfer& transfer = Operations::Mine().StartPut(peer.node, iop);
    const std::array args = {Index(transfer),
                             Generation(transfer),
                             Low(dest),
                             High(dest),
                             int32_t{value},
                             Low(uint64_t{nbytes}),
                             High(uint64_t{nbytes})};
    peer.Request(Short(kMemsetRequest, args));
    return transfer;
  }

  static Transfer* SendGet(Iop* iop, void* dest, const Peer& peer,
                           const void* src, size_t nbytes, Attempt* attempt) {
    Transfer& transfer =
        Operations::Mine().StartGet(peer.node, dest, nbytes, iop);
    return UnlessRefused(RequestGet(transfer, peer, src, attempt), transfer);
  }
  static Transfer* UnlessRefused(bool sent, Transfer& transfer) {
    if (sent) [[likely]]
      return &transfer;
    Operations::Mine().Cancel(transfer);
    return nullptr;
  }

  static bool RequestGet(const Transfer& transfer, const Peer& peer,
                         const void* src, Attempt* attempt) {
    const uint64_t nbytes = transfer.nbytes;
    const void* const dest = transfer.destination;
    if (!UsesLongReply(peer, dest, nbytes)) {
      const std::array args = {Index(transfer), Generation(transfer), Low(src),
                               High(src), Low(nbytes)};
      return Send(peer, Short(kGetMediumRequest, args), attempt);
    }
    if (peer.engine().Lands(peer.node)) {
      const std::array args = {Index(transfer), Generation(transfer),
                               Low(src),        High(src),
                               Low(nbytes),     High(nbytes)};
      return Send(peer, Short(kGetLandRequest, args), attempt);
    }
    const std::array args = {
        Index(transfer), Generation(transfer), Low(src),  High(src),
        Low(nbytes),     High(nbytes),         Low(dest), High(dest)};
    return Send(peer, Short(kGetLongRequest, args), attempt);
  }

  static am::Token& TokenOf(void* token) {
    return *static_cast<am::Token*>(token);
  }

  // Handlers at the initiator.

  static void OnPutDone(void* token, int32_t index, int32_t generation) {
    Operations::Finish(
        Claim(TokenOf(token).source, Id(index, generation), Direction::kPut));
  }

  static void OnGetMediumReply(void* token, void* payload, size_t nbytes,
                               int32_t index, int32_t generation) {
    Transfer& transfer =
        ClaimGet(TokenOf(token).source, Id(index, generation), nbytes);
    std::memcpy(transfer.destination, payload, nbytes);
    Operations::Finish(transfer);
  }

  // Returns the address to which a get's data go, from the get's record.
  static void* LandGet(Rank source, const int32_t* args, unsigned num_args,
                       size_t nbytes) {
    const TransferId id = num_args == 2 ? Id(args[0], args[1]) : TransferId{};
    return ExpectGet(source, id, nbytes).destination;
  }

  static void OnGetLongReply(void* token, void* payload, size_t nbytes,
                             int32_t index, int32_t generation) {
    Transfer& transfer =
        ClaimGet(TokenOf(token).source, Id(index, generation), nbytes);
    if (payload != transfer.destination) [[unlikely]]
      RefuseReply(TokenOf(token).source, Id(index, generation),
                  "the data went elsewhere");
    Operations::Finish(transfer);
  }
};

}  // namespace gasnet::extended

#endif  // EXTENDED_REFERENCE_H_
