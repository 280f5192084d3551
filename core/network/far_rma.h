// The transfers that a conduit over a network does by itself: those of the
// network (network.h, NetworkHasRma), where there is one. An rma::Rma, made
// when it is used.
#ifndef CORE_NETWORK_FAR_RMA_H_
#define CORE_NETWORK_FAR_RMA_H_

#include "core/am/message.h"
#include "core/network/network.h"
#include "core/rma/rma.h"

namespace gasnet::network {

template <NetworkHasRma N>
class FarRma {
 public:
  // Null: all ranks share memory, and nobody is reached so.
  explicit FarRma(N* network) : network_(network) {}

  bool Reaches(Rank peer) const {
    return network_ != nullptr && network_->rma().Reaches(peer);
  }
  const rma::Thresholds& thresholds() const {
    return network_->rma().thresholds();
  }
  rma::Posted Post(const rma::Put& put) { return network_->rma().Post(put); }
  rma::Posted Post(const rma::Get& get) { return network_->rma().Post(get); }

 private:
  N* network_;
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_FAR_RMA_H_
