// A client of version 1 of PMI. A launcher (mpiexec of MPICH) leaves the socket
// PMI_FD to this process. The client uses this socket, and needs no library.
//
// The program may use PMI as well: this class waits for each answer before it
// asks the next question, and the socket stays open. The launcher cannot
// distinguish the program's calls from those of this class. So all processes
// must make all calls in the same order. At the end of the process this class
// notifies the launcher, unless the program has done so. Without the
// notification, the launcher would take the end for a failure of the job.
//
// One thread only.
#ifndef PORTALS_JOB_PMI1_H_
#define PORTALS_JOB_PMI1_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace gasnet::portals4 {

class Pmi1 {
 public:
  // Returns true if the environment has PMI_FD, PMI_RANK and PMI_SIZE.
  static bool IsOffered();
  static absl::StatusOr<Pmi1> Connect();

  uint32_t rank() const { return rank_; }
  uint32_t size() const { return size_; }

  // Gathers the bytes `mine` of all ranks, indexed by rank. Collective.
  absl::StatusOr<std::vector<std::string>> AllGather(std::string_view mine);

 private:
  Pmi1(int socket, uint32_t rank, uint32_t size)
      : socket_(socket), rank_(rank), size_(size) {}

  absl::Status Begin();
  absl::StatusOr<std::string> Ask(const std::string& question,
                                  std::string_view answer);
  absl::Status Put(const std::string& key, const std::string& value);
  absl::StatusOr<std::string> Get(const std::string& key);
  absl::Status PutAll(std::string_view mine);
  absl::StatusOr<std::string> GetAll(uint32_t rank);
  std::string KeyOf(uint32_t rank, size_t piece) const;

  int socket_;
  uint32_t rank_;
  uint32_t size_;
  uint32_t gathers_ = 0;
  std::string space_;  // the key-value space that the launcher names
};

}  // namespace gasnet::portals4

#endif  // PORTALS_JOB_PMI1_H_
