// The initiator's side: operations that the user has posted to peers, until
// they are reported.
//
//   posted --source is read, a packet is made--> left --sent--> reported
//   posted --likewise--> left --answered (delivery, read)--> reported
//
// A fenced operation, and all later operations to its peer, do not leave until
// all earlier operations to that peer are reported. Without a fence an
// operation waits only if it is a send and the order of sends is promised.
//
// With option `late`, sources are read late, and every operation takes a random
// time. Without option `late`, operations leave at once.
#ifndef CONDUITS_OFI_TESTING_STRICT_INITIATOR_H_
#define CONDUITS_OFI_TESTING_STRICT_INITIATOR_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <vector>

#include "conduits/ofi/testing/strict/options.h"
#include "conduits/ofi/testing/strict/packet.h"

namespace gasnet::ofi::strict {

struct Domain;

struct Operation {
  Kind kind;
  size_t peer;  // index in the address vector
  void* context;
  uint64_t flags;  // flags of the call
  std::byte* local;
  size_t nbytes;
  uint64_t address = 0;
  uint64_t key = 0;
  bool reports = true;  // has a completion
  // The members below are set by Post().
  uint64_t number = 0;
  uint64_t sends_before = 0;
  uint64_t writes_before = 0;
  unsigned due = 0;
  bool left = false;
  bool sent = false;
  bool answered = false;
  bool over = false;
  int error = 0;
  std::vector<std::byte> bytes = {};  // data of an injected operation
};

class Initiator {
 public:
  explicit Initiator(Domain& domain) : domain_(domain) {}

  void AddPeer() { posted_.emplace_back(); }
  // Posts an operation whose arguments have been checked.
  void Post(Operation operation);
  size_t under_way() const { return operations_.size(); }
  void Step();
  // Returns true if no operation here can move until something arrives.
  bool IsQuiet() const;

  // Handle a report on operation `number`, if the operation is still under way.
  void Sent(uint64_t number, int error);
  void Done(uint64_t number);
  void Data(uint64_t number, std::span<const std::byte> bytes);

 private:
  struct Posted {
    uint64_t sends = 0;
    uint64_t writes = 0;
  };

  Operation* Find(uint64_t number);
  void Move(Operation& operation);
  void Leave(Operation& operation);
  void Report(Operation& operation);
  bool WaitsForFence(const Operation& operation) const;
  bool WaitsForItsTurn(const Operation& operation) const;

  Domain& domain_;
  uint64_t numbers_ = 0;
  std::vector<Posted> posted_;       // indexed by peer
  std::list<Operation> operations_;  // in the order of posts
};

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_INITIATOR_H_
