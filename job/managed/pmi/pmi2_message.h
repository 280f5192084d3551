// A message of PMI2: pairs of names and values. The first name is "cmd". On the
// wire, six characters with the length of the body precede the body:
//
//   30    cmd=kvs-get;key=a;value=b;;c;
//
// A ';' in a value is doubled. Parse returns nothing if the body is not a valid
// list of pairs.
#ifndef JOB_MANAGED_PMI_PMI2_MESSAGE_H_
#define JOB_MANAGED_PMI_PMI2_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasnet::job {

class Pmi2Message {
 public:
  static constexpr size_t kLengthBytes = 6;
  static constexpr size_t kMaxBodyBytes = 64 << 10;

  using Pair = std::pair<std::string, std::string>;

  Pmi2Message() = default;
  explicit Pmi2Message(std::initializer_list<Pair> pairs) : pairs_(pairs) {}

  // Returns the message as it goes on the wire, with its length.
  std::string Encode() const;

  // Returns the length that the six characters in `text` give.
  static std::optional<size_t> ParseLength(std::string_view text);
  static std::optional<Pmi2Message> Parse(std::string_view body);

  // Find returns the first value with this name, or null.
  const std::string* Find(std::string_view name) const;
  std::optional<int64_t> FindInt(std::string_view name) const;

 private:
  std::vector<Pair> pairs_;
};

}  // namespace gasnet::job

#endif  // JOB_MANAGED_PMI_PMI2_MESSAGE_H_
