// Finds out whether a file on another host is the same as one here.
#ifndef TOOLS_GASNETRUN_REMOTE_FINGERPRINT_H_
#define TOOLS_GASNETRUN_REMOTE_FINGERPRINT_H_

#include <string>

namespace gasnet::gasnetrun {

// Size and a hash of the contents; empty for a file that cannot be read. Finds
// mistakes, not malice.
std::string Fingerprint(const std::string& path);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_FINGERPRINT_H_
