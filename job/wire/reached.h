// The addresses by which an agent's host was reached, as its ssh server reports
// them in SSH_CONNECTION. Ranks prefer them to others, since they are known to
// work. Either may be unknown, and neither is reliable: behind address
// translation no other host can use `at`.
#ifndef JOB_WIRE_REACHED_H_
#define JOB_WIRE_REACHED_H_

#include <string>
#include <string_view>

namespace gasnet::job {

struct Reached {
  std::string at;    // This host's address, as text; empty: unknown.
  std::string from;  // The other host's address; empty: unknown.
};

// Returns true for text like "192.0.2.7" or "2001:db8::7", and nothing else.
bool IsIpAddress(const std::string& text);

// Parses "FROM PORT AT PORT". Returns unknown addresses for any other text.
Reached ParseSshConnection(std::string_view text);

}  // namespace gasnet::job

#endif  // JOB_WIRE_REACHED_H_
