// Plain libfabric, for comparison with the ofi conduit: two processes with one
// endpoint and one completion queue each. The processes use the provider that
// the conduit would choose on this machine. Both poll the queue without
// sleeping.
#ifndef BENCH_PEERS_BARE_FABRIC_H_
#define BENCH_PEERS_BARE_FABRIC_H_

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gasnet::bench {

class BareFabric {
 public:
  static constexpr size_t kMemory = size_t{8} << 20;

  // If `descriptor` is true, the completion queue has a file descriptor to
  // sleep on. Software providers then take longer for every completion.
  // `socket` leads to the other process. The processes exchange addresses and
  // keys through it.
  BareFabric(const char* provider, bool descriptor, int socket);

  // Send and PostSend send a message. AwaitMessage waits for the next one.
  // Every message arrives in a buffer of its own.
  void Send(size_t nbytes);  // returns when the buffer may be reused
  void PostSend(size_t nbytes);
  void AwaitMessage();
  // Sleeps until the queue's descriptor is readable. Requires `descriptor`.
  void AwaitMessageAsleep();

  void Put(size_t nbytes) {
    PostPut(nbytes);
    AwaitAll();
  }
  void Get(size_t nbytes) {
    PostGet(nbytes);
    AwaitAll();
  }
  // PostPut and PostGet start a transfer. A put completes once it is delivered.
  // PostPut and PostGet wait if too many operations are in flight.
  void PostPut(size_t nbytes);
  void PostGet(size_t nbytes);
  void AwaitAll();

  // Makes progress for the other process's operations.
  void Poll();
  uint64_t messages() const { return messages_; }

 private:
  static constexpr size_t kLargestMessage = 16384;
  static constexpr unsigned kReceives = 256;
  static constexpr unsigned kMaxUnderWay = 128;

  void Exchange(int socket);
  void PostReceive(unsigned which);
  template <class Post>
  void Try(Post post);

  fi_info* info_ = nullptr;
  fid_fabric* fabric_ = nullptr;
  fid_domain* domain_ = nullptr;
  fid_cq* cq_ = nullptr;
  fid_av* av_ = nullptr;
  fid_ep* ep_ = nullptr;
  fid_mr* mr_ = nullptr;
  void* descriptor_ = nullptr;
  fi_addr_t peer_ = 0;
  uint64_t peer_key_ = 0;
  uint64_t peer_address_ = 0;
  std::vector<char> memory_;
  std::vector<char> receives_;
  std::vector<fi_context2> contexts_;
  fi_context2 own_context_ = {};
  unsigned under_way_ = 0;
  uint64_t messages_ = 0;
  uint64_t awaited_ = 0;
};

}  // namespace gasnet::bench

#endif  // BENCH_PEERS_BARE_FABRIC_H_
