// Words that all nodes of a job share without GASNet. Tests use them to learn
// of a node's progress. A message would make the receiver serve the network,
// but an access to these words does not.
//
// The words are 0 when the job starts. They are in a file in the directory that
// the runner makes for each run (CONFORMANCE_SCRATCH), so all nodes must be on
// one host. They may be used from the first line of main() on.
#ifndef CONFORMANCE_OUT_OF_BAND_H_
#define CONFORMANCE_OUT_OF_BAND_H_

#include <stdint.h>

#include <atomic>

namespace conformance {

constexpr int kOutOfBandWords = 64;

// Returns word number `which`. Each word has its own cache line.
std::atomic<uint32_t>& OutOfBand(int which);

}  // namespace conformance

#endif  // CONFORMANCE_OUT_OF_BAND_H_
