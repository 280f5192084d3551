// Random requests and replies of every kind among some ranks. Each message
// carries data that show whether it has arrived as it was sent.
#ifndef CONDUITS_OFI_TESTING_MIXTURE_H_
#define CONDUITS_OFI_TESTING_MIXTURE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>

#include "conduits/ofi/testing/test_ranks.h"
#include "core/am/message.h"

namespace gasnet::ofi::testing {

class Mixture {
 public:
  Mixture(TestRanks& ranks, uint64_t seed);

  // Sends `messages` requests. The receiver answers every second one.
  void Run(int messages);
  // Verifies that each message has arrived exactly once, and that no unknown
  // message has arrived.
  void Check() const;

 private:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  void SendOne(Rank from, Rank to, am::Lane lane, int32_t answered);
  void Handle(TestRank& at, const am::Incoming& message);

  TestRanks& ranks_;
  std::mt19937_64 random_;
  int32_t sent_ = 0;
  std::map<int32_t, int> heard_;
};

}  // namespace gasnet::ofi::testing

#endif  // CONDUITS_OFI_TESTING_MIXTURE_H_
