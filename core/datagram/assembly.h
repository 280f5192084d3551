// Messages of several packets, on their way in. The payload of a Medium is put
// together in a buffer, that of a Long at its destination.
//
// One store for each lane, bounded in bytes. In the second half of the bound
// only messages are begun before whose packet nothing is missing in its lane:
// those can be completed whatever else waits, so the store never fills up with
// messages that wait for each other.
//
// Under the lock of the endpoint, until a message is complete: then it belongs
// to the thread that delivers it.
#ifndef CORE_DATAGRAM_ASSEMBLY_H_
#define CORE_DATAGRAM_ASSEMBLY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/am/kept_requests.h"
#include "core/am/message.h"
#include "core/datagram/channel.h"
#include "core/datagram/fragment.h"

namespace gasnet::datagram {

// One of those that a peer has begun in a lane or, when it is complete, one of
// the requests that are kept.
struct Assembly : Begun, am::KeptRequest {
  am::Incoming message;
  uint32_t number = 0;
  size_t missing = 0;   // bytes
  size_t capacity = 0;  // of buffer
  std::unique_ptr<std::byte[]> buffer;
  int32_t args[am::kMaxArgs];
};

class AssemblyStore {
 public:
  explicit AssemblyStore(size_t bytes);

  // One for the message that the fragment belongs to; null when there is no
  // room. first: nothing is missing before the fragment in its lane.
  Assembly* Begin(const FragmentRecord& fragment, Rank source, am::Lane lane,
                  bool first);
  void Release(Assembly* assembly);

  size_t used() const { return used_; }

  // Whether the fragment can be of the message.
  static bool Fits(const Assembly& assembly, const FragmentRecord& fragment);
  // Copies its payload; true when the message is complete.
  static bool Add(Assembly& assembly, const FragmentRecord& fragment);

 private:
  static size_t Cost(am::Category category, size_t nbytes);
  std::unique_ptr<Assembly> Make(size_t buffer_bytes);

  const size_t limit_;
  size_t used_ = 0;
  std::vector<std::unique_ptr<Assembly>> idle_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ASSEMBLY_H_
