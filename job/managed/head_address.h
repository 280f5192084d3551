// The address at which the members of a job find its head, and the secret that
// they prove to the head. Rank 0 publishes both through the foreign launcher
// that has started the job. The text below fits the limits of PMI2
// (job/managed/pmi/process_manager.h):
//
//   1/PORT/SECRET in hexadecimal/HOST as in own_host.h/ADDRESS,ADDRESS,...
//
// The whole text is secret. It travels only through the launcher's channels.
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
  std::string host;                    // The OwnHostIdentity of the head.
  std::vector<std::string> addresses;  // Numeric IP addresses.

  std::string ToText() const;
  // Parses the text. Returns an error unless all parts are present and valid.
  static absl::StatusOr<HeadAddress> FromText(std::string_view text);
};

struct HeadSocket {
  UniqueFd listener;  // Non-blocking.
  HeadAddress address;
};

// Opens a listening socket for the head. Listens only on loopback if all
// members are on this host, else on every address of the host.
absl::StatusOr<HeadSocket> ListenForMembers(const Secret& secret,
                                            bool is_on_one_host);

// Opens a stream to the head through the first address that answers. Waits up
// to `patience_millis` for each address. Returns DeadlineExceeded if an address
// did not answer; a retry may then succeed. Returns Unavailable if all
// addresses refuse.
absl::StatusOr<UniqueFd> ConnectToHead(const HeadAddress& head,
                                       int patience_millis);

// Makes small frames leave at once. Also makes the stream end if the peer's
// host or network has been gone for about a minute, even while processes are
// stopped.
void SetUpControlSocket(int socket);

}  // namespace gasnet::job

#endif  // JOB_MANAGED_HEAD_ADDRESS_H_
