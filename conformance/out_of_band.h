// Words that all nodes of a job share without GASNet. A test uses them to learn
// of a node's progress without a message, because a message would make its
// peers act.
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

// Returns word number `which`, on a cache line of its own.
std::atomic<uint32_t>& OutOfBand(int which);

}  // namespace conformance

#endif  // CONFORMANCE_OUT_OF_BAND_H_
