/* GASNet-EX: puts and gets. The rules of extended.h about data, order and
 * errors hold, with these differences:
 * - (tm, rank) names the peer. tm is a team or a pair.
 * - Addresses need no alignment, and regions must not overlap at all.
 * - lc_opt says when the source of a put may be reused: NB forms take
 *   GEX_EVENT_NOW, GEX_EVENT_DEFER or the address of an event; NBI forms take
 *   GEX_EVENT_NOW, DEFER or GROUP. Blocking puts return when they are complete;
 *   value puts read no memory.
 * - Events may be synced by any thread.
 *
 * NB forms return a root event. NBI and blocking forms return 0. With
 * GEX_FLAG_IMMEDIATE an NB form may return GEX_EVENT_NO_OP, and another form
 * nonzero; then the call has done nothing. flags: 0, GEX_FLAG_IMMEDIATE,
 * GEX_FLAG_PEER_NEVER_*. The calls are legal in main-line code only.
 */
#ifndef GASNET_EX_RMA_H_
#define GASNET_EX_RMA_H_

#include "gasnet/ex_team.h"
#include "gasnet/extended.h"

GASNETI_EXTERN_C_BEGIN

/* The library functions behind the public calls. They serve memory that is
 * not mapped in this process, pairs of non-primordial endpoints, and debug
 * builds. */
int gasneti_gex_RMA_PutBlocking(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                const void *src, size_t nbytes,
                                gex_Flags_t flags);
int gasneti_gex_RMA_PutNBI(gex_TM_t tm, gex_Rank_t rank, void *dest,
                           const void *src, size_t nbytes, gex_Event_t *lc_opt,
                           gex_Flags_t flags);
gex_Event_t gasneti_gex_RMA_PutNB(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                  const void *src, size_t nbytes,
                                  gex_Event_t *lc_opt, gex_Flags_t flags);
int gasneti_gex_RMA_GetBlocking(gex_TM_t tm, void *dest, gex_Rank_t rank,
                                void *src, size_t nbytes, gex_Flags_t flags);
int gasneti_gex_RMA_GetNBI(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src,
                           size_t nbytes, gex_Flags_t flags);
gex_Event_t gasneti_gex_RMA_GetNB(gex_TM_t tm, void *dest, gex_Rank_t rank,
                                  void *src, size_t nbytes, gex_Flags_t flags);
gex_RMA_Value_t gasneti_gex_RMA_GetBlockingVal(gex_TM_t tm, gex_Rank_t rank,
                                               void *src, size_t nbytes,
                                               gex_Flags_t flags);
int gasneti_gex_RMA_PutBlockingVal(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                   gex_RMA_Value_t value, size_t nbytes,
                                   gex_Flags_t flags);
int gasneti_gex_RMA_PutNBIVal(gex_TM_t tm, gex_Rank_t rank, void *dest,
                              gex_RMA_Value_t value, size_t nbytes,
                              gex_Flags_t flags);
gex_Event_t gasneti_gex_RMA_PutNBVal(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                     gex_RMA_Value_t value, size_t nbytes,
                                     gex_Flags_t flags);

/* Puts. */

GASNETI_INLINE int gex_RMA_PutBlocking(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                       const void *src, size_t nbytes,
                                       gex_Flags_t flags) {
  unsigned char *local;
  const int mapped = gasneti_mapped_peer(tm, rank, dest, &local);
  gex_RMA_Value_t word = 0;
  if (gasneti_is_word(nbytes)) {
    unsigned char *const bytes = gasneti_low_bytes(&word, nbytes);
    __builtin_memcpy(bytes, src, nbytes);
    if (!mapped)
      return gasneti_gex_RMA_PutBlockingVal(tm, rank, dest, word, nbytes,
                                            flags);
    gasneti_complete_store(local, bytes, nbytes);
  } else {
    if (!mapped)
      return gasneti_gex_RMA_PutBlocking(tm, rank, dest, src, nbytes, flags);
    gasneti_complete_store(local, src, nbytes);
  }
  return 0;
}
GASNETI_MUST_USE GASNETI_INLINE gex_Event_t
gex_RMA_PutNB(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src,
              size_t nbytes, gex_Event_t *lc_opt, gex_Flags_t flags) {
  unsigned char *local;
  const int mapped = gasneti_mapped_peer(tm, rank, dest, &local);
  gex_RMA_Value_t word = 0;
  if (gasneti_is_word(nbytes)) {
    unsigned char *const bytes = gasneti_low_bytes(&word, nbytes);
    __builtin_memcpy(bytes, src, nbytes);
    if (!mapped) {
      gasneti_source_read(lc_opt);
      return gasneti_gex_RMA_PutNBVal(tm, rank, dest, word, nbytes, flags);
    }
    gasneti_store(local, bytes, nbytes);
  } else {
    if (!mapped)
      return gasneti_gex_RMA_PutNB(tm, rank, dest, src, nbytes, lc_opt, flags);
    gasneti_store(local, src, nbytes);
  }
  gasneti_source_read(lc_opt);
  return GASNETI_STORED_HANDLE;
}
GASNETI_INLINE int gex_RMA_PutNBI(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                  const void *src, size_t nbytes,
                                  gex_Event_t *lc_opt, gex_Flags_t flags) {
  unsigned char *local;
  const int mapped = gasneti_mapped_peer(tm, rank, dest, &local);
  gex_RMA_Value_t word = 0;
  if (gasneti_is_word(nbytes)) {
    unsigned char *const bytes = gasneti_low_bytes(&word, nbytes);
    __builtin_memcpy(bytes, src, nbytes);
    if (!mapped)
      return gasneti_gex_RMA_PutNBIVal(tm, rank, dest, word, nbytes, flags);
    gasneti_store(local, bytes, nbytes);
  } else {
    if (!mapped)
      return gasneti_gex_RMA_PutNBI(tm, rank, dest, src, nbytes, lc_opt, flags);
    gasneti_store(local, src, nbytes);
  }
  return 0;
}

/* Gets. */

GASNETI_INLINE int gex_RMA_GetBlocking(gex_TM_t tm, void *dest, gex_Rank_t rank,
                                       void *src, size_t nbytes,
                                       gex_Flags_t flags) {
  unsigned char *local;
  if (!gasneti_mapped_peer(tm, rank, src, &local))
    return gasneti_gex_RMA_GetBlocking(tm, dest, rank, src, nbytes, flags);
  gasneti_load(dest, local, nbytes);
  return 0;
}
GASNETI_MUST_USE GASNETI_INLINE gex_Event_t
gex_RMA_GetNB(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src,
              size_t nbytes, gex_Flags_t flags) {
  unsigned char *local;
  if (!gasneti_mapped_peer(tm, rank, src, &local))
    return gasneti_gex_RMA_GetNB(tm, dest, rank, src, nbytes, flags);
  gasneti_load(dest, local, nbytes);
  return GEX_EVENT_INVALID;
}
GASNETI_INLINE int gex_RMA_GetNBI(gex_TM_t tm, void *dest, gex_Rank_t rank,
                                  void *src, size_t nbytes, gex_Flags_t flags) {
  unsigned char *local;
  if (!gasneti_mapped_peer(tm, rank, src, &local))
    return gasneti_gex_RMA_GetNBI(tm, dest, rank, src, nbytes, flags);
  gasneti_load(dest, local, nbytes);
  return 0;
}

/* Put and get a register value in place of memory. Only the nbytes low-order
 * bytes of the value are moved, 1..SIZEOF_GEX_RMA_VALUE_T. A get sets the other
 * bytes of the value to 0, and ignores GEX_FLAG_IMMEDIATE. */

GASNETI_INLINE gex_RMA_Value_t gex_RMA_GetBlockingVal(gex_TM_t tm,
                                                      gex_Rank_t rank,
                                                      void *src, size_t nbytes,
                                                      gex_Flags_t flags) {
  unsigned char *local;
  gex_RMA_Value_t value = 0;
  if (!gasneti_mapped_peer(tm, rank, src, &local))
    return gasneti_gex_RMA_GetBlockingVal(tm, rank, src, nbytes, flags);
  gasneti_load(gasneti_low_bytes(&value, nbytes), local, nbytes);
  return value;
}
GASNETI_INLINE int gex_RMA_PutBlockingVal(gex_TM_t tm, gex_Rank_t rank,
                                          void *dest, gex_RMA_Value_t value,
                                          size_t nbytes, gex_Flags_t flags) {
  unsigned char *local;
  if (!gasneti_mapped_peer(tm, rank, dest, &local))
    return gasneti_gex_RMA_PutBlockingVal(tm, rank, dest, value, nbytes, flags);
  gasneti_complete_store(local, gasneti_low_bytes(&value, nbytes), nbytes);
  return 0;
}
GASNETI_INLINE int gex_RMA_PutNBIVal(gex_TM_t tm, gex_Rank_t rank, void *dest,
                                     gex_RMA_Value_t value, size_t nbytes,
                                     gex_Flags_t flags) {
  unsigned char *local;
  if (!gasneti_mapped_peer(tm, rank, dest, &local))
    return gasneti_gex_RMA_PutNBIVal(tm, rank, dest, value, nbytes, flags);
  gasneti_store(local, gasneti_low_bytes(&value, nbytes), nbytes);
  return 0;
}
GASNETI_MUST_USE GASNETI_INLINE gex_Event_t
gex_RMA_PutNBVal(gex_TM_t tm, gex_Rank_t rank, void *dest,
                 gex_RMA_Value_t value, size_t nbytes, gex_Flags_t flags) {
  unsigned char *local;
  if (!gasneti_mapped_peer(tm, rank, dest, &local))
    return gasneti_gex_RMA_PutNBVal(tm, rank, dest, value, nbytes, flags);
  gasneti_store(local, gasneti_low_bytes(&value, nbytes), nbytes);
  return GASNETI_STORED_HANDLE;
}

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_RMA_H_ */
