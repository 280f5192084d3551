// The peers of GASNet-EX calls, for export/observed.h. An argument may be
// invalid, in which case the function itself reports it. Such a call names no
// peer here.
#ifndef EXPORT_EX_OBSERVED_H_
#define EXPORT_EX_OBSERVED_H_

#include <cstddef>

#include "core/rank.h"
#include "export/observed.h"
#include "gasnet_ratomic.h"
#include "gasnetex.h"

namespace gasnet::exported {

namespace internal {
Rank ObservedNode(gex_TM_t tm, gex_Rank_t rank);
Rank ObservedNode(gex_AD_t domain, gex_Rank_t rank, gex_Flags_t flags);
Rank ObservedSource(gex_Token_t token);
Rank ObservedNode(gex_AM_SrcDesc_t prepared);
}  // namespace internal

// The peer is given by a team and a rank in it.
template <size_t team, size_t rank>
struct ToRank {
  template <class... Args>
  static Rank Of(Args... args) {
    return internal::ObservedNode(internal::Nth<team>(args...),
                                  internal::Nth<rank>(args...));
  }
};

// The peer is given by an atomic domain, a rank in its team, and the flags.
template <size_t domain, size_t rank, size_t flags>
struct ToDomainRank {
  template <class... Args>
  static Rank Of(Args... args) {
    return internal::ObservedNode(internal::Nth<domain>(args...),
                                  internal::Nth<rank>(args...),
                                  internal::Nth<flags>(args...));
  }
};

// The peer is the source of a token's message.
template <size_t index>
struct ToSource {
  template <class... Args>
  static Rank Of(Args... args) {
    return internal::ObservedSource(internal::Nth<index>(args...));
  }
};

// The peer is the target of a prepared message.
template <size_t index>
struct ToPrepared {
  template <class... Args>
  static Rank Of(Args... args) {
    return internal::ObservedNode(internal::Nth<index>(args...));
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_EX_OBSERVED_H_
