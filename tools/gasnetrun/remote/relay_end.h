// One end of a relay. A relay forwards the bytes of a pair of descriptors as
// notes. The notes pass through a frame stream, beside other traffic. This end
// reads bytes from `in` and sends them as kRelayData. It writes the bytes of
// each kRelayData that arrives to `out`.
//
// In each direction at most a window of bytes is in flight. A sender begins
// with a window of credit. It regains credit (kRelayTaken) when the other end
// has written the bytes. So neither end ever blocks the stream or queues more
// than a window. A kRelayData without bytes ends a direction.
//
//   in:   open --its end, sent--> closed
//   out:  open --the other end's end, written--> closed
//           `-- cannot be written --> closed (later data is dropped)
//
// All input from the other end is checked. Used by one thread.
#ifndef TOOLS_GASNETRUN_REMOTE_RELAY_END_H_
#define TOOLS_GASNETRUN_REMOTE_RELAY_END_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "job/launch/event_loop.h"
#include "job/wire/frame.h"
#include "tools/gasnetrun/remote/agent_messages.h"
#include "tools/gasnetrun/remote/window.h"

namespace gasnet::gasnetrun {

class RelayEnd {
 public:
  // Sends a note about this relay to the other end.
  using Sender = std::function<void(job::FrameType type, uint32_t value,
                                    std::string_view bytes)>;

  // `window` must be the same at both ends.
  RelayEnd(uint32_t window, UniqueFd in, UniqueFd out, job::EventLoop& loop,
           Sender send);
  ~RelayEnd();
  RelayEnd(const RelayEnd&) = delete;
  RelayEnd& operator=(const RelayEnd&) = delete;

  // Handle a kRelayData and a kRelayTaken. Return false for a note that a
  // correct end would not send.
  [[nodiscard]] bool TakeData(std::string_view bytes);
  [[nodiscard]] bool TakeCredit(uint32_t bytes);

  // Returns true if no byte of `in` is waiting to be sent.
  bool HasSentAll() const;
  // Returns true if no byte is waiting to be written to `out`.
  bool HasWrittenAll() const { return waiting_.empty(); }

 private:
  void Read();
  void WatchIn();
  void Write();
  void WatchOut();
  void CloseIn();
  void CloseOut();

  UniqueFd in_;
  UniqueFd out_;
  job::EventLoop& loop_;
  const Sender send_;
  bool watches_out_ = false;
  CreditWindow window_;
  Owed owed_;      // credit to return for bytes written
  uint32_t room_;  // number of bytes that the other end may still send
  bool has_other_ended_ = false;
  std::string waiting_;
};

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_RELAY_END_H_
