#include "portals/api/initiate.h"

#include "portals/api/given_job.h"
#include "portals/api/held_back.h"
#include "portals/api/knobs.h"
#include "portals/engine/claim.h"
#include "portals/engine/deliver.h"
#include "portals/engine/due.h"
#include "portals/engine/event_queue.h"

namespace gasnet::portals4 {
namespace {

bool Has(const MdRecord& md, uint32_t option) {
  return (md.options & option) != 0;
}

void PostMd(PeerInterface& owner, const MdRecord& md, uint32_t type,
            const InitiatorRequest& request, const Outcome& outcome) {
  if (md.eq == kNoRef ||
      (outcome.fail == PTL_NI_OK && Has(md, PTL_MD_EVENT_SUCCESS_DISABLE))) {
    return;
  }
  Event event;
  event.type = type;
  event.fail = outcome.fail;
  event.list = outcome.list;
  event.uid = owner.view.header().uid;
  event.user_ptr = request.user_ptr;
  event.mlength = outcome.mlength;
  event.rlength = outcome.mlength;
  event.remote_offset = outcome.remote_offset;
  Post(owner.view, md.eq, event);
}

void CountMd(PeerInterface& owner, const MdRecord& md, uint32_t option,
             uint32_t fail, uint64_t bytes) {
  if (!Has(md, option)) return;
  if (fail != PTL_NI_OK) {
    Count(owner, md.ct, 0, 1);
  } else {
    Count(owner, md.ct, Has(md, PTL_MD_EVENT_CT_BYTES) ? bytes : 1, 0);
  }
}

// Returns the stages of a put about which the initiator's descriptor reports.
Notices NoticesOfPut(const MdRecord& md, uint32_t ack) {
  if (ack == PTL_NO_ACK_REQ) return Notices::kNothing;
  if (Has(md, PTL_MD_EVENT_CT_ACK)) return Notices::kEnd;
  if (ack != PTL_ACK_REQ) return Notices::kNothing;
  return Has(md, PTL_MD_EVENT_SUCCESS_DISABLE) ? Notices::kFailure
                                               : Notices::kEnd;
}

void Acknowledge(PeerInterface& owner, const InitiatorRequest& request,
                 const Outcome& outcome) {
  if (request.ack == PTL_NO_ACK_REQ) return;
  const MdRecord& md = *request.put_md;
  CountMd(owner, md, PTL_MD_EVENT_CT_ACK, outcome.fail, outcome.mlength);
  if (request.ack == PTL_ACK_REQ) {
    PostMd(owner, md, PTL_EVENT_ACK, request, outcome);
  }
}

// Describes the memory of one of the owner's descriptors. Fills `extent` in
// place, because a returned value would be copied right after its fields were
// written. The copy would stall on these writes.
void Describe(PeerInterface& owner, const MdRecord& md, Extent& extent) {
  extent.space = &owner.space;
  extent.start = md.start;
  extent.mapping = md.mapping;
  // An iovec without elements in the tables counts as missing memory. Its
  // `start` is where the program keeps its elements, and nobody may touch that.
  if (md.iov == 0 && !Has(md, PTL_IOVEC)) return;
  // Reads the count once, because another process may change it. The checks
  // below and the uses then see the same count.
  const uint32_t count = md.iov_count;
  extent.iov = owner.view.Iovs(md.iov - 1, count);
  extent.iov_count = count;
  if (extent.iov == nullptr) {
    extent.iov = owner.view.Iovs(0, 0);
    extent.iov_count = 0;
  }
}

void FindMemory(PeerInterface& owner, const InitiatorRequest& request,
                PortalsOperation& operation) {
  if (request.put_md != nullptr) {
    Describe(owner, *request.put_md, operation.source);
  }
  if (request.get_md != nullptr) {
    Describe(owner, *request.get_md, operation.sink);
  }
}

// Injects faults for tests. Returns true if the operation fails.
bool Disturb(PeerInterface& target, const PortalsOperation& operation) {
  KnobSettings& knobs = Knobs();
  if (knobs.Happens(Fault::kUndeliverable)) return true;
  if (!knobs.Happens(Fault::kDisable)) return false;
  DisableByFault(target, operation.pt);
  return false;
}

Outcome Unreachable() {
  Outcome outcome;
  outcome.fail = PTL_NI_UNDELIVERABLE;
  return outcome;
}

// Delivers the operation. `target` is null if the target process does not
// exist.
Outcome Attempt(const PortalsOperation& operation, PeerInterface* target) {
  if (target == nullptr || (FaultsMayHappen() && Disturb(*target, operation))) {
    return Unreachable();
  }
  return Deliver(*target, operation);
}

}  // namespace

Notices NoticesOf(const InitiatorRequest& request) {
  return request.get_md != nullptr ? Notices::kEnd
                                   : NoticesOfPut(*request.put_md, request.ack);
}

void ReportSent(PeerInterface& owner, const InitiatorRequest& request,
                uint64_t length) {
  const MdRecord& md = *request.put_md;
  CountMd(owner, md, PTL_MD_EVENT_CT_SEND, PTL_NI_OK, length);
  if (Has(md, PTL_MD_EVENT_SEND_DISABLE)) return;
  Outcome sent;
  sent.mlength = length;
  PostMd(owner, md, PTL_EVENT_SEND, request, sent);
}

void ReportDone(PeerInterface& owner, const InitiatorRequest& request,
                const Outcome& outcome) {
  if (request.get_md == nullptr) {
    Acknowledge(owner, request, outcome);
    return;
  }
  CountMd(owner, *request.get_md, PTL_MD_EVENT_CT_REPLY, outcome.fail,
          outcome.mlength);
  PostMd(owner, *request.get_md, PTL_EVENT_REPLY, request, outcome);
}

bool Carry(PeerInterface& owner, const InitiatorRequest& request,
           PortalsOperation& operation, uint64_t physical, bool waits) {
  const GivenJob* const job = GetJob();
  uint32_t rank = 0;
  if (job == nullptr || !job->Carries(physical, rank)) return false;
  FindMemory(owner, request, operation);
  if (!Knobs().Happens(Fault::kUndeliverable)) {
    job->carrier->Begin(rank, physical, owner, request, operation, waits);
    return true;
  }
  Report(owner, request, operation.length, Unreachable());
  return true;
}

void Initiate(PeerInterface& owner, const InitiatorRequest& request,
              PortalsOperation& operation, PeerInterface* target) {
  FindMemory(owner, request, operation);
  const Outcome outcome = Attempt(operation, target);
  if (FaultsMayHappen() &&
      HoldBack(owner, request, operation.length, outcome)) {
    return;
  }
  Report(owner, request, operation.length, outcome);
}

void Report(PeerInterface& owner, const InitiatorRequest& request,
            uint64_t length, const Outcome& outcome) {
  if (request.put_md != nullptr) ReportSent(owner, request, length);
  ReportDone(owner, request, outcome);
}

}  // namespace gasnet::portals4
