// Lists of hosts as users and resource managers write them.
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
  uint32_t slots = 0;  // The number of ranks it has room for; 0: unknown.

  bool operator==(const HostSlots&) const = default;
};

using HostList = std::vector<HostSlots>;

// All functions below list a host once, in the order of first mention. A host
// that is mentioned again has the slots of all its mentions; a mention without
// a number counts as one slot.

// Parses "a,b:8 c", separated by commas or blanks. An IPv6 address with a
// number is written [address]:8.
absl::StatusOr<HostList> ParseHostList(std::string_view text);

// Parses one host per line: "name", "name:8", "name 8" or "name slots=8".
// Ignores other words. "#" begins a comment.
absl::StatusOr<HostList> ParseHostFile(std::string_view text);

// Parses names and numbers in turn: "a 8 b 8".
absl::StatusOr<HostList> ParseNamesAndSlots(std::string_view text);

// Parses lists of Slurm: "n[01-03,07],m1" for the names, and "2(x3),1" for the
// slots, which may be empty.
absl::StatusOr<HostList> ParseSlurm(std::string_view names,
                                    std::string_view slots);

// Gives one slot to each name without a number.
HostList WithOneSlotEach(HostList hosts);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_LIST_H_
