// The serial count with which the parallel one is compared.

#ifndef EXAMPLES_WORDCOUNT_VERIFY_H_
#define EXAMPLES_WORDCOUNT_VERIFY_H_

#include <cstdint>
#include <vector>

#include "examples/wordcount/input.h"
#include "examples/wordcount/table.h"

namespace wordcount {

struct Result {
  uint64_t words = 0;
  uint64_t distinct = 0;
  uint64_t checksum = 0;

  bool operator==(const Result&) const = default;
};

// On one rank: counts all files on its own, compares the result, and looks
// every single word up in the distributed table. Prints what it found; answers
// whether everything agrees.
bool Verify(const std::vector<File>& files, const Table& table,
            const Result& parallel);

}  // namespace wordcount

#endif  // EXAMPLES_WORDCOUNT_VERIFY_H_
