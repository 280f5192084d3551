// Messages of negotiated payload. Tests the buffer and its size, and the
// choices that the client makes only at Commit. Cancel sends nothing
// (GASNet-EX, section 12).
#include <string.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kMedium = 200, kOther, kLong };

constexpr size_t kSlot = 4096;

std::atomic<int> arrived{0};
int awaited = 0;  // messages sent so far

// The last argument, `expected`, is the number of bytes that were sent.
void OnMedium(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t key,
              gex_AM_Arg_t expected) {
  CHECK_EQ(bytes, expected);
  CHECK_PATTERN(buffer, bytes, key);
  ++arrived;
}
void OnOther(gex_Token_t token, void* buffer, size_t bytes, gex_AM_Arg_t key,
             gex_AM_Arg_t expected) {
  OnMedium(token, buffer, bytes, key, expected);
}
void OnLong(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t key,
            gex_AM_Arg_t expected) {
  CHECK_EQ(bytes, expected);
  CHECK(buffer == SegmentOf(Me()) + (key % 5) * kSlot + key % 16);
  CHECK_PATTERN(buffer, bytes, key);
  ++arrived;
}

char* PlaceOf(gex_AM_Arg_t key) {
  return SegmentOf(Next()) + (key % 5) * kSlot + key % 16;
}

bool SuitsAnyType(const void* buffer) {
  return reinterpret_cast<uintptr_t>(buffer) % alignof(std::max_align_t) == 0;
}

void CheckDescriptor(gex_AM_SrcDesc_t sd, const void* client_buf, size_t least,
                     size_t most) {
  CHECK(sd != GEX_AM_SRCDESC_NO_OP);
  char* const address = static_cast<char*>(gex_AM_SrcDescAddr(sd));
  const size_t size = gex_AM_SrcDescSize(sd);
  CHECK(size >= least && size <= most);
  if (client_buf != nullptr) {
    CHECK(address == client_buf);
  } else {
    CHECK(SuitsAnyType(address));
    memset(address, 0xAB, size);  // the whole buffer is writable
  }
}

enum How { kPlain, kVersion2, kImmediate };

// Sends the first `bytes` bytes of the negotiated size. `how` selects the form
// of Commit.
void CommitMedium(gex_AM_SrcDesc_t sd, int how, size_t bytes,
                  gex_AM_Arg_t key) {
  const gex_AM_Arg_t count = static_cast<gex_AM_Arg_t>(bytes);
  const int handler = key % 2 ? kMedium : kOther;  // chosen only at Commit
  if (how == kPlain) {
    gex_AM_CommitRequestMedium2(sd, handler, bytes, key, count);
  } else if (how == kVersion2) {
    CHECK_EQ(gex_AM_CommitRequestMedium_v2(sd, handler, bytes, 0, key, count),
             0);
  } else if (gex_AM_CommitRequestMedium2_v2(
                 sd, handler, bytes, GEX_FLAG_IMMEDIATE, key, count) != 0) {
    // Commit was refused and must have left the descriptor unchanged.
    CHECK(gex_AM_SrcDescSize(sd) >= bytes);
    CHECK_PATTERN(gex_AM_SrcDescAddr(sd), bytes, key);
    gex_AM_CommitRequestMedium(sd, handler, bytes, key, count);
  }
}
void CommitLong(gex_AM_SrcDesc_t sd, int how, size_t bytes, void* dest,
                gex_AM_Arg_t key) {
  const gex_AM_Arg_t count = static_cast<gex_AM_Arg_t>(bytes);
  if (how == kPlain) {
    gex_AM_CommitRequestLong2(sd, kLong, bytes, dest, key, count);
  } else if (how == kVersion2) {
    CHECK_EQ(
        gex_AM_CommitRequestLong2_v2(sd, kLong, bytes, dest, 0, key, count), 0);
  } else if (gex_AM_CommitRequestLong_v2(sd, kLong, bytes, dest,
                                         GEX_FLAG_IMMEDIATE, key, count) != 0) {
    gex_AM_CommitRequestLong(sd, kLong, bytes, dest, key, count);
  }
}

gex_Event_t* LcOpt(const void* client_buf, int key, gex_Event_t* event) {
  if (client_buf == nullptr) return nullptr;
  return key % 3 == 0 ? GEX_EVENT_NOW : key % 3 == 1 ? GEX_EVENT_GROUP : event;
}

struct Trial {
  bool is_long;
  bool own_buffer;
  size_t least;
  size_t most;
};

std::vector<char> own(size_t{1} << 20);

void Try(const Trial& trial, gex_AM_Arg_t key) {
  char* const client_buf = trial.own_buffer ? own.data() + key % 3 : nullptr;
  gex_Event_t event = GEX_EVENT_NO_OP;
  gex_Event_t* const lc_opt = LcOpt(client_buf, key, &event);
  // Passes a hint for the destination only if the key is odd.
  char* const hint = key % 2 ? PlaceOf(key) : nullptr;
  const auto prepare = [&] {
    return trial.is_long
               ? gex_AM_PrepareRequestLong(tm, Next(), client_buf, trial.least,
                                           trial.most, hint, lc_opt, 0, 2)
               : gex_AM_PrepareRequestMedium(tm, Next(), client_buf,
                                             trial.least, trial.most, lc_opt, 0,
                                             2);
  };
  gex_AM_SrcDesc_t sd = prepare();
  CheckDescriptor(sd, client_buf, trial.least, trial.most);
  if (key % 4 == 0) {
    CHECK_EQ(trial.is_long ? gex_AM_CancelRequestLong(sd, 0)
                           : gex_AM_CancelRequestMedium(sd, 0),
             0);
    sd = prepare();
    CheckDescriptor(sd, client_buf, trial.least, trial.most);
  }
  const size_t most = gex_AM_SrcDescSize(sd);
  const size_t bytes = std::min(trial.is_long ? kSlot - 16 : most,
                                key % 5 == 0 ? most : most * (key % 5) / 5);
  FillPattern(gex_AM_SrcDescAddr(sd), bytes, key);
  if (trial.is_long) {
    CommitLong(sd, key % 3, bytes, PlaceOf(key), key);
  } else {
    CommitMedium(sd, key % 3, bytes, key);
  }
  if (lc_opt == GEX_EVENT_GROUP) gex_NBI_Wait(GEX_EC_AM, 0);
  if (lc_opt == &event) {
    CHECK(event != GEX_EVENT_NO_OP);
    gex_Event_Wait(event);
  }
  if (client_buf != nullptr) memset(client_buf, 0xEE, bytes);
}

// Tries all sizes and forms. Each place in the segment is used only once
// between barriers.
void TryAll(bool is_long, bool own_buffer) {
  const gex_Flags_t which = own_buffer ? GEX_FLAG_AM_PREPARE_LEAST_CLIENT
                                       : GEX_FLAG_AM_PREPARE_LEAST_ALLOC;
  const size_t limit =
      is_long ? gex_AM_MaxRequestLong(tm, Next(), nullptr, which, 2)
              : gex_AM_MaxRequestMedium(tm, Next(), nullptr, which, 2);
  const size_t most_least = std::min<size_t>(limit, own.size() / 2);
  const Trial trials[] = {
      {is_long, own_buffer, 1, 1},
      {is_long, own_buffer, 1, 100},
      {is_long, own_buffer, 100, 3000},
      {is_long, own_buffer, most_least, most_least},
      {is_long, own_buffer, 1, SIZE_MAX / 2},
      {is_long, own_buffer, most_least, SIZE_MAX},
  };
  for (const Trial& trial : trials) {
    if (is_long && own_buffer && trial.most > own.size()) continue;
    for (int first = 0; first < 60; first += 5) {
      for (int key = first; key < first + 5; ++key) Try(trial, key);
      awaited += 5;
      GASNET_BLOCKUNTIL(arrived == awaited);
      Barrier();
    }
  }
}

void CancelEach() {
  for (int i = 0; i < 10; ++i) {
    gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(tm, Next(), nullptr, 1,
                                                      1000, nullptr, 0, 2);
    memset(gex_AM_SrcDescAddr(sd), 1, gex_AM_SrcDescSize(sd));
    CHECK_EQ(gex_AM_CancelRequestMedium(sd, 0), 0);
    sd = gex_AM_PrepareRequestLong(tm, Next(), own.data(), 1, 1000, nullptr,
                                   GEX_EVENT_NOW, GEX_FLAG_IMMEDIATE, 2);
    if (sd != GEX_AM_SRCDESC_NO_OP) {
      CHECK_EQ(gex_AM_CancelRequestLong(sd, 0), 0);
    }
    CHECK_OK(gasnet_AMPoll());
  }
}

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;
gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kMedium, OnMedium, GEX_FLAG_AM_MEDIUM | kRequest, 2),
    EX_HANDLER(kOther, OnOther, GEX_FLAG_AM_MEDIUM | kRequest, 2),
    EX_HANDLER(kLong, OnLong, GEX_FLAG_AM_LONG | kRequest, 2),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), 6 * kSlot);
  for (const bool is_long : {false, true}) {
    for (const bool own_buffer : {false, true}) TryAll(is_long, own_buffer);
  }
  CancelEach();
  Barrier();
  for (int i = 0; i < 100; ++i) CHECK_OK(gasnet_AMPoll());
  CHECK_EQ(arrived, awaited);
  return FinishJob();
}
