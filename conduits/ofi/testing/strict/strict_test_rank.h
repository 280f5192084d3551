// A user of the strict provider, for tests of the provider itself. The user has
// all objects of one endpoint, opened with a given GASNET_STRICT. A process may
// have any number of these ranks.
#ifndef CONDUITS_OFI_TESTING_STRICT_STRICT_TEST_RANK_H_
#define CONDUITS_OFI_TESTING_STRICT_STRICT_TEST_RANK_H_

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_rma.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace gasnet::ofi::strict {

inline constexpr int kAllMemoryModes = FI_MR_LOCAL | FI_MR_VIRT_ADDR |
                                       FI_MR_ALLOCATED | FI_MR_PROV_KEY |
                                       FI_MR_ENDPOINT;

// Returns the provider's offer to a user that supports the given modes. Returns
// null if the provider makes no offer.
fi_info* AskStrict(const std::string& options, uint64_t mode, int mr_mode);

struct Told {
  void* context;
  uint64_t flags;
  size_t nbytes;
  std::byte* buffer;
  int error;
};

class StrictTestRank {
 public:
  // `entries`: the size of the queue.
  explicit StrictTestRank(const std::string& options, size_t entries = 1024);
  ~StrictTestRank();
  StrictTestRank(const StrictTestRank&) = delete;
  StrictTestRank& operator=(const StrictTestRank&) = delete;

  fid_ep* ep() const { return ep_; }
  fid_cq* queue() const { return cq_; }
  fid_domain* domain() const { return domain_; }
  const std::string& name() const { return name_; }

  fi_addr_t Insert(const StrictTestRank& peer);
  // Registers memory. Returns a region that is ready for use. Binds the region
  // to the endpoint if the provider demands this.
  fid_mr* Register(void* memory, size_t nbytes, uint64_t access, uint64_t key);
  void Close(fid_mr* region);
  // Takes a step. Returns the completion that the step reports, or nullopt.
  std::optional<Told> Read();
  // Takes steps of both ranks until this rank gets a completion.
  Told Await(StrictTestRank& other);

  // Post operations. Each function makes a context for the operation and
  // returns this context. A refusal fails the test.
  void* Receive(void* buffer, size_t nbytes, uint64_t flags = 0,
                void* descriptor = nullptr);
  void* Send(fi_addr_t to, const void* buffer, size_t nbytes,
             uint64_t flags = 0, void* descriptor = nullptr);
  void* Write(fi_addr_t to, const void* buffer, size_t nbytes, uint64_t address,
              uint64_t key, uint64_t flags = FI_DELIVERY_COMPLETE,
              void* descriptor = nullptr);
  void* ReadFrom(fi_addr_t to, void* buffer, size_t nbytes, uint64_t address,
                 uint64_t key, void* descriptor = nullptr);
  void* NewContext() { return &contexts_.emplace_back(); }

 private:
  fid_fabric* fabric_ = nullptr;
  std::vector<fid_mr*> regions_;
  fid_domain* domain_ = nullptr;
  fid_cq* cq_ = nullptr;
  fid_av* av_ = nullptr;
  fid_ep* ep_ = nullptr;
  bool binds_memory_ = false;
  std::string name_;
  std::deque<fi_context2> contexts_;
};

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_STRICT_TEST_RANK_H_
