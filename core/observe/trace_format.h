// The layout of a trace file: plain data, all numbers little-endian, version 2.
//
// A rank writes one file, which it maps as shared memory. The kernel keeps
// everything that was stored, however the rank ends. A reader uses pread, and
// may read while the rank still writes.
//
//   0           TraceHeader
//   calls_at    TraceCall[calls]             names that never change
//   sources_at  TraceSource[kTraceSources]   the first `sources` are set
//   handlers_at TraceHandler[kTraceHandlers] names of the library's handlers
//   rings_at    ring[rings]                  `ring_bytes` each
//
// A ring is a TraceRingHeader and `ring_events` cells. `ring_events` is a power
// of two. Events are numbered from 0. Event n is in cell n modulo
// `ring_events`. A writer stores an event, and then, with release order, the
// count of all events ever written. So at most one cell is incomplete at any
// time: the cell of event `count`. That cell held the oldest event. The last
// `ring_events` - 1 events are complete, and older ones are lost.
//
// A ring belongs to one thread at a time. When a ring changes hands, the first
// event is kThread. Its argument is the kernel's number of the thread.
//
// Times are nanoseconds of CLOCK_MONOTONIC. All ranks of a host share this
// clock.
#ifndef CORE_OBSERVE_TRACE_FORMAT_H_
#define CORE_OBSERVE_TRACE_FORMAT_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace gasnet::observe {

static_assert(std::endian::native == std::endian::little,
              "writer and reader of trace files have to swap bytes here");

inline constexpr std::array<char, 8> kTraceMagic = {'G', 'A', 'S', 'N',
                                                    'T', 'R', 'C', '\n'};
inline constexpr uint32_t kTraceVersion = 2;

// The group of the calls that send active messages. The events of these calls
// have the handler's index as their argument.
inline constexpr char kMessageGroup = 'A';

// The value of `peer` if a call has no peer or several.
inline constexpr uint32_t kNoTracePeer = ~uint32_t{0};

enum class TraceKind : uint16_t {
  kNone,
  // A call begins. id: index in the table of calls. peer, bytes: the call's
  // peer and size. argument: the index of the handler, in group kMessageGroup.
  kCallBegins,
  // A call ends. id: index in the table of calls. argument: kTraceRefused if
  // the call returned without effect (GEX_FLAG_IMMEDIATE), else 0.
  kCallEnds,
  // A handler begins. id: index of the handler. peer: the sender. bytes: the
  // size of the payload.
  kHandlerBegins,
  kHandlerEnds,  // id: index of the handler
  // A wait ends. id: the reason of the wait, a job::WaitFor. peer: the awaited
  // peer, if any. bytes: the wait's first number (job::Waiting). argument: the
  // wait's duration in nanoseconds.
  kWaited,
  // A line of text from the client. id: its length in bytes. The text begins at
  // `peer` and takes up to kTraceTextBytes of this cell and of each kTextMore
  // that follows.
  kText,
  kTextMore,  // id: position in the text of this cell's first byte
  // The client's source line, valid until the next kSourceLine event. id: index
  // in the table of sources, or kNoTraceSource. argument: the line number.
  kSourceLine,
  // The ring belongs to another thread from here on. argument: the kernel's
  // number of the thread.
  kThread,
  // The thread has posted a native transfer. id: a TransferKind. peer: the
  // other rank. bytes: the size. argument: the transfer's number, which no
  // other transfer of this rank has.
  kPosted,
  // The thread has taken the completion of a native transfer, which another
  // thread may have posted. The arguments are those of the kPosted event.
  kCompleted,
  // The thread sends one of the library's own messages. id: index of the
  // handler that the message runs. peer: the target. bytes: the size of the
  // payload. Messages of the client are calls.
  kSent,
  kLast = kSent,
};

inline constexpr uint64_t kTraceRefused = 1;

// Identifies an unknown source file, used when the table of sources is full.
inline constexpr uint16_t kNoTraceSource = 0xffff;

struct TraceEvent {
  int64_t nanos;
  uint16_t kind;  // a TraceKind
  uint16_t id;
  uint32_t peer;
  uint64_t bytes;
  uint64_t argument;
};
static_assert(sizeof(TraceEvent) == 32);

inline constexpr size_t kTraceTextAt = offsetof(TraceEvent, peer);
inline constexpr size_t kTraceTextBytes = sizeof(TraceEvent) - kTraceTextAt;
inline constexpr size_t kMaxTraceText = 1024;

struct TraceRingHeader {
  int32_t thread;  // the kernel's number of the ring's last thread
  uint32_t unused;
  uint64_t count;  // number of events ever written
  std::array<uint64_t, 6> unused_words;
};
static_assert(sizeof(TraceRingHeader) == 64);

inline constexpr uint64_t kMinRingEvents = 64;
inline constexpr uint64_t kMaxRingEvents = uint64_t{1} << 26;
inline constexpr uint32_t kMaxTraceRings = 4096;

// Returns the number of bytes of a ring, before rounding up to whole pages.
constexpr uint64_t RingBytes(uint64_t events) {
  return sizeof(TraceRingHeader) + events * sizeof(TraceEvent);
}

// A kind of call. Its name ends with a zero byte unless it fills the array.
struct TraceCall {
  char group;  // a letter (mask.h)
  std::array<char, 63> name;
};
static_assert(sizeof(TraceCall) == 64);
inline constexpr uint32_t kMaxTraceCalls = 4096;

// The name of one of the library's handlers, by index. It ends with a zero byte
// unless it fills the array. It is empty if the handler has no name.
using TraceHandler = std::array<char, 32>;
inline constexpr uint32_t kTraceHandlers = 128;

using TraceSource = std::array<char, 128>;
inline constexpr uint32_t kTraceSources = 256;

// At time `at_nanos` of this rank's clock, rank 0's clock shows this rank's
// time plus `nanos`. The error is at most `error_nanos`.
struct TraceOffset {
  int64_t nanos;
  int64_t error_nanos;  // kNoTraceOffset: no estimate
  int64_t at_nanos;
};
inline constexpr int64_t kNoTraceOffset = -1;

struct TraceHeader {
  std::array<char, 8> magic;  // stored last
  uint32_t version;
  uint32_t rank;
  uint32_t ranks;
  uint32_t host;    // index of the host in the job
  int32_t process;  // the kernel's number of the process
  uint32_t unused;
  int64_t start_wall_nanos;  // wall-clock time since 1970, UTC
  int64_t start_nanos;       // the same moment by CLOCK_MONOTONIC
  TraceOffset start;
  TraceOffset end;
  uint32_t calls;
  uint32_t sources;
  uint32_t ring_limit;  // maximum number of rings
  uint32_t rings;       // current number of rings
  uint64_t ring_events;
  uint64_t ring_bytes;
  uint64_t calls_at;
  uint64_t sources_at;
  uint64_t handlers_at;
  uint64_t rings_at;
  uint64_t threads_without_ring;  // threads that got no ring
  std::array<char, 32> conduit;
  std::array<char, 256> host_name;
  std::array<char, 1024> program;
  // From this time on, calls that send messages and handlers may be missing,
  // since the mask did not have their group. 0 if none is missing.
  int64_t messages_until_nanos;
};
static_assert(sizeof(TraceHeader) == 1488);
inline constexpr uint64_t kTraceHeaderBytes = 4096;
static_assert(sizeof(TraceHeader) <= kTraceHeaderBytes);

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TRACE_FORMAT_H_
