#include "examples/util/options.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "examples/util/job.h"

namespace example {
namespace {

std::string ReadNumber(const std::string& text, uint64_t least, uint64_t most,
                       uint64_t* value) {
  uint64_t number = 0;
  if (absl::SimpleAtoi(text, &number) && number >= least && number <= most) {
    *value = number;
    return "";
  }
  return absl::StrCat("accepts a whole number from ", least, " to ", most);
}

}  // namespace

Options::Options(std::string usage, std::string about)
    : usage_(std::move(usage)), about_(std::move(about)) {
  Switch("help", &help_, "show this help and end");
}

void Options::Switch(std::string name, bool* value, std::string help) {
  options_.push_back(
      {std::move(name), "", std::move(help), [value](const std::string&) {
         *value = true;
         return std::string();
       }});
}

void Options::Number(std::string name, uint64_t* value, uint64_t least,
                     uint64_t most, std::string help) {
  absl::StrAppend(&help, " (default ", *value, ")");
  options_.push_back(
      {std::move(name), "N", std::move(help), [=](const std::string& text) {
         return ReadNumber(text, least, most, value);
       }});
}

void Options::Text(std::string name, std::string metavar, std::string* value,
                   std::string help) {
  if (!value->empty()) absl::StrAppend(&help, " (default ", *value, ")");
  options_.push_back({std::move(name), std::move(metavar), std::move(help),
                      [value](const std::string& text) {
                        *value = text;
                        return std::string();
                      }});
}

void Options::Texts(std::string name, std::string metavar,
                    std::vector<std::string>* values, std::string help) {
  options_.push_back({std::move(name), std::move(metavar), std::move(help),
                      [values](const std::string& text) {
                        values->push_back(text);
                        return std::string();
                      }});
}

void Options::Rest(std::vector<std::string>* values) { rest_ = values; }

void Options::ParseOrExit(int argc, char** argv) {
  const std::string mistake = Parse(argc, argv);
  if (!mistake.empty()) Reject(mistake);
  if (!help_) return;
  if (IsRoot()) PrintHelp();
  FinishBeforeAttach(0);
}

void Options::Reject(const std::string& mistake) const {
  const std::string program = usage_.substr(0, usage_.find(' '));
  if (IsRoot()) {
    std::fprintf(stderr, "%s: %s\nTry: %s --help\n", program.c_str(),
                 mistake.c_str(), program.c_str());
  }
  FinishBeforeAttach(2);
}

// Parses the arguments. Returns a description of the first mistake, or an empty
// string if there is none.
std::string Options::Parse(int argc, char** argv) {
  bool only_rest = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    std::string mistake;
    if (!only_rest && argument == "--") {
      only_rest = true;
    } else if (only_rest || argument.size() < 2 || argument[0] != '-') {
      mistake = SetRest(argv[i]);
    } else {
      mistake = SetNext(argc, argv, &i);
    }
    if (!mistake.empty()) return mistake;
  }
  return "";
}

std::string Options::SetNext(int argc, char** argv, int* index) {
  const std::string argument = argv[*index];
  const size_t equals = argument.find('=');
  const std::string name = argument.substr(0, equals);
  const Option* const option = Find(name);
  if (option == nullptr) return "unknown option " + name;

  std::string value;
  if (equals != std::string::npos) {
    if (option->metavar.empty()) return name + " takes no value";
    value = argument.substr(equals + 1);
  } else if (!option->metavar.empty()) {
    if (*index + 1 == argc) return name + " needs a value";
    value = argv[++*index];
  }
  const std::string problem = option->set(value);
  return problem.empty() ? "" : absl::StrCat(name, " '", value, "': ", problem);
}

std::string Options::SetRest(const std::string& value) {
  if (rest_ == nullptr) return "unexpected argument '" + value + "'";
  rest_->push_back(value);
  return "";
}

const Options::Option* Options::Find(std::string_view name) const {
  const auto found = std::find_if(
      options_.begin(), options_.end(),
      [name](const Option& option) { return "--" + option.name == name; });
  return found == options_.end() ? nullptr : &*found;
}

void Options::PrintHelp() const {
  std::printf("Usage: %s\n%s\n\n", usage_.c_str(), about_.c_str());
  for (const Option& option : options_) {
    const std::string left = "--" + option.name + " " + option.metavar;
    std::printf("  %-24s %s\n", left.c_str(), option.help.c_str());
  }
}

}  // namespace example
