// What an output is in words, when the model file does not say: from the path it shows, or its expression as written.
#pragma once

#include <string>

#include "multibody/json_text.h"
#include "multibody/model.h"

namespace mbfmu {

class OutputDescriptions {
 public:
  explicit OutputDescriptions(const Model& model);
  std::string of(const Output& output) const;

 private:
  std::string ofPath(const std::string& path) const;

  const Model& model_;
  Json document_;
};

}  // namespace mbfmu
