// Requests that a network serves on a thread of its own while the client's
// threads make no GASNet call: puts, gets and memsets.
//
// An unattended handler does the work of one of GASNet's own request handlers.
// It touches only the segments of this rank and constants of the runtime. So it
// runs beside the client's threads in every threading mode. It never waits: it
// sends its reply at once, or a client's thread serves the request again.
// Serving a request twice has the same effect as serving it once.
#ifndef CORE_AM_UNATTENDED_H_
#define CORE_AM_UNATTENDED_H_

#include "core/am/dispatcher.h"
#include "core/am/message.h"

namespace gasnet::am {

// Sends the replies of unattended handlers. A network implements it.
class ReplySender {
 public:
  virtual Post SendReply(Rank dest, const Message& message) = 0;

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
  }

  ReplySender& replies;
};

// The unattended handler of one message.
class Unattended {
 public:
  // Finds the handler. There is none if the message must wait for a thread of
  // the client. That includes all messages that the handler does not accept: a
  // client's thread reports them. `dispatcher` is one of this rank's.
  Unattended(Dispatcher& dispatcher, const Incoming& message);

  bool Exists() const { return handler_ != nullptr; }
  // Runs the handler, which must exist. The payload of a Long is in place.
  // Returns false if the reply found no room.
  bool Run(const Incoming& message, ReplySender& sender) const;

 private:
  Dispatcher& to_;
  AnyHandler handler_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_UNATTENDED_H_
