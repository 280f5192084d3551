// An active message as sent and as received, independent of a link's wire
// format.
#ifndef CORE_AM_MESSAGE_H_
#define CORE_AM_MESSAGE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/endpoint_index.h"  // IWYU pragma: export
#include "core/lane.h"            // IWYU pragma: export
#include "core/rank.h"            // IWYU pragma: export

namespace gasnet::am {

using gasnet::kLanes;
using gasnet::Lane;

inline constexpr unsigned kMaxArgs = 16;
inline constexpr unsigned kHandlers = 256;
// The indices below are GASNet's own. The rest belong to the client (spec
// 2.1.0.2).
inline constexpr unsigned kFirstClientHandler = 128;

enum class Category : uint8_t { kShort, kMedium, kLong };

// The largest payload of a Long in any format. All formats have length fields
// of 32 bits, but clients only ask for sizes that fit a positive int.
inline constexpr size_t kMaxLong = 0x7fffffff;

// Permits a link to read a payload after its message was sent. The payload must
// not change or move, and the loan must live, until `readers` is 0 again. A
// link adds to `readers` before the send is done and subtracts (release) after
// its last read. One loan may serve many messages.
struct Loan {
  std::atomic<uint64_t> readers{0};

  bool IsOver() const { return readers.load(std::memory_order_acquire) == 0; }
};

// A payload that lies in many places. It has more than kMaxSmall bytes
// (tuning.h).
class GatherSource {
 public:
  // Writes exactly the whole payload to `to`, memory that the link sends from.
  // The link may call this several times until the send is done.
  virtual void GatherTo(std::byte* to) const = 0;

 protected:
  ~GatherSource() = default;
};

struct SendState;  // core/rma/send_state.h

// A message to be sent. The caller owns everything that the message points to.
// The link reads all of it before the send is done, except for a payload that
// is lent.
struct Message {
  Category category = Category::kShort;
  uint8_t handler = 0;
  uint8_t num_args = 0;
  // Only for Longs: the payload does not change before the reply's handler
  // runs, or never changes (LongAsync). A link may read the payload only until
  // the message's handler runs at the target. After that the client may unmap
  // it.
  bool stays = false;
  // Only for Longs: the payload has already been put to dest_addr, and only the
  // header is sent. Used between the parts of a link.
  bool payload_sent = false;
  // The receiver may take the message in place of its handler (LinkTakes in
  // link.h).
  bool to_take = false;
  // The index of the target's endpoint XOR the index of the sender's endpoint.
  // 0 if both are equal.
  EndpointIndex across = 0;
  // The index of the target's endpoint. The link sets it.
  EndpointIndex endpoint = 0;
  const int32_t* args = nullptr;
  const void* payload = nullptr;  // ignored when nbytes is 0
  size_t nbytes = 0;
  // Only for Mediums: writes the payload, in place of `payload`.
  const GatherSource* gather = nullptr;
  // Only for Longs: an address at the target. If it is null, the payload goes
  // to the address that the handler's Landing returns. Null requires a link
  // that supports this (link.h).
  void* dest_addr = nullptr;
  // the payload's loan; null if it is not lent
  Loan* loan = nullptr;
  SendState* send_state = nullptr;  // set for links that send in steps
};

// A message that was received and checked. category, num_args and nbytes are
// within their limits. The payload of a Long is in place inside this rank's
// segment. The link owns the memory. It is valid until the handler returns.
struct Incoming {
  Rank source = 0;
  Lane lane = Lane::kRequest;
  Category category = Category::kShort;
  uint8_t handler = 0;
  uint8_t num_args = 0;
  const int32_t* args = nullptr;
  void* payload = nullptr;  // aligned for any type
  size_t nbytes = 0;
  // The index of this rank's endpoint, and the XOR of that index and the
  // sender's (see Message).
  EndpointIndex endpoint = 0;
  EndpointIndex across = 0;
};

// The result of a send. kRetry is back-pressure, never an error.
enum class Post : uint8_t {
  kDone,   // sent; the source may be reused
  kRetry,  // no room now; poll and try again
};

}  // namespace gasnet::am

#endif  // CORE_AM_MESSAGE_H_
