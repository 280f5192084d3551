// The processor on which each rank of this host was last seen. Each rank has
// one cache line, in shared memory.
//
// A rank publishes its processor when a wait begins, during a long wait, and
// after a sleep. While a rank sleeps, it publishes that it is on none. The
// value is a hint: the kernel may move a thread at any time, and the threads of
// a rank overwrite each other's value. Accesses are relaxed, and order no other
// memory.
#ifndef CORE_AM_CPU_BOARD_H_
#define CORE_AM_CPU_BOARD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cache_line.h"

namespace gasnet::am {

class CpuBoard {
 public:
  // One rank's line. Only that rank writes it. 0 means that the rank is on no
  // processor.
  struct alignas(kCacheLine) Line {
    std::atomic<uint32_t> cpu_and_one;
  };

  CpuBoard() = default;
  CpuBoard(const CpuBoard&) = delete;
  CpuBoard& operator=(const CpuBoard&) = delete;

  // Joins the board of this host's ranks. Must be called before any wait.
  // Without Join, this rank knows of no other rank. The lines are never freed.
  void Join(std::span<Line> lines, size_t mine) {
    lines_ = lines;
    mine_ = &lines[mine];
  }

  // ReportHere publishes this rank's processor. ReportAsleep publishes that it
  // is on none. Both cost only a load if nothing has changed.
  void ReportHere(int cpu) { Report(static_cast<uint32_t>(cpu) + 1); }
  void ReportAsleep() { Report(0); }

  // Calls visit(cpu) for each other rank that is on a processor.
  template <class Visit>
  void ForEachOther(Visit visit) const {
    for (const Line& line : lines_) {
      const uint32_t seen = line.cpu_and_one.load(std::memory_order_relaxed);
      if (seen != 0 && &line != mine_) visit(static_cast<int>(seen - 1));
    }
  }

 private:
  void Report(uint32_t value) {
    std::atomic<uint32_t>& reported = mine_->cpu_and_one;
    if (reported.load(std::memory_order_relaxed) != value) {
      reported.store(value, std::memory_order_relaxed);
    }
  }

  Line alone_{};
  Line* mine_ = &alone_;
  std::span<Line> lines_;
};

static_assert(sizeof(CpuBoard::Line) == 64);

}  // namespace gasnet::am

#endif  // CORE_AM_CPU_BOARD_H_
