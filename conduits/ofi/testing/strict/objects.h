// The objects behind the handles that the strict provider gives out, and the
// operations under way. A domain has one queue, one address vector and one
// endpoint. It also has an endpoint of the core provider, to carry the domain's
// packets.
//
// Time advances with reads of the queue: each read moves all operations under
// way by a step (Domain::Step). Only one thread at a time may call, as
// FI_THREAD_DOMAIN requires. Each call has an Entry. It ends the program if two
// threads are inside.
#ifndef CONDUITS_OFI_TESTING_STRICT_OBJECTS_H_
#define CONDUITS_OFI_TESTING_STRICT_OBJECTS_H_

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conduits/ofi/testing/rules/registration.h"
#include "conduits/ofi/testing/strict/core.h"
#include "conduits/ofi/testing/strict/initiator.h"
#include "conduits/ofi/testing/strict/options.h"
#include "conduits/ofi/testing/strict/target.h"

namespace gasnet::ofi::strict {

struct Domain;
struct Endpoint;

struct Memory : rules::Registration {
  Domain* domain;
  bool bound = false;
};

// A completion for the user.
struct Completion {
  void* context;
  uint64_t flags;
  size_t nbytes = 0;
  void* buffer = nullptr;
  int error = 0;
  unsigned due = 0;
};

struct Queue : fid_cq {
  Domain* domain;
  size_t size;
  size_t entry_bytes;
  std::deque<Completion> late;  // reported when due and if there is room
  std::deque<Completion> ready;
};

struct Vector : fid_av {
  Domain* domain;
};

struct Endpoint : fid_ep {
  explicit Endpoint(Domain& of);

  Domain* domain;
  Queue* queue = nullptr;
  Vector* vector = nullptr;
  bool selective = false;  // completions only on request
  bool enabled = false;
  // If receives_again is true, receives are refused until the queue is read. If
  // sends_again is true, all other posts are refused until the queue is read.
  bool receives_again = false;
  bool sends_again = false;
  Initiator initiator;
  Target target;
};

struct Domain final : fid_domain, Core::Listener {
  explicit Domain(const Options& asked) : options(asked) {}

  bool Demands(int mode) const { return (options.mr_mode & mode) != 0; }
  bool DemandsContexts() const { return (options.mode & FI_CONTEXT2) != 0; }
  bool Promises(uint64_t order) const { return (options.order & order) != 0; }
  unsigned Below(unsigned n) { return static_cast<unsigned>(random() % n); }
  unsigned Due() { return options.late > 0 ? Below(options.late + 1) : 0; }
  // Counts an operation of `kind`. Returns true if the options make this
  // operation fail.
  bool Fails(Kind kind) {
    return options.fails && options.failing == kind &&
           ++seen == options.failing_number;
  }

  // Track contexts. The provider owns the memory of a context until the user
  // has read its completion.
  void Claim(void* context);
  void Scribble(void* context);
  void Release(void* context) { contexts.erase(context); }

  // Finds the registered memory that has the given key and contains the given
  // `n` bytes. Returns null if there is no such memory.
  const Memory* Find(uint64_t key, uint64_t address, size_t n, uint64_t access,
                     std::byte*& at) const;
  // Ends the program if a post breaks the rules for local memory.
  void CheckLocal(const char* call, const void* address, size_t n,
                  void* descriptor, uint64_t access) const;

  void Report(const Completion& completion);
  void Step();
  // Returns true if there is nothing to report, and no operation can move until
  // something arrives.
  bool IsQuiet() const;

  // Sends a packet to a peer: the header, and then `bytes`.
  void Send(fi_addr_t to, Header& header, std::span<const std::byte> bytes);
  fi_addr_t AddressOf(const std::string& name);
  void Sent(const Outgoing& packet, int error) override;
  void Received(std::span<const std::byte> packet) override;

  const Options options;
  std::mt19937_64 random;
  unsigned seen = 0;
  std::atomic<bool> occupied{false};
  std::unique_ptr<Core> core;
  std::list<Memory> memories;
  std::set<void*> contexts;  // contexts of operations under way
  std::unique_ptr<Queue> queue;
  std::unique_ptr<Vector> vector;
  std::unique_ptr<Endpoint> endpoint;
  std::vector<std::string> peers;  // names in the address vector
  // the core provider's addresses, by name
  std::map<std::string, fi_addr_t> addresses;

 private:
  void ReportDue();
};

// The scope of a call to an object of the domain. Ends the program if another
// thread is in a call to the same domain.
class Entry {
 public:
  Entry(Domain& domain, const char* call);
  ~Entry() { domain_.occupied.store(false, std::memory_order_relaxed); }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

 private:
  Domain& domain_;
};

// Returns the object that begins with the handle.
template <class Object, class Handle>
Object& ObjectOf(fid* object) {
  return *static_cast<Object*>(reinterpret_cast<Handle*>(object));
}

// Opens a domain over the offer `core_info` of the core provider.
int OpenDomain(fi_info* core_info, fid_domain** domain);

// Return the tables of operations.
fi_ops_mr* MemoryOps();
fi_ops_cq* QueueOps();
fi_ops_msg* MessageOps();
fi_ops_rma* RmaOps();
int OpenQueue(fid_domain* domain, fi_cq_attr* attributes, fid_cq** queue,
              void* context);
int OpenEndpoint(fid_domain* domain, fi_info* info, fid_ep** endpoint,
                 void* context);

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_OBJECTS_H_
