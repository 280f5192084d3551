// Statistics for people to read, such as
//
//   sent: messages 30, packets 12; received: messages 31, packets 12;
//   repeated: packets 2, time-outs 1; dropped: wrong tag 5
//
// on one line. The counts of packets sent and received are always there, all
// others where they are not zero: nothing was repeated or dropped that it does
// not name.
//
// Allocates nothing and takes no lock, so a signal handler may make one.
#ifndef CORE_DATAGRAM_DESCRIPTION_H_
#define CORE_DATAGRAM_DESCRIPTION_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/datagram/statistics.h"

namespace gasnet::datagram {

class Description {
 public:
  // lost_in_port: what the port knows to have arrived and been lost there.
  Description(const Statistics& statistics, uint64_t lost_in_port);

  const char* text() const { return text_.data(); }

 private:
  void Begin(const char* group);
  void Add(const char* name, uint64_t count);
  void AddUnlessZero(const char* name, uint64_t count) {
    if (count != 0) Add(name, count);
  }
  void Append(const char* format, ...) __attribute__((format(printf, 2, 3)));

  // All that there is to print, with the longest of numbers; a test sees to it.
  std::array<char, 768> text_;
  size_t length_ = 0;
  const char* group_ = "";  // begun, and nothing in it yet; else null
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_DESCRIPTION_H_
