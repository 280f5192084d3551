// One rank's port to a MemoryNetwork. It checks that batches are released.
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

class MemoryBatch final : public Batch {
 public:
  explicit MemoryBatch(std::deque<MemoryNetwork::Datagram> received)
      : memory_(std::move(received)) {
    // The memory of a datagram is aligned, since operator new allocates it. An
    // empty datagram has no memory.
    for (auto& datagram : memory_) {
      datagrams_.emplace_back(datagram.data(), datagram.size());
    }
  }

 private:
  std::deque<MemoryNetwork::Datagram> memory_;
};

class MemoryPort : public Port {
 public:
  MemoryPort(MemoryNetwork& network, Rank rank)
      : network_(network), rank_(rank) {}

  int64_t Now() const override { return network_.Now(); }
  size_t MaxDatagram() const override {
    return network_.options().max_datagram;
  }
  size_t Send(Rank peer, std::span<const Outgoing> datagrams) override {
    if (on_send) on_send();
    return network_.Send(rank_, peer, datagrams);
  }
  Batch* Receive() override {
    auto received = network_.Receive(rank_, kMaxAtOnce);
    if (received.empty()) return nullptr;
    ++batches_out_;
    return new MemoryBatch(std::move(received));
  }
  Batch* ReceiveSpare() override { return Receive(); }
  void Release(Batch* batch) override {
    --batches_out_;
    delete static_cast<MemoryBatch*>(batch);
  }

  int batches_out() const { return batches_out_; }

  std::function<void()> on_send;  // called in each Send() of the endpoint

 private:
  static constexpr size_t kMaxAtOnce = 40;

  MemoryNetwork& network_;
  const Rank rank_;
  int batches_out_ = 0;
};

}  // namespace gasnet::datagram::testing

#endif  // CORE_DATAGRAM_TESTING_MEMORY_PORT_H_
