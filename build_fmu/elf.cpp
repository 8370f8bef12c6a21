#include "build_fmu/elf.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>

#include "fmu_src/state_machine.h"

namespace mbfmu {
namespace {

struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Section headers tell where the tables are that the loader uses. Every place is checked against the file's size.
class Elf {
 public:
  explicit Elf(const std::string& file) : file_(file) {
    const auto header = read<Elf64_Ehdr>(0);
    const bool elf = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
                     header.e_ident[EI_DATA] == ELFDATA2LSB;
    if (!elf || header.e_type != ET_DYN) throw Damaged("not a shared object");
    if (header.e_machine != EM_X86_64) throw Damaged("not made for x86-64");
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
      sections_.push_back(read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr)));
    }
  }

  std::set<std::string> definedSymbols() const {
    std::set<std::string> names;
    forEach<Elf64_Sym>(SHT_DYNSYM, [&](const Elf64_Sym& symbol, const Elf64_Shdr& strings) {
      if (symbol.st_shndx != SHN_UNDEF && symbol.st_name != 0) names.insert(text(strings, symbol.st_name));
    });
    return names;
  }

  std::vector<std::string> neededLibraries() const {
    std::vector<std::string> names;
    forEach<Elf64_Dyn>(SHT_DYNAMIC, [&](const Elf64_Dyn& entry, const Elf64_Shdr& strings) {
      if (entry.d_tag == DT_NEEDED) names.push_back(text(strings, entry.d_un.d_val));
    });
    return names;
  }

 private:
  template <class T>
  T read(std::size_t offset) const {
    T value;
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) throw Damaged("not a shared object, or cut off");
    std::memcpy(&value, file_.data() + offset, sizeof(T));
    return value;
  }

  template <class T, class Action>
  void forEach(Elf64_Word type, Action action) const {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != type) continue;
      if (section.sh_link >= sections_.size()) throw Damaged("its tables are damaged");
      for (std::size_t i = 0; i < section.sh_size / sizeof(T); ++i) {
        action(read<T>(section.sh_offset + i * sizeof(T)), sections_[section.sh_link]);
      }
    }
  }

  std::string text(const Elf64_Shdr& strings, std::size_t offset) const {
    const std::size_t begin = strings.sh_offset + offset;
    const std::size_t end = begin < file_.size() ? file_.find('\0', begin) : std::string::npos;
    if (end == std::string::npos) throw Damaged("its tables are damaged");
    return file_.substr(begin, end - begin);
  }

  const std::string& file_;
  std::vector<Elf64_Shdr> sections_;
};

std::set<std::string> fmiFunctions() {
  std::set<std::string> names = {"fmi3GetVersion", "fmi3InstantiateModelExchange", "fmi3InstantiateCoSimulation",
                                 "fmi3InstantiateScheduledExecution", "fmi3FreeInstance"};
  for (const FunctionRule& rule : functionRules) names.insert(rule.name);
  return names;
}

}  // namespace

std::vector<std::string> binaryProblems(const std::string& file) {
  try {
    const Elf elf(file);
    std::vector<std::string> problems;
    const std::set<std::string> defined = elf.definedSymbols(), wanted = fmiFunctions();
    for (const std::string& name : wanted) {
      if (!defined.contains(name)) problems.push_back("does not define " + name);
    }
    for (const std::string& name : defined) {
      if (!wanted.contains(name)) problems.push_back("shows " + name + ", which is no function of FMI 3.0");
    }
    for (const std::string& name : elf.neededLibraries()) {
      const std::string known[] = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"};
      if (std::find(std::begin(known), std::end(known), name) == std::end(known)) {
        problems.push_back("needs " + name + ", which other machines may not have");
      }
    }
    return problems;
  } catch (const Damaged& error) {
    return {error.what()};
  }
}

}  // namespace mbfmu
