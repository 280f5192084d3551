// The libfabric objects of a rank: fabric, domain, completion queue, address
// vector and one reliable endpoint. This class creates the objects and sets the
// peers' addresses.
//
// One endpoint and one completion queue serve all operations. A second endpoint
// or queue would cost more polls, and more connections with some providers.
#ifndef CONDUITS_OFI_ENDPOINT_H_
#define CONDUITS_OFI_ENDPOINT_H_

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "conduits/ofi/choice.h"
#include "conduits/ofi/library.h"
#include "conduits/ofi/paths.h"
#include "conduits/ofi/unreachable_peers.h"
#include "core/rank.h"
#include "core/segment.h"

namespace gasnet::ofi {

// Memory that the provider has registered, with its descriptor and key.
struct Registered {
  fid_mr* region = nullptr;  // null if no registration is needed
  void* descriptor = nullptr;
  uint64_t key = 0;
};

class OfiEndpoint {
 public:
  // The maximum length, in bytes, of the addresses that ranks exchange.
  static constexpr size_t kMaxName = 96;

  // `queue`: the maximum number of completions in the queue at once.
  // `frame_bytes`: the size of the largest message.
  struct Sizes {
    size_t queue;
    size_t frame_bytes;
  };
  static absl::StatusOr<std::unique_ptr<OfiEndpoint>> Open(
      const FabricLibrary& library, Info info, const Paths& paths,
      const Sizes& sizes);

  ~OfiEndpoint() { Close(); }
  OfiEndpoint(const OfiEndpoint&) = delete;
  OfiEndpoint& operator=(const OfiEndpoint&) = delete;
  // Closes all objects and ends all registrations. The library then uses no
  // memory any more. No other function may be called afterwards, and no other
  // thread may be in a call.
  void Close();

  std::string name() const { return name_; }
  const Paths& paths() const { return paths_; }
  const char* provider() const { return info_->fabric_attr->prov_name; }
  uint32_t version() const { return library_.version(); }
  const char* device() const { return info_->domain_attr->name; }

  // Sets the addresses of all ranks, ordered by rank. Called once.
  absl::Status SetPeers(std::span<const std::string> names);
  fi_addr_t PeerAddress(Rank rank) const { return peers_[rank]; }

  // HasFile returns true if provider shm has made a file in /dev/shm.
  // RemoveFile removes this file; if the process were killed, the file would
  // remain. The file may be removed once every rank has called SetPeers,
  // because all ranks have mapped it then.
  bool HasFile() const;
  void RemoveFile() const;

  // Registers memory with the provider. `access` has FI_SEND, FI_RECV, FI_READ,
  // FI_WRITE and FI_REMOTE_* bits. `key` is ignored if the provider chooses
  // keys.
  absl::StatusOr<Registered> Register(void* memory, size_t nbytes,
                                      uint64_t access, uint64_t key);

  // Registers memory that peers access. The key is random, unless the provider
  // chooses keys.
  absl::StatusOr<Registered> RegisterSegment(const Segment& segment);

  fid_ep* ep() const { return ep_; }
  fid_cq* queue() const { return cq_; }
  // Returns a file descriptor that is readable when the queue has an entry, or
  // -1 if the provider has no such descriptor.
  int fd() const { return fd_; }
  // Returns fd() if there is one.
  std::span<const int> fds() const {
    return {&fd_, fd_ < 0 ? size_t{0} : size_t{1}};
  }
  // Returns true if the completion queue is empty and fd() will signal its next
  // entry. Called under the lock.
  bool MayWait() const;

  // Returns the record of peers that cannot be reached any more.
  UnreachablePeers& lost() { return lost_; }

  const char* ErrorText(int error) const { return library_.strerror(error); }
  // Returns the provider's text for a failure in the queue.
  std::string QueueError(fi_cq_err_entry& entry) const;

 private:
  OfiEndpoint(const FabricLibrary& library, Info info, const Paths& paths)
      : library_(library), info_(std::move(info)), paths_(paths) {}

  absl::Status OpenAll(const Sizes& sizes);
  absl::Status Enable(size_t frame_bytes);
  absl::Status OpenQueue(size_t entries);
  absl::Status ReadName();
  absl::Status Explain(int error, const char* what) const;
  template <class Object>
  void CloseOne(Object*& object, const char* what) const;

  const FabricLibrary library_;
  const Info info_;
  const Paths paths_;
  fid_fabric* fabric_ = nullptr;
  fid_domain* domain_ = nullptr;
  fid_cq* cq_ = nullptr;
  fid_av* av_ = nullptr;
  fid_ep* ep_ = nullptr;
  int fd_ = -1;
  std::string name_;
  size_t registered_ = 0;  // number of registered bytes
  std::vector<fid_mr*> regions_;
  std::vector<fi_addr_t> peers_;
  UnreachablePeers lost_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_ENDPOINT_H_
