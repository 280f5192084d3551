// An operation at its target, and the operation's outcome. Neither depends on
// how the operation reached the target.
#ifndef PORTALS_ENGINE_OPERATION_H_
#define PORTALS_ENGINE_OPERATION_H_

#include <cstdint>

#include "portals/engine/view.h"
#include "portals/memory/extent.h"
#include "portals4.h"

namespace gasnet::portals4 {

enum class OperationKind : uint32_t { kPut, kGet, kAtomic, kFetch, kSwap };

constexpr bool Fetches(OperationKind kind) {
  return kind == OperationKind::kGet || kind >= OperationKind::kFetch;
}

struct PortalsOperation {
  OperationKind kind = OperationKind::kPut;
  uint32_t pt = 0;
  uint32_t uid = 0;
  uint32_t operation = 0;  // the arithmetic of an atomic operation (ptl_op_t)
  uint32_t datatype = 0;
  uint64_t match_bits = 0;
  uint64_t remote_offset = 0;
  uint64_t length = 0;
  uint64_t hdr_data = 0;
  uint64_t initiator = 0;  // a rank, or a process (PackPhysical)
  // The initiator's memory. A get has no source, a put no sink.
  Extent source;
  uint64_t source_offset = 0;
  Extent sink;
  uint64_t sink_offset = 0;
  const void* operand = nullptr;
};

struct Outcome {
  uint32_t fail = PTL_NI_OK;
  uint32_t list = PTL_PRIORITY_LIST;
  uint64_t mlength = 0;
  uint64_t remote_offset = 0;  // the offset that was used at the target
};

// An interface of this process or of a peer: its tables and its memory.
struct PeerInterface {
  PeerInterface(const View& tables, pid_t pid, bool own)
      : view(tables), space(view, pid, own) {}
  PeerInterface(const PeerInterface&) = delete;
  PeerInterface& operator=(const PeerInterface&) = delete;

  const View view;
  Space space;
};

// Packs the identifiers of a node and a process into one number. A rank is
// stored unpacked.
constexpr uint64_t PackPhysical(uint32_t nid, uint32_t pid) {
  return (uint64_t{pid} << 32) | nid;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_OPERATION_H_
