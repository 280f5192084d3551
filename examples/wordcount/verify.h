// Counts serially, to verify the parallel count.

#ifndef EXAMPLES_WORDCOUNT_VERIFY_H_
#define EXAMPLES_WORDCOUNT_VERIFY_H_

#include <cstdint>
#include <vector>

#include "examples/wordcount/input.h"
#include "examples/wordcount/table.h"

namespace wordcount {

struct VerifyResult {
  uint64_t words = 0;
  uint64_t distinct = 0;
  uint64_t checksum = 0;

  bool operator==(const VerifyResult&) const = default;
};

// Counts all files on one rank, compares the result, and looks up every word in
// the distributed table. Prints the differences. Returns true if there are
// none.
bool Verify(const std::vector<File>& files, const WordTable& table,
            const VerifyResult& parallel);

}  // namespace wordcount

#endif  // EXAMPLES_WORDCOUNT_VERIFY_H_
