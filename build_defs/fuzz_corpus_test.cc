// Runs a fuzzer's function over its corpus and over a fixed number of mutations
// of the corpus. The number is small enough for every test run (fuzz.bzl). This
// test itself checks no results; the fuzzer's function and the sanitizers find
// errors.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace gasnet {
namespace {

using Input = std::vector<uint8_t>;

// So many mutations take a few seconds with a sanitizer.
constexpr size_t kMutations = 50'000;

std::vector<Input> Corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::getenv("CORPUS"))) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Input> corpus;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file),
                        std::istreambuf_iterator<char>());
  }
  return corpus;
}

Input Mutated(Input input, std::mt19937_64& random) {
  if (random() % 4 == 0) input.resize(random() % (input.size() + 64));
  for (uint64_t changes = random() % 4; changes > 0 && !input.empty();
       --changes) {
    uint8_t& byte = input[random() % input.size()];
    byte = static_cast<uint8_t>(random() % 2 == 0 ? byte ^ 1 << random() % 8
                                                  : random());
  }
  return input;
}

TEST(Fuzzer, SurvivesItsCorpusAndMutations) {
  const std::vector<Input> corpus = Corpus();
  ASSERT_GE(corpus.size(), 5u);
  std::mt19937_64 random(1);
  for (const Input& input : corpus) {
    EXPECT_EQ(LLVMFuzzerTestOneInput(input.data(), input.size()), 0);
    for (size_t i = 0; i < kMutations / corpus.size(); ++i) {
      const Input mutated = Mutated(input, random);
      ASSERT_EQ(LLVMFuzzerTestOneInput(mutated.data(), mutated.size()), 0);
    }
  }
}

}  // namespace
}  // namespace gasnet
