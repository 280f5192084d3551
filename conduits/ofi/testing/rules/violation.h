// Reports of violations: the user of a fake provider has broken a rule of the
// interface.
#ifndef CONDUITS_OFI_TESTING_RULES_VIOLATION_H_
#define CONDUITS_OFI_TESTING_RULES_VIOLATION_H_

namespace gasnet::ofi::rules {

// The name of the provider. Each fake provider defines kProvider.
extern const char kProvider[];

// Prints one line, "PROVIDER: ...", to stderr and aborts.
[[noreturn, gnu::format(printf, 1, 2)]] void Violation(const char* format, ...);

}  // namespace gasnet::ofi::rules

#endif  // CONDUITS_OFI_TESTING_RULES_VIOLATION_H_
