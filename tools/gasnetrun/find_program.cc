#include "tools/gasnetrun/find_program.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace gasnet::gasnetrun {
namespace {

// Returns 0 if the file can be run, else an errno.
int CheckExecutable(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  if (!S_ISREG(info.st_mode)) return EACCES;
  return access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

bool IsMissing(int error) { return error == ENOENT || error == ENOTDIR; }

absl::Status Describe(const std::string& path, int error) {
  if (IsMissing(error)) {
    return absl::NotFoundError(
        absl::StrCat("program '", path, "' not found: ", strerror(error)));
  }
  return absl::PermissionDeniedError(
      absl::StrCat("program '", path, "' cannot be run: ",
                   error == EACCES ? "not an executable file (chmod +x?)"
                                   : strerror(error)));
}

}  // namespace

absl::StatusOr<std::string> FindProgram(const std::string& name,
                                        const std::string& search_path) {
  if (name.find('/') != std::string::npos) {
    const int error = CheckExecutable(name);
    if (error == 0) return name;
    return Describe(name, error);
  }
  absl::Status best = absl::NotFoundError(
      absl::StrCat("program '", name, "' not found in PATH"));
  for (size_t begin = 0; begin <= search_path.size();) {
    const size_t end =
        std::min(search_path.find(':', begin), search_path.size());
    // An empty entry of PATH means the current directory.
    const std::string directory =
        end == begin ? "." : search_path.substr(begin, end - begin);
    const std::string path = absl::StrCat(directory, "/", name);
    const int error = CheckExecutable(path);
    if (error == 0) return path;
    if (!IsMissing(error) && error != EISDIR) best = Describe(path, error);
    begin = end + 1;
  }
  return best;
}

}  // namespace gasnet::gasnetrun
