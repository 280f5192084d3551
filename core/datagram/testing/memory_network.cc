#include "core/datagram/testing/memory_network.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/synchronization/mutex.h"

namespace gasnet::datagram::testing {
namespace {

// The headers of Ethernet, IP and UDP. They take time, too.
constexpr size_t kHeaders = 66;
// The fraction of datagrams that a link drops when its queue is nearly full.
constexpr double kEarlyDrop = 0.02;
constexpr int64_t kNoArrival = std::numeric_limits<int64_t>::max();

}  // namespace

MemoryNetwork::MemoryNetwork(const NetworkOptions& options)
    : options_(options),
      faults_(options.faults),
      path_bytes_(options.path_bytes),
      random_(options.seed),
      hosts_(options.ranks) {}

void MemoryNetwork::SetFaults(const Faults& faults) {
  const absl::MutexLock lock(&mutex_);
  faults_ = faults;
}

void MemoryNetwork::SetPathBytes(size_t bytes, int64_t since) {
  const absl::MutexLock lock(&mutex_);
  path_bytes_ = bytes;
  path_since_ = since;
}

void MemoryNetwork::Tap(std::function<void(Rank, Rank, ConstBytes)> tap) {
  const absl::MutexLock lock(&mutex_);
  tap_ = std::move(tap);
}

int64_t MemoryNetwork::Now() const {
  const absl::MutexLock lock(&mutex_);
  return now_;
}

int64_t MemoryNetwork::NextArrival() const {
  const absl::MutexLock lock(&mutex_);
  return flying_.empty() ? kNoArrival : flying_.begin()->first;
}

void MemoryNetwork::AdvanceTo(int64_t time) {
  const absl::MutexLock lock(&mutex_);
  now_ = std::max(now_, time);
  while (!flying_.empty() && flying_.begin()->first <= now_) {
    Flight& flight = flying_.begin()->second;
    Store(flight.to, std::move(flight.datagram));
    flying_.erase(flying_.begin());
  }
}

bool MemoryNetwork::Chance(double probability) {
  if (probability <= 0 ||
      std::uniform_real_distribution<double>(0, 1)(random_) >= probability) {
    return false;
  }
  ++faults_happened_;
  return true;
}

size_t MemoryNetwork::Send(Rank from, Rank to,
                           std::span<const Outgoing> datagrams) {
  const absl::MutexLock lock(&mutex_);
  size_t taken = 0;
  for (const Outgoing& parts : datagrams) {
    if (Chance(faults_.refuse)) break;
    Datagram datagram(parts.size());
    parts.CopyTo(datagram.data());
    if (tap_) tap_(from, to, datagram);
    Launch(from, to, datagram);
    ++taken;
  }
  sends_ += taken > 0 ? 1 : 0;
  datagrams_ += taken;
  offered_ += datagrams.size();
  return taken;
}

int64_t MemoryNetwork::PassLink(int64_t time, size_t bytes) {
  const double rate = options_.link_bytes_per_ns;
  if (rate == 0) return time;
  const int64_t begin = std::max(link_idle_at_, time);
  const double filled = static_cast<double>(begin - time) * rate /
                        static_cast<double>(options_.link_queue);
  if (filled >= 1 || Chance(kEarlyDrop * filled * filled)) return kNoArrival;
  return link_idle_at_ =
             begin +
             static_cast<int64_t>(static_cast<double>(bytes + kHeaders) / rate);
}

void MemoryNetwork::Launch(Rank from, Rank to, ConstBytes datagram) {
  const auto line_time = static_cast<int64_t>(
      static_cast<double>(datagram.size() + kHeaders) / options_.bytes_per_ns);
  int64_t& idle_at = hosts_[from].idle_at;
  idle_at = std::max(idle_at, now_) + line_time;
  const int64_t through = PassLink(idle_at, datagram.size());
  if (through == kNoArrival || Chance(faults_.lose)) return;
  const bool narrow = path_bytes_ > 0 && now_ >= path_since_;
  if (narrow && datagram.size() > path_bytes_) return;
  const int copies = Chance(faults_.repeat) ? 2 : 1;
  for (int i = 0; i < copies; ++i) {
    Datagram copy(datagram.begin(), datagram.end());
    if (Chance(faults_.truncate)) copy.resize(random_() % copy.size());
    if (!copy.empty() && Chance(faults_.corrupt)) {
      copy[random_() % copy.size()] ^= std::byte{1} << random_() % 8;
    }
    int64_t arrival = through + options_.latency;
    if (Chance(faults_.reorder)) {
      arrival += static_cast<int64_t>(
          random_() % static_cast<uint64_t>(options_.max_delay));
    }
    flying_.emplace(arrival, Flight{to, std::move(copy)});
  }
}

void MemoryNetwork::Store(Rank to, Datagram datagram) {
  Host& host = hosts_[to];
  if (host.bytes + datagram.size() > options_.receive_buffer) {
    ++overflows_;
    return;
  }
  host.bytes += datagram.size();
  host.buffer.push_back(std::move(datagram));
}

void MemoryNetwork::Inject(Rank to, Datagram datagram) {
  const absl::MutexLock lock(&mutex_);
  Store(to, std::move(datagram));
}

std::deque<MemoryNetwork::Datagram> MemoryNetwork::Receive(Rank rank,
                                                           size_t most) {
  const absl::MutexLock lock(&mutex_);
  Host& host = hosts_[rank];
  std::deque<Datagram> taken;
  while (taken.size() < most && !host.buffer.empty()) {
    host.bytes -= host.buffer.front().size();
    taken.push_back(std::move(host.buffer.front()));
    host.buffer.pop_front();
  }
  return taken;
}

uint64_t MemoryNetwork::sends() const {
  const absl::MutexLock lock(&mutex_);
  return sends_;
}

uint64_t MemoryNetwork::datagrams() const {
  const absl::MutexLock lock(&mutex_);
  return datagrams_;
}

uint64_t MemoryNetwork::offered() const {
  const absl::MutexLock lock(&mutex_);
  return offered_;
}

uint64_t MemoryNetwork::faults() const {
  const absl::MutexLock lock(&mutex_);
  return faults_happened_;
}

uint64_t MemoryNetwork::overflows() const {
  const absl::MutexLock lock(&mutex_);
  return overflows_;
}

}  // namespace gasnet::datagram::testing
