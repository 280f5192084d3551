// Makes the processes of a job, with sockets on loopback. The processes become
// ranks of the job before they open their interfaces.
#ifndef PORTALS_TESTING_JOB_H_
#define PORTALS_TESTING_JOB_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "portals/testing/process.h"

namespace gasnet::portals4_tests::testing {

using Processes = std::vector<std::unique_ptr<Process>>;

struct JobSetup {
  const char* transport = "datagram";  // value of PORTALS4_TRANSPORT
  uint32_t hosts = 1;  // rank R pretends to be on host R % hosts
  size_t datagram = 1472;
  const char* faults = "";  // value of PORTALS4_DATAGRAM_FAULTS
};

// Makes the processes of a job of at most 16 ranks.
Processes MakeJob(size_t ranks, Process::Memory memory, const JobSetup& setup);

}  // namespace gasnet::portals4_tests::testing

#endif  // PORTALS_TESTING_JOB_H_
