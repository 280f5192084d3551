#include "job/managed/head_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/env_parse.h"

namespace gasnet::job {
namespace {

constexpr char kVersion[] = "1";
// A limit of the format: FromText refuses a text with more addresses.
constexpr size_t kMaxAddresses = 16;

bool IsAddress(const std::string& text) {
  in6_addr bytes;
  return inet_pton(AF_INET, text.c_str(), &bytes) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &bytes) == 1;
}

std::optional<Secret> ParseSecret(std::string_view text) {
  const std::optional<std::string> bytes = ParseHexBytes(text);
  if (!bytes || bytes->size() != Secret::kBytes) return std::nullopt;
  return Secret::FromBytes(*bytes);
}

std::optional<uint16_t> ParsePort(const std::string& text) {
  const auto port = ParseInt(text);
  if (!port || *port < 1 || *port > std::numeric_limits<uint16_t>::max()) {
    return std::nullopt;
  }
  return static_cast<uint16_t>(*port);
}

bool AreAddresses(const std::vector<std::string>& addresses) {
  return addresses.size() <= kMaxAddresses &&
         std::all_of(addresses.begin(), addresses.end(), IsAddress);
}

}  // namespace

std::string HeadAddress::ToText() const {
  return absl::StrCat(kVersion, "/", port, "/",
                      absl::BytesToHexString(secret.bytes()), "/", host, "/",
                      absl::StrJoin(addresses, ","));
}

absl::StatusOr<HeadAddress> HeadAddress::FromText(std::string_view text) {
  const std::vector<std::string> fields = absl::StrSplit(text, '/');
  if (fields.size() == 5 && fields[0] == kVersion && !fields[3].empty()) {
    const auto port = ParsePort(fields[1]);
    const auto secret = ParseSecret(fields[2]);
    const std::vector<std::string> addresses = absl::StrSplit(fields[4], ',');
    if (port && secret && AreAddresses(addresses)) {
      return HeadAddress{*port, *secret, fields[3], addresses};
    }
  }
  // Leaves the text out of the message, because the text may contain a secret.
  return absl::DataLossError(absl::StrCat(
      "the value that rank 0 has published (", text.size(),
      " bytes) is not the address of a job; do all ranks run the same "
      "program?"));
}

}  // namespace gasnet::job
