// A network of ranks of one host that pretend to share no memory. Messages use
// this network's own rings (fake_link.h). Transfers use an engine that makes
// them as difficult as core/rma/rma.h permits (core/rma/testing/fake_rma.h).
//
// Settings:
//
//   GASNET_FAKE_SEED       chooses the schedule
//   GASNET_FAKE_ORDERED=1  messages stay behind puts
//   GASNET_FAKE_FAIL=N     the N-th transfer fails
#ifndef CONDUITS_TESTING_FAKE_FAKE_NETWORK_H_
#define CONDUITS_TESTING_FAKE_FAKE_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "conduits/testing/fake/fake_link.h"
#include "core/am/link.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/shared_mapping.h"
#include "core/network/network.h"
#include "core/rma/testing/fake_rma.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::fake {

class FakeNetwork final : public network::Network {
 public:
  // Opens the network. Collective: fails on all ranks if it fails on one.
  static absl::StatusOr<std::unique_ptr<FakeNetwork>> Open(job::Job& job);

  // Overrides of network::Network.
  absl::Status Start() override;
  network::Capabilities capabilities() const override {
    return {.sends_in_steps = true, .awaits = true};
  }
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message) override {
    return link_.Send(peer, lane, message);
  }
  bool MayHaveRoom(Rank peer, am::Lane lane, size_t nbytes) override {
    return link_.MayHaveRoom(peer, lane, nbytes);
  }
  network::Polled Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                       bool again) override;
  size_t MaxMedium() const override { return link_.MaxMedium(); }
  size_t MaxLong() const override { return link_.MaxLong(am::Lane::kRequest); }
  void Await(int64_t nanos) override;
  void Ring() override { link_.host().doorbell().Ring(); }
  absl::StatusOr<network::Exposed> Expose(EndpointIndex endpoint,
                                          const Segment& segment) override {
    link_.SetOwnSegment(endpoint, segment);
    return network::Exposed();
  }
  void Attach(std::span<const Segment> segments,
              std::span<const network::Exposed> exposed) override;
  rma::Rma* rma() override { return &transfers_; }
  void Drain(bool) override { link_.Drain(); }

 private:
  FakeNetwork(job::Job& job, const rma::testing::FakeRmaOptions& options,
              bool ordered, UniqueFd memory);

  unsigned char* Map(int fd, uint64_t at, size_t bytes);

  job::Job& job_;
  const UniqueFd memory_;  // memory of the rings
  std::vector<hostshm::SharedMapping> mappings_;
  rma::testing::FakeRma rma_;
  FakeLink link_;
  FakeLink::Rma transfers_{link_};
  std::vector<MappedSegment> reached_;  // segments that the network reaches
};

}  // namespace gasnet::fake

#endif  // CONDUITS_TESTING_FAKE_FAKE_NETWORK_H_
