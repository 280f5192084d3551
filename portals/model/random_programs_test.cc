// Random programs of one to four processes, over memory and over datagrams,
// compared with the model step by step. PORTALS_MODEL_STEPS and
// PORTALS_MODEL_SEED set the number of steps and the seed; both are printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "portals/model/program.h"
#include "portals/testing/job.h"

namespace gasnet::portals4_tests::model {
namespace {

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* const text = getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

constexpr auto kMapped = testing::Process::Memory::kMapped;
constexpr auto kPrivate = testing::Process::Memory::kPrivate;

struct Shape {
  const char* name;
  size_t processes;
  testing::Process::Memory memory = kMapped;
  const testing::JobSetup* job = nullptr;  // null: no job
};

// Jobs on a network that loses, duplicates, reorders and corrupts packets. The
// packets pass between all ranks (kDatagrams), or between two hosts (kHosts).
constexpr testing::JobSetup kDatagrams = {.transport = "datagram"};
constexpr testing::JobSetup kHosts = {.transport = "auto", .hosts = 2};

testing::Processes Make(const Shape& shape, uint64_t seed) {
  if (shape.job != nullptr) {
    const std::string faults =
        "drop=5,duplicate=2,reorder=10,corrupt=1,seed=" + std::to_string(seed);
    testing::JobSetup setup = *shape.job;
    setup.faults = faults.c_str();
    return testing::MakeJob(shape.processes, shape.memory, setup);
  }
  testing::Processes processes;
  for (size_t i = 0; i < shape.processes; ++i) {
    processes.push_back(std::make_unique<testing::Process>(shape.memory));
  }
  return processes;
}

class RandomPrograms : public ::testing::TestWithParam<Shape> {};

// Begins a new program after every 5,000 steps. So a run with the seed of a
// failure reproduces the failure soon.
TEST_P(RandomPrograms, BehaveAsTheModel) {
  // Runs fewer steps over datagrams: a step waits until lost packets are sent
  // again.
  const uint64_t share = GetParam().job != nullptr ? 8 : 1;
  const uint64_t steps = FromEnvironment("PORTALS_MODEL_STEPS", 4'000) / share;
  const uint64_t first = FromEnvironment("PORTALS_MODEL_SEED", 1);
  constexpr uint64_t kEach = 5'000;
  uint64_t seed = first;
  for (uint64_t done = 0; done < steps && !HasFailure();
       done += kEach, ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program program(Make(GetParam(), seed), GetParam().job != nullptr, seed);
    program.Run(std::min(kEach, steps - done));
  }
  std::cout << "seeds " << first << " to " << seed - 1 << ", " << steps
            << " steps\n";
}

INSTANTIATE_TEST_SUITE_P(
    All, RandomPrograms,
    ::testing::Values(Shape{"1_mapped", 1}, Shape{"2_mapped", 2},
                      Shape{"3_mapped", 3}, Shape{"4_mapped", 4},
                      Shape{"2_private", 2, kPrivate},
                      Shape{"3_datagrams", 3, kMapped, &kDatagrams},
                      Shape{"4_on_two_hosts", 4, kPrivate, &kHosts}),
    [](const auto& shape) { return std::string(shape.param.name); });

}  // namespace
}  // namespace gasnet::portals4_tests::model
