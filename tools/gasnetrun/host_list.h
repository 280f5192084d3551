// Parses lists of hosts in the forms that users and resource managers write.
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
  uint32_t slots = 0;  // number of ranks that fit on the host; 0: unknown

  bool operator==(const HostSlots&) const = default;
};

using HostList = std::vector<HostSlots>;

// All functions below list each host once, in the order of first mention. If a
// host is mentioned several times, its slots are the sum over all mentions. A
// mention without a number then counts as one slot.

// Parses "a,b:8 c": hosts separated by commas or blanks. An IPv6 address with a
// number of slots is written [address]:8.
absl::StatusOr<HostList> ParseHostList(std::string_view text);

// Parses a file with one host per line: "name", "name:8", "name 8" or "name
// slots=8". Ignores other words. "#" begins a comment.
absl::StatusOr<HostList> ParseHostFile(std::string_view text);

// Parses a list in which names and numbers of slots alternate: "a 8 b 8".
absl::StatusOr<HostList> ParseNamesAndSlots(std::string_view text);

// Parses lists of Slurm: "n[01-03,07],m1" for the names, and "2(x3),1" for the
// slots. The list of slots may be empty.
absl::StatusOr<HostList> ParseSlurm(std::string_view names,
                                    std::string_view slots);

// Gives one slot to each host without a number of slots.
HostList WithOneSlotEach(HostList hosts);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_LIST_H_
