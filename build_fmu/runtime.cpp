#include "build_fmu/runtime.h"

#include <filesystem>

#include "build_fmu/commands.h"

namespace mbfmu {

std::string runtimePath() {
  namespace fs = std::filesystem;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path beside = here / "mbfmu_runtime.so";
  const fs::path installed = here.parent_path() / "lib" / "mbfmu" / "mbfmu_runtime.so";
  for (const fs::path& path : {beside, installed}) {
    if (fs::exists(path)) return path.string();
  }
  throw Failed("mbfmu_runtime.so not found; looked for " + beside.string() + " and " + installed.string());
}

}  // namespace mbfmu
