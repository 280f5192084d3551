// Encodes the statistics of a rank (rank_statistics.h) in memory that it
// reserves beforehand. A rank may encode at its end in a signal handler, which
// may have interrupted the allocator. So everything but the constructor
// allocates nothing and takes no lock.
//
// The caller begins an encoding, and adds the elements of the three lists in
// this order: calls, waits, counts of the network. It adds peers at any time.
//
//   Begin, BeginList, AddCall..., BeginList, AddWait...,
//   BeginList, AddNetworkCount..., End
#ifndef JOB_STATISTICS_STATISTICS_WRITER_H_
#define JOB_STATISTICS_STATISTICS_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "job/statistics/rank_statistics.h"
#include "job/wire/fixed_writer.h"

namespace gasnet::job {

class StatisticsWriter {
 public:
  // peers: the maximum number of peers of an encoding.
  explicit StatisticsWriter(size_t peers);
  StatisticsWriter(const StatisticsWriter&) = delete;
  StatisticsWriter& operator=(const StatisticsWriter&) = delete;

  // A negative time becomes 0. handlers: the number of handlers that have run.
  void Begin(int64_t elapsed, uint64_t handlers);
  void BeginList();
  void AddCall(std::string_view name, uint64_t calls, uint64_t bytes,
               int64_t nanos, int64_t waiting);
  void AddWait(const WaitStatistics& wait);
  void AddNetworkCount(std::string_view name, uint64_t count);
  void AddPeer(const PeerStatistics& peer);
  // Returns the encoding, which is valid until the next Begin(). The arguments
  // are the traffic with peers that were not added.
  std::string_view End(uint64_t other_operations, uint64_t other_bytes);

 private:
  void Nanos(int64_t nanos);
  void EndList();

  std::vector<char> memory_;
  std::vector<PeerStatistics> peers_;
  FixedWriter out_;
  size_t list_at_ = 0;  // the place of the current list's count
  uint32_t elements_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_STATISTICS_WRITER_H_
