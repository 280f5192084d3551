// Memory for one packet, from a pool that is as large as there were ever
// packets at a time: of each thread one that it fills or sends, and one that
// its handler answers. Not a thread's own, since handlers also run in what a
// thread does when it ends.
#ifndef VIS_PACKET_MEMORY_H_
#define VIS_PACKET_MEMORY_H_

#include <cstddef>

namespace gasnet::vis {

class PacketMemory {
 public:
  // nbytes: the same each time.
  explicit PacketMemory(size_t nbytes);
  ~PacketMemory();
  PacketMemory(const PacketMemory&) = delete;
  PacketMemory& operator=(const PacketMemory&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* const data_;
};

}  // namespace gasnet::vis

#endif  // VIS_PACKET_MEMORY_H_
