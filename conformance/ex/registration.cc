// Several threads may register handlers while others serve messages. Each
// message finds a completely registered handler (GASNet-EX, section 6.3).
#include <atomic>
#include <memory>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kBusy = 130, kTell };

constexpr int kThreads = 3;
constexpr int kEach = 15;
constexpr int kOthers = kThreads * kEach;

std::atomic<int> called[256];
std::atomic<int> busy{0}, told{0}, calls{0};
std::atomic<bool> stop{false};
int data[256];

void OnBusy(gex_Token_t) { ++busy; }

// Handles the messages for every new handler. The data of a handler's table
// entry identify the handler.
void OnCall(gex_Token_t token, gex_AM_Arg_t index) {
  gex_Token_Info_t info;
  const gex_TI_t valid = gex_Token_Info(token, &info, GEX_TI_ALL);
  if (valid & GEX_TI_ENTRY) {
    CHECK_EQ(info.gex_entry->gex_index, index);
    CHECK(info.gex_entry->gex_cdata >= &data[0]);
    CHECK(info.gex_entry->gex_cdata < &data[256]);
  }
  ++called[index];
  ++calls;
}

// Nonzero if a peer has registered a handler at this index, and wants this
// process to call it.
std::atomic<int> wanted[256];
void OnTell(gex_Token_t, gex_AM_Arg_t index) {
  ++wanted[index];
  ++told;
}

void Register(int thread) {
  for (int i = 0; i < kEach; ++i) {
    gex_AM_Entry_t entry = {
        0, (gex_AM_Fn_t)OnCall,       GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST,
        1, &data[thread * kEach + i], "new"};
    CHECK_OK(gex_EP_RegisterHandlers(ep, &entry, 1));
    CHECK(entry.gex_index > kTell);
    const gex_AM_Arg_t index = entry.gex_index;
    CHECK_EQ(
        gex_AM_RequestShort1(tm, (Me() + Size() - 1) % Size(), kTell, 0, index),
        0);
  }
}

// Calls the handlers that the next process has registered.
void Serve() {
  while (!stop) {
    CHECK_EQ(gex_AM_RequestShort0(tm, Next(), kBusy, 0), 0);
    for (int index = kTell + 1; index < 256; ++index) {
      if (wanted[index].exchange(0) == 0) continue;
      CHECK_EQ(gex_AM_RequestShort1(tm, Next(), index, 0, index), 0);
    }
    if (calls == kOthers) stop = true;
  }
}

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;
gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kBusy, OnBusy, GEX_FLAG_AM_SHORT | kRequest, 0),
    EX_HANDLER(kTell, OnTell, GEX_FLAG_AM_SHORT | kRequest, 1),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  JoinEx(&argc, &argv, handlers, COUNT_OF(handlers));
  RunThreads(kThreads + 2, [](int thread) {
    if (thread < kThreads) Register(thread);
    Serve();
  });
  // This thread must go on, because other processes still wait for the messages
  // that it sends.
  GASNET_BLOCKUNTIL(told == kOthers);
  for (int index = kTell + 1; index < 256; ++index) {
    if (wanted[index].exchange(0) == 0) continue;
    CHECK_EQ(gex_AM_RequestShort1(conformance::tm, Next(), index, 0, index), 0);
  }
  GASNET_BLOCKUNTIL(calls == kOthers);
  // The three threads got the three highest indices, one each.
  for (int index = 255; index > 255 - kOthers; --index) {
    CHECK_EQ(called[index], 1);
  }
  return FinishJob();
}
