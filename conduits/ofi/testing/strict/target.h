// The target's side: operations of peers, until they are in place. Messages go
// into buffers that the user has posted. Writes and reads access registered
// memory of this rank. An operation outside of registered memory ends this
// program.
//
// Each operation takes a random time. A write is put in place in two halves,
// and takes long if its initiator does not wait for its delivery. An operation
// waits for another only if a promised order or a fence requires it.
#ifndef CONDUITS_OFI_TESTING_STRICT_TARGET_H_
#define CONDUITS_OFI_TESTING_STRICT_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conduits/ofi/testing/strict/packet.h"

namespace gasnet::ofi::strict {

struct Domain;
struct Completion;

// A posted receive buffer.
struct Receive {
  std::byte* buffer;
  size_t nbytes;
  void* context;
  bool multiple;
  size_t used = 0;
};

// Records which operations of a numbered sequence are in place.
class Row {
 public:
  void Place(uint64_t number);
  bool HasAllBefore(uint64_t number) const { return number <= next_; }

 private:
  uint64_t next_ = 0;
  std::set<uint64_t> beyond_;
};

class Target {
 public:
  explicit Target(Domain& domain) : domain_(domain) {}

  void Post(const Receive& receive);
  size_t posted() const { return receives_.size(); }
  // Sets the smallest room. A buffer that takes several messages is given back
  // when less room than this is left in it.
  void SetLeastRoom(size_t nbytes) { least_room_ = nbytes; }
  size_t least_room() const { return least_room_; }

  void Arrived(const Header& header, std::span<const std::byte> bytes);
  void Step();
  // Returns true if no operation here can move until something arrives.
  bool IsQuiet() const;

 private:
  struct Arrival {
    Header header;
    std::vector<std::byte> bytes;
    std::byte* at = nullptr;  // memory that a write or read accesses
    unsigned due = 0;
    bool half = false;
    bool over = false;
  };
  struct Rows {
    Row sends;
    Row writes;
  };

  void FindMemory(Arrival& arrival) const;
  void Move(Arrival& arrival);
  bool MustWait(const Header& header);
  void PlaceWrite(Arrival& arrival);
  void PlaceSend(Arrival& arrival);
  void AnswerRead(Arrival& arrival);
  void Take(Receive& receive, const Arrival& arrival, Completion& completion);
  void Told(size_t which, Completion& completion);
  void Confirm(Arrival& arrival);

  Domain& domain_;
  size_t least_room_ = 64;
  std::vector<Receive> receives_;
  std::vector<Arrival> arrivals_;
  std::map<std::string, Rows> rows_;  // keyed by the initiator's name
};

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_TARGET_H_
