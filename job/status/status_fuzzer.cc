// libFuzzer: feeds arbitrary bytes to the decoder of a rank's status. A status
// that the decoder accepts must have an encoding of the same length. The code
// that describes an accepted status must not crash.
#include <stdlib.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "job/status/job_status.h"
#include "job/status/rank_status.h"
#include "job/status/report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gasnet::job;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::optional<RankStatus> status = DecodeStatus(bytes);
  if (!status.has_value()) return 0;
  if (EncodeStatus(*status).size() != size) abort();
  // Makes a job of three ranks. Two of them wait as the status says.
  JobView job(3);
  job[0].status = job[2].status = *status;
  if (StatusText(job).empty() || StatusJson(job).empty()) abort();
  return 0;
}
