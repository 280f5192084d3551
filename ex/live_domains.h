// The atomic domains of this process. Only debug builds record them, to detect
// calls with domains that were destroyed. Any thread may call these functions.
#ifndef EX_LIVE_DOMAINS_H_
#define EX_LIVE_DOMAINS_H_

#include <algorithm>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "ex/atomic_domain.h"

namespace gasnet::ex {

class LiveDomains {
 public:
  void Add(gex_AD_t ad) {
    const absl::MutexLock lock(&mutex_);
    all_.insert(ad);
  }
  // Removes the domain. Returns false if the domain was not recorded.
  bool Remove(gex_AD_t ad) {
    const absl::MutexLock lock(&mutex_);
    return all_.erase(ad) != 0;
  }
  bool Has(gex_AD_t ad) {
    const absl::MutexLock lock(&mutex_);
    return all_.contains(ad);
  }
  bool HasOf(gex_TM_t tm) {
    const absl::MutexLock lock(&mutex_);
    return std::any_of(all_.begin(), all_.end(),
                       [tm](gex_AD_t ad) { return ad->tm == tm; });
  }

 private:
  absl::Mutex mutex_;
  absl::flat_hash_set<gex_AD_t> all_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet::ex

#endif  // EX_LIVE_DOMAINS_H_
