#include "multibody/diagnostics.h"

#include <algorithm>

namespace mbfmu {

std::string Diagnostics::text() const {
  std::string lines;
  for (const Diagnostic& error : errors_) {
    lines += (lines.empty() ? "" : "\n") + source_ + ": ";
    if (error.line > 0)
      lines += "line " + std::to_string(error.line) + ", column " + std::to_string(error.column) + ": ";
    if (!error.path.empty()) lines += error.path + ": ";
    lines += error.message;
  }
  return lines;
}

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t bestDistance = 1 + std::max<std::size_t>(1, name.size() / 3);
  for (const std::string& candidate : known) {
    // Levenshtein distance, one row of the table at a time.
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t replaced = diagonal + (name[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
      }
    }
    if (row.back() < bestDistance) {
      bestDistance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace mbfmu
