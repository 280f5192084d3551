// Words that all nodes of a job share past GASNet: for a test to learn what a
// node has done without a message that would make its peers do something.
//
// They are 0 when the job starts. They are in a file in the directory that the
// runner makes for each run, which CONFORMANCE_SCRATCH names, so all nodes must
// be on one host. May be used from the first line of main() on.
#ifndef CONFORMANCE_OUT_OF_BAND_H_
#define CONFORMANCE_OUT_OF_BAND_H_

#include <stdint.h>

#include <atomic>

namespace conformance {

constexpr int kOutOfBandWords = 64;

// Word number `which`, on a cache line of its own.
std::atomic<uint32_t>& OutOfBand(int which);

}  // namespace conformance

#endif  // CONFORMANCE_OUT_OF_BAND_H_
