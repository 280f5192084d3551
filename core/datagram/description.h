// Statistics as one line of text, such as
//
//     sent: messages 30, packets 12; received: messages 31, packets 12;
//     repeated: packets 2, time-outs 1; dropped: wrong tag 5
//
// It always has the counts of packets sent and received, and others if not
// zero.
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
  // lost_in_port: the number of arrived datagrams that the port knows it lost.
  Description(const Statistics& statistics, uint64_t lost_in_port);

  const char* text() const { return text_.data(); }

 private:
  void Begin(const char* group);
  void Add(const char* name, uint64_t count);
  void AddUnlessZero(const char* name, uint64_t count) {
    if (count != 0) Add(name, count);
  }
  void Append(const char* format, ...) __attribute__((format(printf, 2, 3)));

  // Room for every count with the largest numbers. A test verifies it.
  std::array<char, 768> text_;
  size_t length_ = 0;
  const char* group_ = "";  // begun and still empty; null if none
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_DESCRIPTION_H_
