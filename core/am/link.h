// A link carries active messages: its shape, on one page.
//
// A link moves messages between this rank and all others, keeps requests and
// replies apart, and may buffer. It never loses or repeats a message that it
// answered kDone for. Messages of this rank to itself do not come here
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
// only replies may be handled, since a request handler must not be interrupted
// by another; reply handlers send nothing, so serving them always ends.
enum class Lanes : uint8_t { kAll, kReplies };

template <class L>
concept Link = requires(L& link, Rank peer, Lane lane, const Message& message,
                        Dispatcher& dispatcher, uint32_t epoch,
                        int64_t longest) {
  // Sends, or answers kRetry when there is no room now. For a Long, kDone
  // means that the payload will be in place before the handler runs.
  { link.Send(peer, lane, message) } -> std::same_as<Post>;

  // Hands messages that have arrived to the dispatcher; how many. No lock of
  // the link is held while a handler runs.
  { link.Poll(Lanes::kAll, dispatcher) } -> std::same_as<unsigned>;

  // Largest payloads in bytes, constant once the job is attached.
  { link.MaxMedium() } -> std::same_as<size_t>;
  { link.MaxLong(lane) } -> std::same_as<size_t>;

  // Sleeping without losing a wake-up: Arm; look once more; Sleep(epoch,
  // longest) returns when anything happened after Arm that this process may
  // wait for (a message, room to send, a handler run by another of its threads,
  // and of a network that transfers by itself what core/rma/rma.h says), after
  // so many nanoseconds, or spuriously; Disarm in any case. True: nothing has
  // rung since, and another look and Sleep may follow without an Arm. Looking
  // may wait itself: an Arm and a Disarm between must cost the outer Sleep
  // nothing.
  { link.Arm() } -> std::same_as<uint32_t>;
  { link.Sleep(epoch, longest) } -> std::same_as<bool>;
  { link.Disarm() } -> std::same_as<void>;

  // After a handler that no Poll has run: wakes the threads of this process
  // that sleep, which may wait for what it did.
  { link.WakeOwn() } -> std::same_as<void>;
};

// Optional members of a link, by their names. The engine uses what it finds; so
// a link asserts what it has, and a member that is misspelt, or has other
// parameters, does not compile instead of being left out in silence.

// Whether Poll may have something to do, at the cost of a few loads. Where it
// has not, a request is sent without a Poll. In place of PollBeforeSend.
template <class L>
concept LinkHasMessages = requires(L& link) {
  { link.HasMessages() } -> std::same_as<bool>;
};

// A request that its receiver knows in advance but for some of its arguments: a
// Medium.
struct Wanted {
  Rank from = 0;
  uint8_t handler = 0;
  uint8_t num_args = 0;
  size_t nbytes = 0;  // not 0
};

// Whether a receiver may take what it wants out of the link itself, which costs
// a fraction of a handler and of a place for the payload in between. TakeMedium
// takes the oldest request from there if it is that one and accept(arguments)
// says so, and copies its payload. accept only reads. HasMessagesBut is
// HasMessages, but is silent of ranks whose oldest request is for that handler,
// so that who takes those can serve the others.
template <class L>
concept LinkTakes = requires(L& link, const Wanted& wanted, void* to,
                             bool (*accept)(const int32_t*)) {
  { link.TakeMedium(wanted, to, accept) } -> std::same_as<bool>;
  { link.HasMessagesBut(uint8_t{}) } -> std::same_as<bool>;
};

// Called in place of Poll before a request is sent: for a link that cannot look
// as often as that.
template <class L>
concept LinkPollsBeforeSend = requires(L& link, Dispatcher& dispatcher) {
  { link.PollBeforeSend(dispatcher) } -> std::same_as<void>;
};

// Called in place of Poll by a wait whose condition holds already. May leave
// out what is dear (a system call) where it was done a few microseconds ago.
template <class L>
concept LinkPollsInPassing = requires(L& link, Dispatcher& dispatcher) {
  { link.PollInPassing(dispatcher) } -> std::same_as<void>;
};

// Poll by a waiting thread that has done nothing since its last one, a moment
// ago, found nothing.
template <class L>
concept LinkPollsAgain = requires(L& link, Dispatcher& dispatcher) {
  { link.PollAgain(Lanes::kAll, dispatcher) } -> std::same_as<unsigned>;
};

// Whether some messages take it several calls of Send, which keep what has been
// begun in Message::journey; where that is null Send begins nothing of those
// and answers kRetry. Between two calls with the same journey the sender polls,
// for replies alone where it is the sender of one.
template <class L>
concept LinkSendsInSteps = L::kSendsInSteps;

// The largest Long to this peer's endpoint (Message::across), for callers that
// need not split messages to all peers alike: of the same index at least
// MaxLong.
template <class L>
concept LinkHasMaxLongTo = requires(const L& link, Rank peer, Lane lane,
                                    EndpointIndex across) {
  { link.MaxLongTo(peer, lane, across) } -> std::same_as<size_t>;
};

// At most MaxMedium: the payload of a Medium to this peer that travels in one
// piece, whatever its arguments. Larger ones are put together there, which
// costs a copy. May change at any time.
template <class L>
concept LinkHasWholeMedium = requires(const L& link, Rank peer) {
  { link.WholeMedium(peer) } -> std::same_as<size_t>;
};

// Whether Longs from the peer may come without an address, to where the
// handler's landing says (handler_table.h).
template <class L>
concept LinkLands = requires(const L& link, Rank peer) {
  { link.Lands(peer) } -> std::same_as<bool>;
};

}  // namespace gasnet::am

#endif  // CORE_AM_LINK_H_
