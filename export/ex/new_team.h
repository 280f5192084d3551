// Checks the arguments of gex_TM_Split and gex_TM_Create, and translates them
// to a split of the parent team. gex_TM_Create gives a list of members. Each
// member's color is then the list's first member, and its key is its index in
// the list.
#ifndef EXPORT_EX_NEW_TEAM_H_
#define EXPORT_EX_NEW_TEAM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/rank.h"
#include "ex/teams.h"
#include "gasnetex.h"

namespace gasnet::exported {

// Returns true if the flags ask for the size of scratch space instead of a
// team.
bool IsSizeQuery(const char* call, gex_Flags_t flags);

// The new team that one call makes. The object lives for the duration of the
// call. Until Split() or List() is called, this process joins no team.
class NewTeam {
 public:
  NewTeam(const char* call, gex_Flags_t flags) : call_(call), flags_(flags) {}

  // Takes the arguments of gex_TM_Split, for a process that joins a team.
  void Split(int color, int key, void* scratch_addr, size_t scratch_size);
  // Takes the list of members of gex_TM_Create. This process joins the team
  // only if the list contains it.
  void List(const ex::ExTeam& parent, std::span<const gex_EP_Location_t> args,
            const gex_Addr_t* scratch_addrs, size_t scratch_size);

  bool joins() const { return wish_.color != ex::Teams::kNone; }

  // Makes the team. Collective over the parent. Returns null if this process
  // joins no team.
  ex::ExTeam* MakeOver(ex::ExTeam& parent);

 private:
  void RequireScratchMode() const;
  void RequireOnce() const;
  void Lend(void* address, size_t nbytes);
  Rank NodeOf(const ex::ExTeam& parent, const gex_EP_Location_t& place) const;

  const char* const call_;
  const gex_Flags_t flags_;
  ex::Teams::Wish wish_;
  std::vector<Rank> members_;  // nodes by rank; empty with gex_TM_Split
};

}  // namespace gasnet::exported

#endif  // EXPORT_EX_NEW_TEAM_H_
