// A collective in progress, as an event. Any thread may sync it.
#ifndef EX_COLLECTIVE_H_
#define EX_COLLECTIVE_H_

#include "coll/collectives.h"
#include "coll/operation.h"
#include "coll/request.h"
#include "ex/team.h"
#include "extended/operation.h"
#include "gasnet/ex_types.h"

namespace gasnet::ex {

class Collective final : public extended::Foreign {
 public:
  // Begins a collective of the team. Returns GEX_EVENT_INVALID if it is already
  // complete.
  static gex_Event_t Begin(ExTeam& team,
                           const coll::CollectiveRequest& request) {
    coll::CollectiveOperation* const operation =
        coll::Collectives::Mine().Begin(team.collective, request);
    if (operation == nullptr) return GEX_EVENT_INVALID;
    return extended::ToHandle(*new Collective(*operation));
  }

  bool IsOver() const override { return operation_.IsSynced(); }
  observe::Waiting Reason() const override {
    return coll::ReasonOf(operation_);
  }
  void Release() override {
    coll::Collectives::Mine().Release(operation_);
    delete this;
  }

 private:
  explicit Collective(coll::CollectiveOperation& operation)
      : operation_(operation) {}

  coll::CollectiveOperation& operation_;
};

}  // namespace gasnet::ex

#endif  // EX_COLLECTIVE_H_
