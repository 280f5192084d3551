// The core provider. It carries the packets of the strict provider and does
// nothing else. It has one endpoint of tcp;ofi_rxm and the objects that this
// endpoint needs. The core provider is opened together with the strict domain.
// It guarantees no order, and reports lost packets.
#ifndef CONDUITS_OFI_TESTING_STRICT_CORE_H_
#define CONDUITS_OFI_TESTING_STRICT_CORE_H_

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gasnet::ofi::strict {

inline constexpr const char* kCoreProvider = "tcp;ofi_rxm";

struct CoreContext {
  fi_context2 scratch;
  bool outgoing;
};

// A packet that is being sent.
struct Outgoing : CoreContext {
  std::vector<std::byte> bytes;
  fi_addr_t to;
  uint64_t operation;  // of the operation that it begins; 0: an answer
};

class Core {
 public:
  // Receives the core provider's reports.
  class Listener {
   public:
    virtual void Sent(const Outgoing& packet, int error) = 0;
    virtual void Received(std::span<const std::byte> packet) = 0;

   protected:
    ~Listener() = default;
  };

  // Opens the core provider. Returns 0 or an error. `packet_bytes` is the size
  // of the largest packet.
  static int Open(fi_info* info, size_t packet_bytes,
                  std::unique_ptr<Core>& core);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  const std::string& name() const { return name_; }
  size_t name_size() const { return name_.size(); }
  int fd() const { return fd_; }

  // Inserts the address of an endpoint into the address vector.
  fi_addr_t Insert(const std::string& name);
  void Send(fi_addr_t to, std::vector<std::byte> bytes, uint64_t operation);
  // Sends the waiting packets that the core provider accepts now.
  void Flush();
  // Makes progress, and passes reports to the listener.
  void Progress(Listener& listener);
  // Returns true if nothing has arrived and no packet waits to be sent. A
  // thread may then wait for fd().
  bool MayWait();

 private:
  struct Incoming : CoreContext {
    std::unique_ptr<std::byte[]> bytes;
    bool posted = false;
  };

  explicit Core(size_t packet_bytes) : packet_bytes_(packet_bytes) {}

  int OpenObjects(fi_info* info);
  int OpenQueue();
  int Enable();
  void PostReceives();
  void TakeError(Listener& listener);
  void End(Listener& listener, CoreContext& context, size_t nbytes, int error);

  const size_t packet_bytes_;
  fid_fabric* fabric_ = nullptr;
  fid_domain* domain_ = nullptr;
  fid_cq* cq_ = nullptr;
  fid_av* av_ = nullptr;
  fid_ep* ep_ = nullptr;
  int fd_ = -1;
  std::string name_;
  std::deque<Incoming> incoming_;
  bool all_posted_ = false;
  std::deque<std::unique_ptr<Outgoing>> waiting_;
};

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_CORE_H_
