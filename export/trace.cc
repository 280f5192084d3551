// The formatting functions of gasnet_trace.h.
#include "gasnet_trace.h"

#include <cstdarg>
#include <cstdio>

namespace {

// The maximum length of a decimal or hexadecimal number with the text around
// it.
constexpr size_t kItem = 32;
// The maximal length of a description without its numbers.
constexpr size_t kFrame = 256;

// Appends text to a buffer. The caller guarantees that the buffer is large
// enough.
class Writer {
 public:
  explicit Writer(char* to) : to_(to) {}

  __attribute__((format(printf, 2, 3))) void Print(const char* format, ...) {
    va_list args;
    va_start(args, format);
    to_ += vsnprintf(to_, kFrame, format, args);
    va_end(args);
  }

  void PrintList(const char* name, const size_t* numbers, size_t count) {
    Print("%s=[", name);
    for (size_t i = 0; i < count; ++i) {
      Print(i == 0 ? "%zu" : " %zu", numbers[i]);
    }
    Print("]");
  }

 private:
  char* to_;
};

}  // namespace

extern "C" {

size_t gasnett_format_addrlist_bufsz(size_t count) {
  return kFrame + count * kItem;
}
void gasnett_format_addrlist(char* buf, size_t count, void* const* list,
                             size_t len) {
  Writer out(buf);
  out.Print("%zu pieces of %zu bytes:", count, len);
  for (size_t i = 0; i < count; ++i) out.Print(" %p", list[i]);
}

size_t gasnett_format_memveclist_bufsz(size_t count) {
  return kFrame + count * 2 * kItem;
}
void gasnett_format_memveclist(char* buf, size_t count,
                               gasnet_memvec_t const* list) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; ++i) bytes += list[i].len;
  Writer out(buf);
  out.Print("%zu pieces, %zu bytes:", count, bytes);
  for (size_t i = 0; i < count; ++i) {
    out.Print(" %p+%zu", list[i].addr, list[i].len);
  }
}

size_t gasnett_format_putsgets_bufsz(size_t levels) {
  return 2 * kFrame + (levels + 1) * 3 * kItem;
}
size_t gasnett_format_putsgets(char* buf, void* /*stats*/, gasnet_node_t node,
                               void* dst, size_t const dststrides[], void* src,
                               size_t const srcstrides[], size_t const count[],
                               size_t levels) {
  size_t bytes = 1;
  for (size_t i = 0; i <= levels; ++i) bytes *= count[i];
  Writer out(buf);
  out.Print("node=%u dst=%p src=%p bytes=%zu ", node, dst, src, bytes);
  out.PrintList("dststrides", dststrides, levels);
  out.PrintList(" srcstrides", srcstrides, levels);
  out.PrintList(" count", count, levels + 1);
  return bytes;
}

}  // extern "C"
