#include "core/am/assembly.h"

#include <algorithm>
#include <cstring>

#include "core/am/tuning.h"

namespace gasnet::am {

namespace {

// Returns true if the fragment can belong to the message.
bool Fits(const Assembly& assembly, const FragmentRecord& fragment) {
  const Incoming& message = assembly.message;
  return message.category == fragment.category &&
         message.nbytes == fragment.nbytes &&
         message.endpoint == fragment.endpoint &&
         message.across == fragment.across &&
         (message.category != Category::kLong ||
          message.payload == reinterpret_cast<void*>(fragment.address)) &&
         fragment.fragment.length <= assembly.missing;
}

// Copies the fragment's payload to its place in the message.
void Add(Assembly& assembly, const FragmentRecord& fragment) {
  std::memcpy(static_cast<std::byte*>(assembly.message.payload) +
                  fragment.fragment.offset,
              fragment.payload, fragment.fragment.length);
  assembly.missing -= fragment.fragment.length;
}

}  // namespace

AssemblyStore::AssemblyStore(size_t bytes)
    : limit_(std::max(bytes, 4 * Cost(Category::kMedium, kMaxMedium))) {}

size_t AssemblyStore::Cost(Category category, size_t nbytes) {
  const size_t buffer = category == Category::kMedium ? nbytes : 0;
  return sizeof(Assembly) + buffer;
}

Assembly* AssemblyStore::Begin(const FragmentRecord& fragment, Rank source,
                               Lane lane, bool first) {
  const size_t cost = Cost(fragment.category, fragment.nbytes);
  if (used_ + cost > (first ? limit_ : limit_ / 2)) return nullptr;
  used_ += cost;
  const bool is_long = fragment.category == Category::kLong;
  Assembly* const assembly = Make(is_long ? 0 : fragment.nbytes).release();
  assembly->source = source;
  assembly->messages = 1;
  assembly->number = fragment.fragment.number;
  assembly->missing = fragment.nbytes;
  std::copy_n(fragment.args, fragment.num_args, assembly->args);
  assembly->message = {
      .source = source,
      .lane = lane,
      .category = fragment.category,
      .handler = fragment.handler,
      .num_args = fragment.num_args,
      .args = assembly->args,
      .payload = is_long ? reinterpret_cast<void*>(fragment.address)
                         : assembly->buffer.get(),
      .nbytes = fragment.nbytes,
      .endpoint = fragment.endpoint,
      .across = fragment.across};
  return assembly;
}

std::unique_ptr<Assembly> AssemblyStore::Make(size_t buffer_bytes) {
  std::unique_ptr<Assembly> made;
  if (idle_.empty()) {
    made = std::make_unique<Assembly>();
  } else {
    made = std::move(idle_.back());
    idle_.pop_back();
  }
  if (made->capacity < buffer_bytes) {
    // operator new[] aligns for any type.
    made->buffer.reset(new std::byte[buffer_bytes]);
    made->capacity = buffer_bytes;
  }
  return made;
}

AssemblyStore::Taken AssemblyStore::Take(Assembly*& newest,
                                         const FragmentRecord& fragment,
                                         Rank source, Lane lane, bool first) {
  Assembly** at = &newest;
  while (*at != nullptr && (*at)->number != fragment.fragment.number) {
    at = &(*at)->next;
  }
  if (*at == nullptr) {
    Assembly* const begun = Begin(fragment, source, lane, first);
    if (begun == nullptr) return {Result::kNoRoom};
    begun->next = newest;
    newest = begun;
    at = &newest;
  }
  Assembly& assembly = **at;
  if (!Fits(assembly, fragment)) return {Result::kMalformed};
  Add(assembly, fragment);
  if (assembly.missing > 0) return {Result::kPart};
  *at = assembly.next;
  return {Result::kComplete, &assembly};
}

void AssemblyStore::Release(Assembly* assembly) {
  std::unique_ptr<Assembly> owned(assembly);
  used_ -= Cost(owned->message.category, owned->message.nbytes);
  if (idle_.size() < kIdleAssemblies) idle_.push_back(std::move(owned));
}

void AssemblyStore::ReleaseAll(Assembly*& newest) {
  while (newest != nullptr) {
    Assembly* const next = newest->next;
    Release(newest);
    newest = next;
  }
}

}  // namespace gasnet::am
