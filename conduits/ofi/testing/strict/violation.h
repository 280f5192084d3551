// How the provider says that its user has broken the interface's rules.
#ifndef CONDUITS_OFI_TESTING_STRICT_VIOLATION_H_
#define CONDUITS_OFI_TESTING_STRICT_VIOLATION_H_

namespace gasnet::ofi::strict {

// Prints one line, "strict: ...", to stderr and aborts.
[[noreturn, gnu::format(printf, 1, 2)]] void Violation(const char* format, ...);

}  // namespace gasnet::ofi::strict

#endif  // CONDUITS_OFI_TESTING_STRICT_VIOLATION_H_
