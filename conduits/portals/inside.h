// Tracks if this thread is inside of Portals, or of the code around it. A
// signal handler that has interrupted such code must call nothing of it. A
// message's handler runs outside of it, although a poll has called it.
#ifndef CONDUITS_PORTALS_INSIDE_H_
#define CONDUITS_PORTALS_INSIDE_H_

namespace gasnet::portals {

// Marks a scope as inside.
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

// Marks the scope of a handler as outside, in which this thread holds nothing
// of Portals.
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
