// The interface of a link, which carries active messages.
//
// A link moves messages between this rank and all others, keeps requests and
// replies apart, and may buffer. It never loses or repeats a message for which
// it returned kDone. Messages of a rank to itself bypass it (self_delivery.h).
// Under GASNET_PAR any number of client threads call it at once; otherwise one
// at a time.
#ifndef CORE_AM_LINK_H_
#define CORE_AM_LINK_H_

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/am/dispatcher.h"
#include "core/am/message.h"

namespace gasnet::am {

// The lanes that a poll serves. While a request handler waits to send its
// reply, only replies may be handled, since another request handler must not
// interrupt it. Reply handlers send nothing, so serving them always ends.
enum class Lanes : uint8_t { kAll, kReplies };

template <class L>
concept Link = requires(L& link, Rank peer, Lane lane, const Message& message,
                        Dispatcher& dispatcher, uint32_t epoch,
                        int64_t longest) {
  // Sends, or returns kRetry if there is no room now. If a Long returns kDone,
  // the payload will be in place before the handler runs.
  { link.Send(peer, lane, message) } -> std::same_as<Post>;

  // Hands messages that have arrived to the dispatcher. Returns their number.
  // No lock of the link is held while a handler runs.
  { link.Poll(Lanes::kAll, dispatcher) } -> std::same_as<unsigned>;

  // Largest payloads in bytes, constant once the job is attached.
  { link.MaxMedium() } -> std::same_as<size_t>;
  { link.MaxLong(lane) } -> std::same_as<size_t>;

  // Sleeps without losing a wake-up. Call Arm, look once more, call
  // Sleep(epoch, longest), and call Disarm in any case. Sleep returns after an
  // event since Arm that this process may wait for, after `longest`
  // nanoseconds, or spuriously. Events are a message, room to send, a handler
  // run by another of its threads, and, for a network with native transfers,
  // those of core/rma/rma.h. If Sleep returns true, no event has occurred
  // since, and another look and Sleep may follow without Arm. The look may
  // itself wait: an Arm and Disarm in between must not disturb the outer Sleep.
  { link.Arm() } -> std::same_as<uint32_t>;
  { link.Sleep(epoch, longest) } -> std::same_as<bool>;
  { link.Disarm() } -> std::same_as<void>;

  // Wakes the sleeping threads of this process, which may wait for the effect
  // of a handler. Called after a handler that ran outside Poll.
  { link.WakeOwn() } -> std::same_as<void>;
};

// Optional members of a link. The engine uses those that exist. A link asserts
// the ones that it has, so that a misspelt member or wrong parameters fail to
// compile instead of being ignored.

// Returns true if Poll may have something to do, at the cost of a few loads. If
// false, a request is sent without a Poll. In place of PollBeforeSend.
template <class L>
concept LinkHasMessages = requires(L& link) {
  { link.HasMessages() } -> std::same_as<bool>;
};

// A Medium request that its receiver expects. Some of its arguments are
// unknown.
struct Wanted {
  Rank from = 0;
  uint8_t handler = 0;
  uint8_t num_args = 0;
  size_t nbytes = 0;  // not 0
};

// Lets the receiver take a wanted request out of the link itself, which saves
// most of a handler's cost and an intermediate copy of the payload. TakeMedium
// examines the oldest request of that rank. If it is the wanted one and
// accept(arguments) returns true, TakeMedium removes it and copies its payload.
// accept has no side effects. Only requests sent with Message::to_take are
// found. HasMessagesBut is HasMessages without the ranks whose oldest request
// is for that handler, so that a thread that takes those can serve the others.
template <class L>
concept LinkTakes = requires(L& link, const Wanted& wanted, void* to,
                             bool (*accept)(const int32_t*)) {
  { link.TakeMedium(wanted, to, accept) } -> std::same_as<bool>;
  { link.HasMessagesBut(uint8_t{}) } -> std::same_as<bool>;
};

// Replaces Poll before a request is sent. Meant for a link whose Poll is too
// slow to be called that often.
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

// Replaces Poll in a waiting thread whose last poll, a moment ago, found
// nothing, and that has been idle since.
template <class L>
concept LinkPollsAgain = requires(L& link, Dispatcher& dispatcher) {
  { link.PollAgain(Lanes::kAll, dispatcher) } -> std::same_as<unsigned>;
};

// Sends some messages in several calls of Send, which keep their progress in
// Message::send_state. If that is null, Send begins none of those and returns
// kRetry. Between two calls with the same send state the sender polls; the
// sender of a reply polls for replies alone.
template <class L>
concept LinkSendsInSteps = L::kSendsInSteps;

// Returns the largest Long to this peer's endpoint (Message::across), for
// callers that may use a limit of one peer. Between endpoints of one index it
// is at least MaxLong.
template <class L>
concept LinkHasMaxLongTo = requires(const L& link, Rank peer, Lane lane,
                                    EndpointIndex across) {
  { link.MaxLongTo(peer, lane, across) } -> std::same_as<size_t>;
};

// Returns false if a message with nbytes of payload in it, to the peer's
// endpoint of the same index, would find no room now; true if unknown.
template <class L>
concept LinkKnowsRoom = requires(L& link, Rank peer, Lane lane, size_t nbytes) {
  { link.MayHaveRoom(peer, lane, nbytes) } -> std::same_as<bool>;
};

// Returns the largest payload of a Medium to this peer that travels in one
// piece, with any arguments. At most MaxMedium. Larger ones are assembled
// there, which costs a copy. May change at any time.
template <class L>
concept LinkHasWholeMedium = requires(const L& link, Rank peer) {
  { link.WholeMedium(peer) } -> std::same_as<size_t>;
};

// Lets a client build the payload of a Medium in the link's own send buffer.
// Prepare returns such memory, aligned for any type, or null if none is
// available now; it does not wait. A Medium to that peer and lane is sent from
// it without a copy, if it has as many arguments and at most as many bytes. The
// caller calls EndPrepared afterwards, in any case, and owns the memory until
// then. Any thread.
template <class L>
concept LinkPrepares = requires(L& link, Rank peer, Lane lane,
                                unsigned num_args, size_t nbytes,
                                const void* payload) {
  {
    link.Prepare(peer, lane, num_args, nbytes)
    } -> std::same_as<unsigned char*>;
  { link.EndPrepared(peer, lane, num_args, payload) } -> std::same_as<void>;
};

// Returns true if Longs from the peer may have no address. They go to the
// address that the handler's landing returns (handler_table.h).
template <class L>
concept LinkLands = requires(const L& link, Rank peer) {
  { link.Lands(peer) } -> std::same_as<bool>;
};

}  // namespace gasnet::am

#endif  // CORE_AM_LINK_H_
