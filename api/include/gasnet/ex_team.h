/* GASNet-EX: teams. A team is an ordered set of endpoints. A gex_TM_t names
 * either a team together with its local member, or a pair of endpoints. The
 * ranks of a pair are jobranks.
 *
 * Queries are legal anywhere, but only for teams, not for pairs. The other
 * calls are legal in main-line code only. All members of a team make the calls
 * that are collective over the team, in the same order.
 */
#ifndef GASNET_EX_TEAM_H_
#define GASNET_EX_TEAM_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* The part of a team that inlined calls read: the nodes of its members. This
 * part does not change. The library's full object has further members after
 * it. */
struct gasneti_tm {
  const gasnet_node_t *nodes; /* by rank; or NULL: first + rank * stride */
  gasnet_node_t first;
  gasnet_node_t stride;
};
/* The team of all processes; a rank is a node. */
extern struct gasneti_tm gasneti_tm_all;

GASNETI_INLINE gasnet_node_t gasneti_node_of(const struct gasneti_tm *tm,
                                             gex_Rank_t rank) {
  return tm->nodes != NULL ? tm->nodes[rank] : tm->first + rank * tm->stride;
}

/* The bits of a gex_TM_t. A pair is not an address: bit 0 is 1, the remote
 * endpoint's index follows, and the local endpoint's index begins at bit 32. In
 * a team's address, bit 1 is set if some members of the team are not primordial
 * endpoints. */
#define GASNETI_PRIMORDIAL_PAIR 1u
#define GASNETI_FURTHER_TEAM 2u
#define GASNETI_NOT_PRIMORDIAL (GASNETI_PRIMORDIAL_PAIR | GASNETI_FURTHER_TEAM)

/* Set and clear GASNETI_FURTHER_TEAM. */
GASNETI_INLINE gex_TM_t gasneti_further_team(gex_TM_t tm) {
  return GASNETI_BIT_CAST(
      gex_TM_t, GASNETI_BIT_CAST(uintptr_t, tm) | GASNETI_FURTHER_TEAM);
}
GASNETI_INLINE gex_TM_t gasneti_team_of(gex_TM_t tm) {
  return GASNETI_BIT_CAST(gex_TM_t,
                          GASNETI_BIT_CAST(uintptr_t, tm) &
                              ~GASNETI_CAST(uintptr_t, GASNETI_FURTHER_TEAM));
}

/* Returns 1 and sets *node if tm and rank name the primordial endpoint of a
 * node, and tm's local endpoint is primordial too. Otherwise returns 0. May
 * also return 0 for a primordial member of a team that has other endpoints. */
GASNETI_INLINE int gasneti_primordial(gex_TM_t tm, gex_Rank_t rank,
                                      gasnet_node_t *node) {
  *node = rank;
  if (GASNETI_LIKELY(tm == &gasneti_tm_all)) return 1;
  if ((GASNETI_BIT_CAST(uintptr_t, tm) & GASNETI_NOT_PRIMORDIAL) != 0)
    return GASNETI_BIT_CAST(uintptr_t, tm) == GASNETI_PRIMORDIAL_PAIR;
  *node = gasneti_node_of(tm, rank);
  return 1;
}

/* Like gasneti_mapped, but the peer is (tm, rank). */
GASNETI_INLINE int gasneti_mapped_peer(gex_TM_t tm, gex_Rank_t rank,
                                       const void *addr,
                                       unsigned char **local) {
  gasnet_node_t node;
  *local = NULL;
  return !GASNETI_CALLS && gasneti_primordial(tm, rank, &node) &&
         gasneti_mapped(node, addr, local);
}

/* Set and return the client's data of a team, initially NULL. */
void gex_TM_SetCData(gex_TM_t tm, const void *val);
void *gex_TM_QueryCData(gex_TM_t tm);

/* Return, of a team: its client; its local member; the flags that it was made
 * with; this process's rank; and the number of members. */
gex_Client_t gex_TM_QueryClient(gex_TM_t tm);
gex_EP_t gex_TM_QueryEP(gex_TM_t tm);
gex_Flags_t gex_TM_QueryFlags(gex_TM_t tm);
gex_Rank_t gex_TM_QueryRank(gex_TM_t tm);
gex_Rank_t gex_TM_QuerySize(gex_TM_t tm);

/* Makes teams of the members of parent_tm, and sets *new_tm_p. The call is
 * collective over parent_tm. Members that give the same color (>= 0) form a
 * team. The members of a new team are ordered by key, and if keys are equal, by
 * their rank in parent_tm. A member that gives NULL for new_tm_p joins no team.
 *
 * The team uses scratch_size bytes at scratch_addr, in the segment of the local
 * endpoint, until the team is destroyed. All its members give the same
 * scratch_size. With GEX_FLAG_TM_NO_SCRATCH the team uses no scratch memory.
 *
 * With GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED the call makes no team, and returns
 * the best scratch size. Without this flag the result is undefined. */
size_t gex_TM_Split(gex_TM_t *new_tm_p, gex_TM_t parent_tm, int color, int key,
                    void *scratch_addr, size_t scratch_size, gex_Flags_t flags);

/* Makes a team of the numargs endpoints args[i], in order of ranks, and sets
 * new_tms[j] for each of the num_new_tms members that are in this process. The
 * call is collective over parent_tm. parent_tm must have a member in each
 * process of the new team. All callers that make the same team give equal
 * lists. An endpoint may be in the list of one team only. A list has at most
 * one endpoint of a process. A caller that gives numargs 0 makes no team.
 *
 * flags: GEX_FLAG_RANK_IS_JOBRANK if args has jobranks (otherwise args has
 * ranks in parent_tm); GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED as in gex_TM_Split;
 * and exactly one of
 * - GEX_FLAG_TM_SYMMETRIC_SCRATCH: scratch_addrs has one address for all
 *   members,
 * - GEX_FLAG_TM_LOCAL_SCRATCH: scratch_addrs has one address for each of
 *   new_tms,
 * - GEX_FLAG_TM_GLOBAL_SCRATCH: scratch_addrs has one address for each of args,
 * - GEX_FLAG_TM_NO_SCRATCH: scratch_addrs is ignored. */
size_t gex_TM_Create(gex_TM_t *new_tms, size_t num_new_tms, gex_TM_t parent_tm,
                     gex_EP_Location_t *args, size_t numargs,
                     gex_Addr_t *scratch_addrs, size_t scratch_size,
                     gex_Flags_t flags);

/* Destroys a team, but not the team of all. The call is collective over the
 * team. Before the call the team's collectives must be synced and its atomic
 * domains destroyed; other operations may be in flight. If the client gave
 * scratch space, returns nonzero and, unless scratch_p is NULL, writes the
 * space's address and size to *scratch_p. Otherwise returns 0. flags: 0 or
 * GEX_FLAG_GLOBALLY_QUIESCED. */
int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags);

/* Returns a pair. It names local_ep in this process and, in any process, the
 * endpoint with index remote_ep_index. Legal anywhere. The pair is valid while
 * both endpoints exist. It may be passed to gex_RMA_*, gex_VIS_*, requests,
 * gex_AM_Max* and queries of bound segments. */
gex_TM_t gex_TM_Pair(gex_EP_t local_ep, gex_EP_Index_t remote_ep_index);

/* Translate ranks. gex_TM_TranslateJobrankToRank returns GEX_RANK_INVALID if no
 * member is in the process jobrank. flags: 0. */
gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank);
gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank);
gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank,
                                           gex_Flags_t flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_TEAM_H_ */
