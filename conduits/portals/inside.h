// Whether this thread is inside of Portals, or of what stands around it: a
// signal handler that has interrupted that must call nothing of it. A message's
// handler runs outside of it again, though a poll has called it.
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
  friend class Outside;
  static inline constinit thread_local int depth_ = 0;
};

// For the scope of a handler, where this thread holds nothing of Portals.
class Outside {
 public:
  Outside() : depth_(Inside::depth_) { Inside::depth_ = 0; }
  ~Outside() { Inside::depth_ = depth_; }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  const int depth_;
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_INSIDE_H_
