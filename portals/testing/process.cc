#include "portals/testing/process.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/clock.h"

namespace gasnet::portals4_tests::testing {

namespace {

// Makes the arena's file. Peers map the file through its descriptor. So the
// descriptor must stay open in the child.
int MakeFile(Process::Memory memory) {
  if (memory == Process::Memory::kPrivate) return -1;
  const int file = memfd_create("arena", 0);
  if (file < 0 || ftruncate(file, Process::kArenaSize) != 0) abort();
  return file;
}

char* MapArena(int file) {
  const int flags = file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  void* const arena = mmap(nullptr, Process::kArenaSize, PROT_READ | PROT_WRITE,
                           flags, file, 0);
  if (arena == MAP_FAILED) abort();
  return static_cast<char*>(arena);
}

unsigned char Byte(size_t place, unsigned seed) {
  return static_cast<unsigned char>(place * 131 + (place >> 8) * 17 +
                                    seed * 29 + 7);
}

ptl_le_t ListEntry(char* arena, const Entry& entry) {
  ptl_le_t le = {};
  le.start = entry.start != nullptr ? entry.start : arena + entry.offset;
  le.length = entry.length;
  le.ct_handle = entry.ct;
  le.uid = entry.uid;
  le.options = entry.options;
  return le;
}

ptl_me_t MatchEntry(char* arena, const Entry& entry, bool logical) {
  const ptl_le_t le = ListEntry(arena, entry);
  ptl_me_t me = {};
  me.start = le.start;
  me.length = le.length;
  me.ct_handle = le.ct_handle;
  me.uid = le.uid;
  me.options = le.options;
  me.match_bits = entry.bits;
  me.ignore_bits = entry.ignore;
  me.min_free = entry.min_free;
  if (entry.from) {
    me.match_id = *entry.from;
  } else if (logical) {
    me.match_id.rank = PTL_RANK_ANY;
  } else {
    me.match_id.phys.nid = PTL_NID_ANY;
    me.match_id.phys.pid = PTL_PID_ANY;
  }
  return me;
}

void* Pointer(uintptr_t user) { return reinterpret_cast<void*>(user); }

}  // namespace

Process::Process(Memory memory)
    : file_(MakeFile(memory)), arena_(MapArena(file_)) {}

Process::~Process() {
  munmap(arena_, kArenaSize);
  if (file_ >= 0) close(file_);
}

int Process::Open(unsigned options, const ptl_ni_limits_t* limits) {
  struct Opened {
    int code;
    ptl_handle_ni_t ni;
    ptl_ni_limits_t limits;
    ptl_process_t phys;
  };
  const bool given = limits != nullptr;
  const ptl_ni_limits_t desired = given ? *limits : ptl_ni_limits_t{};
  const Opened opened = Call([options, given, desired] {
    Opened result = {};
    result.code = PtlInit();
    if (result.code != PTL_OK) return result;
    result.code =
        PtlNIInit(PTL_IFACE_DEFAULT, options, PTL_PID_ANY,
                  given ? &desired : nullptr, &result.limits, &result.ni);
    if (result.code == PTL_OK)
      result.code = PtlGetPhysId(result.ni, &result.phys);
    return result;
  });
  ni_ = opened.ni;
  options_ = options;
  limits_ = opened.limits;
  id_ = phys_ = opened.phys;
  return opened.code;
}

void Process::SetMap(const ptl_process_t* mapping, size_t size) {
  struct Map {
    ptl_process_t all[8];
  } map = {};
  std::copy(mapping, mapping + size, map.all);
  const auto set = Call([ni = ni_, map, size] {
    Answer<ptl_process_t> answer = {};
    answer.code = PtlSetMap(ni, size, map.all);
    if (answer.code == PTL_OK) answer.code = PtlGetId(ni, &answer.value);
    return answer;
  });
  EXPECT_EQ(set.code, PTL_OK);
  id_ = set.value;
}

ptl_handle_eq_t Process::Eq(ptl_size_t count) {
  const auto made = Call([ni = ni_, count] {
    Answer<ptl_handle_eq_t> answer = {};
    answer.code = PtlEQAlloc(ni, count, &answer.value);
    return answer;
  });
  EXPECT_EQ(made.code, PTL_OK) << "PtlEQAlloc";
  return made.value;
}

ptl_handle_ct_t Process::Ct() {
  const auto made = Call([ni = ni_] {
    Answer<ptl_handle_ct_t> answer = {};
    answer.code = PtlCTAlloc(ni, &answer.value);
    return answer;
  });
  EXPECT_EQ(made.code, PTL_OK) << "PtlCTAlloc";
  return made.value;
}

ptl_pt_index_t Process::Pt(ptl_handle_eq_t eq, unsigned options,
                           ptl_pt_index_t index) {
  const auto made = Call([=, ni = ni_] {
    Answer<ptl_pt_index_t> answer = {};
    answer.code = PtlPTAlloc(ni, options, eq, index, &answer.value);
    return answer;
  });
  EXPECT_EQ(made.code, PTL_OK) << "PtlPTAlloc";
  return made.value;
}

ptl_handle_md_t Process::Md(ptl_handle_eq_t eq, unsigned options,
                            ptl_handle_ct_t ct, size_t offset,
                            ptl_size_t length) {
  const auto made = Bind({arena_ + offset, length, options, eq, ct});
  EXPECT_EQ(made.code, PTL_OK) << "PtlMDBind";
  return made.value;
}

Answer<ptl_handle_md_t> Process::Bind(const ptl_md_t& md) {
  return Call([=, ni = ni_] {
    Answer<ptl_handle_md_t> answer = {};
    answer.code = PtlMDBind(ni, &md, &answer.value);
    return answer;
  });
}

Answer<ptl_handle_me_t> Process::Append(ptl_pt_index_t pt, const Entry& entry) {
  const bool logical = (options_ & PTL_NI_LOGICAL) != 0;
  return Call([=, ni = ni_, arena = arena_, is_matching = matching()] {
    Answer<ptl_handle_me_t> answer = {};
    if (is_matching) {
      const ptl_me_t me = MatchEntry(arena, entry, logical);
      answer.code = PtlMEAppend(ni, pt, &me, entry.list, Pointer(entry.user),
                                &answer.value);
    } else {
      const ptl_le_t le = ListEntry(arena, entry);
      answer.code = PtlLEAppend(ni, pt, &le, entry.list, Pointer(entry.user),
                                &answer.value);
    }
    return answer;
  });
}

ptl_handle_me_t Process::Link(ptl_pt_index_t pt, const Entry& entry,
                              ptl_handle_eq_t eq) {
  const auto appended = Append(pt, entry);
  EXPECT_EQ(appended.code, PTL_OK) << "append";
  const auto linked = Next(eq);
  EXPECT_EQ(linked.code, PTL_OK);
  EXPECT_EQ(linked.value.type, ptl_event_kind_t{PTL_EVENT_LINK});
  return appended.value;
}

int Process::Unlink(ptl_handle_me_t entry) {
  return Call([=, is_matching = matching()] {
    return is_matching ? PtlMEUnlink(entry) : PtlLEUnlink(entry);
  });
}

int Process::Search(ptl_pt_index_t pt, const Entry& entry,
                    ptl_search_op_t what) {
  const bool logical = (options_ & PTL_NI_LOGICAL) != 0;
  return Call([=, ni = ni_, arena = arena_, is_matching = matching()] {
    const ptl_me_t me = MatchEntry(arena, entry, logical);
    const ptl_le_t le = ListEntry(arena, entry);
    void* const user = Pointer(entry.user);
    return is_matching ? PtlMESearch(ni, pt, &me, what, user)
                       : PtlLESearch(ni, pt, &le, what, user);
  });
}

int Process::Put(const Process& target, const Operation& put) {
  return Call([=, to = target.id()] {
    return PtlPut(put.md, put.local, put.length, put.ack, to, put.pt, put.bits,
                  put.remote, Pointer(put.user), put.header);
  });
}

int Process::Get(const Process& target, const Operation& get) {
  return Call([=, to = target.id()] {
    return PtlGet(get.md, get.local, get.length, to, get.pt, get.bits,
                  get.remote, Pointer(get.user));
  });
}

int Process::Atomic(const Process& target, const Operation& put, ptl_op_t op,
                    ptl_datatype_t type) {
  return Call([=, to = target.id()] {
    return PtlAtomic(put.md, put.local, put.length, put.ack, to, put.pt,
                     put.bits, put.remote, Pointer(put.user), put.header, op,
                     type);
  });
}

int Process::FetchAtomic(const Process& target, const Operation& put,
                         ptl_handle_md_t get_md, ptl_size_t get_local,
                         ptl_op_t op, ptl_datatype_t type) {
  return Call([=, to = target.id()] {
    return PtlFetchAtomic(get_md, get_local, put.md, put.local, put.length, to,
                          put.pt, put.bits, put.remote, Pointer(put.user),
                          put.header, op, type);
  });
}

int Process::Swap(const Process& target, const Operation& put,
                  ptl_handle_md_t get_md, ptl_size_t get_local, size_t operand,
                  ptl_op_t op, ptl_datatype_t type) {
  return Call([=, to = target.id(), at = arena_ + operand] {
    return PtlSwap(get_md, get_local, put.md, put.local, put.length, to, put.pt,
                   put.bits, put.remote, Pointer(put.user), put.header, at, op,
                   type);
  });
}

// Polls for less time than the test waits for the child. So the test reports a
// missing event as a missing event, and not as a lost child.
Answer<ptl_event_t> Process::Next(ptl_handle_eq_t eq) {
  return Call([=] {
    Answer<ptl_event_t> answer = {};
    unsigned which = 0;
    answer.code = PtlEQPoll(&eq, 1, kPatienceMs / 2, &answer.value, &which);
    return answer;
  });
}

Answer<ptl_event_t> Process::Look(ptl_handle_eq_t eq) {
  return Call([=] {
    Answer<ptl_event_t> answer = {};
    answer.code = PtlEQGet(eq, &answer.value);
    return answer;
  });
}

Answer<ptl_ct_event_t> Process::Reached(ptl_handle_ct_t ct, ptl_size_t test) {
  return Call([=] {
    Answer<ptl_ct_event_t> answer = {};
    const int64_t end = NowNanos() + kPatienceMs / 2 * kNanosPerMilli;
    const auto reached = [&] {
      return answer.value.success + answer.value.failure >= test;
    };
    // PtlCTPoll also returns if the counter has a failure. So the loop repeats
    // the call until the sum of both halves is at least `test`.
    do {
      unsigned which = 0;
      answer.code =
          PtlCTPoll(&ct, &test, 1, kPatienceMs / 2, &answer.value, &which);
      sched_yield();
    } while (answer.code == PTL_OK && !reached() && NowNanos() < end);
    return answer;
  });
}

ptl_ct_event_t Process::Count(ptl_handle_ct_t ct) {
  return Call([=] {
    ptl_ct_event_t value = {};
    PtlCTGet(ct, &value);
    return value;
  });
}

int Process::Register(ptl_sr_index_t which) {
  return Call([=, ni = ni_] {
    ptl_sr_value_t value = -1;
    PtlNIStatus(ni, which, &value);
    return static_cast<int>(value);
  });
}

void Process::Fill(size_t offset, size_t length, unsigned seed) {
  Call([=, at = arena_ + offset] {
    for (size_t i = 0; i < length; ++i)
      at[i] = static_cast<char>(Byte(i, seed));
  });
}

size_t Process::Differs(size_t offset, size_t length, unsigned seed) {
  return Call([=, at = arena_ + offset] {
    size_t i = 0;
    while (i < length && at[i] == static_cast<char>(Byte(i, seed))) ++i;
    return i;
  });
}

}  // namespace gasnet::portals4_tests::testing
