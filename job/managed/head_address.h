// Where the members of a job that a foreign launcher has started find its head,
// and the secret that they prove to it: what rank 0 makes known through the
// launcher. As text, within what PMI2 allows
// (job/managed/pmi/process_manager.h):
//
//   1/PORT/SECRET in hexadecimal/HOST as in own_host.h/ADDRESS,ADDRESS,...
//
// It is a secret itself: it goes through the launcher's channels alone.
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
  // Everything must be there and make sense.
  static absl::StatusOr<HeadAddress> FromText(std::string_view text);
};

struct HeadSocket {
  UniqueFd listener;  // Does not block.
  HeadAddress address;
};

// A socket for the head, and where it is: on loopback alone where all members
// are on this host, else on every address of it.
absl::StatusOr<HeadSocket> ListenForMembers(const Secret& secret,
                                            bool is_on_one_host);

// A stream to the head, through the first of its addresses that answers, each
// within `patience_millis`. DeadlineExceeded where one did not, so that it is
// worth trying again; Unavailable where all refuse.
absl::StatusOr<UniqueFd> ConnectToHead(const HeadAddress& head,
                                       int patience_millis);

// Small frames go out at once; a peer whose host or network has gone for about
// a minute is the end of the stream, also while processes are stopped.
void SetUpControlSocket(int socket);

}  // namespace gasnet::job

#endif  // JOB_MANAGED_HEAD_ADDRESS_H_
