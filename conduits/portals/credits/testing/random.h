// Random numbers that depend only on a seed, on every machine.
#ifndef CONDUITS_PORTALS_CREDITS_TESTING_RANDOM_H_
#define CONDUITS_PORTALS_CREDITS_TESTING_RANDOM_H_

#include <cstdint>

namespace gasnet::portals_conduit::credits {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t Below(uint64_t bound) { return Next() % bound; }
  // Returns a number from 1 to `most`, both included.
  uint64_t UpTo(uint64_t most) { return 1 + Below(most); }

 private:
  uint64_t state_;
};

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TESTING_RANDOM_H_
