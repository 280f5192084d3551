#include "examples/util/job.h"

#include <errno.h>
#include <stdarg.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace example {
namespace {

std::vector<std::byte*> g_segments;
size_t g_segment_bytes = 0;

void Check(int result, const char* call) {
  if (result == GASNET_OK) return;
  Die("%s: %s (%s)", call, gasnet_ErrorName(result), gasnet_ErrorDesc(result));
}

size_t RoundUpToPage(size_t bytes) {
  return (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
}

// Returns the size of the part of the segment that AllGather uses: one slot of
// 8 bytes for each rank, rounded up to whole pages.
size_t ReservedBytes() { return RoundUpToPage(Size() * sizeof(uint64_t)); }

#ifdef GASNET_SEGMENT_EVERYTHING

// In this configuration remote ranks can reach all memory, and GASNet provides
// no segment. So every rank allocates one and sends its address to the others.
constexpr gasnet_handler_t kAddressHandler = 255;
std::vector<uint64_t> g_addresses;
std::atomic<gasnet_node_t> g_addresses_known{0};

void OnAddress(gasnet_token_t token, gasnet_handlerarg_t high,
               gasnet_handlerarg_t low) {
  gasnet_node_t source;
  gasnet_AMGetMsgSource(token, &source);
  g_addresses[source] =
      uint64_t{static_cast<uint32_t>(high)} << 32 | static_cast<uint32_t>(low);
  ++g_addresses_known;
}

void FindSegments(size_t bytes) {
  void* const mine = std::aligned_alloc(GASNET_PAGESIZE, bytes);
  if (mine == nullptr) Die("no memory for a segment of %zu bytes", bytes);
  const uint64_t address = reinterpret_cast<uintptr_t>(mine);
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    Check(gasnet_AMRequestShort2(rank, kAddressHandler,
                                 static_cast<int32_t>(address >> 32),
                                 static_cast<int32_t>(address)),
          "gasnet_AMRequestShort2");
  }
  GASNET_BLOCKUNTIL(g_addresses_known == Size());
  for (uint64_t base : g_addresses) {
    g_segments.push_back(reinterpret_cast<std::byte*>(base) + ReservedBytes());
  }
  g_segment_bytes = bytes - ReservedBytes();
}

#else

// Finds the segments, and checks their sizes: GASNet may have given a rank less
// than it requested.
void FindSegments(size_t bytes) {
  std::vector<gasnet_seginfo_t> info(Size());
  Check(gasnet_getSegmentInfo(info.data(), static_cast<int>(info.size())),
        "gasnet_getSegmentInfo");
  for (const gasnet_seginfo_t& segment : info) {
    g_segments.push_back(static_cast<std::byte*>(segment.addr) +
                         ReservedBytes());
  }
  if (info[Rank()].size < bytes) {
    Die("rank %u asked for a segment of %zu bytes and got %zu", Rank(), bytes,
        static_cast<size_t>(info[Rank()].size));
  }
  g_segment_bytes = info[Rank()].size - ReservedBytes();
}

#endif

}  // namespace

void Start(int* argc, char*** argv) {
  Check(gasnet_init(argc, argv), "gasnet_init");
}

void Attach(std::span<gasnet_handlerentry_t> handlers, size_t bytes) {
  std::vector<gasnet_handlerentry_t> table(handlers.begin(), handlers.end());
#ifdef GASNET_SEGMENT_EVERYTHING
  g_addresses.resize(Size());
  table.push_back({kAddressHandler, reinterpret_cast<void (*)()>(OnAddress)});
#endif
  const size_t whole = ReservedBytes() + RoundUpToPage(bytes);
  Check(gasnet_attach(table.data(), static_cast<int>(table.size()), whole, 0),
        "gasnet_attach");
  FindSegments(whole);
  Barrier();
}

size_t MaxSegmentBytes() {
  const size_t whole = gasnet_getMaxGlobalSegmentSize();
  const size_t reserved = ReservedBytes();
  return whole > reserved ? whole - reserved : 0;
}

gasnet_node_t Rank() { return gasnet_mynode(); }
gasnet_node_t Size() { return gasnet_nodes(); }
bool IsRoot() { return Rank() == 0; }
std::byte* SegmentOf(gasnet_node_t rank) { return g_segments[rank]; }
size_t SegmentBytes() { return g_segment_bytes; }

void Barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  Check(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS),
        "gasnet_barrier_wait");
}

std::vector<uint64_t> AllGatherBits(uint64_t mine) {
  // Only rank r writes slot r of every rank's table.
  for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
    auto* table =
        reinterpret_cast<uint64_t*>(SegmentOf(rank) - ReservedBytes());
    gasnet_put_nbi_val(rank, table + Rank(), mine, sizeof(mine));
  }
  gasnet_wait_syncnbi_puts();
  Barrier();
  const auto* slots =
      reinterpret_cast<uint64_t*>(SegmentOf(Rank()) - ReservedBytes());
  std::vector<uint64_t> all(slots, slots + Size());
  // No rank may start the next gather while another rank still reads the slots
  // of this one.
  Barrier();
  return all;
}

void Finish(int code) {
  Barrier();
  gasnet_exit(code);
  std::abort();  // gasnet_exit does not return
}

void FinishBeforeAttach(int code) {
  // Attaching is also a barrier. Without a barrier the first rank to leave
  // would end the job before rank 0 has printed its message.
  Check(gasnet_attach(nullptr, 0, 0, 0), "gasnet_attach");
  Finish(code);
}

void Die(const char* format, ...) {
  std::fprintf(stderr, "%s: ", program_invocation_short_name);
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  gasnet_exit(1);
  std::abort();
}

std::string ErrnoText() { return std::generic_category().message(errno); }

double Now() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace example
