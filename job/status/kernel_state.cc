#include "job/status/kernel_state.h"

#include <dirent.h>
#include <stdio.h>

#include <fstream>
#include <memory>

#include "absl/strings/str_cat.h"

namespace gasnet::job {

std::optional<KernelState> ReadKernelState(const std::string& folder) {
  std::ifstream file(folder + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t name_begin = line.find('(');
  const size_t name_end = line.rfind(')');
  KernelState state;
  if (name_begin == std::string::npos || name_end == std::string::npos ||
      sscanf(line.c_str() + name_end, ") %c %*d %*d %*d %*d %*d %u",
             &state.letter, &state.flags) != 2) {
    return std::nullopt;
  }
  state.name = line.substr(name_begin + 1, name_end - name_begin - 1);
  return state;
}

std::string FolderOf(pid_t pid) { return absl::StrCat("/proc/", pid); }

std::vector<std::string> ThreadFolders(pid_t pid) {
  const std::string parent = FolderOf(pid) + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir(parent.c_str()),
                                                  &closedir);
  std::vector<std::string> folders;
  if (tasks == nullptr) return folders;
  while (const dirent* const task = readdir(tasks.get())) {
    if (task->d_name[0] == '.') continue;
    folders.push_back(absl::StrCat(parent, "/", task->d_name));
  }
  return folders;
}

}  // namespace gasnet::job
