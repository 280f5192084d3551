// Constants that tune the extended API.
#ifndef EXTENDED_TUNING_H_
#define EXTENDED_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::extended {

// The eager limit of puts and gets by message. Transfers of at most this many
// bytes travel in Medium messages. Larger ones travel in Long messages if the
// destination allows. A Medium's payload is copied once more at its target. A
// Long has an address to check, and may need its memory prepared. The limit is
// one page, so that the extra copy stays in the first-level cache. This is an
// estimate, not measured.
inline constexpr size_t kMediumLongThreshold = 4096;

// Records of operations are made in blocks, which a thread keeps. A thread's
// first block of transfers is a page; each further block is twice as large.
// Blocks of Iops are small, since access regions are few. This is an estimate,
// not measured.
inline constexpr size_t kFirstBlockBytes = 4096;
inline constexpr uint32_t kBlockIops = 16;

}  // namespace gasnet::extended

#endif  // EXTENDED_TUNING_H_
