#include "gasnet_tools/src/symbols.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace gasnet::tools {

SymbolFile::SymbolFile(const char* path) {
  const UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (file.get() < 0 || fstat(file.get(), &status) != 0) return;
  void* data =
      mmap(nullptr, status.st_size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return;
  data_ = static_cast<const char*>(data);
  size_ = status.st_size;
}

SymbolFile::~SymbolFile() {
  if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
}

// Returns `count` entries at `offset`, or null if the entries are not inside
// the file.
template <typename Entry>
const Entry* SymbolFile::At(size_t offset, size_t count) const {
  const bool is_inside = offset <= size_ &&
                         count <= (size_ - offset) / sizeof(Entry) &&
                         offset % alignof(Entry) == 0;
  return is_inside ? reinterpret_cast<const Entry*>(data_ + offset) : nullptr;
}

const Elf64_Shdr* SymbolFile::SymbolTable() const {
  const auto* header = At<Elf64_Ehdr>(0, 1);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_shentsize != sizeof(Elf64_Shdr)) {
    return nullptr;
  }
  const auto* sections = At<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  if (sections == nullptr) return nullptr;
  for (size_t i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type == SHT_SYMTAB &&
        sections[i].sh_link < header->e_shnum) {
      return &sections[i];
    }
  }
  return nullptr;
}

Symbol SymbolFile::FindIn(const Elf64_Shdr& table, uintptr_t address) const {
  const auto* header = At<Elf64_Ehdr>(0, 1);
  const auto* sections = At<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  const Elf64_Shdr& strings = sections[table.sh_link];
  const size_t count = table.sh_size / sizeof(Elf64_Sym);
  const auto* symbols = At<Elf64_Sym>(table.sh_offset, count);
  const char* names = At<char>(strings.sh_offset, strings.sh_size);
  if (symbols == nullptr || names == nullptr || strings.sh_size == 0 ||
      names[strings.sh_size - 1] != '\0') {
    return {};
  }
  for (size_t i = 0; i < count; ++i) {
    const Elf64_Sym& symbol = symbols[i];
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
        address - symbol.st_value < symbol.st_size &&
        symbol.st_name < strings.sh_size) {
      return {names + symbol.st_name, address - symbol.st_value};
    }
  }
  return {};
}

Symbol SymbolFile::Find(uintptr_t address, uintptr_t base) const {
  const Elf64_Shdr* table = SymbolTable();
  if (table == nullptr) return {};
  const bool is_movable = At<Elf64_Ehdr>(0, 1)->e_type == ET_DYN;
  return FindIn(*table, is_movable ? address - base : address);
}

}  // namespace gasnet::tools
