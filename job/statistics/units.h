// Numbers with units, as a person reads them: three digits or a little more.
#ifndef JOB_STATISTICS_UNITS_H_
#define JOB_STATISTICS_UNITS_H_

#include <cstdint>
#include <string>

namespace gasnet::job {

// Returns "99999" for a number below 100000, and "1.2 M" with decimal prefixes
// from there on.
std::string CountText(uint64_t count);

// Returns "17 B", "1.2 GiB".
std::string BytesText(uint64_t bytes);

// Returns "340 ns", "3.4 us", "12.3 s".
std::string TimeText(int64_t nanos);

// Returns the share of a part as "12.3 %", or "-" if the whole is 0.
std::string PercentText(int64_t part, int64_t whole);
std::string PercentText(double share);

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_UNITS_H_
