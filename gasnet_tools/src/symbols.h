// Names of functions from the symbol table of an ELF file.
//
// dladdr(3) knows only the functions that a file exports. A symbol table that
// was not stripped has all functions. The code here does not allocate memory or
// take a lock.
#ifndef GASNET_TOOLS_SRC_SYMBOLS_H_
#define GASNET_TOOLS_SRC_SYMBOLS_H_

#include <elf.h>

#include <cstddef>
#include <cstdint>

namespace gasnet::tools {

struct Symbol {
  const char* name = nullptr;  // points into the mapped file
  uintptr_t offset = 0;        // offset of the address in the function
};

// The symbols of one file. The file is mapped from construction to destruction.
// A file that cannot be read or is damaged has no symbols.
class SymbolFile {
 public:
  explicit SymbolFile(const char* path);
  ~SymbolFile();
  SymbolFile(const SymbolFile&) = delete;
  SymbolFile& operator=(const SymbolFile&) = delete;

  // Returns the function that contains `address`, if the file was loaded at
  // `base`.
  Symbol Find(uintptr_t address, uintptr_t base) const;

 private:
  template <typename Entry>
  const Entry* At(size_t offset, size_t count) const;
  const Elf64_Shdr* SymbolTable() const;
  Symbol FindIn(const Elf64_Shdr& table, uintptr_t address) const;

  const char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace gasnet::tools

#endif  // GASNET_TOOLS_SRC_SYMBOLS_H_
