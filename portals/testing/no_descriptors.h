// While an object of this class lives, this process cannot open more files.
#ifndef PORTALS_TESTING_NO_DESCRIPTORS_H_
#define PORTALS_TESTING_NO_DESCRIPTORS_H_

#include <sys/resource.h>

namespace gasnet::portals4 {

class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none = {.rlim_cur = 0, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_TESTING_NO_DESCRIPTORS_H_
