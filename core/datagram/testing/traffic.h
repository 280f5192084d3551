// Random traffic among the ranks of a Cluster. It verifies that every message
// is handled exactly once and intact. Handlers have no context, so only one
// Traffic may exist at a time.
#ifndef CORE_DATAGRAM_TESTING_TRAFFIC_H_
#define CORE_DATAGRAM_TESTING_TRAFFIC_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/am/message.h"
#include "core/datagram/testing/cluster.h"

namespace gasnet::datagram::testing {

struct TrafficOptions {
  uint64_t seed = 1;
  unsigned messages = 100'000;  // number of requests
  bool replies = true;          // each request is answered by a reply
  // One message in this many has a random size up to the largest. The others
  // are small.
  unsigned one_large_in = 50;
  // Now and then ranks stop polling for a while.
  bool naps = false;
};

class Traffic {
 public:
  Traffic(Cluster& cluster, const TrafficOptions& options);
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  // Sends all messages and waits until all of them are handled and
  // acknowledged. Reports errors as test failures.
  void Run();

 private:
  // The size of a slot in bytes. A Long is written to a slot of the target's
  // segment that no other Long uses.
  static constexpr size_t kSlotBytes = 65536;
  static constexpr unsigned kSlots = Node::kSegmentBytes / kSlotBytes;

  static void OnShort(void* token, int32_t id, int32_t target, int32_t slot);
  static void OnPayload(void* token, void* payload, size_t nbytes, int32_t id,
                        int32_t target, int32_t slot);
  void Handle(const am::Token& token, int32_t id, Rank target, int32_t slot);

  // Sends a message. Returns false if there is no room.
  bool Send(Rank from, Rank to, am::Lane lane, int32_t id);
  void Reply(Rank from, Rank to, int32_t id);
  size_t ChooseSize(am::Category category);
  int TakeSlot(Rank target);
  void NapOrWake(Rank rank);

  static Traffic* current;

  Cluster& cluster_;
  const TrafficOptions options_;
  std::mt19937_64 random_;
  std::vector<unsigned char> payload_;
  am::Loan loan_;                  // the loan of `payload_`
  std::vector<uint8_t> requests_;  // how often each was handled, by id
  std::vector<uint8_t> replies_;
  std::vector<uint32_t> busy_slots_;  // indexed by rank
  unsigned handled_ = 0;
  unsigned wrong_ = 0;
};

}  // namespace gasnet::datagram::testing

#endif  // CORE_DATAGRAM_TESTING_TRAFFIC_H_
