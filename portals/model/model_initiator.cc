// The initiator's side of the model: events of descriptors, counters, and the
// operations that counters trigger.
#include <algorithm>

#include "portals/model/model.h"

namespace gasnet::portals4_tests::model {

int Model::Run(const Operation& operation) {
  const Outcome outcome = Deliver(operation);
  const bool failed = outcome.fail != PTL_NI_OK;
  const unsigned options = operation.md.options;
  const bool quiet = (options & PTL_MD_EVENT_SUCCESS_DISABLE) != 0;
  auto& events = Of(operation.initiator).initiator_events;
  if (operation.verb != Verb::kGet) {
    Event sent;
    sent.type = PTL_EVENT_SEND;
    sent.user = operation.user;
    if (!quiet && (options & PTL_MD_EVENT_SEND_DISABLE) == 0)
      events.push_back(sent);
    CountDescriptor(operation, PTL_MD_EVENT_CT_SEND, operation.length, false);
  }
  Event done;
  done.user = operation.user;
  done.fail = outcome.fail;
  if (!failed) {
    done.mlength = outcome.mlength;
    done.remote = outcome.offset;
    done.list = outcome.list;
  }
  const bool acknowledged =
      operation.verb == Verb::kPut || operation.verb == Verb::kSum;
  done.type = acknowledged ? PTL_EVENT_ACK : PTL_EVENT_REPLY;
  const bool told = !acknowledged || operation.ack == PTL_ACK_REQ;
  const bool counted = !acknowledged || operation.ack != PTL_NO_ACK_REQ;
  if (told && (failed || !quiet)) events.push_back(done);
  if (counted) {
    CountDescriptor(operation,
                    acknowledged ? PTL_MD_EVENT_CT_ACK : PTL_MD_EVENT_CT_REPLY,
                    outcome.mlength, failed);
  }
  Fire();
  return PTL_OK;
}

void Model::CountAt(int node, const Entry& entry, unsigned option,
                    size_t bytes) {
  if ((entry.options & option) == 0 || entry.counter == kNoCounter) return;
  const bool in_bytes = (entry.options & PTL_ME_EVENT_CT_BYTES) != 0;
  Add(node, entry.counter, {in_bytes ? bytes : 1, 0});
}

void Model::CountDescriptor(const Operation& operation, unsigned option,
                            size_t bytes, bool failed) {
  const Descriptor& md = operation.md;
  if ((md.options & option) == 0 || md.counter == kNoCounter) return;
  const bool in_bytes = (md.options & PTL_MD_EVENT_CT_BYTES) != 0;
  const Count success = {in_bytes ? bytes : 1, 0};
  Add(operation.initiator, md.counter, failed ? Count{0, 1} : success);
}

void Model::Add(int node, int counter, const Count& by) {
  Count& count = Of(node).counters[counter];
  count.success += by.success;
  count.failure += by.failure;
}

int Model::Increment(int node, int counter, const Count& by) {
  if (by.success != 0 && by.failure != 0) return PTL_ARG_INVALID;
  Add(node, counter, by);
  Fire();
  return PTL_OK;
}

int Model::Set(int node, int counter, const Count& to) {
  Of(node).counters[counter] = to;
  Fire();
  return PTL_OK;
}

int Model::TriggerOperation(int node, int counter, uint64_t threshold,
                            const Operation& operation) {
  Of(node).waiting[counter].push_back({threshold, false, operation, 0, {}});
  Fire();
  return PTL_OK;
}

int Model::TriggerIncrement(int node, int counter, uint64_t threshold,
                            int other, const Count& by) {
  Of(node).waiting[counter].push_back({threshold, true, {}, other, by});
  Fire();
  return PTL_OK;
}

int Model::Cancel(int node, int counter) {
  Of(node).waiting[counter].clear();
  return PTL_OK;
}

// Runs due operations one at a time. Takes the first counter that has a due
// operation, and its operation with the lowest threshold. An operation that
// begins may make others due.
void Model::Fire() {
  for (Node& node : nodes_) {
    for (int counter = 0; counter < kCounters; ++counter) {
      auto& waiting = node.waiting[counter];
      const Count& count = node.counters[counter];
      const auto next =
          std::min_element(waiting.begin(), waiting.end(),
                           [](const Waiting& a, const Waiting& b) {
                             return a.threshold < b.threshold;
                           });
      if (next == waiting.end()) continue;
      if (count.success + count.failure < next->threshold) continue;
      const Waiting due = *next;
      waiting.erase(next);
      if (due.increments) {
        Add(static_cast<int>(&node - nodes_.data()), due.other, due.by);
        Fire();
      } else {
        Run(due.operation);  // also runs the operations that this one makes due
      }
      return;
    }
  }
}

}  // namespace gasnet::portals4_tests::model
