#include "job/managed/pmi/pmix_manager.h"

#include <dlfcn.h>
#include <pmix.h>
#include <stdlib.h>
#include <string.h>

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/process_state.h"

namespace gasnet::job {
namespace {

// The library with the ABI of PMIx 2 and later.
constexpr char kLibrary[] = "libpmix.so.2";

struct PmixLibrary {
  decltype(&PMIx_Init) init;
  decltype(&PMIx_Finalize) finalize;
  decltype(&PMIx_Put) put;
  decltype(&PMIx_Commit) commit;
  decltype(&PMIx_Fence) fence;
  decltype(&PMIx_Get) get;
  decltype(&PMIx_Abort) abort;
  decltype(&PMIx_Error_string) error_string;
};

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

// Loads the library and never unloads it. The library may have registered
// functions that run at the end of the process.
absl::StatusOr<PmixLibrary> Load() {
  const ProcessStateKept kept;
  PmixLibrary pmix;
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr && Find(library, "PMIx_Init", pmix.init) &&
      Find(library, "PMIx_Finalize", pmix.finalize) &&
      Find(library, "PMIx_Put", pmix.put) &&
      Find(library, "PMIx_Commit", pmix.commit) &&
      Find(library, "PMIx_Fence", pmix.fence) &&
      Find(library, "PMIx_Get", pmix.get) &&
      Find(library, "PMIx_Abort", pmix.abort) &&
      Find(library, "PMIx_Error_string", pmix.error_string)) {
    return pmix;
  }
  return absl::NotFoundError(
      absl::StrCat("the launcher offers PMIx, but ", dlerror(),
                   "; install it (Debian: libpmix2), or use gasnetrun"));
}

class PmixManager : public ProcessManager {
 public:
  explicit PmixManager(const PmixLibrary& pmix) : pmix_(pmix) {}

  absl::Status Begin() {
    pmix_proc_t self = {};
    absl::Status status = Check("PMIx_Init", pmix_.init(&self, nullptr, 0));
    if (!status.ok()) return status;
    memcpy(space_, self.nspace, sizeof space_);
    const auto size = GetNumber(PMIX_JOB_SIZE);
    status = SetPlace(int64_t{self.rank}, size.value_or(-1));
    SetOnOneHost(size.has_value() && GetNumber(PMIX_LOCAL_SIZE) == size);
    return status;
  }

  absl::Status Finish() override {
    return Check("PMIx_Finalize", pmix_.finalize(nullptr, 0));
  }

  void Abort(int code, const std::string& why) override {
    pmix_.abort(code, why.c_str(), nullptr, 0);
  }

 private:
  absl::Status Check(const char* call, pmix_status_t status) const {
    if (status == PMIX_SUCCESS) return absl::OkStatus();
    return absl::UnavailableError(absl::StrCat(
        call, " has failed: ", pmix_.error_string(status), " (", status, ")"));
  }

  pmix_proc_t Process(pmix_rank_t rank) const {
    pmix_proc_t process = {};
    memcpy(process.nspace, space_, sizeof space_);
    process.rank = rank;
    return process;
  }

  absl::Status Put(const std::string& key, const std::string& value) override {
    std::string text = value;
    pmix_value_t given = {};
    given.type = PMIX_STRING;
    given.data.string = text.data();
    const absl::Status status =
        Check("PMIx_Put", pmix_.put(PMIX_GLOBAL, key.c_str(), &given));
    return status.ok() ? Check("PMIx_Commit", pmix_.commit()) : status;
  }

  absl::Status Fence() override {
    pmix_info_t collect = {};
    strncpy(collect.key, PMIX_COLLECT_DATA, sizeof collect.key - 1);
    collect.value.type = PMIX_BOOL;
    collect.value.data.flag = true;
    return Check("PMIx_Fence", pmix_.fence(nullptr, 0, &collect, 1));
  }

  absl::StatusOr<std::string> Get(const std::string& key) override {
    const pmix_proc_t zero = Process(0);
    pmix_value_t* value = nullptr;
    const absl::Status got =
        Check("PMIx_Get", pmix_.get(&zero, key.c_str(), nullptr, 0, &value));
    if (!got.ok()) return got;
    std::string text;
    if (value->type == PMIX_STRING && value->data.string != nullptr) {
      text = value->data.string;
      free(value->data.string);
    }
    free(value);
    return text;
  }

  // Returns a number that the launcher publishes about the job, such as its
  // size.
  std::optional<int64_t> GetNumber(const char* key) const {
    const pmix_proc_t job = Process(PMIX_RANK_WILDCARD);
    pmix_value_t* value = nullptr;
    if (pmix_.get(&job, key, nullptr, 0, &value) != PMIX_SUCCESS) {
      return std::nullopt;
    }
    std::optional<int64_t> number;
    if (value->type == PMIX_UINT32) number = value->data.uint32;
    free(value);
    return number;
  }

  const PmixLibrary pmix_;
  pmix_nspace_t space_ = {};
};

}  // namespace

bool IsBuiltWithPmix() { return true; }

absl::StatusOr<std::unique_ptr<ProcessManager>> ConnectToPmix() {
  const auto pmix = Load();
  if (!pmix.ok()) return pmix.status();
  auto manager = std::make_unique<PmixManager>(*pmix);
  const absl::Status begun = manager->Begin();
  if (!begun.ok()) return begun;
  return manager;
}

}  // namespace gasnet::job
