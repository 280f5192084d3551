// Delivers messages of a rank to itself: to the endpoint that sends them, or to
// another of its endpoints. The call that sends a request runs its handler on
// the calling thread. The call that sends the reply runs the reply's handler,
// within the request's handler. These messages use no link, never wait, and
// serve no other messages. Any thread may send them while others send and poll.
//
// The handler of a Medium gets its own copy of the payload. Only small copies
// are on the stack, because client threads may have small stacks. Large copies
// are in memory that the thread keeps. Request handlers send no requests and
// reply handlers send nothing, so a thread handles at most one request and one
// reply at a time.
#ifndef CORE_AM_SELF_DELIVERY_H_
#define CORE_AM_SELF_DELIVERY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/log.h"
#include "core/am/copy.h"
#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/am/tuning.h"
#include "core/segment.h"
#include "core/thread/thread_state.h"

namespace gasnet::am {

template <class L>
class SelfDelivery {
 public:
  SelfDelivery(L& link, Dispatcher& dispatcher)
      : link_(link), dispatcher_(dispatcher) {}

  // Sets this rank. Before this call, IsSelf() is false for all ranks.
  void SetSelf(Rank me, const Segment& segment) {
    me_ = me;
    dispatcher_.SetSegment(segment);
  }
  bool IsSelf(Rank rank) const { return rank == me_; }

  // Runs the handler of a message. Each category has its own function, so that
  // the values are passed in registers.
  template <Lane lane>
  [[gnu::always_inline]] void Run(const Message& message) {
    if (message.across != 0) [[unlikely]] {
      // Only this copy puts the message into memory. All other messages stay in
      // registers (see Engine::ServeAndRequest).
      const Message copy = message;
      return RunAcross<lane>(copy);
    }
    RunHere<lane>(message);
  }

 private:
  template <Lane lane>
  [[gnu::always_inline]] void RunHere(const Message& message) {
    switch (message.category) {
      case Category::kShort:
        return RunShort<lane>(message.handler, message.num_args, message.args);
      case Category::kMedium:
        if (message.gather != nullptr) [[unlikely]]
          return RunGathered<lane>(message.handler, message.num_args,
                                   message.args, *message.gather,
                                   message.nbytes);
        return RunMedium<lane>(message.handler, message.num_args, message.args,
                               message.payload, message.nbytes);
      case Category::kLong:
        return RunLong<lane>(message.handler, message.num_args, message.args,
                             message.payload, message.nbytes,
                             message.dest_addr);
    }
  }

  // Runs a message to another endpoint of this rank, as if that endpoint had
  // sent it to itself.
  template <Lane lane>
  [[gnu::noinline]] void RunAcross(const Message& message) {
    SelfDelivery there(link_,
                       dispatcher_.Of(me_, dispatcher_.index() ^ message.across,
                                      message.across));
    there.me_ = me_;
    there.across_ = message.across;
    there.template RunHere<lane>(message);
  }

  template <Lane lane>
  [[gnu::noinline]] void RunShort(uint8_t handler, uint8_t num_args,
                                  const int32_t* args) {
    Deliver<lane, Category::kShort>(handler, num_args, args, nullptr, 0);
  }

  template <Lane lane>
  [[gnu::noinline]] void RunMedium(uint8_t handler, uint8_t num_args,
                                   const int32_t* args, const void* payload,
                                   size_t nbytes) {
    if (nbytes > kMaxOnStack) [[unlikely]] {
      RunLargeMedium<lane>(handler, num_args, args, payload, nbytes);
      return;
    }
    alignas(std::max_align_t) unsigned char copy[kMaxOnStack];
    if (nbytes <= kMaxSmall) {
      CopySmall(copy, static_cast<const unsigned char*>(payload), nbytes);
    } else {
      std::memcpy(copy, payload, nbytes);
    }
    Deliver<lane, Category::kMedium>(handler, num_args, args, copy, nbytes);
  }

  template <Lane lane>
  [[gnu::noinline]] void RunLargeMedium(uint8_t handler, uint8_t num_args,
                                        const int32_t* args,
                                        const void* payload, size_t nbytes) {
    void* const copy = PayloadMemory<lane>(nbytes);
    std::memcpy(copy, payload, nbytes);
    Deliver<lane, Category::kMedium>(handler, num_args, args, copy, nbytes);
  }

  template <Lane lane>
  [[gnu::noinline]] void RunGathered(uint8_t handler, uint8_t num_args,
                                     const int32_t* args,
                                     const GatherSource& gather,
                                     size_t nbytes) {
    void* const copy = PayloadMemory<lane>(nbytes);
    gather.GatherTo(static_cast<std::byte*>(copy));
    Deliver<lane, Category::kMedium>(handler, num_args, args, copy, nbytes);
  }

  // Returns memory of this thread for the payload of a large Medium.
  template <Lane lane>
  void* PayloadMemory(size_t nbytes) {
    if (nbytes > link_.MaxMedium()) [[unlikely]]
      RefuseTooLong(nbytes);
    thread::ThreadState& self = thread::Self();
    return lane == Lane::kRequest ? self.request_payload.AtLeast(nbytes)
                                  : self.reply_payload.AtLeast(nbytes);
  }

  // Places a Long and runs its handler. The source may be the destination, or
  // overlap it.
  template <Lane lane>
  [[gnu::noinline]] void RunLong(uint8_t handler, uint8_t num_args,
                                 const int32_t* args, const void* payload,
                                 size_t nbytes, void* dest) {
    if (nbytes > 0) {
      if (!dispatcher_.segment().Contains(dest, nbytes)) [[unlikely]]
        RefuseOutside(dest, nbytes);
      if (dest != payload) std::memmove(dest, payload, nbytes);
    }
    Deliver<lane, Category::kLong>(handler, num_args, args, dest, nbytes);
  }

  // Delivers the message. After a request, wakes this rank's sleeping threads,
  // because one of them may wait for what the handler did.
  template <Lane lane, Category category>
  [[gnu::always_inline]] void Deliver(uint8_t handler, uint8_t num_args,
                                      const int32_t* args, void* payload,
                                      size_t nbytes) {
    dispatcher_.Deliver({.source = me_,
                         .lane = lane,
                         .category = category,
                         .handler = handler,
                         .num_args = num_args,
                         .args = args,
                         .payload = payload,
                         .nbytes = nbytes,
                         .across = across_});
    if constexpr (lane == Lane::kRequest) link_.WakeOwn();
  }

  [[noreturn, gnu::cold, gnu::noinline]] void RefuseTooLong(
      size_t nbytes) const {
    Fatal("Medium active message of %zu bytes to rank %u: the limit is %zu",
          nbytes, me_, link_.MaxMedium());
  }
  [[noreturn, gnu::cold, gnu::noinline]] void RefuseOutside(
      const void* dest, size_t nbytes) const {
    Fatal(
        "Long active message of %zu bytes to rank %u: destination %p is "
        "outside "
        "that rank's segment [%p, %p)",
        nbytes, me_, dest, reinterpret_cast<void*>(dispatcher_.segment().base),
        reinterpret_cast<void*>(dispatcher_.segment().base +
                                dispatcher_.segment().size));
  }

  static constexpr Rank kNobody = ~Rank{0};

  L& link_;
  Dispatcher& dispatcher_;
  Rank me_ = kNobody;
  EndpointIndex across_ = 0;  // Message::across of the messages that run here
};

}  // namespace gasnet::am

#endif  // CORE_AM_SELF_DELIVERY_H_
