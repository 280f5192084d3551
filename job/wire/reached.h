// The addresses by which an agent's host was reached, as its ssh server reports
// them in SSH_CONNECTION. Ranks prefer these addresses, because they have
// worked once. Either address may be unknown. Neither is reliable: behind
// address translation no other host can use `at`.
#ifndef JOB_WIRE_REACHED_H_
#define JOB_WIRE_REACHED_H_

#include <string>
#include <string_view>

namespace gasnet::job {

struct Reached {
  std::string at;  // This host's address, as text. Empty: unknown.
  // Address of the host that reached this one. Empty: unknown.
  std::string from;
};

// Returns true if the whole text is an address such as "192.0.2.7" or
// "2001:db8::7".
bool IsIpAddress(const std::string& text);

// Parses "FROM PORT AT PORT". Returns unknown addresses for any other text.
Reached ParseSshConnection(std::string_view text);

}  // namespace gasnet::job

#endif  // JOB_WIRE_REACHED_H_
