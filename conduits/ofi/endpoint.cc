#include "conduits/ofi/endpoint.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"

namespace gasnet::ofi {
namespace {

// The prefix of addresses of provider shm. The rest of an address is the name
// of the endpoint's file in /dev/shm.
constexpr std::string_view kFilePrefix = "fi_shm://";

// Brings every page into memory. Leaves the contents unchanged, even if other
// threads write to the memory at that time.
void Touch(void* memory, size_t nbytes) {
  auto* const bytes = static_cast<unsigned char*>(memory);
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const auto touch = [&](size_t at) {
    std::atomic_ref<unsigned char>(bytes[at]).fetch_or(
        0, std::memory_order_relaxed);
  };
  for (size_t at = 0; at < nbytes; at += page) touch(at);
  if (nbytes > 0) touch(nbytes - 1);
}

// Returns a remedy to report if registering `nbytes` bytes may have failed
// because of the limit on locked memory. Returns "" if the limit cannot be the
// reason. `registered` bytes are registered already.
std::string RemedyFor(size_t nbytes, size_t registered) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return "";
  const rlim_t left =
      limit.rlim_cur - std::min<rlim_t>(limit.rlim_cur, registered);
  if (nbytes <= left) return "";
  return absl::StrCat(
      "; this process may lock no more than ", limit.rlim_cur >> 10,
      " KiB of memory (ulimit -l, or LimitMEMLOCK of its service)");
}

}  // namespace

absl::StatusOr<std::unique_ptr<OfiEndpoint>> OfiEndpoint::Open(
    const FabricLibrary& library, Info info, const Paths& paths,
    const Sizes& sizes) {
  std::unique_ptr<OfiEndpoint> endpoint(
      new OfiEndpoint(library, std::move(info), paths));
  const absl::Status opened = endpoint->OpenAll(sizes);
  if (!opened.ok()) return opened;
  return endpoint;
}

absl::Status OfiEndpoint::Explain(int error, const char* what) const {
  return absl::UnavailableError(
      absl::StrCat("libfabric's provider ", provider(), " on device ", device(),
                   " cannot ", what, ": ", library_.strerror(-error)));
}

template <class Object>
void OfiEndpoint::CloseOne(Object*& object, const char* what) const {
  const int error = object == nullptr ? 0 : fi_close(&object->fid);
  object = nullptr;
  if (error == 0) return;
  Warn("libfabric's provider %s cannot close %s: %s", provider(), what,
       library_.strerror(-error));
}

// Closes each object before the objects that it depends on. With some
// providers, memory bound to an endpoint depends on the endpoint. With other
// providers, the endpoint depends on the memory. So this function tries to
// close the endpoint before the memory, and again after it.
void OfiEndpoint::Close() {
  if (ep_ != nullptr && fi_close(&ep_->fid) == 0) ep_ = nullptr;
  for (fid_mr*& each : regions_) CloseOne(each, "memory that was registered");
  regions_.clear();
  CloseOne(ep_, "an endpoint");
  CloseOne(av_, "an address vector");
  CloseOne(cq_, "a completion queue");
  CloseOne(domain_, "its domain");
  CloseOne(fabric_, "its fabric");
}

absl::Status OfiEndpoint::OpenAll(const Sizes& sizes) {
  if (const int error =
          library_.fabric(info_->fabric_attr, &fabric_, nullptr)) {
    return Explain(error, "open its fabric");
  }
  if (const int error = fi_domain(fabric_, info_.get(), &domain_, nullptr)) {
    return Explain(error, "open its domain");
  }
  if (const absl::Status opened = OpenQueue(sizes.queue); !opened.ok())
    return opened;
  fi_av_attr vector = {};
  vector.type = FI_AV_TABLE;
  if (const int error = fi_av_open(domain_, &vector, &av_, nullptr)) {
    return Explain(error, "make an address vector");
  }
  if (const int error = fi_endpoint(domain_, info_.get(), &ep_, nullptr)) {
    return Explain(error, "make an endpoint");
  }
  if (const int error = fi_ep_bind(ep_, &av_->fid, 0)) {
    return Explain(error, "bind an address vector");
  }
  if (const int error = fi_ep_bind(ep_, &cq_->fid, FI_TRANSMIT | FI_RECV)) {
    return Explain(error, "bind a completion queue");
  }
  if (const absl::Status enabled = Enable(sizes.frame_bytes); !enabled.ok()) {
    return enabled;
  }
  return ReadName();
}

// Enables the endpoint. Also tells the provider to complete a buffer that takes
// several messages as soon as the rest of the buffer may be too small for the
// largest message.
absl::Status OfiEndpoint::Enable(size_t frame_bytes) {
  // Options must be set before the endpoint is enabled. But provider shm of
  // libfabric 1.17 requires that the endpoint is enabled first.
  const bool first = std::string_view(provider()) != "shm";
  for (const bool enables : {!first, first}) {
    int error = 0;
    if (enables) {
      error = fi_enable(ep_);
    } else if (paths_.frames.multiple) {
      error = fi_setopt(&ep_->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV,
                        &frame_bytes, sizeof frame_bytes);
    }
    if (error != 0) return Explain(error, "enable an endpoint");
  }
  return absl::OkStatus();
}

absl::Status OfiEndpoint::OpenQueue(size_t entries) {
  fi_cq_attr attributes = {};
  attributes.size = entries;
  attributes.format = FI_CQ_FORMAT_DATA;
  attributes.wait_obj = FI_WAIT_FD;
  if (paths_.descriptor &&
      fi_cq_open(domain_, &attributes, &cq_, nullptr) == 0) {
    if (fi_control(&cq_->fid, FI_GETWAIT, &fd_) != 0) fd_ = -1;
    return absl::OkStatus();
  }
  attributes.wait_obj = FI_WAIT_NONE;
  const int error = fi_cq_open(domain_, &attributes, &cq_, nullptr);
  return error == 0 ? absl::OkStatus()
                    : Explain(error, "make a completion queue");
}

absl::Status OfiEndpoint::ReadName() {
  std::array<char, kMaxName> name;
  size_t size = name.size();
  if (const int error = fi_getname(&ep_->fid, name.data(), &size)) {
    return Explain(error, "report an endpoint's address");
  }
  name_.assign(name.data(), size);
  return absl::OkStatus();
}

absl::Status OfiEndpoint::SetPeers(std::span<const std::string> names) {
  peers_.reserve(names.size());
  for (const std::string& name : names) {
    fi_addr_t peer = FI_ADDR_UNSPEC;
    const int inserted = fi_av_insert(av_, name.data(), 1, &peer, 0, nullptr);
    if (inserted != 1) {
      return Explain(inserted < 0 ? inserted : -FI_EINVAL,
                     "insert a peer's address");
    }
    peers_.push_back(peer);
  }
  return absl::OkStatus();
}

bool OfiEndpoint::HasFile() const { return name_.starts_with(kFilePrefix); }

// Removes the file. Some names end in a zero byte. A C string leaves this byte
// out.
void OfiEndpoint::RemoveFile() const {
  if (HasFile()) shm_unlink(name_.c_str() + kFilePrefix.size());
}

absl::StatusOr<Registered> OfiEndpoint::Register(void* memory, size_t nbytes,
                                                 uint64_t access,
                                                 uint64_t key) {
  if (paths_.allocated) Touch(memory, nbytes);
  Registered registered;
  if (const int error = fi_mr_reg(domain_, memory, nbytes, access, 0, key, 0,
                                  &registered.region, nullptr)) {
    const absl::Status why =
        Explain(error, absl::StrCat("register ", nbytes, " bytes").c_str());
    return absl::UnavailableError(
        absl::StrCat(why.message(), RemedyFor(nbytes, registered_)));
  }
  regions_.push_back(registered.region);
  registered_ += nbytes;
  if (paths_.endpoint_registration) {
    int error = fi_mr_bind(registered.region, &ep_->fid, 0);
    if (error == 0) error = fi_mr_enable(registered.region);
    if (error != 0) {
      return Explain(error, absl::StrCat("bind ", nbytes, " bytes").c_str());
    }
  }
  registered.descriptor = fi_mr_desc(registered.region);
  registered.key = fi_mr_key(registered.region);
  return registered;
}

absl::StatusOr<Registered> OfiEndpoint::RegisterSegment(
    const Segment& segment) {
  constexpr uint64_t kAccess =
      FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;
  uint64_t key = 0;
  if (!paths_.provider_keys &&
      getrandom(&key, sizeof key, 0) != static_cast<ssize_t>(sizeof key)) {
    return absl::ErrnoToStatus(errno, "no random key for the segment");
  }
  if (info_->domain_attr->mr_key_size < sizeof key) {
    key &= (uint64_t{1} << (8 * info_->domain_attr->mr_key_size)) - 1;
  }
  absl::StatusOr<Registered> registered = Register(
      reinterpret_cast<void*>(segment.base), segment.size, kAccess, key);
  if (registered.ok()) return registered;
  return absl::UnavailableError(
      absl::StrCat(registered.status().message(),
                   "; GASNET_MAX_SEGSIZE makes segments smaller"));
}

bool OfiEndpoint::MayWait() const {
  fid* const queue = &cq_->fid;
  fid* queues[] = {queue};
  return fd_ >= 0 && fi_trywait(fabric_, queues, 1) == FI_SUCCESS;
}

std::string OfiEndpoint::QueueError(fi_cq_err_entry& entry) const {
  std::array<char, 256> text = {};
  const char* const says = fi_cq_strerror(cq_, entry.prov_errno, entry.err_data,
                                          text.data(), text.size());
  std::string all = library_.strerror(entry.err);
  if (says != nullptr && *says != '\0' && all != says) {
    absl::StrAppend(&all, " (", says, ")");
  }
  return all;
}

}  // namespace gasnet::ofi
