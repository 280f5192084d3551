// A child with a network interface. The functions of Portals have a form here
// that suits tests: named arguments, with defaults.
//
// A Process owns a child and an arena. The arena is memory at the same address
// in every process. With kMapped, all processes share it. With kPrivate, it
// belongs to this process. Handles are valid in the child only.
#ifndef PORTALS_TESTING_PROCESS_H_
#define PORTALS_TESTING_PROCESS_H_

#include <portals4.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "portals/testing/child.h"

namespace gasnet::portals4_tests::testing {

// The return code of a call, and the value that the call stored.
template <typename T>
struct Answer {
  int code;
  T value;
};

struct Entry {
  size_t offset = 0;  // an offset in the arena
  ptl_size_t length = 4096;
  unsigned options = PTL_ME_OP_PUT | PTL_ME_OP_GET;
  ptl_match_bits_t bits = 0;
  ptl_match_bits_t ignore = 0;
  ptl_handle_ct_t ct = PTL_CT_NONE;
  ptl_uid_t uid = PTL_UID_ANY;
  ptl_size_t min_free = 0;
  ptl_list_t list = PTL_PRIORITY_LIST;
  uintptr_t user = 0;
  std::optional<ptl_process_t> from = {};  // empty: any process
  void* start = nullptr;                   // used instead of `offset`
};

struct Operation {
  ptl_handle_md_t md = PTL_INVALID_HANDLE;
  ptl_size_t local = 0;
  ptl_size_t length = 8;
  ptl_ack_req_t ack = PTL_ACK_REQ;
  ptl_pt_index_t pt = 0;
  ptl_match_bits_t bits = 0;
  ptl_size_t remote = 0;
  uintptr_t user = 0;
  ptl_hdr_data_t header = 0;
};

class Process {
 public:
  enum class Memory : uint8_t { kMapped, kPrivate };
  static constexpr size_t kArenaSize = size_t{8} << 20;

  explicit Process(Memory memory);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Calls PtlInit and PtlNIInit. Without `limits`, uses the library's limits.
  int Open(unsigned options, const ptl_ni_limits_t* limits = nullptr);
  void SetMap(const ptl_process_t* mapping, size_t size);

  Child& child() { return child_; }
  template <typename F>
  auto Call(const F& body) {
    return child_.Call(body);
  }
  ptl_handle_ni_t ni() const { return ni_; }
  unsigned options() const { return options_; }
  bool matching() const { return (options_ & PTL_NI_MATCHING) != 0; }
  const ptl_ni_limits_t& limits() const { return limits_; }
  // Returns the identifier of this process on an interface of the kind that it
  // has opened.
  ptl_process_t id() const { return id_; }
  ptl_process_t phys() const { return phys_; }

  // Make and free objects. Functions that return no code fail the test if the
  // call fails.
  ptl_handle_eq_t Eq(ptl_size_t count = 64);
  ptl_handle_ct_t Ct();
  ptl_pt_index_t Pt(ptl_handle_eq_t eq, unsigned options = 0,
                    ptl_pt_index_t index = PTL_PT_ANY);
  // Makes a descriptor of `length` bytes of the arena from `offset`.
  ptl_handle_md_t Md(ptl_handle_eq_t eq, unsigned options = 0,
                     ptl_handle_ct_t ct = PTL_CT_NONE, size_t offset = 0,
                     ptl_size_t length = kArenaSize);
  Answer<ptl_handle_md_t> Bind(const ptl_md_t& md);
  Answer<ptl_handle_me_t> Append(ptl_pt_index_t pt, const Entry& entry);
  // Appends an entry. Waits until an event of `eq` reports that the entry is
  // linked.
  ptl_handle_me_t Link(ptl_pt_index_t pt, const Entry& entry,
                       ptl_handle_eq_t eq);
  int Unlink(ptl_handle_me_t entry);
  int Search(ptl_pt_index_t pt, const Entry& entry, ptl_search_op_t what);

  // Begin operations on `target`.
  int Put(const Process& target, const Operation& operation);
  int Get(const Process& target, const Operation& operation);
  int Atomic(const Process& target, const Operation& operation, ptl_op_t op,
             ptl_datatype_t type);
  int FetchAtomic(const Process& target, const Operation& put,
                  ptl_handle_md_t get_md, ptl_size_t get_local, ptl_op_t op,
                  ptl_datatype_t type);
  // Begins a swap. `operand` is an offset in the arena.
  int Swap(const Process& target, const Operation& put, ptl_handle_md_t get_md,
           ptl_size_t get_local, size_t operand, ptl_op_t op,
           ptl_datatype_t type);

  // Waits for the next event, but at most half of kPatienceMs. Returns
  // PTL_EQ_EMPTY if no event came.
  Answer<ptl_event_t> Next(ptl_handle_eq_t eq);
  // Calls PtlEQGet.
  Answer<ptl_event_t> Look(ptl_handle_eq_t eq);
  // Waits until the sum of both halves of a counter is at least `test`, but at
  // most half of kPatienceMs. Returns the counter's value.
  Answer<ptl_ct_event_t> Reached(ptl_handle_ct_t ct, ptl_size_t test);
  ptl_ct_event_t Count(ptl_handle_ct_t ct);
  int Register(ptl_sr_index_t which);

  // Returns the address of the arena. The address is the same in all processes.
  // Store and Load access the arena's content in the child.
  char* memory() const { return arena_; }
  template <typename T>
  void Store(size_t offset, const T& value) {
    Call([at = arena_ + offset, value] { memcpy(at, &value, sizeof value); });
  }
  template <typename T>
  T Load(size_t offset) {
    return Call([at = arena_ + offset] {
      T value;
      memcpy(&value, at, sizeof value);
      return value;
    });
  }
  // Fills a range with bytes. Each byte depends on `seed` and on the byte's
  // distance from the beginning of the range.
  void Fill(size_t offset, size_t length, unsigned seed);
  // Returns the index of the first byte that differs from the bytes that Fill
  // writes. Returns `length` if no byte differs.
  size_t Differs(size_t offset, size_t length, unsigned seed);

 private:
  // Declared before the child: the arena must exist when the child is forked.
  const int file_;
  char* const arena_;
  Child child_;
  ptl_handle_ni_t ni_ = PTL_INVALID_HANDLE;
  unsigned options_ = 0;
  ptl_ni_limits_t limits_ = {};
  ptl_process_t id_ = {};
  ptl_process_t phys_ = {};
};

}  // namespace gasnet::portals4_tests::testing

#endif  // PORTALS_TESTING_PROCESS_H_
