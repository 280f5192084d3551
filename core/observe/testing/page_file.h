#ifndef CORE_OBSERVE_TESTING_PAGE_FILE_H_
#define CORE_OBSERVE_TESTING_PAGE_FILE_H_

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "job/memory/anonymous_file.h"
#include "job/status/rank_status.h"
#include "job/status/status_page.h"

namespace gasnet::observe::testing {

// Host memory with one status page.
class PageFile {
 public:
  PageFile() {
    if (ftruncate(file_.get(), job::kStatusPageBytes) != 0) abort();
    page_ = static_cast<job::StatusPage*>(mmap(nullptr, job::kStatusPageBytes,
                                               PROT_READ | PROT_WRITE,
                                               MAP_SHARED, file_.get(), 0));
  }
  ~PageFile() { munmap(page_, job::kStatusPageBytes); }
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;

  job::StatusPage& page() const { return *page_; }
  job::RankStatus Read(int64_t now = NowNanos()) const {
    return job::ReadStatus(file_.get(), 0, getpid(), now);
  }

 private:
  const UniqueFd file_ = job::CreateMemfd("page");
  job::StatusPage* page_;
};

}  // namespace gasnet::observe::testing

#endif  // CORE_OBSERVE_TESTING_PAGE_FILE_H_
