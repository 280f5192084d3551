// Reads and writes clients' memory for the engine. The engine makes all such
// accesses through this file, so that a test can observe them.
#ifndef COLL_ACCESS_H_
#define COLL_ACCESS_H_

#include <cstddef>
#include <cstring>

namespace gasnet::coll {

// Gets a call before each access. For tests.
class AccessObserver {
 public:
  virtual void Read(const void* from, size_t nbytes) = 0;
  virtual void Write(const void* to, size_t nbytes) = 0;

 protected:
  ~AccessObserver() = default;
};
inline AccessObserver* access_observer = nullptr;

inline void WillRead(const void* from, size_t nbytes) {
  if (access_observer != nullptr) [[unlikely]]
    access_observer->Read(from, nbytes);
}
inline void WillWrite(const void* to, size_t nbytes) {
  if (access_observer != nullptr) [[unlikely]]
    access_observer->Write(to, nbytes);
}

// Copies nbytes bytes, unless source and destination are the same memory.
inline void CopyBytes(void* to, const void* from, size_t nbytes) {
  if (nbytes == 0 || to == from) return;
  WillRead(from, nbytes);
  WillWrite(to, nbytes);
  std::memcpy(to, from, nbytes);
}

}  // namespace gasnet::coll

#endif  // COLL_ACCESS_H_
