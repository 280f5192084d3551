#include "conduits/ofi/testing/strict/options.h"

#include <rdma/fabric.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "conduits/ofi/testing/rules/violation.h"

namespace gasnet::ofi::strict {
namespace {

constexpr unsigned kLate = 3;

[[noreturn]] void Refuse(std::string_view word) {
  rules::Violation("GASNET_STRICT has '%.*s', which is nothing to ask for",
                   static_cast<int>(word.size()), word.data());
}

// Removes the text up to the separator from `text`. Returns the removed part.
std::string_view TakePart(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == text.npos ? std::string_view() : text.substr(end + 1);
  return part;
}

template <class Number>
bool TakeNumber(std::string_view text, Number& number) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool TakeRegistration(std::string_view word, Options& options) {
  constexpr struct {
    std::string_view name;
    int bit;
  } kBits[] = {{"local", FI_MR_LOCAL},
               {"virtual", FI_MR_VIRT_ADDR},
               {"allocated", FI_MR_ALLOCATED},
               {"keys", FI_MR_PROV_KEY},
               {"endpoint", FI_MR_ENDPOINT}};
  for (const auto& each : kBits) {
    if (each.name != word) continue;
    options.mr_mode |= each.bit;
    return true;
  }
  return false;
}

bool TakeFlag(std::string_view word, Options& options) {
  if (word == "context2") {
    options.mode |= FI_CONTEXT2;
  } else if (word == "single") {
    options.multi_receive = false;
  } else if (word == "misaligned") {
    options.misaligned = true;
  } else if (word == "alone") {
    options.alone = true;
  } else if (word == "turns") {
    options.in_turn = true;
  } else if (word == "fence") {
    options.fence = true;
  } else if (word == "placed") {
    options.placed = true;
  } else if (word == "meddles") {
    options.meddles = true;
  } else if (word == "late") {
    options.late = kLate;
  } else {
    return TakeRegistration(word, options);
  }
  return true;
}

bool TakeOrder(std::string_view value, Options& options) {
  while (!value.empty()) {
    const std::string_view order = TakePart(value, '+');
    if (order == "sas") {
      options.order |= FI_ORDER_SAS;
    } else if (order == "saw") {
      options.order |= FI_ORDER_SAW;
    } else if (order == "raw") {
      options.order |= FI_ORDER_RMA_RAW;
    } else if (order != "none") {
      return false;
    }
  }
  return true;
}

bool TakeFailure(std::string_view value, Options& options) {
  constexpr struct {
    std::string_view name;
    Kind kind;
  } kKinds[] = {{"send", Kind::kSend},
                {"write", Kind::kWrite},
                {"read", Kind::kRead},
                {"receive", Kind::kReceive}};
  const std::string_view name = TakePart(value, '@');
  for (const auto& each : kKinds) {
    if (each.name != name) continue;
    options.fails = true;
    options.failing = each.kind;
    return TakeNumber(value, options.failing_number);
  }
  return false;
}

bool TakeValue(std::string_view name, std::string_view value,
               Options& options) {
  if (name == "inject") return TakeNumber(value, options.inject);
  if (name == "most") return TakeNumber(value, options.most);
  if (name == "tx") return TakeNumber(value, options.transmits);
  if (name == "rx") return TakeNumber(value, options.receives);
  if (name == "again") return TakeNumber(value, options.again);
  if (name == "late") return TakeNumber(value, options.late);
  if (name == "seed") return TakeNumber(value, options.seed);
  if (name == "order") return TakeOrder(value, options);
  if (name == "fail") return TakeFailure(value, options);
  if (name == "wait") {
    options.descriptor = false;
    return value == "none";
  }
  options.manages = false;
  return name == "rm" && value == "off";
}

}  // namespace

Options OptionsFromEnvironment() {
  Options options;
  const char* const text = std::getenv("GASNET_STRICT");
  std::string_view left = text == nullptr ? "" : text;
  while (!left.empty()) {
    const std::string_view word = TakePart(left, ',');
    std::string_view value = word;
    const std::string_view name = TakePart(value, '=');
    const bool taken = name.size() == word.size()
                           ? TakeFlag(word, options)
                           : TakeValue(name, value, options);
    if (!taken) Refuse(word);
  }
  return options;
}

}  // namespace gasnet::ofi::strict
