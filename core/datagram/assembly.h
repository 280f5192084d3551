// Stores incoming messages of several packets while they are assembled. The
// payload of a Medium is assembled in a buffer, that of a Long at its
// destination.
//
// There is one store for each lane, bounded in bytes. In the second half of the
// bound, a message is begun only by a packet before which no packet of its lane
// is missing. Such messages can be completed whatever else waits, so the store
// never fills up with messages that wait for each other.
//
// A message is under the lock of the endpoint until it is complete. Then it
// belongs to the thread that delivers it.
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

// A message that a peer has begun in a lane or, once it is complete, one of the
// requests that are kept.
struct Assembly : Begun, am::KeptRequest {
  am::Incoming message;
  uint32_t number = 0;
  size_t missing = 0;   // bytes still to come
  size_t capacity = 0;  // bytes of buffer
  std::unique_ptr<std::byte[]> buffer;
  int32_t args[am::kMaxArgs];
};

class AssemblyStore {
 public:
  explicit AssemblyStore(size_t bytes);

  // Returns an assembly for the fragment's message; null if there is no room.
  // `first`: no packet of its lane is missing before the fragment's.
  Assembly* Begin(const FragmentRecord& fragment, Rank source, am::Lane lane,
                  bool first);
  void Release(Assembly* assembly);

  size_t used() const { return used_; }

  // Returns true if the fragment can belong to the message.
  static bool Fits(const Assembly& assembly, const FragmentRecord& fragment);
  // Copies the fragment's payload. Returns true if the message is complete.
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
