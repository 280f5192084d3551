// One rank's port to a MemoryNetwork. Checks that batches come back.
#ifndef CORE_DATAGRAM_TESTING_MEMORY_PORT_H_
#define CORE_DATAGRAM_TESTING_MEMORY_PORT_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "core/datagram/port.h"
#include "core/datagram/testing/memory_network.h"
#include "core/rank.h"

namespace gasnet::datagram::testing {

class MemoryPort {
 public:
  class Batch {
   public:
    explicit Batch(std::deque<MemoryNetwork::Datagram> received)
        : memory_(std::move(received)) {
      // operator new aligns them; an empty one has no memory.
      for (auto& datagram : memory_) {
        datagrams_.emplace_back(datagram.data(), datagram.size());
      }
    }
    std::span<const MutableBytes> datagrams() const { return datagrams_; }

   private:
    std::deque<MemoryNetwork::Datagram> memory_;
    std::vector<MutableBytes> datagrams_;
  };

  MemoryPort(MemoryNetwork& network, Rank rank)
      : network_(network), rank_(rank) {}

  int64_t Now() const { return network_.Now(); }
  size_t MaxDatagram() const { return network_.options().max_datagram; }
  size_t Send(Rank peer, std::span<const Outgoing> datagrams) {
    if (on_send) on_send();
    return network_.Send(rank_, peer, datagrams);
  }
  Batch* Receive() {
    auto received = network_.Receive(rank_, kMostAtOnce);
    if (received.empty()) return nullptr;
    ++batches_out_;
    return new Batch(std::move(received));
  }
  Batch* ReceiveSpare() { return Receive(); }
  void Release(Batch* batch) {
    --batches_out_;
    delete batch;
  }

  int batches_out() const { return batches_out_; }

  std::function<void()> on_send;  // called within the endpoint

 private:
  static constexpr size_t kMostAtOnce = 40;

  MemoryNetwork& network_;
  const Rank rank_;
  int batches_out_ = 0;
};

static_assert(Port<MemoryPort>);

}  // namespace gasnet::datagram::testing

#endif  // CORE_DATAGRAM_TESTING_MEMORY_PORT_H_
