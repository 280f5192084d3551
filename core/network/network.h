// A network carries messages to other hosts, as a conduit writes it: its shape,
// on one page. link.h makes an am::Link of it and the ranks of this host.
//
// Under GASNET_PAR any number of client threads call it at once; otherwise one
// at a time. Nothing of it is ever destroyed.
#ifndef CORE_NETWORK_NETWORK_H_
#define CORE_NETWORK_NETWORK_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/rma/rma.h"
#include "core/segment.h"

namespace gasnet::network {

template <class N>
concept Network = requires(N& network, const N& as_is, Rank peer, am::Lane lane,
                           const am::Message& message,
                           am::Dispatcher& dispatcher, const Segment& segment,
                           std::span<const Segment> segments,
                           std::span<const typename N::Exposed> exposed) {
  // May fail on one rank alone; then the caller notifies the others.
  { network.Start() } -> std::same_as<absl::Status>;

  // As of am::Link, to ranks that share no memory with this one.
  { network.Send(peer, lane, message) } -> std::same_as<am::Post>;

  // As of am::Link. again: by a waiting thread that has done nothing since its
  // last poll, a moment ago, found nothing.
  {
    network.Poll(am::Lanes::kAll, dispatcher, /*again=*/true)
    } -> std::same_as<unsigned>;

  // Counts the polls that took anything in, be it only room to send; wraps.
  // Another thread may wait for what they took in.
  { as_is.receipts() } -> std::same_as<uint32_t>;

  // Largest payloads in bytes, once it is started.
  { as_is.MaxMedium() } -> std::same_as<size_t>;
  { as_is.MaxLong() } -> std::same_as<size_t>;

  // Work by the clock: a progress function (am/progress.h), and when it has
  // something to do by the monotonic clock, or kNever. May be earlier than
  // necessary.
  { network.ServeTimers() } -> std::same_as<void>;
  { as_is.NextDeadline() } -> std::same_as<int64_t>;

  // Readable when a poll would find something; -1 where there is no such
  // descriptor: then sleepers look when NextDeadline says, or, where it says
  // kNever, now and then.
  { as_is.fd() } -> std::same_as<int>;

  // Makes this rank's segment, where Longs to it may go, known to the network:
  // from here on others reach it, once they have what this returns (the key of
  // registered memory, trivially copyable). May fail on one rank alone; then
  // the caller notifies the others.
  {
    network.Expose(segment)
    } -> std::same_as<absl::StatusOr<typename N::Exposed>>;
  // Where the ranks' segments are, by rank, and what each has returned from
  // Expose. Before this rank polls or sends. The segments stay.
  { network.Attach(segments, exposed) } -> std::same_as<void>;

  // Before the process ends: sees to it that what was sent arrives, for a
  // fraction of a second at most. patient: it ends alone and the job goes on;
  // then without a limit, since a peer that computes may have lost what would
  // have to be sent again, but for what is to ranks that have left. Runs no
  // handler. Any thread, any time, signal handlers included; nothing but itself
  // is called afterwards.
  { network.Drain(/*patient=*/true) } -> std::same_as<void>;
};

// Optional members of a network; it asserts those that it has.

// Longs from there may come without an address (am/link.h).
template <class N>
concept NetworkLands = N::kLands;

// Larger Mediums to the peer are put together there (am/link.h).
template <class N>
concept NetworkHasWholeMedium = requires(const N& network, Rank peer) {
  { network.WholeMedium(peer) } -> std::same_as<size_t>;
};

// Some messages take it several calls of Send (am/link.h).
template <class N>
concept NetworkSendsInSteps = N::kSendsInSteps;

// Waits by itself, in place of a descriptor to sleep on: Await returns when a
// poll would find something, after so many nanoseconds, or after a Ring that
// came since it was last called; or spuriously. One thread awaits at a time;
// any rings.
template <class N>
concept NetworkAwaits = requires(N& network, int64_t nanos) {
  { network.Await(nanos) } -> std::same_as<void>;
  { network.Ring() } -> std::same_as<void>;
};

// Puts and gets of its own (core/rma/rma.h); valid from Attach on.
template <class N>
concept NetworkHasRma = requires(N& network) {
  network.rma();
}
&&rma::Rma<std::remove_reference_t<decltype(std::declval<N&>().rma())>>;

}  // namespace gasnet::network

#endif  // CORE_NETWORK_NETWORK_H_
