// Lists of hosts as people and resource managers write them.
#ifndef TOOLS_GASNETRUN_HOST_LIST_H_
#define TOOLS_GASNETRUN_HOST_LIST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace gasnet::gasnetrun {

struct HostSlots {
  std::string name;
  uint32_t slots = 0;  // Ranks it has room for; 0: not said.

  bool operator==(const HostSlots&) const = default;
};

using HostList = std::vector<HostSlots>;

// All below name a host once, in the order of first mention. One that is
// mentioned again has the slots of both, where a mention without a number is
// one.

// "a,b:8 c": with commas or blanks between. An IPv6 address with a number is
// written [address]:8.
absl::StatusOr<HostList> ParseHostList(std::string_view text);

// A host a line: "name", "name:8", "name 8" or "name slots=8"; other words are
// passed over, and "#" begins a comment.
absl::StatusOr<HostList> ParseHostFile(std::string_view text);

// A name and a number in turn: "a 8 b 8".
absl::StatusOr<HostList> ParseNamesAndSlots(std::string_view text);

// As Slurm writes them: "n[01-03,07],m1", and "2(x3),1" for the slots, which
// may be empty.
absl::StatusOr<HostList> ParseSlurm(std::string_view names,
                                    std::string_view slots);

// Where a name without a number is one slot.
HostList WithOneSlotEach(HostList hosts);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_LIST_H_
