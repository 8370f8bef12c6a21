#include "build_fmu/plugin.h"

#include <dlfcn.h>

#include <filesystem>

#include "build_fmu/commands.h"
#include "multibody/own_function.h"

namespace mbfmu {

void loadPlugin(const std::string& file) {
  // Without a folder the loader would search its own ones only. The library stays until the program ends.
  void* library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Failed(file + ": cannot be loaded: " + dlerror());
  const auto table = reinterpret_cast<const PluginTable* (*)()>(dlsym(library, kPluginSymbol));
  if (!table) throw Failed(file + ": not a plugin of mbfmu; mbfmu_add_fmu builds one as <name>_plugin.so");
  const PluginTable& its = *table();
  if (its.version != kPluginVersion) throw Failed(file + ": made for another version of mbfmu; build it again");
  for (std::size_t i = 0; i < its.count; ++i) ownFunctions().push_back(its.functions[i]);
}

}  // namespace mbfmu
