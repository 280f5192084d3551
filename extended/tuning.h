// Constants that tune the extended API.
#ifndef EXTENDED_TUNING_H_
#define EXTENDED_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::extended {

// The eager limit of puts and gets by message. Transfers of at most this many
// bytes travel in Medium messages, larger ones in Long messages if the
// destination allows. A Medium's payload is copied once more at its target; a
// Long has an address to check and may need its memory prepared. One page: the
// extra copy then stays in the first-level cache. An estimate, not measured.
inline constexpr size_t kMediumLongThreshold = 4096;

// Records of operations are made in blocks, which a thread keeps. Its first
// block of transfers is a page; the next ones double. Records of access regions
// are fewer. An estimate, not measured.
inline constexpr size_t kFirstBlockBytes = 4096;
inline constexpr uint32_t kBlockIops = 16;

}  // namespace gasnet::extended

#endif  // EXTENDED_TUNING_H_
