// The interface of a link. A link carries active messages.
//
// A link moves messages between this rank and all others, keeps requests and
// replies apart, and may buffer. It never loses or repeats a message for which
// it returned kDone. Messages of a rank to itself bypass the link
// (self_delivery.h). Under GASNET_PAR any number of client threads may call the
// link at once. In other modes, only one thread at a time calls it.
#ifndef CORE_AM_LINK_H_
#define CORE_AM_LINK_H_

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "job/status/status_page.h"

namespace gasnet::am {

// The lanes that a poll serves. While a request handler waits to send its
// reply, no other request handler may interrupt it. So only replies may be
// handled then. Reply handlers send nothing, so serving replies always ends.
enum class Lanes : uint8_t { kAll, kReplies };

template <class L>
concept Link = requires(L& link, Rank peer, Lane lane, const Message& message,
                        Dispatcher& dispatcher, uint32_t epoch,
                        int64_t longest) {
  // Sends a message, or returns kRetry if there is no room now. If a Long
  // returns kDone, its payload will be in place before its handler runs.
  { link.Send(peer, lane, message) } -> std::same_as<Post>;

  // Hands messages that have arrived to the dispatcher. Returns their number.
  // No lock of the link is held while a handler runs.
  { link.Poll(Lanes::kAll, dispatcher) } -> std::same_as<unsigned>;

  // The largest payloads in bytes. They are constant once the job is attached.
  { link.MaxMedium() } -> std::same_as<size_t>;
  { link.MaxLong(lane) } -> std::same_as<size_t>;

  // Arm(), Sleep() and Disarm() let a thread sleep without losing a wake-up.
  // The thread calls Arm() and evaluates its condition once more. Then it calls
  // Sleep(epoch, longest) with the result of Arm(). It calls Disarm() in any
  // case.
  //
  // Sleep() returns after an event since Arm() that this process may wait for,
  // after `longest` nanoseconds, or spuriously. Events are messages, room to
  // send, handlers run by other threads of this process and, if the network has
  // native transfers, those in core/rma/rma.h. If Sleep() returns true, no
  // event has occurred, and the thread may evaluate and Sleep() again without
  // Arm(). The condition may itself wait: an inner Arm() and Disarm() must not
  // disturb the outer Sleep().
  { link.Arm() } -> std::same_as<uint32_t>;
  { link.Sleep(epoch, longest) } -> std::same_as<bool>;
  { link.Disarm() } -> std::same_as<void>;

  // Wakes the sleeping threads of this process, because they may wait for the
  // effect of a handler. Called after a handler has run outside Poll().
  { link.WakeOwn() } -> std::same_as<void>;
};

// Optional members of a link. The engine uses those that exist. Each link
// asserts the optional members that it has. So a misspelt member or wrong
// parameters fail to compile.

// Returns true if Poll() may have something to do. Costs only a few loads. If
// it returns false, a request is sent without a Poll(). Used in place of
// PollBeforeSend().
template <class L>
concept LinkHasMessages = requires(L& link) {
  { link.HasMessages() } -> std::same_as<bool>;
};

// A Medium request that its receiver expects. The receiver does not know all
// arguments.
struct Wanted {
  Rank from = 0;
  uint8_t handler = 0;
  uint8_t num_args = 0;
  size_t nbytes = 0;  // never 0
};

// Lets the receiver take a wanted request out of the link itself. This saves
// most of a handler's cost and an intermediate copy of the payload.
//
// TakeMedium() examines the oldest request of rank Wanted::from. If this is the
// wanted request and accept(arguments) returns true, TakeMedium() removes the
// request and copies its payload. accept() has no side effects. Only requests
// that were sent with Message::to_take are found. HasMessagesBut() is
// HasMessages(), but ignores ranks whose oldest request is for `handler`. A
// thread that takes requests for `handler` can thereby serve the other ranks.
template <class L>
concept LinkTakes = requires(L& link, const Wanted& wanted, void* to,
                             bool (*accept)(const int32_t*)) {
  { link.TakeMedium(wanted, to, accept) } -> std::same_as<bool>;
  { link.HasMessagesBut(uint8_t{}) } -> std::same_as<bool>;
};

// Replaces Poll() before a request is sent. Meant for a link whose Poll() is
// too slow to be called before each request.
template <class L>
concept LinkPollsBeforeSend = requires(L& link, Dispatcher& dispatcher) {
  { link.PollBeforeSend(dispatcher) } -> std::same_as<void>;
};

// Replaces Poll in a wait whose condition already holds. May omit expensive
// parts (a system call) that were done a few microseconds ago.
template <class L>
concept LinkPollsInPassing = requires(L& link, Dispatcher& dispatcher) {
  { link.PollInPassing(dispatcher) } -> std::same_as<void>;
};

// Replaces Poll() in a waiting thread whose last poll found nothing. The thread
// has polled a moment ago, and has done nothing since then.
template <class L>
concept LinkPollsAgain = requires(L& link, Dispatcher& dispatcher) {
  { link.PollAgain(Lanes::kAll, dispatcher) } -> std::same_as<unsigned>;
};

// Marks a link that sends some messages in several calls of Send(). The calls
// keep their progress in Message::send_state. If send_state is null, Send()
// does not begin such a message and returns kRetry. Between two calls with the
// same send state the sender polls. The sender of a reply polls for replies
// alone.
template <class L>
concept LinkSendsInSteps = L::kSendsInSteps;

// Returns the size of the largest Long to this peer's endpoint
// (Message::across). Used by callers that can use a limit of one peer. If both
// endpoints have the same index, the result is at least MaxLong().
template <class L>
concept LinkHasMaxLongTo = requires(const L& link, Rank peer, Lane lane,
                                    EndpointIndex across) {
  { link.MaxLongTo(peer, lane, across) } -> std::same_as<size_t>;
};

// Returns false if a message would find no room now. The message has a payload
// of nbytes and goes to the peer's endpoint with the same index. Returns true
// if the room is unknown.
template <class L>
concept LinkKnowsRoom = requires(L& link, Rank peer, Lane lane, size_t nbytes) {
  { link.MayHaveRoom(peer, lane, nbytes) } -> std::same_as<bool>;
};

// Returns the fill of the ring to the peer's endpoint with the same index. All
// numbers are 0 if the peer is not reached by a ring.
template <class L>
concept LinkKnowsFill = requires(L& link, Rank peer, Lane lane) {
  { link.FillTo(peer, lane) } -> std::same_as<job::RingFill>;
};

// Returns the size of the largest payload of a Medium that travels to this peer
// in one piece, with any arguments. It is at most MaxMedium(). The peer must
// assemble larger Mediums, at the cost of a copy. The value may change at any
// time.
template <class L>
concept LinkHasWholeMedium = requires(const L& link, Rank peer) {
  { link.WholeMedium(peer) } -> std::same_as<size_t>;
};

// Lets a client build the payload of a Medium in the link's own send buffer.
// Prepare() returns memory in the buffer that is aligned for any type, or null
// if none is available now. It does not wait. A Medium to that peer and lane is
// sent from this memory without a copy, if it has num_args arguments and at
// most nbytes bytes. The caller owns the memory, and must call EndPrepared() in
// any case. Any thread may call both functions.
template <class L>
concept LinkPrepares = requires(L& link, Rank peer, Lane lane,
                                unsigned num_args, size_t nbytes,
                                const void* payload) {
  {
    link.Prepare(peer, lane, num_args, nbytes)
    } -> std::same_as<unsigned char*>;
  { link.EndPrepared(peer, lane, num_args, payload) } -> std::same_as<void>;
};

// Returns true if Longs from the peer may carry no address. Their payload goes
// to the address that the handler's Landing returns (handler_table.h).
template <class L>
concept LinkLands = requires(const L& link, Rank peer) {
  { link.Lands(peer) } -> std::same_as<bool>;
};

}  // namespace gasnet::am

#endif  // CORE_AM_LINK_H_
