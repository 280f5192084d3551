// A process's tables, mapped into this process. Tests overwrite them.
#ifndef PORTALS_ROBUSTNESS_VANDAL_H_
#define PORTALS_ROBUSTNESS_VANDAL_H_

#include <portals4.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "portals/engine/view.h"

namespace gasnet::portals4_tests::testing {

class Vandal {
 public:
  explicit Vandal(pid_t pid, uint64_t seed = 0);
  ~Vandal();
  Vandal(const Vandal&) = delete;
  Vandal& operator=(const Vandal&) = delete;

  // Returns false if the tables were not found.
  bool ready() const { return memory_ != nullptr; }
  portals4::View view() const;

  // Returns the record of the waiting operation with `user_ptr`.
  portals4::TriggerRecord* FindTrigger(uint64_t user_ptr) const;

  // Asks the owner's helper to copy 8 bytes from `address`, like a peer to
  // which the kernel refuses copies.
  void AskForHelp(uint64_t address) const;
  // Returns true if the owner's helper answers in time.
  bool IsAnswered() const;
  // Overwrites a word, and wakes a thread that sleeps on it.
  static void Overwrite(std::atomic<uint32_t>& word, uint32_t value);

  // Counts a flight, but makes no record of it.
  void CountFlight(ptl_pt_index_t pt) const;

  // Tries to shrink the file. Returns true on success.
  bool Shrink() const;

  // Writes random words into the pages of the file that are not holes.
  void Scribble(int words);

 private:
  std::vector<size_t> Pages() const;

  std::mt19937_64 random_;
  int file_;
  size_t size_ = 0;
  unsigned char* memory_ = nullptr;
};

}  // namespace gasnet::portals4_tests::testing

#endif  // PORTALS_ROBUSTNESS_VANDAL_H_
