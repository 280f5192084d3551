// The memory of the clients of simulated nodes. Checks that the engine accesses
// this memory only when the client allows the access.
//
// Every operation has areas on its nodes, which it reads, writes, or both. The
// engine announces each access (access.h). This class compares the access with
// the operation's modes:
//
//   IN     MYSYNC   the area's node must have entered
//          ALLSYNC  all nodes must have entered
//          NOSYNC   any node must have entered
//   OUT    MYSYNC   the area's node must not have synced
//          ALLSYNC  no node may have synced
//          NOSYNC   some node must not have synced
//
// Checks of the contents also find accesses that the engine did not announce.
// An area holds garbage until it may be accessed. It must hold the operation's
// expected result when the sync succeeds. Once the client may reuse the area,
// the area is filled with other garbage. This garbage must still be in the area
// at the end.
//
// A node has two arenas: one is its segment, the other is memory outside of the
// segment. Guard bytes surround each area.
#ifndef COLL_TESTING_CLIENT_MEMORY_H_
#define COLL_TESTING_CLIENT_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "coll/access.h"
#include "coll/request.h"
#include "core/rank.h"

namespace gasnet::coll::testing {

using Bytes = std::vector<std::byte>;

struct Area {
  size_t op = 0;
  Rank node = 0;  // job rank
  bool is_dest = false;
  std::byte* at = nullptr;
  Bytes initial;   // contents when the client enters
  Bytes expected;  // contents when the operation is over
  // contents written by the client after its sync; empty until then
  Bytes final{};

  size_t size() const { return initial.size(); }
};

class ClientMemory final : public AccessObserver {
 public:
  // Functions that the owner of this object provides. is_synced returns true if
  // the engine reports operation `op` as synced on `node`.
  struct Hooks {
    std::function<bool(size_t op, Rank node)> is_synced;
    // Returns true if the memory [at, at + nbytes) of `node` is mapped by the
    // rank whose code runs now.
    std::function<bool(Rank node, const void* at, size_t nbytes)> may_touch;
    std::function<void()> preempt;
  };

  ClientMemory(Rank nodes, size_t arena_bytes, uint64_t seed, Hooks hooks);
  ~ClientMemory();
  ClientMemory(const ClientMemory&) = delete;
  ClientMemory& operator=(const ClientMemory&) = delete;

  // Adds an operation. Returns its number, counted from 0.
  size_t AddOperation(SyncMode in, SyncMode out, std::vector<Rank> members);
  // Adds an area with random contents.
  Area& Add(size_t op, Rank node, size_t nbytes, bool is_dest, bool in_segment,
            size_t misalignment);
  bool InSegment(Rank node, const void* at, size_t nbytes) const;

  // Enter records that the client of `node` has entered an operation. Synced
  // records that the client has synced the operation.
  void Enter(size_t op, Rank node);
  void Synced(size_t op, Rank node);
  // Checks all areas. Called when all operations are over.
  void CheckAll();

  void Read(const void* from, size_t nbytes) override;
  void Write(const void* to, size_t nbytes) override;

  // While `on`, accesses count as conduit transfers. Conduit transfers may
  // reach memory that the acting node does not map.
  void SetRemote(bool on) { remote_ = on; }
  // While `on`, reads count as retransmissions by a link of bytes that have
  // already arrived. The receiver ignores these bytes, so changes by other
  // nodes do not matter. Only one rule remains: the area's own node must not
  // have synced, if its sync waits for readers.
  void SetAgain(bool on) { again_ = on; }

  const std::vector<std::string>& violations() const { return violations_; }
  void Complain(std::string text);

 private:
  static constexpr size_t kGuard = 16;

  struct Arena {
    std::byte* base = nullptr;
    size_t used = 0;
  };
  struct Watch {
    SyncMode in;
    SyncMode out;
    std::vector<Rank> members;
    std::vector<Rank> entered{};
    std::vector<Rank> synced{};
    std::vector<Area*> areas{};
  };

  std::string Name(const Area& area) const;
  void Check(const void* at, size_t nbytes, bool writes);
  bool MayBegin(const Area& area) const;
  bool IsOver(const Area& area, bool writes) const;
  bool IsSynced(size_t op, Rank node) const;
  void Fill(size_t op, Rank node, bool all);
  void Settle(Area& area);
  void CheckContents(const Area& area, const Bytes& expected, const char* when);
  const Arena* ArenaOf(const std::byte* at) const;

  size_t arena_bytes_;
  std::mt19937_64 random_;
  Hooks hooks_;
  std::vector<Arena> arenas_;  // two per node: its segment, then other memory
  std::vector<Watch> watches_;
  std::map<const std::byte*, std::unique_ptr<Area>> areas_;
  std::vector<std::string> violations_;
  bool remote_ = false;
  bool again_ = false;
};

}  // namespace gasnet::coll::testing

#endif  // COLL_TESTING_CLIENT_MEMORY_H_
