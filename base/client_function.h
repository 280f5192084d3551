// The client's functions that GASNet calls: handlers, and functions that
// combine elements in a reduction. They must return. If an exception or the end
// of its thread leaves one, GASNet's own work around it is lost too: messages
// that wait behind this one would be lost without a word. So each call of one
// is in a try block, which costs nothing unless something is thrown, and its
// catch (...) ends the job.
#ifndef BASE_CLIENT_FUNCTION_H_
#define BASE_CLIENT_FUNCTION_H_

namespace gasnet {

// Ends the job with a message that names the function and how it was left. Used
// in a catch (...) around `function`, which is the client's `role` with that
// number.
[[noreturn, gnu::cold, gnu::noinline]] void RefuseUnwinding(
    const char* role, unsigned number, void (*function)()) noexcept;

}  // namespace gasnet

#endif  // BASE_CLIENT_FUNCTION_H_
