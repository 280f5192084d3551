// Whether this thread is inside of Portals, or of what stands around it: a
// signal handler that has interrupted that must call nothing of it.
#ifndef CONDUITS_PORTALS_INSIDE_H_
#define CONDUITS_PORTALS_INSIDE_H_

namespace gasnet::portals {

// For a scope.
class Inside {
 public:
  Inside() { ++depth_; }
  ~Inside() { --depth_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  static bool IsInside() { return depth_ > 0; }

 private:
  static inline constinit thread_local int depth_ = 0;
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_INSIDE_H_
