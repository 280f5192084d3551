// libFuzzer: feeds arbitrary bytes to the decoder of a rank's statistics.
// Statistics that the decoder accepts must survive encoding and decoding. They
// must not crash the code that sums and describes statistics.
#include <stdlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "job/statistics/job_statistics.h"
#include "job/statistics/picture.h"
#include "job/statistics/rank_statistics.h"
#include "job/statistics/table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gasnet::job;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  RankStatistics statistics;
  if (!Decode(bytes, statistics)) return 0;
  // Compares encodings, because Encode sorts the peers.
  const std::string encoded = Encode(statistics);
  RankStatistics again;
  if (encoded.size() > size || !Decode(encoded, again)) abort();
  if (Encode(again) != encoded) abort();
  JobStatistics job(3, {});
  job.Take(0, statistics);
  job.Take(2, again);
  const JobSummary summary = job.Summarize(1, {});
  if (StatisticsTable(summary).empty()) abort();
  if (StatisticsSvg(summary).empty()) abort();
  return 0;
}
