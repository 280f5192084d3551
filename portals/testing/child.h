// A process that runs the calls of a test. A test of several processes can then
// be read from top to bottom. A process that dies or hangs fails only its own
// test.
//
// States: serving, busy (between Begin and End), lost. A child is lost when it
// has died, or has not answered within kPatienceMs; then it is killed. Each
// loss is one failure of the test, unless the test killed the child itself.
// Calls of a lost child return a zero of their type at once.
//
// Calls are closures of trivially copyable captures. The child is forked, so
// code has the same addresses in both processes, and so has memory that was
// mapped before. Closures and answers pass through memory that both processes
// map. Messages on a socket order the accesses. Only one thread of the test may
// use a child at a time.
#ifndef PORTALS_TESTING_CHILD_H_
#define PORTALS_TESTING_CHILD_H_

#include <sys/types.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace gasnet::portals4_tests::testing {

// The time limit for a test's waits, and for a call that waits for an event. It
// is generous: a test that reaches it has failed.
inline constexpr int kPatienceMs = 20'000;

class Child {
 public:
  Child();
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Runs `body` in the child, and returns the result of `body`.
  template <typename F>
  auto Call(const F& body) {
    using R = decltype(body());
    Begin(body);
    return End<R>();
  }

  // Begin starts a call in the child, and End waits for its result. A test may
  // call other children in between.
  template <typename F>
  void Begin(const F& body) {
    using R = decltype(body());
    static_assert(std::is_trivially_copyable_v<F>);
    static_assert(sizeof(F) <= kClosureSize);
    if (lost_) return;
    new (mailbox_->closure) F(body);
    mailbox_->run = [](Mailbox& box) {
      const F& call = *reinterpret_cast<const F*>(box.closure);
      if constexpr (std::is_void_v<R>) {
        call();
      } else {
        static_assert(std::is_trivially_copyable_v<R>);
        static_assert(sizeof(R) <= kAnswerSize);
        const R answer = call();
        memcpy(box.answer, &answer, sizeof answer);
      }
    };
    Post();
  }
  template <typename R>
  R End() {
    const bool answered = !lost_ && Await(kPatienceMs);
    if constexpr (!std::is_void_v<R>) {
      R answer{};
      if (answered) memcpy(&answer, mailbox_->answer, sizeof answer);
      return answer;
    }
  }

  // Waits at most `milliseconds` for the child's answer. Returns true if End
  // would then not wait.
  bool Answers(int milliseconds);

  pid_t pid() const { return pid_; }
  bool lost() const { return lost_; }

  // Sends a signal. After SIGKILL the child is lost, but the test does not
  // fail.
  void Signal(int signal);

 private:
  static constexpr size_t kClosureSize = 4096;
  static constexpr size_t kAnswerSize = 16384;
  struct Mailbox {
    void (*run)(Mailbox&);
    alignas(16) unsigned char closure[kClosureSize];
    alignas(16) unsigned char answer[kAnswerSize];
  };

  [[noreturn]] void Serve(int socket, pid_t parent);
  void Post();
  bool Await(int milliseconds);
  void Lose(const char* why);

  Mailbox* mailbox_;
  int socket_ = -1;
  pid_t pid_ = -1;
  bool lost_ = false;
};

}  // namespace gasnet::portals4_tests::testing

#endif  // PORTALS_TESTING_CHILD_H_
