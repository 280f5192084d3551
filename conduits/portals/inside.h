// Tracks whether this thread is inside Portals, or inside the conduit's code
// around Portals. A signal handler that interrupts code inside must not call
// Portals. The handler of a message counts as outside, although it is called by
// a poll.
#ifndef CONDUITS_PORTALS_INSIDE_H_
#define CONDUITS_PORTALS_INSIDE_H_

namespace gasnet::portals_conduit {

// Marks a scope as inside Portals.
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

// Marks the scope of a message handler as outside Portals. In this scope the
// thread uses no resource of Portals.
class Outside {
 public:
  Outside() : depth_(Inside::depth_) { Inside::depth_ = 0; }
  ~Outside() { Inside::depth_ = depth_; }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  const int depth_;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_INSIDE_H_
