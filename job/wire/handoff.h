// The data that a process hands to the rank that it starts: the rank's number,
// three descriptors, and the addresses by which the rank's host was reached.
// The data is the value of the environment variable GASNET_JOB, for example
// "rank=3,size=8,control=5,secret=6,memory=7,reached_at=192.0.2.3,
// reached_from=192.0.2.1". No part of it is secret.
#ifndef JOB_WIRE_HANDOFF_H_
#define JOB_WIRE_HANDOFF_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "job/wire/reached.h"

namespace gasnet::job {

struct Handoff {
  static constexpr const char* kVariable = "GASNET_JOB";

  uint32_t rank = 0;
  uint32_t size = 0;
  int control = -1;  // Stream socket to the launcher.
  int secret = -1;   // The descriptor of job/wire/secret.h.
  int memory = -1;   // The descriptor of job/memory/host_memory.h.
  Reached reached = {};

  std::string ToText() const;

  // Parses the text. Each field except `reached` must be present exactly once,
  // and all must be valid.
  static absl::StatusOr<Handoff> FromText(std::string_view text);
};

// Returns an error unless the descriptors are open and of the right kind. A
// wrapper between launcher and program may have closed the descriptors.
absl::Status CheckDescriptors(const Handoff& handoff);

}  // namespace gasnet::job

#endif  // JOB_WIRE_HANDOFF_H_
