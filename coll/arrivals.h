// The messages that a small operation waits for, while it is in its call. A
// part of at_once.h, used by the thread that drives.
//
// Their headers are known. A message that is the next of its sender is taken
// out of the network (Fabric::Take), into the dest or beside the other
// contributions: no handler, no envelope. Others have come by the inbox. Those
// that were taken when the call gives up go to where a handler would have put
// them.
#ifndef COLL_ARRIVALS_H_
#define COLL_ARRIVALS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/choice.h"
#include "coll/courier.h"
#include "coll/fabric.h"
#include "coll/header.h"
#include "coll/inbox.h"
#include "coll/request.h"
#include "coll/settings.h"
#include "coll/team.h"
#include "coll/tuning.h"

namespace gasnet::coll {

// A small operation in its call.
struct SmallCall {
  Team& team;
  uint32_t number;
  const Request& request;
  const Terms& terms;
  const Algorithm& algorithm;

  bool IsChain() const { return &algorithm == &algorithms::kChainPrefix; }
  bool IsRoot() const { return request.root == team.me(); }
  std::byte* root_area() const {
    return static_cast<std::byte*>(request.root_area);
  }
  Header HeaderOf(uint32_t key) const {
    Header header;
    header.type = MessageType::kEager;
    header.number = number;
    header.key = key;
    header.terms = terms;
    return header;
  }
};

// The nodes from which something comes, and under which key: a multiple of its
// sender, and so much more.
struct Expected {
  uint32_t nodes = 0;  // bits
  uint32_t per_sender = 0;
  uint32_t key = 0;
  size_t nbytes = 0;

  uint32_t KeyOf(Rank from) const { return key + per_sender * from; }
};

struct Come {
  uint32_t missing = 0;                  // bits of nodes
  uint32_t taken = 0;                    // of those, taken out of the network
  Header header;                         // of what comes, but for its key
  const std::byte* payload[kMostNodes];  // by sender
};
static_assert(kMostNodes <= 32);

class Arrivals {
 public:
  Arrivals(Fabric& fabric, const Settings& settings, Courier& courier,
           Inbox& inbox)
      : fabric_(fabric),
        settings_(settings),
        courier_(courier),
        inbox_(inbox) {}

  Expected WhatComes(const SmallCall& call) const;

  // Returns true if all of it, and nothing else, has come. Inlined, as it is
  // called again and again.
  bool HasCome(const SmallCall& call, const Expected& expected, Come& come) {
    if (expected.nbytes > 0) TakeOut(call, expected, come);
    const EnvelopeQueue& early = call.team.early[call.number % kWindow];
    if (early.first() == nullptr) return come.missing == 0;
    return IsRestEarly(call, expected, come);
  }

  // Leaves it to the schedules.
  void PutBack(const SmallCall& call, const Expected& expected,
               const Come& come);
  // When its bytes have been used.
  void GiveBack(const SmallCall& call, const Come& come);

 private:
  void TakeOut(const SmallCall& call, const Expected& expected, Come& come) {
    for (uint32_t left = come.missing; left != 0; left &= left - 1) {
      TakeFrom(static_cast<Rank>(std::countr_zero(left)), call, expected, come);
    }
  }
  void TakeFrom(Rank from, const SmallCall& call, const Expected& expected,
                Come& come) {
    come.header.key = expected.KeyOf(from);
    std::byte* const to = RoomFor(call, from, expected.nbytes);
    if (!fabric_.Take(call.team.rank_of(from), come.header, to,
                      expected.nbytes)) {
      return;
    }
    call.team.window.Heard(from, come.header.base);
    come.missing &= ~(uint32_t{1} << from);
    come.taken |= uint32_t{1} << from;
    come.payload[from] = to;
  }
  static bool IsRestEarly(const SmallCall& call, const Expected& expected,
                          Come& come);
  std::byte* RoomFor(const SmallCall& call, Rank from, size_t nbytes);

  Fabric& fabric_;
  const Settings& settings_;
  Courier& courier_;
  Inbox& inbox_;
  std::vector<std::byte> contributions_;  // by sender, of one operation
};

}  // namespace gasnet::coll

#endif  // COLL_ARRIVALS_H_
