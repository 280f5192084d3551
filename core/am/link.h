// The interface of a link, which carries active messages.
//
// A link moves messages between this rank and all others, keeps requests and
// replies apart, and may buffer. It never loses or repeats a message for which
// it returned kDone. Messages of this rank to itself do not come here
// (in_place.h). Under GASNET_PAR any number of client threads call it at once;
// otherwise one at a time.
#ifndef CORE_AM_LINK_H_
#define CORE_AM_LINK_H_

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/am/dispatcher.h"
#include "core/am/message.h"

namespace gasnet::am {

// The lanes that a poll serves. While a request handler waits to send its reply
// only replies may be handled, since another request handler must not interrupt
// it. Reply handlers send nothing, so serving them always ends.
enum class Lanes : uint8_t { kAll, kReplies };

template <class L>
concept Link = requires(L& link, Rank peer, Lane lane, const Message& message,
                        Dispatcher& dispatcher, uint32_t epoch,
                        int64_t longest) {
  // Sends, or returns kRetry if there is no room now. kDone means for a Long
  // that the payload will be in place before the handler runs.
  { link.Send(peer, lane, message) } -> std::same_as<Post>;

  // Hands messages that have arrived to the dispatcher. Returns their number.
  // No lock of the link is held while a handler runs.
  { link.Poll(Lanes::kAll, dispatcher) } -> std::same_as<unsigned>;

  // Largest payloads in bytes, constant once the job is attached.
  { link.MaxMedium() } -> std::same_as<size_t>;
  { link.MaxLong(lane) } -> std::same_as<size_t>;

  // Sleeping without losing a wake-up: call Arm, look once more, call
  // Sleep(epoch, longest), and Disarm in any case. Sleep returns after an event
  // since Arm that this process may wait for, after `longest` nanoseconds, or
  // spuriously. Events are a message, room to send, a handler run by another of
  // its threads, and, for a network that transfers by itself, those of
  // core/rma/rma.h. If Sleep returns true, nothing has rung since, and another
  // look and Sleep may follow without an Arm. The look may itself wait: an Arm
  // and a Disarm in between must cost the outer Sleep nothing.
  { link.Arm() } -> std::same_as<uint32_t>;
  { link.Sleep(epoch, longest) } -> std::same_as<bool>;
  { link.Disarm() } -> std::same_as<void>;

  // Wakes the sleeping threads of this process, which may wait for the effect
  // of a handler. Called after a handler that no Poll has run.
  { link.WakeOwn() } -> std::same_as<void>;
};

// Optional members of a link, by their names. The engine uses those that it
// finds. So a link asserts the ones that it has: a member that is misspelt, or
// has other parameters, does not compile instead of being left out in silence.

// Tells at the cost of a few loads if Poll may have something to do. If not, a
// request is sent without a Poll. In place of PollBeforeSend.
template <class L>
concept LinkHasMessages = requires(L& link) {
  { link.HasMessages() } -> std::same_as<bool>;
};

// A Medium request that its receiver knows in advance but for some of its
// arguments.
struct Wanted {
  Rank from = 0;
  uint8_t handler = 0;
  uint8_t num_args = 0;
  size_t nbytes = 0;  // not 0
};

// The receiver may take a wanted request out of the link itself, which saves
// most of a handler's cost and an intermediate copy of the payload. TakeMedium
// takes the oldest request from there if it is that one and accept(arguments)
// returns true, and copies its payload. accept only reads. It finds requests
// that were sent with Message::to_take. HasMessagesBut is HasMessages without
// the ranks whose oldest request is for that handler, so that a thread that
// takes those can serve the others.
template <class L>
concept LinkTakes = requires(L& link, const Wanted& wanted, void* to,
                             bool (*accept)(const int32_t*)) {
  { link.TakeMedium(wanted, to, accept) } -> std::same_as<bool>;
  { link.HasMessagesBut(uint8_t{}) } -> std::same_as<bool>;
};

// Called in place of Poll before a request is sent. Meant for a link whose Poll
// is too slow to be called that often.
template <class L>
concept LinkPollsBeforeSend = requires(L& link, Dispatcher& dispatcher) {
  { link.PollBeforeSend(dispatcher) } -> std::same_as<void>;
};

// Called in place of Poll by a wait whose condition holds already. May leave
// out the expensive parts (a system call) if they were done a few microseconds
// ago.
template <class L>
concept LinkPollsInPassing = requires(L& link, Dispatcher& dispatcher) {
  { link.PollInPassing(dispatcher) } -> std::same_as<void>;
};

// Called in place of Poll by a waiting thread whose last poll, a moment ago,
// found nothing, and that has done nothing since.
template <class L>
concept LinkPollsAgain = requires(L& link, Dispatcher& dispatcher) {
  { link.PollAgain(Lanes::kAll, dispatcher) } -> std::same_as<unsigned>;
};

// Some messages take several calls of Send, which keep their progress in
// Message::journey. If that is null, Send begins none of those and returns
// kRetry. Between two calls with the same journey the sender polls; the sender
// of a reply polls for replies alone.
template <class L>
concept LinkSendsInSteps = L::kSendsInSteps;

// The largest Long to this peer's endpoint (Message::across), for callers that
// need not split messages to all peers alike. Between endpoints of one index it
// is at least MaxLong.
template <class L>
concept LinkHasMaxLongTo = requires(const L& link, Rank peer, Lane lane,
                                    EndpointIndex across) {
  { link.MaxLongTo(peer, lane, across) } -> std::same_as<size_t>;
};

// Returns false if a message to the peer's endpoint of the same index, with a
// payload of nbytes in it, would find no room now; true if that is not known.
template <class L>
concept LinkKnowsRoom = requires(L& link, Rank peer, Lane lane, size_t nbytes) {
  { link.MayHaveRoom(peer, lane, nbytes) } -> std::same_as<bool>;
};

// The payload of a Medium to this peer that travels in one piece, whatever its
// arguments. At most MaxMedium. Larger ones are assembled there, which costs a
// copy. May change at any time.
template <class L>
concept LinkHasWholeMedium = requires(const L& link, Rank peer) {
  { link.WholeMedium(peer) } -> std::same_as<size_t>;
};

// The payload of a Medium may be made where the link sends it from. Prepare
// returns memory for it, aligned for any type, or null if there is none for
// such a message now; it does not wait. A Medium to that peer and lane, with as
// many arguments, of at most as many bytes, whose payload is that memory is
// sent without a copy. EndPrepared afterwards, in any case. The memory is the
// caller's until then. Any thread.
template <class L>
concept LinkPrepares = requires(L& link, Rank peer, Lane lane,
                                unsigned num_args, size_t nbytes,
                                const void* payload) {
  {
    link.Prepare(peer, lane, num_args, nbytes)
    } -> std::same_as<unsigned char*>;
  { link.EndPrepared(peer, lane, num_args, payload) } -> std::same_as<void>;
};

// Tells if Longs from the peer may come without an address, to the place that
// the handler's landing returns (handler_table.h).
template <class L>
concept LinkLands = requires(const L& link, Rank peer) {
  { link.Lands(peer) } -> std::same_as<bool>;
};

}  // namespace gasnet::am

#endif  // CORE_AM_LINK_H_
