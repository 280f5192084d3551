#include "examples/wordcount/verify.h"

#include <cstdio>
#include <fstream>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "examples/util/job.h"
#include "examples/util/progress.h"
#include "examples/wordcount/words.h"

namespace wordcount {
namespace {

using Counts = absl::flat_hash_map<std::string, uint64_t>;

// Counts serially. The code is deliberately simple, and does not use the
// readers and splitters of the parallel count, so that it does not share their
// mistakes.
Counts CountSerially(const std::vector<File>& files) {
  example::ProgressMeter progress("checking", TotalBytes(files));
  Counts counts;
  uint64_t done = 0;
  std::vector<char> block(1 << 20);
  for (const File& file : files) {
    std::ifstream stream(file.path, std::ios::binary);
    std::string word;
    while (stream) {
      stream.read(block.data(), static_cast<std::streamsize>(block.size()));
      for (std::streamsize i = 0; i < stream.gcount(); ++i) {
        const char byte =
            static_cast<char>(FoldByte(static_cast<unsigned char>(block[i])));
        if (byte != 0) {
          word += byte;
        } else if (!word.empty()) {
          ++counts[word.substr(0, kMaxWordBytes)];
          word.clear();
        }
      }
      done += static_cast<uint64_t>(stream.gcount());
      progress.Update(done);
    }
    if (!word.empty()) ++counts[word.substr(0, kMaxWordBytes)];
  }
  return counts;
}

VerifyResult Summarise(const Counts& counts) {
  VerifyResult result;
  result.distinct = counts.size();
  for (const auto& [word, count] : counts) {
    result.words += count;
    result.checksum += ChecksumTerm(word, count);
  }
  return result;
}

uint64_t WrongLookUps(const Counts& counts, const WordTable& table) {
  uint64_t wrong = 0;
  for (const auto& [word, count] : counts) wrong += table.LookUp(word) != count;
  return wrong;
}

void Print(const char* who, const VerifyResult& result) {
  std::printf("%-8s %llu words, %llu distinct, checksum %016llx\n", who,
              static_cast<unsigned long long>(result.words),
              static_cast<unsigned long long>(result.distinct),
              static_cast<unsigned long long>(result.checksum));
}

}  // namespace

bool Verify(const std::vector<File>& files, const WordTable& table,
            const VerifyResult& parallel) {
  const Counts counts = CountSerially(files);
  const VerifyResult serial = Summarise(counts);
  Print("parallel", parallel);
  Print("serial", serial);
  const uint64_t wrong = WrongLookUps(counts, table);
  std::printf("looked up all %zu words: %llu wrong\n", counts.size(),
              static_cast<unsigned long long>(wrong));
  const bool good = serial == parallel && wrong == 0;
  std::printf(good ? "count ok\n" : "COUNT WRONG\n");
  return good;
}

}  // namespace wordcount
