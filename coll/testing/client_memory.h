// The memory of the clients of simulated nodes, which checks when it is
// accessed.
//
// Every operation has areas on its nodes, which it reads, writes, or both. The
// engine announces each access (access.h). The access is compared with the
// operation's modes:
//
//   IN     the area's node has entered (MYSYNC); all have (ALLSYNC); any has
//          (NOSYNC)
//   OUT    the area's node has not synced (MYSYNC); none has (ALLSYNC); some
//          have not (NOSYNC)
//
// Contents are checked too. An area holds garbage until it may be accessed, and
// the operation's expected result when its sync succeeds. Once the client may
// use it again it gets other garbage, which must still be there at the end. So
// unannounced accesses are found as well.
//
// A node has two arenas: its segment, and other memory. Guard bytes surround
// each area.
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
  Bytes initial;   // when the client enters
  Bytes expected;  // when the operation is over
  Bytes final{};   // once the client has used it again; empty before

  size_t size() const { return initial.size(); }
};

class ClientMemory final : public AccessObserver {
 public:
  // is_synced: returns true if the engine reports that operation as synced on
  // that node.
  struct Hooks {
    std::function<bool(size_t op, Rank node)> is_synced;
    // Returns true if the acting node maps that memory of the node.
    std::function<bool(Rank node, const void* at, size_t nbytes)> may_touch;
    std::function<void()> preempt;
  };

  ClientMemory(Rank nodes, size_t arena_bytes, uint64_t seed, Hooks hooks);
  ~ClientMemory();
  ClientMemory(const ClientMemory&) = delete;
  ClientMemory& operator=(const ClientMemory&) = delete;

  // Adds an operation. Returns its number, counted from 0.
  size_t AddOperation(Sync in, Sync out, std::vector<Rank> members);
  // Adds an area with random contents.
  Area& Add(size_t op, Rank node, size_t nbytes, bool is_dest, bool in_segment,
            size_t misalignment);
  bool InSegment(Rank node, const void* at, size_t nbytes) const;

  // Note the client's calls.
  void Enter(size_t op, Rank node);
  void Synced(size_t op, Rank node);
  // Checks all areas. Called when all operations are over.
  void CheckAll();

  void Read(const void* from, size_t nbytes) override;
  void Write(const void* to, size_t nbytes) override;

  // While on, accesses count as transfers of the conduit, which may reach
  // unmapped memory.
  void SetRemote(bool on) { remote_ = on; }
  // While on, accesses count as retransmissions, by a link, of bytes that have
  // already arrived. These bytes are not used. So only the area's own node must
  // not have synced, if its sync waits for readers.
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
    Sync in;
    Sync out;
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
  std::vector<Arena> arenas_;  // two per node: segment, other
  std::vector<Watch> watches_;
  std::map<const std::byte*, std::unique_ptr<Area>> areas_;
  std::vector<std::string> violations_;
  bool remote_ = false;
  bool again_ = false;
};

}  // namespace gasnet::coll::testing

#endif  // COLL_TESTING_CLIENT_MEMORY_H_
