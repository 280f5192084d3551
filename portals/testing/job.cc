#include "portals/testing/job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <utility>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "core/ip/address.h"
#include "core/ip/socket.h"
#include "portals/job/hand_over.h"

namespace gasnet::portals4_tests::testing {
namespace {

constexpr size_t kMaxRanks = 16;

// This child's socket. Invalid once the job is handed over.
UniqueFd own_socket;

// The data about the job. Every child gets it.
struct Told {
  uint32_t ranks;
  uint32_t hosts;
  size_t datagram;
  datagram::Seal::Key key;
  ip::Address addresses[kMaxRanks];
};

struct Opened {
  bool ok;
  ip::Address address;
};

Opened OpenSocket() {
  Opened opened = {false, *ip::Address::Parse("127.0.0.1")};
  absl::StatusOr<UniqueFd> socket = ip::OpenUdpSocket(opened.address);
  opened.ok = socket.ok();
  if (opened.ok) own_socket = *std::move(socket);
  return opened;
}

void HandOver(const Told& told, uint32_t rank) {
  portals4::PortalsMembership membership;
  membership.rank = rank;
  for (uint32_t other = 0; other < told.ranks; ++other) {
    membership.host_of.push_back(other % told.hosts);
    membership.socket.peers.push_back(told.addresses[other]);
  }
  membership.socket.socket = std::move(own_socket);
  membership.socket.loopback = true;
  membership.socket.max_datagram = told.datagram;
  membership.socket.cipher = datagram::Seal::Best();
  membership.socket.key = told.key;
  portals4::HandOver(std::move(membership));
}

void Join(const Processes& processes, const JobSetup& setup) {
  Told told = {};
  ASSERT_LE(processes.size(), kMaxRanks);
  told.ranks = static_cast<uint32_t>(processes.size());
  told.hosts = setup.hosts;
  told.datagram = setup.datagram;
  std::random_device random;
  std::generate(told.key.begin(), told.key.end(),
                [&] { return static_cast<unsigned char>(random()); });
  for (uint32_t rank = 0; rank < told.ranks; ++rank) {
    const Opened opened = processes[rank]->Call(&OpenSocket);
    ASSERT_TRUE(opened.ok);
    told.addresses[rank] = opened.address;
  }
  for (uint32_t rank = 0; rank < told.ranks; ++rank) {
    processes[rank]->Call([told, rank] { HandOver(told, rank); });
  }
}

}  // namespace

// A child keeps the environment in which it was forked. So this sets the
// variables before it makes the children.
Processes MakeJob(size_t ranks, Process::Memory memory, const JobSetup& setup) {
  setenv("PORTALS4_TRANSPORT", setup.transport, 1);
  setenv("PORTALS4_DATAGRAM_FAULTS", setup.faults, 1);
  Processes processes;
  for (size_t i = 0; i < ranks; ++i) {
    processes.push_back(std::make_unique<Process>(memory));
  }
  unsetenv("PORTALS4_TRANSPORT");
  unsetenv("PORTALS4_DATAGRAM_FAULTS");
  Join(processes, setup);
  return processes;
}

}  // namespace gasnet::portals4_tests::testing
