// The name of each operation in the benchmarks. Programs that measure a peer
// (another library) use the same names. So the table can show GASNet and the
// peer side by side.
#ifndef BENCH_HARNESS_OPERATIONS_H_
#define BENCH_HARNESS_OPERATIONS_H_

#include <cstddef>
#include <vector>

namespace gasnet::bench {

inline constexpr char kShortRoundTrip[] = "Short request and reply";
inline constexpr char kShortTail[] = "Short request and reply, 99th of 100";
inline constexpr char kMediumRoundTrip[] = "Medium there and back";
inline constexpr char kLongShortReply[] = "Long, Short reply";
inline constexpr char kLongRoundTrip[] = "Long there and back";
inline constexpr char kMediumFlood[] = "flood of Mediums, each";
inline constexpr char kShortFlood[] = "flood of Shorts, each";
inline constexpr char kPutConstant[] = "put, constant size";
inline constexpr char kPutManyConstant[] = "put, non-blocking, constant size";
inline constexpr char kGetConstant[] = "get, constant size";
inline constexpr char kPut[] = "put";
inline constexpr char kGet[] = "get";
inline constexpr char kMemset[] = "memset";
inline constexpr char kPutMany[] = "put, non-blocking";
inline constexpr char kGetMany[] = "get, non-blocking";
inline constexpr char kBarrierOfTwo[] = "barrier of 2";
inline constexpr char kBarrierAfterWork[] = "wait of a barrier, after 100 us";
inline constexpr char kCrowdBarrier[] = "barrier of a crowd";
inline constexpr char kCrowdRoundTrip[] = "Short round trip in a crowd";
inline constexpr char kCrowdFlood[] = "all-to-all flood, each";
// Round trips on a machine with other load, between ranks that are not bound to
// processors: through memory and through datagrams.
inline constexpr char kBusyFlags[] = "Short round trip, busy";
inline constexpr char kBusySockets[] = "Short round trip, busy, network";

// Returns the sizes of a sweep of latency and bandwidth: from 8 bytes to
// `largest`, each twice the previous one.
inline std::vector<size_t> SweepSizes(size_t largest) {
  std::vector<size_t> sizes;
  for (size_t size = 8; size <= largest; size *= 2) sizes.push_back(size);
  return sizes;
}

inline constexpr size_t kLargestTransfer = size_t{4} << 20;

inline constexpr char kRoundTripAsleep[] = "Short round trip, both asleep";
inline constexpr char kToComputing[] = "Short round trip, the peer computes";
inline constexpr char kPutToComputing[] = "put, the peer computes";
inline constexpr char kGetFromComputing[] = "get, the peer computes";

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_OPERATIONS_H_
