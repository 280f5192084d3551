// Stores incoming messages of several fragments (fragment.h) while they are
// assembled. The payload of a Medium is assembled in a buffer. The payload of a
// Long is assembled at its destination.
//
//     first fragment --Take--> begun --last fragment--> complete
//                                                          |
//                               handlers have run --Release--> free
//
// There is one store for each lane, bounded in bytes. A network that may lose
// fragments passes `first` if no earlier frame of the lane is missing. The
// second half of the bound is reserved for messages passed as `first`. They can
// be completed even if other messages wait for fragments. So the store never
// fills up with messages that wait for each other.
//
// The caller holds a lock. The lock protects a message until the message is
// complete. Then the message belongs to the thread that delivers it.
#ifndef CORE_AM_ASSEMBLY_H_
#define CORE_AM_ASSEMBLY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/am/fragment.h"
#include "core/am/kept_requests.h"
#include "core/am/message.h"

namespace gasnet::am {

// A message that a peer sends on a lane. Some of its fragments have arrived.
// Once it is complete, it may be one of the kept requests.
struct Assembly : KeptRequest {
  Incoming message;
  // the next older message that the peer has begun on the lane
  Assembly* next = nullptr;
  uint32_t number = 0;
  size_t missing = 0;   // bytes still to come
  size_t capacity = 0;  // size of `buffer` in bytes
  std::unique_ptr<std::byte[]> buffer;
  int32_t args[kMaxArgs];
};

class AssemblyStore {
 public:
  // kNoRoom: the fragment was not taken, and the caller may try again later.
  // kMalformed: the fragment belongs to no valid message.
  enum class Result : uint8_t { kPart, kComplete, kNoRoom, kMalformed };
  struct Taken {
    Result result;
    Assembly* complete = nullptr;  // owned by the caller until Release
  };

  explicit AssemblyStore(size_t bytes);

  // Takes a fragment. `newest` is the list of messages that the peer has begun
  // on the lane, newest first.
  Taken Take(Assembly*& newest, const FragmentRecord& fragment, Rank source,
             Lane lane, bool first);
  void Release(Assembly* assembly);
  // Releases all messages of the list of a peer.
  void ReleaseAll(Assembly*& newest);

  // Returns the message with the given number from the list, or null if the
  // list has no such message.
  static Assembly* Find(Assembly* newest, uint32_t number) {
    while (newest != nullptr && newest->number != number) newest = newest->next;
    return newest;
  }

  size_t used() const { return used_; }

 private:
  static size_t Cost(Category category, size_t nbytes);
  Assembly* Begin(const FragmentRecord& fragment, Rank source, Lane lane,
                  bool first);
  std::unique_ptr<Assembly> Make(size_t buffer_bytes);

  const size_t limit_;
  size_t used_ = 0;
  std::vector<std::unique_ptr<Assembly>> idle_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_ASSEMBLY_H_
