// A stream of frames in both directions over two non-blocking descriptors
// (pipes, a socket, a terminal), with a heartbeat. Each side sends something at
// least every quarter of the permitted silence. So each side notices a peer
// that vanishes without closing.
//
//   - open: frames are sent and received.
//   - suspended: one side is stopped. Silence is ignored; the end of the
//     stream is not.
//   - ended: End gives the reason: closed, garbage, or silent for too long.
//
// Only one thread may use the object, over one EventLoop.
#ifndef JOB_LAUNCH_FRAME_STREAM_H_
#define JOB_LAUNCH_FRAME_STREAM_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "job/launch/event_loop.h"
#include "job/wire/frame.h"

namespace gasnet::job {

class FrameStream {
 public:
  using SharedFrame = std::shared_ptr<const std::string>;

  enum class End { kClosed, kGarbage, kSilent };

  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnFrame(const Frame& frame) = 0;
    // Called once, as the last call.
    virtual void OnStreamEnd(End end) = 0;
  };

  // Makes a stream over two descriptors. The stream sends `preamble` before the
  // first frame, and skips all input up to the peer's preamble.
  FrameStream(UniqueFd in, UniqueFd out, std::string_view preamble,
              const FrameLimits& limits, int64_t silence_nanos, EventLoop& loop,
              Listener& listener);
  // Makes a stream over a socket, without heartbeat and preamble. The socket's
  // kernel notices that the peer has gone, even while processes are stopped.
  FrameStream(UniqueFd socket, const FrameLimits& limits, EventLoop& loop,
              Listener& listener);
  ~FrameStream();

  // Sets the limits of frames that have not been received yet.
  void SetLimits(const FrameLimits& limits) { reader_.SetLimits(limits); }
  void SetSilence(int64_t nanos);
  // The time that the peer may be silent.
  int64_t silence_nanos() const { return silence_nanos_; }

  void Send(SharedFrame frame);
  void Send(std::string frame);
  // The number of bytes that the peer has not accepted yet.
  size_t backlog() const { return backlog_; }
  // Receives all frames that have arrived.
  void Drain();
  // Sends all queued bytes, or gives up at `deadline`.
  void Flush(int64_t deadline);

  void Suspend() { is_suspended_ = true; }
  void Resume();

  // Sends a heartbeat if one is due, and ends the stream if the peer was silent
  // for too long.
  void Expire(int64_t now);
  int64_t deadline() const;
  // Returns true if the peer's heartbeats are overdue, or the stream has ended.
  bool IsOverdue(int64_t now) const;
  // Extends the peer's deadline by at least the time of one more heartbeat.
  // Call this if a process between the two sides caused the silence.
  void Excuse(int64_t now);

  bool is_open() const { return is_open_; }
  // Ends the stream, without notifying the listener.
  void Close();

 private:
  // Reads and handles bytes. Returns false if there is nothing to read now.
  bool Readable();
  void Take(std::string_view bytes);
  bool SkipPreamble(std::string_view& bytes);
  void Write();
  void WatchOut();
  void EndWith(End end);

  UniqueFd in_;
  UniqueFd out_;
  const std::string preamble_;
  std::string before_preamble_;
  bool is_skipping_;
  FrameReader reader_;
  int64_t silence_nanos_;
  EventLoop& loop_;
  Listener& listener_;
  bool is_open_ = true;
  bool is_suspended_ = false;
  bool watches_out_ = false;
  std::deque<SharedFrame> outbox_;
  size_t sent_of_first_ = 0;
  size_t backlog_ = 0;
  int64_t heard_at_;
  int64_t said_at_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_FRAME_STREAM_H_
