// Lists in a control frame: the number of elements, then each element.
#ifndef JOB_WIRE_WIRE_LISTS_H_
#define JOB_WIRE_WIRE_LISTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "job/wire/wire.h"

namespace gasnet::job {

void WriteNumbers(WireWriter& out, const std::vector<uint32_t>& numbers);
void WriteTexts(WireWriter& out, const std::vector<std::string>& texts);

// Reads a list of at most `limit` elements. Allocates memory only for elements
// that are present, whatever number the list claims.
std::vector<uint32_t> ReadNumbers(WireReader& in, size_t limit);
// Reads a list of texts. Each text has at most `limit` bytes.
std::vector<std::string> ReadTexts(WireReader& in, size_t limit);

}  // namespace gasnet::job

#endif  // JOB_WIRE_WIRE_LISTS_H_
