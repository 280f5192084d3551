#include "base/client_function.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <stdio.h>

#include <array>
#include <exception>
#include <typeinfo>

#include "base/log.h"

namespace gasnet {
namespace {

// A buffer for the text of an exception.
using Text = std::array<char, 1024>;

// Describes a function by its name. The name is known only in a program linked
// with -rdynamic. Otherwise gives the file and offset that addr2line needs.
void Describe(void (*function)(), Text& out) {
  void* const address = reinterpret_cast<void*>(function);
  Dl_info found = {};
  if (dladdr(address, &found) == 0 || found.dli_fname == nullptr) {
    snprintf(out.data(), out.size(), "%p", address);
  } else if (found.dli_saddr == address) {
    snprintf(out.data(), out.size(), "%s of %s", found.dli_sname,
             found.dli_fname);
  } else {
    snprintf(out.data(), out.size(), "%s+%#tx", found.dli_fname,
             static_cast<char*>(address) - static_cast<char*>(found.dli_fbase));
  }
}

// Returns the text of a std::exception; null for other exceptions.
const char* WordsOfException() {
  try {
    throw;
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return nullptr;
  }
}

void DescribeException(Text& out) {
  // There is no exception if a thread ends (pthread_exit, cancellation),
  // although the end of a thread unwinds its stack like an exception.
  if (std::current_exception() == nullptr) {
    snprintf(out.data(), out.size(),
             "was left by pthread_exit or a cancellation of its thread");
    return;
  }
  const char* const mangled = abi::__cxa_current_exception_type()->name();
  const char* const name =
      abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
  const char* const words = WordsOfException();
  snprintf(out.data(), out.size(), words ? "threw %s (%s)" : "threw %s",
           name ? name : mangled, words);
}

}  // namespace

void RefuseUnwinding(const char* role, unsigned number,
                     void (*function)()) noexcept {
  Text where;
  Describe(function, where);
  Text thrown;
  DescribeException(thrown);
  Fatal("%s %u (%s) %s; it must return, or messages behind it are lost", role,
        number, where.data(), thrown.data());
}

}  // namespace gasnet
