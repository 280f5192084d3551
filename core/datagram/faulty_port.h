// A port that injects faults in front of another port. At random, it loses,
// doubles, delays or damages datagrams that are sent.
#ifndef CORE_DATAGRAM_FAULTY_PORT_H_
#define CORE_DATAGRAM_FAULTY_PORT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "core/datagram/faults.h"
#include "core/datagram/port.h"
#include "core/rank.h"

namespace gasnet::datagram {

class FaultyPort final : public Port {
 public:
  // Creates the port in front of `port`. `port` must outlive it.
  FaultyPort(Port& port, const Faults& faults, Rank me)
      : port_(port), faults_(faults), random_(faults.seed * 65537 + me) {}
  // Returns a port in front of `port`, or null if there are no faults.
  static std::unique_ptr<Port> Before(Port& port, const Faults& faults,
                                      Rank me) {
    return faults.any() ? std::make_unique<FaultyPort>(port, faults, me)
                        : nullptr;
  }

  int64_t Now() const override { return port_.Now(); }
  size_t MaxDatagram() const override { return port_.MaxDatagram(); }
  // Accepts all datagrams. Datagrams that the other port does not accept are
  // lost.
  size_t Send(Rank peer, std::span<const Outgoing> datagrams) override;
  Batch* Receive() override { return port_.Receive(); }
  Batch* ReceiveSpare() override { return port_.ReceiveSpare(); }
  void Release(Batch* batch) override { port_.Release(batch); }

 private:
  using Datagram = std::vector<std::byte>;

  // Sends one datagram with its faults. Copies a datagram only if it is changed
  // or delayed.
  void SendOne(Rank peer, Outgoing datagram);
  bool Happens(double percent) {
    return percent > 0 &&
           std::uniform_real_distribution<>(0, 100)(random_) < percent;
  }
  void Corrupt(Datagram& bytes);

  Port& port_;
  const Faults faults_;
  std::mt19937_64 random_;
  std::optional<std::pair<Rank, Datagram>> late_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_FAULTY_PORT_H_
