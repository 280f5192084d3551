// Guards calls of the client's functions: handlers, and functions that combine
// elements in a reduction. These functions must return. An exception that
// leaves such a function, or the end of its thread, would unwind GASNet's
// caller too. The caller's work would be lost, with all messages that wait
// behind it. So each call is in a try block, and its catch (...) ends the job.
// The block costs nothing unless something is thrown.
#ifndef BASE_CLIENT_FUNCTION_H_
#define BASE_CLIENT_FUNCTION_H_

namespace gasnet {

// Ends the job with a message that names the function and says how it was left.
// Used in a catch (...) around `function`. role and number are the client's
// name for the function.
[[noreturn, gnu::cold, gnu::noinline]] void RefuseUnwinding(
    const char* role, unsigned number, void (*function)()) noexcept;

}  // namespace gasnet

#endif  // BASE_CLIENT_FUNCTION_H_
