// Statistics as one line of text, such as
//
//     sent: messages 30, packets 12; received: messages 31, packets 12;
//     repeated: packets 2, time-outs 1; dropped: wrong tag 5
//
// The line always has the counts of packets sent and received, and the other
// counts if they are not zero.
//
// A Description allocates nothing and takes no lock, so a signal handler may
// create one.
#ifndef CORE_DATAGRAM_DESCRIPTION_H_
#define CORE_DATAGRAM_DESCRIPTION_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/datagram/statistics.h"

namespace gasnet::datagram {

class Description {
 public:
  // Describes the statistics. `lost_in_port` is the number of arrived datagrams
  // that the port knows it has lost.
  Description(const DatagramStatistics& statistics, uint64_t lost_in_port);

  const char* text() const { return text_.data(); }

 private:
  void Begin(const char* group);
  void Add(const char* name, uint64_t count);
  void AddUnlessZero(const char* name, uint64_t count) {
    if (count != 0) Add(name, count);
  }
  void Append(const char* format, ...) __attribute__((format(printf, 2, 3)));

  // Has room for every count with the largest numbers. A test verifies the
  // size.
  std::array<char, 768> text_;
  size_t length_ = 0;
  const char* group_ = "";  // group that is begun and still empty, or null
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_DESCRIPTION_H_
