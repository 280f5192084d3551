#include "job/wire/reached.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <vector>

#include "absl/strings/str_split.h"

namespace gasnet::job {

bool IsIpAddress(const std::string& text) {
  in6_addr unused;
  return inet_pton(AF_INET, text.c_str(), &unused) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &unused) == 1;
}

Reached ParseSshConnection(std::string_view text) {
  const std::vector<std::string> words = absl::StrSplit(text, ' ');
  Reached reached;
  if (words.size() != 4) return reached;
  if (IsIpAddress(words[0])) reached.from = words[0];
  if (IsIpAddress(words[2])) reached.at = words[2];
  return reached;
}

}  // namespace gasnet::job
