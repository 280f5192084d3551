/* GASNet-EX: broadcast and reductions. ex_barrier.h has the barrier. This
 * header needs no threading mode.
 *
 * All members of a team start its collectives in the same order, with the same
 * root, sizes, type and operation. tm is a team and not a pair; flags are 0.
 * Any number of collectives may be under way, of one team or several. A call
 * does not wait for other members. The returned event says that this member's
 * part is complete: its source may be reused and its result may be read. The
 * event says nothing about other members. Memory may lie anywhere. The calls
 * are legal in main-line code only. */
#ifndef GASNET_EX_COLL_H_
#define GASNET_EX_COLL_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* A client's operation: arg2_and_out[i] = arg1[i] op arg2_and_out[i] for i in
 * [0, count). op is associative and commutative. count may be any positive
 * number, and parts of vectors may come in any order. The library may call the
 * function on any thread, and on several threads at once. The function must not
 * write arg1 or wait, and may only make calls that are legal anywhere. cdata is
 * the user_cdata of the collective call. */
typedef void (*gex_Coll_ReduceFn_t)(const void *arg1, void *arg2_and_out,
                                    size_t count, const void *cdata);

/* Copies the nbytes bytes at src of root to dst of every member. On root dst
 * may be src. src is read on root alone. */
gex_Event_t gex_Coll_BroadcastNB(gex_TM_t tm, gex_Rank_t root, void *dst,
                                 const void *src, size_t nbytes,
                                 gex_Flags_t flags) GASNETI_MUST_USE;

/* Combine the vectors at src of all members by op, element by element, in any
 * order. ToOne stores the result in dst of root, ToAll in dst of every member.
 * A vector has dt_cnt (> 0) elements of type dt, of dt_sz bytes each. dst may
 * be src: in ToOne on root, in ToAll on all members or on none. op is ADD,
 * MULT, MIN or MAX; for integers also AND, OR or XOR; for any type USER.
 *
 * user_op, user_cdata: the function for USER and its cdata. They may differ by
 * member. */
gex_Event_t gex_Coll_ReduceToOneNB(gex_TM_t tm, gex_Rank_t root, void *dst,
                                   const void *src, gex_DT_t dt, size_t dt_sz,
                                   size_t dt_cnt, gex_OP_t op,
                                   gex_Coll_ReduceFn_t user_op,
                                   void *user_cdata,
                                   gex_Flags_t flags) GASNETI_MUST_USE;
gex_Event_t gex_Coll_ReduceToAllNB(gex_TM_t tm, void *dst, const void *src,
                                   gex_DT_t dt, size_t dt_sz, size_t dt_cnt,
                                   gex_OP_t op, gex_Coll_ReduceFn_t user_op,
                                   void *user_cdata,
                                   gex_Flags_t flags) GASNETI_MUST_USE;

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_COLL_H_ */
