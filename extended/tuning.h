// Constants that trade one mechanism of the extended API for another.
#ifndef EXTENDED_TUNING_H_
#define EXTENDED_TUNING_H_

#include <cstddef>

namespace gasnet::extended {

// The eager limit of puts and gets by message. Those of at most this many bytes
// travel in Medium messages, larger ones in Long messages where the destination
// allows. A Medium's payload is copied once more at its target; a Long has an
// address to check and may need its memory prepared. One page: the extra copy
// then stays in the first-level cache. Reasoned, not measured.
inline constexpr size_t kMediumLongThreshold = 4096;

}  // namespace gasnet::extended

#endif  // EXTENDED_TUNING_H_
