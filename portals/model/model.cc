#include "portals/model/model.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gasnet::portals4_tests::model {

namespace {

ptl_event_kind_t KindOf(Verb verb) {
  switch (verb) {
    case Verb::kPut:
      return PTL_EVENT_PUT;
    case Verb::kGet:
      return PTL_EVENT_GET;
    case Verb::kSum:
      return PTL_EVENT_ATOMIC;
    case Verb::kFetchSum:
    case Verb::kSwap:
      break;
  }
  return PTL_EVENT_FETCH_ATOMIC;
}

unsigned NeededBy(Verb verb) {
  if (verb == Verb::kGet) return PTL_ME_OP_GET;
  if (verb == Verb::kPut || verb == Verb::kSum) return PTL_ME_OP_PUT;
  return PTL_ME_OP_PUT | PTL_ME_OP_GET;
}

Event Plain(ptl_event_kind_t type, uint32_t pt, uint64_t user) {
  Event event;
  event.type = type;
  event.pt = pt;
  event.user = user;
  return event;
}

}  // namespace

Model::Model(int nodes, size_t max_unexpected)
    : nodes_(At(nodes)), max_unexpected_(max_unexpected) {
  for (Node& node : nodes_) node.memory.resize(kMemory);
}

void Model::AllocateTable(int node, uint32_t pt, bool flow_control) {
  Of(node).tables[pt].flow_control = flow_control;
}

bool Model::Matches(const Entry& entry, const Event& header) {
  if (entry.from >= 0 && entry.from != header.initiator) return false;
  if (((entry.bits ^ header.bits) & ~entry.ignore) != 0) return false;
  return true;
}

size_t Model::Room(const Linked& entry, size_t remote) {
  const bool local = (entry.options & PTL_ME_MANAGE_LOCAL) != 0;
  const size_t offset = local ? entry.used : remote;
  return offset < entry.length ? entry.length - offset : 0;
}

int Model::Append(int node, uint32_t pt, const Entry& entry, ptl_list_t list,
                  Id* id) {
  Node& at = Of(node);
  Table& table = at.tables[pt];
  auto linked = std::make_shared<Linked>();
  static_cast<Entry&>(*linked) = entry;
  linked->id = *id = next_id_++;
  const bool once = (entry.options & PTL_ME_USE_ONCE) != 0;
  bool used_up = false;
  for (auto it = table.headers.begin();
       list == PTL_PRIORITY_LIST && !used_up && it != table.headers.end();) {
    const auto header = it++;
    if (!Matches(entry, header->event)) continue;
    const bool too_long =
        (entry.options & PTL_ME_NO_TRUNCATE) != 0 &&
        header->event.rlength > Room(*linked, header->event.remote);
    if (too_long) continue;
    Event found = header->event;
    ++found.type;  // The _OVERFLOW kind follows the plain kind.
    found.user = entry.user;
    if ((entry.options & PTL_ME_EVENT_OVER_DISABLE) == 0)
      at.target_events.push_back(found);
    CountAt(node, entry, PTL_ME_EVENT_CT_OVERFLOW, found.mlength);
    if ((entry.options & PTL_ME_LOCAL_INC_UH_RLENGTH) != 0)
      linked->used += found.rlength;
    Forget(node, pt, table, header);
    const size_t left =
        linked->used < entry.length ? entry.length - linked->used : 0;
    used_up = once || ((entry.options & PTL_ME_LOCAL_INC_UH_RLENGTH) != 0 &&
                       entry.min_free > 0 && left < entry.min_free);
  }
  if (used_up) {
    if ((entry.options & PTL_ME_EVENT_UNLINK_DISABLE) == 0)
      at.target_events.push_back(Plain(PTL_EVENT_AUTO_UNLINK, pt, entry.user));
  } else {
    table.lists[list].push_back(linked);
    if ((entry.options & PTL_ME_EVENT_LINK_DISABLE) == 0)
      at.target_events.push_back(Plain(PTL_EVENT_LINK, pt, entry.user));
  }
  Fire();
  return PTL_OK;
}

void Model::Forget(int node, uint32_t pt, Table& table,
                   std::list<Header>::iterator header) {
  const std::shared_ptr<Linked> entry = header->entry;
  table.headers.erase(header);
  --Of(node).headers;
  if (--entry->headers > 0 || !entry->unlinked) return;
  if ((entry->options & PTL_ME_EVENT_UNLINK_DISABLE) != 0) return;
  Of(node).target_events.push_back(Plain(PTL_EVENT_AUTO_FREE, pt, entry->user));
}

int Model::Unlink(int node, Id id) {
  for (Table& table : Of(node).tables) {
    for (auto& list : table.lists) {
      const auto found =
          std::find_if(list.begin(), list.end(),
                       [id](const auto& entry) { return entry->id == id; });
      if (found == list.end()) continue;
      if ((*found)->headers > 0) return PTL_IN_USE;
      list.erase(found);
      return PTL_OK;
    }
  }
  return PTL_ARG_INVALID;
}

int Model::Search(int node, uint32_t pt, const Entry& entry,
                  ptl_search_op_t what) {
  Node& at = Of(node);
  Table& table = at.tables[pt];
  const bool once = (entry.options & PTL_ME_USE_ONCE) != 0;
  const bool deletes = what == PTL_SEARCH_DELETE;
  int found = 0;
  for (auto it = table.headers.begin();
       (found == 0 || !once) && it != table.headers.end();) {
    const auto header = it++;
    if (!Matches(entry, header->event)) continue;
    ++found;
    Event event = header->event;
    event.type = deletes ? event.type + 1 : ptl_event_kind_t{PTL_EVENT_SEARCH};
    event.user = entry.user;
    at.target_events.push_back(event);
    CountAt(node, entry, PTL_ME_EVENT_CT_OVERFLOW, event.mlength);
    if (deletes) Forget(node, pt, table, header);
  }
  if (found == 0) {
    Event none = Plain(PTL_EVENT_SEARCH, pt, entry.user);
    none.fail = PTL_NI_NO_MATCH;
    at.target_events.push_back(none);
  }
  const bool counts = (entry.options & PTL_ME_EVENT_CT_OVERFLOW) != 0;
  if (counts && entry.counter != kNoCounter && (found == 0 || !once))
    Add(node, entry.counter, {0, 1});
  Fire();
  return PTL_OK;
}

int Model::Enable(int node, uint32_t pt, bool enabled) {
  Of(node).tables[pt].enabled = enabled;
  return PTL_OK;
}

// Returns the outcome of a message that found no place at the target. With flow
// control the portal table entry is disabled, and nothing is lost.
Model::Outcome Model::NoRoom(const Operation& operation, Table& table) {
  Node& at = Of(operation.target);
  if (!table.flow_control) {
    ++at.registers[PTL_SR_DROP_COUNT];
    return {.fail = PTL_NI_DROPPED};
  }
  table.enabled = false;
  Event event = Plain(PTL_EVENT_PT_DISABLED, operation.pt, 0);
  event.fail = PTL_NI_PT_DISABLED;
  at.target_events.push_back(event);
  return {.fail = PTL_NI_PT_DISABLED};
}

Model::Outcome Model::Deliver(const Operation& operation) {
  Node& at = Of(operation.target);
  Table& table = at.tables[operation.pt];
  if (!table.enabled) return {.fail = PTL_NI_PT_DISABLED};
  Event header;
  header.initiator = operation.initiator;
  header.bits = operation.bits;
  for (uint32_t list = 0; list < 2; ++list) {
    for (const auto& entry : table.lists[list]) {
      if (!Matches(*entry, header)) continue;
      const bool whole = (entry->options & PTL_ME_NO_TRUNCATE) != 0;
      if (whole && operation.length > Room(*entry, operation.remote)) continue;
      const unsigned needed = NeededBy(operation.verb);
      if ((entry->options & needed) != needed) {
        ++at.registers[PTL_SR_OPERATION_VIOLATIONS];
        return {.fail = PTL_NI_OP_VIOLATION};
      }
      if (list == PTL_OVERFLOW_LIST &&
          (entry->options & PTL_ME_UNEXPECTED_HDR_DISABLE) == 0 &&
          at.headers == max_unexpected_) {
        return NoRoom(operation, table);
      }
      const std::shared_ptr<Linked> kept = entry;
      return Move(operation, table, kept, list);
    }
  }
  return NoRoom(operation, table);
}

Model::Outcome Model::Move(const Operation& operation, Table& table,
                           const std::shared_ptr<Linked>& entry,
                           uint32_t list) {
  Node& at = Of(operation.target);
  const bool local = (entry->options & PTL_ME_MANAGE_LOCAL) != 0;
  const size_t offset = local ? entry->used : operation.remote;
  const size_t length =
      std::min(operation.length, Room(*entry, operation.remote));
  Copy(operation, entry->offset + offset, length);
  if (local) entry->used += length;

  Event event;
  event.type = KindOf(operation.verb);
  event.user = entry->user;
  event.header = operation.verb == Verb::kGet ? 0 : operation.header;
  event.bits = operation.bits;
  event.rlength = operation.length;
  event.mlength = length;
  event.remote = operation.remote;
  event.start = entry->offset + offset;
  event.pt = operation.pt;
  event.list = list;
  event.initiator = operation.initiator;
  if ((entry->options & PTL_ME_EVENT_COMM_DISABLE) == 0)
    at.target_events.push_back(event);
  CountAt(operation.target, *entry, PTL_ME_EVENT_CT_COMM, length);
  const bool leaves = (entry->options & PTL_ME_UNEXPECTED_HDR_DISABLE) == 0;
  if (list == PTL_OVERFLOW_LIST && leaves) {
    table.headers.push_back({event, entry});
    ++entry->headers;
    ++at.headers;
  }
  UnlinkIfDone(operation.target, table, entry, operation.pt, list);
  return {.mlength = length, .offset = offset, .list = list};
}

void Model::UnlinkIfDone(int node, Table& table,
                         const std::shared_ptr<Linked>& entry, uint32_t pt,
                         uint32_t list) {
  const bool once = (entry->options & PTL_ME_USE_ONCE) != 0;
  const bool full = (entry->options & PTL_ME_MANAGE_LOCAL) != 0 &&
                    entry->min_free > 0 && Room(*entry, 0) < entry->min_free;
  if (!once && !full) return;
  entry->unlinked = true;
  table.lists[list].remove(entry);
  if ((entry->options & PTL_ME_EVENT_UNLINK_DISABLE) != 0) return;
  Of(node).target_events.push_back(
      Plain(PTL_EVENT_AUTO_UNLINK, pt, entry->user));
}

void Model::Copy(const Operation& operation, size_t at, size_t length) {
  uint8_t* const remote = Of(operation.target).memory.data() + at;
  uint8_t* const local =
      Of(operation.initiator).memory.data() + operation.local;
  uint8_t* const fetched =
      Of(operation.initiator).memory.data() + operation.get_local;
  const std::vector<uint8_t> before(remote, remote + length);
  const std::vector<uint8_t> source(local, local + length);
  for (size_t i = 0; i < length; i += 4) {
    uint32_t a = 0;
    uint32_t b = 0;
    const size_t item = std::min<size_t>(4, length - i);
    memcpy(&a, before.data() + i, item);
    memcpy(&b, source.data() + i, item);
    switch (operation.verb) {
      case Verb::kPut:
      case Verb::kSwap:
        a = b;
        break;
      case Verb::kSum:
      case Verb::kFetchSum:
        a += b;
        break;
      case Verb::kGet:
        break;
    }
    memcpy(remote + i, &a, item);
  }
  if (operation.verb == Verb::kGet)
    std::copy(before.begin(), before.end(), local);
  const bool fetches =
      operation.verb == Verb::kFetchSum || operation.verb == Verb::kSwap;
  if (fetches) std::copy(before.begin(), before.end(), fetched);
}

std::vector<Event> Model::TakeTargetEvents(int node) {
  return std::exchange(Of(node).target_events, {});
}

std::vector<Event> Model::TakeInitiatorEvents(int node) {
  return std::exchange(Of(node).initiator_events, {});
}

size_t Model::entries(int node) const {
  size_t count = 0;
  for (const Table& table : nodes_[At(node)].tables) {
    count += table.lists[PTL_PRIORITY_LIST].size() +
             table.lists[PTL_OVERFLOW_LIST].size();
  }
  return count;
}

Count Model::counter(int node, int index) const {
  return nodes_[At(node)].counters[index];
}

}  // namespace gasnet::portals4_tests::model
