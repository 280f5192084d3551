// The launcher's end of one control channel: a state machine over a stream.
//
//   - kSilent: nothing has arrived. An inherited channel may stay silent
//     for ever (the program has not called gasnet_init). An unknown peer
//     must send by the deadline.
//   - kGreeting: part of a HELLO has arrived. It must be complete by the
//     deadline.
//   - kJoined: the HELLO was valid. GATHER, STATISTICS and EXIT are
//     accepted.
//   - kClosed: the peer has closed, or was dropped because of garbage, a
//     wrong secret, a wrong rank, or slowness. Bytes behind a wrong secret
//     are never read (job/wire/proven_reader.h).
//
// No call here blocks. The owner watches fd() for reading, and also for writing
// while WantsWrite() is true, and calls Readable, Writable and Expire.
#ifndef JOB_LAUNCH_CONNECTION_H_
#define JOB_LAUNCH_CONNECTION_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "job/statistics/rank_statistics.h"
#include "job/wire/frame.h"
#include "job/wire/messages.h"
#include "job/wire/proven_reader.h"
#include "job/wire/secret.h"

namespace gasnet::job {

class Connection {
 public:
  enum class State { kSilent, kGreeting, kJoined, kClosed };

  // Receives the frames of the peer. The connection calls the listener during
  // Readable and Expire.
  class Listener {
   public:
    virtual ~Listener() = default;
    // Called when a HELLO has a valid secret, version and form. Returns false
    // to drop the peer.
    virtual bool OnHello(const Hello& hello) = 0;
    virtual void OnGather(const GatherPart& part) = 0;
    virtual void OnExit(int code) = 0;
    virtual void OnStatistics(const RankStatistics& statistics) = 0;
    // Called once, while fd() is still open. `why` is empty if the peer closed
    // in an orderly way.
    virtual void OnClosed(const std::string& why) = 0;
  };

  // Makes a connection over `stream`. The stream must be non-blocking. The
  // HELLO may take `hello_nanos`, counted from `patience_begins`. If
  // `patience_begins` is kNever, the time counts from the HELLO's first byte.
  Connection(UniqueFd stream, const Secret& secret, int64_t hello_nanos,
             int64_t patience_begins, Listener& listener);

  void Readable(int64_t now);
  void Writable();
  void Expire(int64_t now);

  // Queues a frame, and sends as much as the peer accepts. Several connections
  // may share the frame.
  void Send(std::shared_ptr<const std::string> frame);

  State state() const { return state_; }
  int fd() const { return stream_.get(); }
  bool WantsWrite() const { return !outbox_.empty(); }
  int64_t deadline() const { return deadline_; }

 private:
  void TakeFrames();
  void TakeHello(const Frame& frame);
  void TakeJoinedFrame(const Frame& frame);
  void NoteGreeting(int64_t now);
  void Close(const std::string& why);

  UniqueFd stream_;
  const int64_t hello_nanos_;
  Listener& listener_;
  ProvenReader reader_;
  State state_ = State::kSilent;
  int64_t deadline_;
  std::deque<std::shared_ptr<const std::string>> outbox_;
  size_t sent_of_first_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_CONNECTION_H_
