// Finds the peer of a GASNet-EX call for export/observed.h. If an argument is
// invalid, the C function itself reports it, and the call counts as one without
// a peer.
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

// Finds the peer from two arguments: a team, and a rank in the team.
template <size_t team, size_t rank>
struct ToRank {
  template <class... Args>
  static Rank Of(Args... args) {
    return internal::ObservedNode(internal::Nth<team>(args...),
                                  internal::Nth<rank>(args...));
  }
};

// Finds the peer from three arguments: an atomic domain, a rank in the domain's
// team, and the flags.
template <size_t domain, size_t rank, size_t flags>
struct ToDomainRank {
  template <class... Args>
  static Rank Of(Args... args) {
    return internal::ObservedNode(internal::Nth<domain>(args...),
                                  internal::Nth<rank>(args...),
                                  internal::Nth<flags>(args...));
  }
};

// Finds the peer from a token: the source of its message.
template <size_t index>
struct ToSource {
  template <class... Args>
  static Rank Of(Args... args) {
    return internal::ObservedSource(internal::Nth<index>(args...));
  }
};

// Finds the peer from a prepared message: its target.
template <size_t index>
struct ToPrepared {
  template <class... Args>
  static Rank Of(Args... args) {
    return internal::ObservedNode(internal::Nth<index>(args...));
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_EX_OBSERVED_H_
