// Writing and reading FMU archives. The same entries give the same bytes: entries are sorted and carry one fixed time.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace mbfmu {

// Name inside the archive (forward slashes) -> contents.
using Entries = std::map<std::string, std::string>;

struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Writes to a temporary name beside `path` and renames, so that a failure leaves nothing behind. Throws FileError.
void writePackage(const std::string& path, const Entries& entries);

// Every entry, unpacked in memory. Throws FileError if it is no archive; entries that cannot be unpacked are left out
// and reported in `problems`.
Entries readPackage(const std::string& path, std::vector<std::string>& problems);

// The contents of a file. Throws FileError.
std::string readFile(const std::string& path);

// Writes beside `path` and renames, like writePackage. Throws FileError.
void writeFile(const std::string& path, const std::string& contents);

}  // namespace mbfmu
