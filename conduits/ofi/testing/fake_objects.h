// The objects behind the handles that the fake fabric gives out, and the
// operations under way. Used only by the fake's own files.
#ifndef CONDUITS_OFI_TESTING_FAKE_OBJECTS_H_
#define CONDUITS_OFI_TESTING_FAKE_OBJECTS_H_

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_rma.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/rules/registration.h"

namespace gasnet::ofi::testing {

class FakeWorld;
struct FakeEndpoint;

struct FakeFabricObject : fid_fabric {
  FakeWorld* world;
};

struct FakeMemory : rules::Registration {
  FakeWorld* world;
  struct FakeDomain* domain;
  FakeEndpoint* bound = nullptr;
};

struct FakeDomain : fid_domain {
  FakeWorld* world;
  std::deque<FakeMemory> memories;
};

struct FakeCompletion {
  void* context;
  uint64_t flags;
  size_t nbytes = 0;
  void* buffer = nullptr;
  int error = 0;
};

struct FakeQueue : fid_cq {
  FakeWorld* world;
  size_t size;
  std::vector<FakeCompletion> ready;
  std::optional<FakeCompletion> failed;  // failure that fi_cq_readerr takes
  UniqueFd fd;
};

struct FakeVector : fid_av {
  FakeWorld* world;
  std::vector<FakeEndpoint*> peers;
};

// A posted receive buffer.
struct FakeReceive {
  std::byte* buffer;
  size_t nbytes;
  void* context;
  bool multiple;
  size_t used = 0;
};

struct FakeEndpoint : fid_ep {
  FakeWorld* world;
  FakeDomain* domain;
  FakeQueue* queue = nullptr;
  FakeVector* peers = nullptr;
  std::string name;
  bool enabled = false;
  bool blocked = false;
  bool again = false;  // refuses posts until a read of its queue
  size_t least_room = 64;
  size_t under_way = 0;
  std::deque<FakeReceive> receives;
  // The numbers of the sends, and the numbers of the writes, that are posted
  // but not in place yet. Keyed by peer.
  std::map<const FakeEndpoint*, std::array<std::set<uint64_t>, 2>> on_the_way;
};

// An operation under way. Its steps:
//
// - The operation leaves: its source has been read.
// - One half of the data is in place, then the other half.
// - The operation's completion is reported.
struct FakeOperation {
  FakeKind kind;
  FakeEndpoint* from;  // null: not a rank
  FakeEndpoint* to;
  void* context;
  uint64_t flags;
  std::byte* local;
  size_t nbytes;
  std::byte* remote = nullptr;
  uint64_t number = 0;
  unsigned due = 0;
  int error = 0;
  bool left = false;
  bool half = false;
  bool placed = false;
  bool told = false;
  bool unexpected = false;
  std::vector<std::byte> bytes = {};

  std::set<uint64_t>& OnTheWay(FakeKind of) const {
    return from->on_the_way[to][of == FakeKind::kSend ? 0 : 1];
  }
};

class FakeWorld {
 public:
  explicit FakeWorld(const FakeFabricOptions& options)
      : options_(options), random_(options.seed) {}

  const FakeFabricOptions& options() const { return options_; }
  FakeFabric::Counts& counts() { return counts_; }

  int mr_mode() const;
  bool DemandsMode(int bit) const { return (mr_mode() & bit) != 0; }
  unsigned Below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  uint64_t RandomNumber() { return random_(); }
  bool Hits(unsigned so_many) { return so_many > 0 && Below(so_many) == 0; }
  // Returns true if the options make `function` fail.
  bool Fails(const char* function) const { return options_.fails == function; }

  // The functions that serve posts (fake_posts.cc). RefusalOf returns the error
  // that a post must return, or 0.
  int RefusalOf(FakeEndpoint& endpoint, const FakeEndpoint* to);
  void Post(FakeOperation operation);
  void CheckLocal(const char* call, const FakeEndpoint& endpoint,
                  const iovec& local, void* descriptor, uint64_t access) const;
  // Returns the local address of a peer's memory. Returns null if the key is
  // wrong or the range is not inside the registered memory.
  std::byte* FindRemote(const FakeEndpoint& to, const fi_rma_iov& at,
                        uint64_t access) const;

  // Moves all operations under way by a step (fake_traffic.cc).
  void Move();
  // Overwrites a context. The provider owns the memory of a context until the
  // user reads the operation's completion.
  void Scribble(void* context);
  void Report(FakeQueue& queue, const FakeCompletion& completion);
  // Takes the next completion from the queue. The queue must not be empty.
  FakeCompletion TakeNext(FakeQueue& queue);

  FakeEndpoint& Named(const std::string& name);

  FakeFabricObject fabric{};
  std::deque<FakeDomain> domains;
  std::deque<FakeQueue> queues;
  std::deque<FakeVector> vectors;
  std::deque<FakeEndpoint> endpoints;
  std::vector<std::unique_ptr<FakeOperation>> operations;
  std::array<int, 4> fail_next{};
  int refusal = 0;

 private:
  void MoveOne(FakeOperation& operation);
  void Leave(FakeOperation& operation);
  void Place(FakeOperation& operation);
  void PlaceSend(FakeOperation& operation);
  void PlaceWrite(FakeOperation& operation);
  void Receive(FakeOperation& operation, size_t which);
  void Release(FakeEndpoint& to, size_t which, FakeCompletion& completion);
  void ReportToPoster(FakeOperation& operation);
  bool MustWait(const FakeOperation& operation);
  bool MustWaitForWrites(const FakeOperation& read) const;

  const FakeFabricOptions options_;
  std::mt19937_64 random_;
  FakeFabric::Counts counts_;
  uint64_t numbers_ = 0;
};

// Each function returns the table of operations for one kind of object.
fi_ops* ObjectOps();
fi_ops_fabric* FabricOps();
fi_ops_domain* DomainOps();
fi_ops_mr* MemoryOps();
fi_ops_cq* QueueOps();
fi_ops_av* VectorOps();
fi_ops_ep* EndpointOps();
fi_ops_cm* NameOps();
fi_ops_msg* MessageOps();
fi_ops_rma* RmaOps();

inline FakeEndpoint& EndpointOf(fid_ep* endpoint) {
  return *static_cast<FakeEndpoint*>(endpoint);
}
inline FakeQueue& QueueOf(fid_cq* queue) {
  return *static_cast<FakeQueue*>(queue);
}
// Returns the object that begins with the handle.
template <class Fake, class Handle>
Fake& ObjectOf(fid* object) {
  return *static_cast<Fake*>(reinterpret_cast<Handle*>(object));
}

}  // namespace gasnet::ofi::testing

#endif  // CONDUITS_OFI_TESTING_FAKE_OBJECTS_H_
