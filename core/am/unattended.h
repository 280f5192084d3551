// Requests that a network serves on a thread of its own while the client's
// threads make no GASNet call: puts, gets, memsets and atomics.
//
// An unattended handler does the work of one of GASNet's own request handlers.
// It touches only the segments of this rank and constants of the runtime. So it
// runs beside the client's threads in every threading mode. It never waits: it
// sends its reply at once. If a short reply finds no room, the network sends it
// later. If another reply finds none, the request is served again. Handlers
// with such replies write nothing.
#ifndef CORE_AM_UNATTENDED_H_
#define CORE_AM_UNATTENDED_H_

#include <cstdint>

#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/observe/seam.h"

namespace gasnet::am {

// Sends the replies of unattended handlers. A network implements it.
class ReplySender {
 public:
  virtual Post SendReply(Rank dest, const Message& message) = 0;
  // Returns false if a short reply would find no room now.
  virtual bool MayReply(Rank dest) = 0;

 protected:
  ~ReplySender() = default;
};

// The token of an unattended handler.
struct UnattendedToken : Token {
  UnattendedToken(const Token& token, ReplySender& sender)
      : Token(token), replies(sender) {}

  // Sends the reply if there is room. Sets `replied` to true in that case.
  void TryReply(const Message& message) {
    Message copy = message;
    copy.across = across;
    copy.endpoint = static_cast<EndpointIndex>(to->index() ^ across);
    replied = replies.SendReply(source, copy) == Post::kDone;
    if (replied && observation != nullptr) [[unlikely]]
      observation->NoteReply(copy.handler, source, copy.nbytes);
  }

  ReplySender& replies;
  observe::ServiceObservation* observation = nullptr;
};

// The unattended handler of one message.
class Unattended {
 public:
  // Finds the handler. There is none if the message must wait for a thread of
  // the client. That includes all messages that the handler does not accept: a
  // client's thread reports them. `dispatcher` is one of this rank's.
  Unattended(Dispatcher& dispatcher, const Incoming& message);

  enum class Service : uint8_t { kServed, kNoRoom, kNeedsClient };
  // Runs the handler, if there is one. place() puts the payload of a Long in
  // place; it is called before the handler runs. kNoRoom: the reply found no
  // room, and the request must be served again.
  template <class Place>
  Service Serve(const Incoming& message, ReplySender& sender,
                Place place) const {
    if (handler_ == nullptr) return Service::kNeedsClient;
    if (!sender.MayReply(message.source)) return Service::kNoRoom;
    place();
    return Run(message, sender) ? Service::kServed : Service::kNoRoom;
  }

 private:
  bool Run(const Incoming& message, ReplySender& sender) const;
  void Call(const Incoming& message, UnattendedToken& token) const;

  Dispatcher& to_;
  AnyHandler handler_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_UNATTENDED_H_
