// The direction of a transfer.
#ifndef VIS_KIND_H_
#define VIS_KIND_H_

namespace gasnet::vis {

enum class TransferKind { kPut, kGet };

}  // namespace gasnet::vis

#endif  // VIS_KIND_H_
