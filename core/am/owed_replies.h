// Short replies of unattended handlers that found no room. A network sends them
// later, in their order. So no handler that has written runs again. Used under
// the lock of the network.
#ifndef CORE_AM_OWED_REPLIES_H_
#define CORE_AM_OWED_REPLIES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "core/am/message.h"
#include "core/rank.h"

namespace gasnet::am {

class OwedReplies {
 public:
  void Add(Rank dest, const Message& message) {
    Owed& owed = owed_.emplace_back(Owed{dest, message, {}});
    std::copy_n(message.args, message.num_args, owed.args.begin());
  }
  bool Empty() const { return owed_.empty(); }
  size_t bytes() const { return owed_.size() * sizeof(Owed); }

  // The destination of the oldest reply, and the reply. There is one.
  Rank dest() const { return owed_.front().dest; }
  const Message& message() {
    owed_.front().message.args = owed_.front().args.data();
    return owed_.front().message;
  }
  // Removes the oldest reply, which has been sent.
  void Pop() { owed_.pop_front(); }

 private:
  struct Owed {
    Rank dest;
    Message message;
    std::array<int32_t, kMaxArgs> args;
  };

  std::deque<Owed> owed_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_OWED_REPLIES_H_
