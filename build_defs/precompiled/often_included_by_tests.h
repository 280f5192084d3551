// The headers that most sources and most tests include.
#ifndef BUILD_DEFS_PRECOMPILED_OFTEN_INCLUDED_BY_TESTS_H_
#define BUILD_DEFS_PRECOMPILED_OFTEN_INCLUDED_BY_TESTS_H_

#include <gtest/gtest.h>

#include "build_defs/precompiled/often_included.h"

#endif  // BUILD_DEFS_PRECOMPILED_OFTEN_INCLUDED_BY_TESTS_H_
