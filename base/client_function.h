// Calls of the client's functions: handlers, and functions that combine
// elements in a reduction. They must return. If an exception or the end of its
// thread leaves one, the work of GASNet around the call is lost too, with all
// messages that wait behind it. Each call is therefore in a try block, which
// costs nothing unless something is thrown, and its catch (...) ends the job.
#ifndef BASE_CLIENT_FUNCTION_H_
#define BASE_CLIENT_FUNCTION_H_

namespace gasnet {

// Ends the job with a message that names the function and how it was left. Used
// in a catch (...) around `function`. role, number: how the client knows the
// function.
[[noreturn, gnu::cold, gnu::noinline]] void RefuseUnwinding(
    const char* role, unsigned number, void (*function)()) noexcept;

}  // namespace gasnet

#endif  // BASE_CLIENT_FUNCTION_H_
