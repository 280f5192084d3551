// By which addresses a host was reached from the one that started an agent on
// it, as its ssh server tells in SSH_CONNECTION. Ranks prefer these ways to
// others: they are known to work. Either may be unknown, and neither is to be
// relied on: behind a translation of addresses `at` is nobody else's.
#ifndef JOB_WIRE_REACHED_H_
#define JOB_WIRE_REACHED_H_

#include <string>
#include <string_view>

namespace gasnet::job {

struct Reached {
  std::string at;    // This host's address, as text; empty: unknown.
  std::string from;  // The other side's; empty: unknown.
};

// "192.0.2.7" or "2001:db8::7", and nothing else.
bool IsIpAddress(const std::string& text);

// From "FROM PORT AT PORT". Any other text is unknown.
Reached ParseSshConnection(std::string_view text);

}  // namespace gasnet::job

#endif  // JOB_WIRE_REACHED_H_
