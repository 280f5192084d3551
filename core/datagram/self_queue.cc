#include "core/datagram/self_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gasnet::datagram {

size_t SelfQueue::Cost(const SelfMessage& stored) {
  return sizeof(SelfMessage) +
         (stored.payload != nullptr ? stored.message.nbytes : 0);
}

bool SelfQueue::Push(Rank me, am::Lane lane, const am::Message& message) {
  const auto index = static_cast<size_t>(lane);
  const size_t carried =
      message.category == am::Category::kMedium ? message.nbytes : 0;
  // One message always fits, whatever its size.
  if (used_[index] > 0 &&
      used_[index] + sizeof(SelfMessage) + carried > limit_) {
    return false;
  }
  auto stored = std::make_unique<SelfMessage>();
  std::copy_n(message.args, message.num_args, stored->args);
  stored->message = {.source = me,
                     .lane = lane,
                     .category = message.category,
                     .handler = message.handler,
                     .num_args = message.num_args,
                     .args = stored->args,
                     .payload = message.dest_addr,
                     .nbytes = message.nbytes};
  if (message.category == am::Category::kMedium) {
    stored->payload.reset(new std::byte[std::max<size_t>(carried, 1)]);
    stored->message.payload = stored->payload.get();
  }
  if (message.category != am::Category::kShort && message.nbytes > 0) {
    std::memmove(stored->message.payload, message.payload, message.nbytes);
  }
  used_[index] += Cost(*stored);
  lanes_[index].push_back(std::move(stored));
  return true;
}

std::unique_ptr<SelfMessage> SelfQueue::Pop(am::Lanes lanes) {
  for (const am::Lane lane : {am::Lane::kReply, am::Lane::kRequest}) {
    if (lane == am::Lane::kRequest && lanes == am::Lanes::kReplies) break;
    Queue& queue = lanes_[static_cast<size_t>(lane)];
    if (queue.empty()) continue;
    auto stored = std::move(queue.front());
    queue.pop_front();
    used_[static_cast<size_t>(lane)] -= Cost(*stored);
    return stored;
  }
  return nullptr;
}

}  // namespace gasnet::datagram
