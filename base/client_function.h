// Functions of the client's that GASNet calls: handlers, and what combines
// elements in a reduction. They return. One that is left by an exception, or by
// the end of its thread, would take all that GASNet was doing around it along:
// messages that wait behind this one would be lost without a word. So a call of
// one is in a try block, which costs nothing unless something is thrown, and
// its catch (...) ends the job.
#ifndef BASE_CLIENT_FUNCTION_H_
#define BASE_CLIENT_FUNCTION_H_

namespace gasnet {

// In a catch (...) around `function`, the client's `role` with that number:
// ends the job with a message that names the function and what has left it.
[[noreturn, gnu::cold, gnu::noinline]] void RefuseUnwinding(
    const char* role, unsigned number, void (*function)()) noexcept;

}  // namespace gasnet

#endif  // BASE_CLIENT_FUNCTION_H_
