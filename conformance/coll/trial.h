// One collective operation of a test, with everything needed to begin, sync and
// check it. The plan of an operation is the same on every node. It determines
// each node's areas, and their contents before and after.
//
// An area is a source or a destination that one node gives. The test computes
// the expected contents serially, one block after the other.
#ifndef CONFORMANCE_COLL_TRIAL_H_
#define CONFORMANCE_COLL_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/coll/places.h"
#include "conformance/harness.h"

namespace conformance {

enum class Kind {
  kBroadcast,
  kScatter,
  kGather,
  kGatherAll,
  kExchange,
  kReduce,
  kReduceAll,
  kPrefix,
  kPrefixExclusive,
  kPermute,
  kScatterV,
  kGatherV,
  kGatherAllV,
  kExchangeV,
  kPut,
  kGet,
};
constexpr int kKinds = 16;

// The family and variant of the function that a trial calls.
enum class Form {
  kTeam,     // gasnet_coll_x
  kLists,    // gasnet_coll_xM
  kAll,      // gasnet_all_x
  kIndexed,  // gasnet_all_xi
};
constexpr int kForms = 4;

bool Exists(Kind kind, Form form);

inline int InOf(int mode) { return GASNET_COLL_IN_NOSYNC << mode / 3; }
inline int OutOf(int mode) { return GASNET_COLL_OUT_NOSYNC << mode % 3; }
constexpr int kModes = 9;

// The members of a team, in the team's order.
struct Group {
  gasnet_team_handle_t handle;
  std::vector<gasnet_node_t> members;

  uint32_t size() const { return static_cast<uint32_t>(members.size()); }
  // Returns this node's index, or size() if it is not in the group.
  uint32_t me() const;
};

// Returns the group of all nodes.
Group TheJob();

// Index of the function that multiplies matrices, in the table of element
// functions that OpenCollectives passes.
constexpr unsigned kMultiplyMatrices = 0;  // of 2 x 2 matrices, modulo a prime
constexpr size_t kMatrixBytes = 16;

// Calls gasnet_coll_init with the functions of tests.
void OpenCollectives();

struct Plan {
  Kind kind = Kind::kBroadcast;
  Form form = Form::kAll;
  int in = 0;
  int out = 0;
  bool single = false;
  bool blocking = false;
  bool in_place = false;  // only if the operation permits it
  bool promise = false;   // passes the IN_SEGMENT flags that are true
  bool matrices = false;  // reduces matrices; else 64-bit sums
  uint32_t root = 0;
  size_t nbytes = 0;
  Place dst_place = Place::kHeap;
  Place src_place = Place::kHeap;
  uint32_t key = 0;  // seed of contents, sizes, patterns, alignment
  const Group* group = nullptr;

  int flags() const;
  bool IsComputed() const;
};

struct Area {
  uint32_t owner;  // index in the group
  uint32_t block;
  size_t bytes;
  size_t offset = 0;    // offset in the area's arena
  bool inside = false;  // area is part of the owner's other area
};

class Trial {
 public:
  explicit Trial(const Plan& plan);

  // Returns true if there was room for all areas. The result is the same on all
  // nodes.
  bool ok() const { return ok_; }
  const Plan& plan() const { return plan_; }
  bool member() const { return me_ < plan_.group->size(); }

  // Fills this node's areas. With GASNET_COLL_IN_NOSYNC the caller needs a
  // barrier between Prepare and Begin: every node of the group must have called
  // Prepare before any node calls Begin.
  void Prepare();
  // Checks that nothing has been written too early. Then fills those sources
  // that the mode permits to fill this late, and calls the function.
  void Begin();
  // Returns the handle. The handle is invalid before Begin, and after the
  // operation is complete.
  gasnet_coll_handle_t& handle() { return handle_; }
  // Checks this node's destinations after a successful sync. Then writes to
  // this node's memory, as far as the mode now permits it. Also writes to the
  // memory of other nodes if the whole operation is now complete.
  void Synced();
  // Checks the guards and this node's destinations. Called when all nodes have
  // synced.
  void Finish();
  // Checks that the destinations of other nodes hold the right contents. Called
  // when all nodes have synced, or after this node's sync with
  // GASNET_COLL_OUT_ALLSYNC. Skips destinations outside of segments, and those
  // that their owners have reused.
  void CheckOthers() const;

 private:
  // Describe the layout (trial.cc).
  void Describe();
  void DescribeBlocks();
  void DescribePairs();
  void DescribeAreas();
  void DescribeInPlace();
  std::vector<Area> Each(size_t bytes) const;
  std::vector<Area> EachOf(size_t (Trial::*size)(uint32_t) const) const;
  std::vector<Area> AtRoot(size_t bytes) const;
  void ReserveAll(Place place, std::vector<Area>& areas, uint32_t role);
  size_t Misalignment(uint32_t block, uint32_t role) const;
  uint32_t blocks() const { return static_cast<uint32_t>(owners_.size()); }
  size_t SizeOf(uint32_t from, uint32_t to) const;
  size_t SizeTo(uint32_t to) const { return SizeOf(0, to); }
  size_t SizeOut(uint32_t from) const;
  size_t SizeIn(uint32_t to) const;
  uint32_t TargetOf(uint32_t block) const;
  uint32_t SourceOf(uint32_t block) const;
  gasnet_node_t NodeOf(uint32_t index) const {
    return plan_.group->members[index];
  }

  // Return the contents of an area (contents.cc).
  std::vector<char> Source(const Area& area) const;
  std::vector<char> Expected(const Area& area) const;
  std::vector<char> Combined(uint32_t count) const;
  std::vector<char> Elements(uint32_t block) const;
  void Append(std::vector<char>& out, uint32_t from, uint32_t to,
              size_t bytes) const;

  // Choose, fill and check areas around the call (tripwires.cc).
  bool FillsLate() const;
  bool FilledByAnother() const;
  bool Audits() const;
  bool SpoilsOwn() const;
  char* DstOf(const Area& area) const;
  char* SrcOf(const Area& area) const;
  void FillSources() const;
  void FillAnothersSources() const;
  void CheckUntouched() const;
  void CheckDst(const Area& area, const char* memory) const;
  void CheckGuards() const;
  void SpoilOwn();
  void SpoilOthers() const;

  // Make the call (calls.cc).
  void Call();
  void CallTeam();
  void CallLists();
  void CallAll();
  void CallComputing();
  void CallSizes();
  void CallPairs();
  void CallIndexed();
  void ListBlocks();
  char* GivenDst() const;
  char* GivenSrc() const;
  template <class Blocking, class NonBlocking, class... Arguments>
  void Do(Blocking blocking, NonBlocking nb, Arguments... arguments);

  Plan plan_;
  uint32_t me_;
  bool ok_ = true;
  bool spoiled_ = false;
  std::vector<uint32_t> owners_;   // owner of each block, or of each put or get
  std::vector<uint32_t> targets_;  // target of each put or get
  std::vector<Area> srcs_;
  std::vector<Area> dsts_;
  gasnet_coll_handle_t handle_ = GASNET_COLL_INVALID_HANDLE;
  // Lists that the call refers to until it is synced.
  std::vector<gasnet_node_t> nodes_;
  std::vector<void*> dst_list_;
  std::vector<void*> src_list_;
  std::vector<gasnet_node_t> partners_;
  std::vector<size_t> out_sizes_;
  std::vector<size_t> in_sizes_;
};

// Chooses a plan at random, except its kind, form, modes, single, blocking,
// nbytes and group.
void Vary(Plan& plan, Random& random);

}  // namespace conformance

#endif  // CONFORMANCE_COLL_TRIAL_H_
