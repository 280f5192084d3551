// Fingerprints of files. Two hosts compare fingerprints to learn if their files
// are the same.
#ifndef TOOLS_GASNETRUN_REMOTE_FINGERPRINT_H_
#define TOOLS_GASNETRUN_REMOTE_FINGERPRINT_H_

#include <string>

namespace gasnet::gasnetrun {

// Returns the size and a hash of the contents, or an empty string if the file
// cannot be read. Detects mistakes, not malice.
std::string Fingerprint(const std::string& path);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_FINGERPRINT_H_
