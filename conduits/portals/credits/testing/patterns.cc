#include "conduits/portals/credits/testing/patterns.h"

#include <cmath>

namespace gasnet::portals_conduit::credits {
namespace {

void Send(Rank self, Rank to, unsigned burst, uint8_t used,
          std::vector<Request>* out) {
  if (to == self) return;
  for (unsigned i = 0; i < burst; ++i) out->push_back({to, used});
}

}  // namespace

Pattern HotTarget(unsigned burst, uint8_t used) {
  return [=](Rank self, Rank, uint64_t, Random&, std::vector<Request>* out) {
    Send(self, 0, burst, used, out);
  };
}

Pattern Ring(unsigned burst, uint8_t used) {
  return
      [=](Rank self, Rank ranks, uint64_t, Random&, std::vector<Request>* out) {
        Send(self, (self + 1) % ranks, burst, used, out);
      };
}

Pattern Tree(unsigned burst, uint8_t used) {
  return
      [=](Rank self, Rank ranks, uint64_t, Random&, std::vector<Request>* out) {
        if (self > 0) Send(self, (self - 1) / 2, burst, used, out);
        for (const Rank child : {2 * self + 1, 2 * self + 2}) {
          if (child < ranks) Send(self, child, burst, used, out);
        }
      };
}

Pattern Ghosts(unsigned burst, uint8_t used) {
  return
      [=](Rank self, Rank ranks, uint64_t, Random&, std::vector<Request>* out) {
        const auto side = static_cast<Rank>(std::lround(std::cbrt(ranks)));
        for (const Rank step : {Rank{1}, side, side * side}) {
          const Rank from = self / step % side;
          const Rank base = self - from * step;
          Send(self, base + (from + 1) % side * step, burst, used, out);
          Send(self, base + (from + side - 1) % side * step, burst, used, out);
        }
      };
}

Pattern Changing(uint64_t rounds, unsigned burst, uint8_t used) {
  return [=](Rank self, Rank ranks, uint64_t round, Random&,
             std::vector<Request>* out) {
    const Rank step = 1 + round / rounds % (ranks - 1);
    Send(self, (self + step) % ranks, burst, used, out);
  };
}

Pattern Anybody(unsigned burst, uint8_t most_used) {
  return [=](Rank self, Rank ranks, uint64_t, Random& random,
             std::vector<Request>* out) {
    for (unsigned i = 0; i < burst; ++i) {
      const auto to = static_cast<Rank>(random.Below(ranks));
      const auto used = static_cast<uint8_t>(random.UpTo(most_used));
      Send(self, to, 1, used, out);
    }
  };
}

Pattern Silence() {
  return [](Rank, Rank, uint64_t, Random&, std::vector<Request>*) {};
}

}  // namespace gasnet::portals_conduit::credits
