// The headers of the C++ library and of Abseil that most sources include.
#ifndef BUILD_DEFS_PRECOMPILED_OFTEN_INCLUDED_H_
#define BUILD_DEFS_PRECOMPILED_OFTEN_INCLUDED_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#endif  // BUILD_DEFS_PRECOMPILED_OFTEN_INCLUDED_H_
