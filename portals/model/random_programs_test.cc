// Random programs of two to four processes, compared with the model step by
// step. PORTALS_MODEL_STEPS and PORTALS_MODEL_SEED choose others; both are
// printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

#include "portals/model/program.h"

namespace gasnet::portals::model {
namespace {

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* const text = getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

struct Shape {
  int processes;
  testing::Process::Memory memory;
};

class RandomPrograms : public ::testing::TestWithParam<Shape> {};

// A program for each 5,000 steps, so that a failure is found again soon.
TEST_P(RandomPrograms, BehaveAsTheModel) {
  const uint64_t steps = FromEnvironment("PORTALS_MODEL_STEPS", 4'000);
  const uint64_t first = FromEnvironment("PORTALS_MODEL_SEED", 1);
  constexpr uint64_t kEach = 5'000;
  uint64_t seed = first;
  for (uint64_t done = 0; done < steps && !HasFailure();
       done += kEach, ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program program(GetParam().processes, GetParam().memory, seed);
    program.Run(std::min(kEach, steps - done));
  }
  std::cout << "seeds " << first << " to " << seed - 1 << ", " << steps
            << " steps\n";
}

constexpr auto kMapped = testing::Process::Memory::kMapped;
constexpr auto kPrivate = testing::Process::Memory::kPrivate;
INSTANTIATE_TEST_SUITE_P(All, RandomPrograms,
                         ::testing::Values(Shape{1, kMapped}, Shape{2, kMapped},
                                           Shape{3, kMapped}, Shape{4, kMapped},
                                           Shape{2, kPrivate}),
                         [](const auto& shape) {
                           const bool mapped = shape.param.memory == kMapped;
                           return std::to_string(shape.param.processes) +
                                  (mapped ? "_mapped" : "_private");
                         });

}  // namespace
}  // namespace gasnet::portals::model
