#include "build_fmu/package.h"

#include <unistd.h>
#include <zip.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace mbfmu {
namespace {

// 1980-01-01 00:00:00, the first time a zip archive can hold. libzip converts it with the local time zone, so the value
// handed over is the one that the zone turns into this date.
time_t fixedTime() {
  std::tm date{};
  date.tm_year = 80;
  date.tm_mday = 1;
  date.tm_isdst = -1;
  return std::mktime(&date);
}

// Far more than any FMU needs, and less than what would exhaust the memory of the machine that checks a foreign file.
constexpr zip_uint64_t kLargestEntry = 1ULL << 30;

std::string reason() { return std::strerror(errno); }

// A file that is renamed to its final name on commit(), and removed otherwise.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string target) : target_(std::move(target)) {
    name_ = target_ + ".XXXXXX";
    const int descriptor = mkstemp(name_.data());
    if (descriptor < 0) throw FileError(target_ + ": cannot write: " + reason());
    close(descriptor);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!committed_) std::remove(name_.c_str());
  }
  const std::string& name() const { return name_; }
  void commit() {
    std::error_code error;
    // mkstemp makes files for the owner alone; the result is an ordinary file.
    using std::filesystem::perms;
    std::filesystem::permissions(name_, perms::owner_read | perms::owner_write | perms::group_read | perms::others_read,
                                 error);
    std::filesystem::rename(name_, target_, error);
    if (error) throw FileError(target_ + ": cannot write: " + error.message());
    committed_ = true;
  }

 private:
  std::string target_, name_;
  bool committed_ = false;
};

std::string zipMessage(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

void addEntry(zip_t* archive, const std::string& target, const std::string& name, const std::string& contents) {
  const auto fail = [&] { throw FileError(target + ": " + name + ": " + zip_strerror(archive)); };
  zip_source_t* source = zip_source_buffer(archive, contents.data(), contents.size(), 0);
  if (!source) fail();
  const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail();
  }
  const auto entry = static_cast<zip_uint64_t>(index);
  // The executable bit lets tools that unpack with permissions load the binary.
  const zip_uint32_t mode = name.starts_with("binaries/") ? 0100755 : 0100644;
  if (zip_file_set_mtime(archive, entry, fixedTime(), 0) < 0 ||
      zip_file_set_external_attributes(archive, entry, 0, ZIP_OPSYS_UNIX, mode << 16) < 0 ||
      zip_set_file_compression(archive, entry, ZIP_CM_DEFLATE, 6) < 0) {
    fail();
  }
}

}  // namespace

void writePackage(const std::string& path, const Entries& entries) {
  // The rename below would put a file in the place of a device or a folder.
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw FileError(path + ": cannot write: not a file");
  }
  TemporaryFile file(path);
  int code = 0;
  zip_t* archive = zip_open(file.name().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!archive) throw FileError(path + ": cannot write: " + zipMessage(code));
  std::unique_ptr<zip_t, void (*)(zip_t*)> guard(archive, zip_discard);
  for (const auto& [name, contents] : entries) addEntry(archive, path, name, contents);
  if (zip_close(archive) < 0) throw FileError(path + ": cannot write: " + zip_strerror(archive));
  static_cast<void>(guard.release());
  file.commit();
}

Entries readPackage(const std::string& path, std::vector<std::string>& problems) {
  int code = 0;
  std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open(path.c_str(), ZIP_RDONLY, &code), zip_discard);
  if (!archive) throw FileError(path + ": cannot read as a zip archive: " + zipMessage(code));
  Entries entries;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    zip_stat_t info;
    if (zip_stat_index(archive.get(), i, 0, &info) < 0) {
      problems.push_back(std::string("an entry of the archive is damaged: ") + zip_strerror(archive.get()));
      continue;
    }
    const std::string name = info.name;
    if (name.ends_with("/")) continue;
    if (info.size > kLargestEntry) {
      problems.push_back(name + ": too large");
      continue;
    }
    std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(zip_fopen_index(archive.get(), i, 0), zip_fclose);
    std::string contents(info.size, '\0');
    // The checksum is compared when the end has been read.
    char end = 0;
    if (!entry || zip_fread(entry.get(), contents.data(), info.size) != static_cast<zip_int64_t>(info.size) ||
        zip_fread(entry.get(), &end, 1) != 0) {
      problems.push_back(name + ": cannot be unpacked; the archive is damaged");
    } else if (!entries.emplace(name, std::move(contents)).second) {
      problems.push_back(name + ": twice in the archive");
    }
  }
  return entries;
}

std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream contents;
  // A folder opens but cannot be read, and an empty file sets failbit on the stream it is copied to.
  if (!in || std::filesystem::is_directory(path)) throw FileError(path + ": cannot read: " + reason());
  contents << in.rdbuf();
  if (in.bad()) throw FileError(path + ": cannot read: " + reason());
  return std::move(contents).str();
}

void writeFile(const std::string& path, const std::string& contents) {
  // A device or a pipe (/dev/stdout) is written as it is.
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    std::ofstream out(path, std::ios::binary);
    if (!(out << contents << std::flush)) throw FileError(path + ": cannot write: " + reason());
    return;
  }
  TemporaryFile file(path);
  std::ofstream out(file.name(), std::ios::binary);
  if (!(out << contents << std::flush)) throw FileError(path + ": cannot write: " + reason());
  out.close();
  file.commit();
}

}  // namespace mbfmu
