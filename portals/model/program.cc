#include "portals/model/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gasnet::portals4_tests::model {

namespace {

using testing::Process;

constexpr size_t kUnexpected = 8;
constexpr uint32_t kFlowControlled = 1;
// The portal table index of the entry for triggered operations.
constexpr uint32_t kTriggered = 2;
constexpr size_t kTriggeredBytes = 64;
// The portal table index of the entry for the puts of Flush.
constexpr uint32_t kFlush = 3;
// Entries lie below this offset. Sources and destinations lie above it.
constexpr size_t kLocal = kMemory / 2;
constexpr size_t kMaxEntries = 32;
constexpr unsigned kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;

const Descriptor kKinds[] = {
    {0, kNoCounter},
    {PTL_MD_EVENT_CT_SEND | PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_CT_ACK, 2},
    {PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_CT_BYTES |
         PTL_MD_EVENT_SEND_DISABLE,
     3},
    {PTL_MD_EVENT_SUCCESS_DISABLE | PTL_MD_EVENT_CT_ACK, 3},
    {PTL_MD_EVENT_SUCCESS_DISABLE, kNoCounter},  // for triggered operations
};
// The index in kKinds of the descriptor that reports no replies.
constexpr size_t kQuiet = 3;

}  // namespace

Program::Program(testing::Processes processes, bool in_job, uint64_t seed)
    : in_job_(in_job),
      random_(seed),
      model_(static_cast<int>(processes.size()), kUnexpected),
      nodes_(processes.size()) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].process = std::move(processes[i]);
    Open(nodes_[i]);
  }
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    model_.AllocateTable(i, kFlowControlled, true);
    const Entry sums = {.length = kTriggeredBytes,
                        .options = PTL_ME_OP_PUT | PTL_ME_EVENT_COMM_DISABLE |
                                   PTL_ME_EVENT_LINK_DISABLE,
                        .user = next_user_++};
    At(i).process->Store(kSummand, i + 1);
    const int summand = i + 1;
    memcpy(model_.memory(i).data() + kSummand, &summand, sizeof summand);
    Model::Id id;
    model_.Append(i, kTriggered, sums, PTL_PRIORITY_LIST, &id);
    EXPECT_EQ(
        At(i)
            .process->Append(kTriggered, Real(sums, At(i), PTL_PRIORITY_LIST))
            .code,
        PTL_OK);
  }
}

void Program::Open(Node& node) {
  ptl_ni_limits_t limits;
  memset(&limits, 0x7f, sizeof limits);
  limits.max_unexpected_headers = kUnexpected;
  ASSERT_EQ(node.process->Open(PTL_NI_MATCHING | PTL_NI_PHYSICAL, &limits),
            PTL_OK);
  node.at_target = node.process->Eq(4096);
  node.at_initiator = node.process->Eq(4096);
  node.process->Pt(node.at_target, 0, 0);
  node.process->Pt(node.at_target, PTL_PT_FLOWCTRL, kFlowControlled);
  node.process->Pt(node.at_target, 0, kTriggered);
  for (ptl_handle_ct_t& counter : node.counters) counter = node.process->Ct();
  for (size_t i = 0; i <= kDescriptors; ++i) {
    const Descriptor& kind = kKinds[i];
    const ptl_handle_ct_t counter =
        kind.counter == kNoCounter ? PTL_CT_NONE : node.counters[kind.counter];
    node.mds[i] =
        node.process->Md(node.at_initiator, kind.options, counter, 0, kMemory);
  }
  node.process->Pt(PTL_EQ_NONE, 0, kFlush);
  node.process->Append(kFlush, {.length = 0, .options = PTL_ME_OP_PUT});
  node.flushed = node.process->Ct();
  node.flush =
      node.process->Md(PTL_EQ_NONE, PTL_MD_EVENT_CT_ACK, node.flushed, 0, 0);
}

void Program::Run(uint64_t steps) {
  for (uint64_t i = 0; i < steps; ++i) {
    touched_.clear();
    Step();
    for (const int node : touched_) Compare(node);
    if (i % 256 == 0 || i + 1 == steps) CompareMemory();
    if (::testing::Test::HasFailure()) {
      GTEST_FAIL() << "in step " << i;
    }
  }
}

void Program::Step() {
  const uint64_t choice = Below(100);
  if (choice < 24) return Append();
  if (choice < 30) return Unlink();
  if (choice < 36) return Search();
  if (choice < 82) return Operate();
  if (choice < 88) return Enable();
  if (choice < 92) return Count();
  if (choice < 97) return Trigger();
  Scribble();
}

Entry Program::AnyEntry(bool overflow) {
  Entry entry;
  entry.offset = kTriggeredBytes + 4 * Below(256);
  entry.length = 4 * Below(200);
  entry.bits = Below(4);
  entry.ignore = OneIn(3) ? 3 : Below(2);
  entry.user = next_user_++;
  entry.options = OneIn(12) ? unsigned{PTL_ME_OP_GET} : kPutGet;
  if (OneIn(12)) entry.options = PTL_ME_OP_PUT;
  if (OneIn(5)) entry.from = AnyNode();
  if (OneIn(2)) entry.options |= PTL_ME_USE_ONCE;
  if (OneIn(3)) entry.options |= PTL_ME_MANAGE_LOCAL;
  if (OneIn(2))
    entry.min_free = 4 * Below(std::min<size_t>(entry.length / 4 + 1, 40));
  if (OneIn(6)) entry.options |= PTL_ME_EVENT_COMM_DISABLE;
  if (OneIn(6)) entry.options |= PTL_ME_EVENT_LINK_DISABLE;
  if (OneIn(6)) entry.options |= PTL_ME_EVENT_UNLINK_DISABLE;
  if (OneIn(6)) entry.options |= PTL_ME_EVENT_OVER_DISABLE;
  if (OneIn(3)) {
    entry.counter = static_cast<int>(Below(2));
    entry.options |= PTL_ME_EVENT_CT_COMM;
    if (OneIn(2)) entry.options |= PTL_ME_EVENT_CT_OVERFLOW;
    if (OneIn(2)) entry.options |= PTL_ME_EVENT_CT_BYTES;
  }
  if (!overflow) return entry;
  entry.options &=
      ~(unsigned{PTL_ME_EVENT_OVER_DISABLE} | PTL_ME_EVENT_CT_OVERFLOW);
  if (OneIn(3)) entry.options |= PTL_ME_NO_TRUNCATE;
  // The rules leave open if AUTO_FREE is posted for an entry that leaves no
  // headers. So an entry with that option must not be unlinked automatically.
  const bool goes =
      (entry.options & PTL_ME_USE_ONCE) != 0 || entry.min_free > 0;
  if (!goes && OneIn(4)) entry.options |= PTL_ME_UNEXPECTED_HDR_DISABLE;
  return entry;
}

testing::Entry Program::Real(const Entry& entry, Node& node, ptl_list_t list) {
  testing::Entry real;
  real.offset = entry.offset;
  real.length = entry.length;
  real.options = entry.options;
  real.bits = entry.bits;
  real.ignore = entry.ignore;
  real.min_free = entry.min_free;
  real.list = list;
  real.user = entry.user;
  if (entry.counter != kNoCounter) real.ct = node.counters[entry.counter];
  if (entry.from >= 0) real.from = At(entry.from).process->id();
  return real;
}

void Program::Append() {
  const int at = AnyNode();
  Node& node = At(at);
  if (model_.entries(at) >= kMaxEntries) return;
  const ptl_list_t list = OneIn(3) ? PTL_OVERFLOW_LIST : PTL_PRIORITY_LIST;
  Entry entry = AnyEntry(list == PTL_OVERFLOW_LIST);
  const bool local = (entry.options & PTL_ME_MANAGE_LOCAL) != 0;
  if (local && OneIn(4) && list == PTL_PRIORITY_LIST)
    entry.options |= PTL_ME_LOCAL_INC_UH_RLENGTH;
  const auto pt = static_cast<uint32_t>(Below(2));
  Model::Id id = 0;
  const int expected = model_.Append(at, pt, entry, list, &id);
  const auto appended = node.process->Append(pt, Real(entry, node, list));
  EXPECT_EQ(appended.code, expected);
  node.entries.emplace_back(id, appended.value);
  if (node.entries.size() > 2 * kMaxEntries)
    node.entries.erase(node.entries.begin());
  touched_.insert(at);
}

void Program::Unlink() {
  const int at = AnyNode();
  Node& node = At(at);
  if (node.entries.empty()) return;
  const auto [id, handle] = node.entries[Below(node.entries.size())];
  EXPECT_EQ(node.process->Unlink(handle), model_.Unlink(at, id))
      << "PtlMEUnlink";
}

void Program::Search() {
  const int at = AnyNode();
  Node& node = At(at);
  Entry entry = AnyEntry(false);
  entry.options &= kPutGet | PTL_ME_USE_ONCE | PTL_ME_EVENT_CT_OVERFLOW;
  if ((entry.options & PTL_ME_EVENT_CT_OVERFLOW) == 0)
    entry.counter = kNoCounter;
  const auto pt = static_cast<uint32_t>(Below(2));
  const ptl_search_op_t what = OneIn(2) ? PTL_SEARCH_DELETE : PTL_SEARCH_ONLY;
  const int expected = model_.Search(at, pt, entry, what);
  EXPECT_EQ(
      node.process->Search(pt, Real(entry, node, PTL_PRIORITY_LIST), what),
      expected);
  touched_.insert(at);
}

Operation Program::AnyOperation() {
  Operation operation;
  const uint64_t choice = Below(8);
  if (choice >= 4) operation.verb = static_cast<Verb>(choice - 3);
  operation.initiator = AnyNode();
  operation.target = AnyNode();
  operation.length = 4 * Below(OneIn(3) ? 100 : 8);
  const bool fetches = operation.verb >= Verb::kFetchSum;
  if (fetches) operation.length = 4 * (1 + Below(8));
  if (operation.verb == Verb::kSum) operation.length = 4 * (1 + Below(16));
  operation.local = kLocal + 4 * Below(400);
  operation.get_local =
      OneIn(4) ? operation.local : kLocal + 2048 + 4 * Below(400);
  if (!fetches) operation.get_local = 0;
  const ptl_ack_req_t kinds[] = {PTL_NO_ACK_REQ, PTL_ACK_REQ, PTL_CT_ACK_REQ,
                                 PTL_OC_ACK_REQ};
  operation.ack = kinds[Below(4)];
  operation.pt = static_cast<uint32_t>(Below(2));
  operation.bits = Below(4);
  operation.remote = 4 * Below(OneIn(4) ? 300 : 40);
  operation.user = next_user_++;
  operation.header = random_();
  return operation;
}

int Program::Start(const Operation& operation, size_t descriptor) {
  Node& node = At(operation.initiator);
  Process& process = *node.process;
  Process& target = *At(operation.target).process;
  const ptl_handle_md_t md = node.mds[descriptor];
  const testing::Operation real = {md,
                                   operation.local,
                                   operation.length,
                                   operation.ack,
                                   operation.pt,
                                   operation.bits,
                                   operation.remote,
                                   operation.user,
                                   operation.header};
  switch (operation.verb) {
    case Verb::kPut:
      return process.Put(target, real);
    case Verb::kGet:
      return process.Get(target, real);
    case Verb::kSum:
      return process.Atomic(target, real, PTL_SUM, PTL_INT32_T);
    case Verb::kFetchSum:
      return process.FetchAtomic(target, real, md, operation.get_local, PTL_SUM,
                                 PTL_INT32_T);
    case Verb::kSwap:
      break;
  }
  return process.Swap(target, real, md, operation.get_local, 0, PTL_SWAP,
                      PTL_INT32_T);
}

size_t Program::DescriptorFor(const Operation& operation) {
  const size_t descriptor = Below(kDescriptors);
  const bool counts = kKinds[descriptor].counter != kNoCounter;
  if (!counts && operation.ack >= PTL_CT_ACK_REQ) return 1;
  const bool replies =
      operation.verb != Verb::kPut && operation.verb != Verb::kSum;
  return in_job_ && replies && descriptor == kQuiet ? 1 : descriptor;
}

void Program::Flush(int from, int to) {
  Node& node = At(from);
  ++node.flushes;
  EXPECT_EQ(
      node.process->Put(
          *At(to).process,
          {.md = node.flush, .length = 0, .ack = PTL_CT_ACK_REQ, .pt = kFlush}),
      PTL_OK);
  EXPECT_EQ(node.process->Reached(node.flushed, node.flushes).value.success,
            node.flushes)
      << "a put behind an operation";
}

void Program::Operate() {
  Operation operation = AnyOperation();
  const size_t descriptor = DescriptorFor(operation);
  operation.md = kKinds[descriptor];
  const int expected = model_.Run(operation);
  EXPECT_EQ(Start(operation, descriptor), expected);
  if (in_job_) Flush(operation.initiator, operation.target);
  touched_.insert({operation.initiator, operation.target});
}

void Program::Enable() {
  const int at = AnyNode();
  const auto pt = static_cast<uint32_t>(Below(2));
  const bool enabled = !OneIn(4);
  const int expected = model_.Enable(at, pt, enabled);
  const int got = At(at).process->Call([=, ni = At(at).process->ni()] {
    return enabled ? PtlPTEnable(ni, pt) : PtlPTDisable(ni, pt);
  });
  EXPECT_EQ(got, expected);
}

}  // namespace gasnet::portals4_tests::model
