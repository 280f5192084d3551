// The address at which the members of a job find its head, and the secret that
// they prove to it. Rank 0 publishes it through the foreign launcher that has
// started the job. Its text is within the limits of PMI2
// (job/managed/pmi/process_manager.h):
//
//   1/PORT/SECRET in hexadecimal/HOST as in own_host.h/ADDRESS,ADDRESS,...
//
// The address is secret too: it travels through the launcher's channels only.
#ifndef JOB_MANAGED_HEAD_ADDRESS_H_
#define JOB_MANAGED_HEAD_ADDRESS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "job/wire/secret.h"

namespace gasnet::job {

struct HeadAddress {
  uint16_t port;
  Secret secret;
  std::string host;                    // OwnHostIdentity.
  std::vector<std::string> addresses;  // Numeric.

  std::string ToText() const;
  // Parses the text. All parts must be present and valid.
  static absl::StatusOr<HeadAddress> FromText(std::string_view text);
};

struct HeadSocket {
  UniqueFd listener;  // Does not block.
  HeadAddress address;
};

// Opens a socket for the head: on loopback only if all members are on this
// host, else on every address of the host.
absl::StatusOr<HeadSocket> ListenForMembers(const Secret& secret,
                                            bool is_on_one_host);

// Opens a stream to the head through the first address that answers, waiting
// `patience_millis` for each. Returns DeadlineExceeded if one did not answer,
// so that a retry may succeed; Unavailable if all refuse.
absl::StatusOr<UniqueFd> ConnectToHead(const HeadAddress& head,
                                       int patience_millis);

// Makes small frames leave at once. Makes the stream end if the peer's host or
// network has been gone for about a minute, also while processes are stopped.
void SetUpControlSocket(int socket);

}  // namespace gasnet::job

#endif  // JOB_MANAGED_HEAD_ADDRESS_H_
