#include "core/observe/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/round_up.h"
#include "base/syscall.h"

namespace gasnet::observe {
namespace {

constexpr mode_t kOwnerOnly = 0600;
constexpr auto kRelease = std::memory_order_release;

absl::Status Refuse(const std::string& path, const char* number, uint64_t value,
                    const std::string& accepted) {
  return absl::InvalidArgumentError(
      absl::StrCat("trace file '", path, "': the number of ", number, " is ",
                   value, "; accepted: ", accepted));
}

absl::Status Check(const std::string& path,
                   const TraceFile::Description& description) {
  const uint64_t events = description.ring_events;
  if (!std::has_single_bit(events) || events < kMinRingEvents ||
      events > kMaxRingEvents) {
    return Refuse(path, "events of a ring", events,
                  absl::StrCat("a power of two from ", kMinRingEvents, " to ",
                               kMaxRingEvents));
  }
  const uint32_t rings = description.ring_limit;
  if (rings < 1 || rings > kMaxTraceRings) {
    return Refuse(path, "rings", rings, absl::StrCat("1 to ", kMaxTraceRings));
  }
  if (description.calls.size() > kMaxTraceCalls) {
    return Refuse(path, "calls", description.calls.size(),
                  absl::StrCat("up to ", kMaxTraceCalls));
  }
  return absl::OkStatus();
}

absl::Status Failure(const std::string& path, const char* what, int error) {
  const std::string text = absl::StrCat("trace file '", path, "': ", what);
  // A file beyond the size limit gets the same code as a full disk.
  // ErrnoToStatus would map EFBIG to another code.
  if (error == EFBIG) {
    return absl::ResourceExhaustedError(
        absl::StrCat(text, ": ", strerror(error)));
  }
  return absl::ErrnoToStatus(error, text);
}

// Returns true if a trace may replace the file. The file must be empty or an
// earlier trace.
bool IsReplaceable(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file.valid() || fstat(file.get(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode)) return false;
  if (status.st_size == 0) return true;
  std::array<char, kTraceMagic.size()> magic;
  return PreadFull(file.get(), magic.data(), magic.size(), 0) ==
             static_cast<ssize_t>(magic.size()) &&
         magic == kTraceMagic;
}

// Creates the file, or replaces an existing one by a new file. Never truncates
// the old file, since another job may have mapped it.
absl::StatusOr<UniqueFd> OpenNew(const std::string& path) {
  const auto create = [&] {
    return UniqueFd(
        open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly));
  };
  UniqueFd file = create();
  if (!file.valid() && errno == EEXIST) {
    if (!IsReplaceable(path)) {
      return absl::AlreadyExistsError(
          absl::StrCat("trace file '", path,
                       "' is there already and is no trace; accepted: "
                       "a new name, or that of an earlier trace"));
    }
    unlink(path.c_str());
    file = create();
  }
  if (!file.valid()) return Failure(path, "cannot be created", errno);
  return file;
}

// Reserves space in the file. Returns 0 or the error number. Checks
// RLIMIT_FSIZE first, since exceeding this limit would raise a signal.
int Reserve(int file, uint64_t offset, uint64_t bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      offset + bytes > limit.rlim_cur) {
    return EFBIG;
  }
  int error;
  do {
    error = posix_fallocate(file, static_cast<off_t>(offset),
                            static_cast<off_t>(bytes));
  } while (error == EINTR);
  return error;
}

void* Map(int file, uint64_t offset, uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                            file, static_cast<off_t>(offset));
  return memory == MAP_FAILED ? nullptr : memory;
}

// Copies as many bytes as fit. The rest of `to` is already zero.
template <size_t kSize>
void CopyText(std::array<char, kSize>& to, std::string_view text) {
  std::memcpy(to.data(), text.data(), std::min(text.size(), kSize));
}

// Returns a header with the numbers and offsets of the file, but without the
// texts such as the program's name.
TraceHeader HeaderOf(const TraceFile::Description& description) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  TraceHeader header{};
  header.version = kTraceVersion;
  header.rank = description.rank;
  header.ranks = description.ranks;
  header.host = description.host;
  header.process = getpid();
  timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  header.start_wall_nanos = wall.tv_sec * kNanosPerSecond + wall.tv_nsec;
  header.start_nanos = NowNanos();
  header.start.error_nanos = kNoTraceOffset;
  header.end.error_nanos = kNoTraceOffset;
  header.calls = static_cast<uint32_t>(description.calls.size());
  header.ring_limit = description.ring_limit;
  header.ring_events = description.ring_events;
  header.ring_bytes = RoundUp(RingBytes(header.ring_events), page);
  header.calls_at = kTraceHeaderBytes;
  header.sources_at = header.calls_at + header.calls * sizeof(TraceCall);
  header.handlers_at = header.sources_at + kTraceSources * sizeof(TraceSource);
  header.rings_at =
      RoundUp(header.handlers_at + kTraceHandlers * sizeof(TraceHandler), page);
  return header;
}

void WriteCalls(TraceHeader& header,
                const std::vector<TraceFile::Call>& calls) {
  auto* const table = reinterpret_cast<TraceCall*>(
      reinterpret_cast<char*>(&header) + header.calls_at);
  for (size_t i = 0; i < calls.size(); ++i) {
    table[i].group = calls[i].group;
    CopyText(table[i].name, calls[i].name);
  }
}

// Writes the magic number last. A reader may see the file at any time, and
// takes it for a trace once the magic number is there.
void WriteHeader(TraceHeader& header, const TraceHeader& content,
                 const TraceFile::Description& description) {
  header = content;
  CopyText(header.conduit, description.conduit);
  CopyText(header.host_name, description.host_name);
  CopyText(header.program, description.program);
  WriteCalls(header, description.calls);
  std::atomic_thread_fence(kRelease);
  header.magic = kTraceMagic;
}

// Stores the error last. Until then it is kNoTraceOffset, so a reader finds no
// estimate.
void Set(TraceOffset& to, const TraceOffset& offset) {
  to.nanos = offset.nanos;
  to.at_nanos = offset.at_nanos;
  std::atomic_ref(to.error_nanos).store(offset.error_nanos, kRelease);
}

}  // namespace

absl::StatusOr<std::unique_ptr<TraceFile>> TraceFile::Create(
    const std::string& path, const Description& description) {
  const absl::Status status = Check(path, description);
  if (!status.ok()) return status;
  absl::StatusOr<UniqueFd> file = OpenNew(path);
  if (!file.ok()) return file.status();
  const TraceHeader content = HeaderOf(description);
  const int error = Reserve(file->get(), 0, content.rings_at);
  if (error != 0) {
    unlink(path.c_str());
    return Failure(path, "cannot reserve its space", error);
  }
  void* const memory = Map(file->get(), 0, content.rings_at);
  if (memory == nullptr) {
    const int map_error = errno;
    unlink(path.c_str());
    return Failure(path, "cannot be mapped", map_error);
  }
  auto* const header = static_cast<TraceHeader*>(memory);
  WriteHeader(*header, content, description);
  return std::unique_ptr<TraceFile>(
      new TraceFile(path, *std::move(file), header));
}

TraceFile::TraceFile(std::string path, UniqueFd file, TraceHeader* header)
    : path_(std::move(path)), file_(std::move(file)), header_(header) {}

TraceFile::~TraceFile() {
  for (const std::unique_ptr<TraceRing>& ring : rings_) {
    munmap(ring->header_, header_->ring_bytes);
  }
  munmap(header_, header_->rings_at);
}

// Adds a free ring to the file.
absl::Status TraceFile::Grow() {
  const uint64_t bytes = header_->ring_bytes;
  const uint64_t offset = header_->rings_at + rings_.size() * bytes;
  const int error = Reserve(file_.get(), offset, bytes);
  if (error != 0) return Failure(path_, "cannot grow", error);
  void* const memory = Map(file_.get(), offset, bytes);
  if (memory == nullptr) return Failure(path_, "cannot be mapped", errno);
  rings_.push_back(std::make_unique<TraceRing>(
      static_cast<TraceRingHeader*>(memory), header_->ring_events));
  free_.push_back(rings_.back().get());
  std::atomic_ref(header_->rings)
      .store(static_cast<uint32_t>(rings_.size()), kRelease);
  return absl::OkStatus();
}

TraceRing* TraceFile::AddThread(int32_t thread) {
  absl::MutexLock lock(&mutex_);
  if (free_.empty() && rings_.size() < header_->ring_limit) {
    const absl::Status status = Grow();
    if (!status.ok() && !std::exchange(has_warned_, true)) {
      Warn("%s; further threads are not traced",
           std::string(status.message()).c_str());
    }
  }
  if (free_.empty()) {
    ++header_->threads_without_ring;
    return nullptr;
  }
  TraceRing* const ring = free_.back();
  free_.pop_back();
  ring->header_->thread = thread;
  ring->Add(TraceKind::kThread, 0, kNoTracePeer, 0,
            static_cast<uint64_t>(thread));
  return ring;
}

void TraceFile::RemoveThread(TraceRing& ring) {
  absl::MutexLock lock(&mutex_);
  free_.push_back(&ring);
}

TraceSource* TraceFile::Sources() const {
  return reinterpret_cast<TraceSource*>(reinterpret_cast<char*>(header_) +
                                        header_->sources_at);
}

uint16_t TraceFile::AddSource(std::string_view name) {
  constexpr size_t kMaxName = std::tuple_size_v<TraceSource>;
  if (name.size() > kMaxName) name.remove_prefix(name.size() - kMaxName);
  absl::MutexLock lock(&mutex_);
  const auto known = sources_.find(name);
  if (known != sources_.end()) return known->second;
  const size_t number = sources_.size();
  if (number == kTraceSources) return kNoTraceSource;
  CopyText(Sources()[number], name);
  sources_.emplace(name, static_cast<uint16_t>(number));
  std::atomic_ref(header_->sources)
      .store(static_cast<uint32_t>(number + 1), kRelease);
  return static_cast<uint16_t>(number);
}

void TraceFile::NameHandlers(const HandlerNames& names) {
  auto* const table = reinterpret_cast<TraceHandler*>(
      reinterpret_cast<char*>(header_) + header_->handlers_at);
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] != nullptr) CopyText(table[i], names[i]);
  }
}

void TraceFile::SetStartOffset(const TraceOffset& offset) {
  Set(header_->start, offset);
}

void TraceFile::SetEndOffset(const TraceOffset& offset) {
  Set(header_->end, offset);
}

void TraceFile::EndMessages() {
  std::atomic_ref until(header_->messages_until_nanos);
  if (until.load(std::memory_order_relaxed) != 0) return;
  // A thread that sees the new mask comes later than this time. A reader that
  // sees an event of that thread, or of a later one, also sees this time.
  until.store(NowNanos(), std::memory_order_seq_cst);
}

}  // namespace gasnet::observe
