// Messages of this rank to itself, from Send until a poll delivers them. Each
// lane has a bound of its own, so replies get out whatever happens to requests.
// Under the lock of the endpoint; what was taken is its taker's.
#ifndef CORE_DATAGRAM_SELF_QUEUE_H_
#define CORE_DATAGRAM_SELF_QUEUE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "core/am/link.h"
#include "core/am/message.h"

namespace gasnet::datagram {

struct SelfMessage {
  am::Incoming message;  // points to what follows, or to a Long's destination
  int32_t args[am::kMaxArgs];
  std::unique_ptr<std::byte[]> payload;
};

class SelfQueue {
 public:
  explicit SelfQueue(size_t bytes) : limit_(bytes) {}

  // Copies the message; a Long's payload goes to its destination, which has
  // been checked. False: there is no room.
  bool Push(Rank me, am::Lane lane, const am::Message& message);
  // The next one, replies first; null when there is none.
  std::unique_ptr<SelfMessage> Pop(am::Lanes lanes);

  bool Empty() const { return lanes_[0].empty() && lanes_[1].empty(); }
  size_t size() const { return lanes_[0].size() + lanes_[1].size(); }

 private:
  using Queue = std::deque<std::unique_ptr<SelfMessage>>;

  static size_t Cost(const SelfMessage& stored);

  const size_t limit_;
  std::array<size_t, am::kLanes> used_{};
  std::array<Queue, am::kLanes> lanes_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_SELF_QUEUE_H_
