// Formats numbers with units for people.
#ifndef BASE_UNITS_H_
#define BASE_UNITS_H_

#include <cstdint>
#include <string>

namespace gasnet {

// Formats a count. A count below 100000 appears as "99999". Larger counts
// appear as "1.2 M", with decimal prefixes.
std::string CountText(uint64_t count);

// Formats bytes with binary prefixes, as in "17 B" or "1.2 GiB".
std::string BytesText(uint64_t bytes);

// Formats nanoseconds. TimeText() returns three digits or a little more, as in
// "340 ns", "3.4 us" or "12.3 s". FineTimeText() returns four digits, as in
// "3.440 us".
std::string TimeText(int64_t nanos);
std::string FineTimeText(double nanos);

// Formats nanoseconds as seconds, without a unit.
std::string SecondsText(int64_t nanos, int decimals);

// Returns the share of `part` in `whole` as "12.3 %", or "-" if `whole` is 0.
std::string PercentText(int64_t part, int64_t whole);
std::string PercentText(double share);

}  // namespace gasnet

#endif  // BASE_UNITS_H_
