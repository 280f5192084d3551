#include "base/client_function.h"

#include <gnu/libc-version.h>
#include <pthread.h>

#include <stdexcept>
#include <thread>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

void Call(void (*function)()) {
  try {
    function();
  } catch (...) {
    RefuseUnwinding("handler", 130, function);
  }
}

TEST(ClientFunctionDeathTest, WhatItThrewIsNamed) {
  EXPECT_DEATH(Call([] { throw std::out_of_range("too far"); }),
               "handler 130 \\(.*\\) threw std::out_of_range \\(too far\\)");
}

TEST(ClientFunctionDeathTest, SoIsWhatIsNoException) {
  EXPECT_DEATH(Call([] { throw 7; }), "handler 130 \\(.*\\) threw int;");
}

TEST(ClientFunctionDeathTest, AndTheEndOfItsThread) {
  const auto leave = [] {
    std::thread(Call, [] { pthread_exit(nullptr); }).join();
  };
  EXPECT_DEATH(leave(), "left by pthread_exit or a cancellation");
}

TEST(ClientFunctionDeathTest, AFunctionOfALibraryHasItsName) {
  const auto blame = [] {
    try {
      throw 7;
    } catch (...) {
      RefuseUnwinding("handler", 200,
                      reinterpret_cast<void (*)()>(&gnu_get_libc_version));
    }
  };
  EXPECT_DEATH(blame(),
               "handler 200 \\(gnu_get_libc_version of .*libc.so.6\\)");
}

TEST(ClientFunctionDeathTest, OneOfAProgramItsPlaceInTheFile) {
  EXPECT_DEATH(Call([] { throw 7; }),
               "\\(.*client_function_test\\+0x[0-9a-f]+\\)");
}

}  // namespace
}  // namespace gasnet
