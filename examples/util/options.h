// A small reader of command lines: --name VALUE, --name=VALUE, --switch, and
// the names of files. Each option has a text for --help.
//
//     Options options("ring [OPTION...]", "Sends a token around.");
//     options.Number("laps", &laps, 1, 1000000, "how often it goes around");
//     options.ParseOrExit(argc, argv);
//
// A variable keeps its value if its option is not given. Variables must outlive
// the Options.

#ifndef EXAMPLES_UTIL_OPTIONS_H_
#define EXAMPLES_UTIL_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace example {

class Options {
 public:
  Options(std::string usage, std::string about);

  void Switch(std::string name, bool* value, std::string help);
  void Number(std::string name, uint64_t* value, uint64_t least, uint64_t most,
              std::string help);
  void Text(std::string name, std::string metavar, std::string* value,
            std::string help);
  // Adds an option that may be given several times.
  void Texts(std::string name, std::string metavar,
             std::vector<std::string>* values, std::string help);
  // Stores every argument that is not an option in `values`.
  void Rest(std::vector<std::string>* values);

  // Parses the command line. Called on every rank, between example::Start and
  // example::Attach. --help prints the help and ends the job with exit code 0.
  // If the command line has a mistake, rank 0 explains it, and the job ends
  // with 2.
  void ParseOrExit(int argc, char** argv);

  // Explains a mistake that the options' ranges cannot express. Then ends the
  // job with exit code 2, as ParseOrExit() does.
  [[noreturn]] void Reject(const std::string& mistake) const;

 private:
  struct Option {
    std::string name;
    std::string metavar;  // empty: the option takes no value
    std::string help;
    // Stores the value. Returns an empty string, or the reason if the value is
    // invalid.
    std::function<std::string(const std::string&)> set;
  };

  std::string Parse(int argc, char** argv);
  std::string SetNext(int argc, char** argv, int* index);
  std::string SetRest(const std::string& value);
  const Option* Find(std::string_view name) const;
  void PrintHelp() const;

  std::string usage_;
  std::string about_;
  std::vector<Option> options_;
  std::vector<std::string>* rest_ = nullptr;
  bool help_ = false;
};

}  // namespace example

#endif  // EXAMPLES_UTIL_OPTIONS_H_
