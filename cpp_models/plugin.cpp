// The end of a plugin that the command line looks for: a table of the functions that it brings.
#include "multibody/own_function.h"

extern "C" __attribute__((visibility("default"))) const mbfmu::PluginTable* mbfmuPlugin() {
  static const mbfmu::PluginTable table{mbfmu::kPluginVersion, mbfmu::ownFunctions().size(),
                                        mbfmu::ownFunctions().data()};
  return &table;
}
