#include "multibody/diagnostics.h"

#include <algorithm>

namespace mbfmu {

namespace {

// One line that any terminal can show, whatever characters a file has in its names.
std::string printable(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    constexpr const char* digits = "0123456789abcdef";
    if (code < 0x20 || code == 0x7f) {
      shown += std::string("\\u00") + digits[code >> 4] + digits[code & 15];
    } else {
      shown += c;
    }
  }
  return shown;
}

}  // namespace

std::string Diagnostics::text() const {
  std::string lines;
  for (const Diagnostic& error : errors_) {
    lines += (lines.empty() ? "" : "\n") + source_ + ": ";
    if (error.line > 0)
      lines += "line " + std::to_string(error.line) + ", column " + std::to_string(error.column) + ": ";
    if (!error.path.empty()) lines += printable(error.path) + ": ";
    lines += printable(error.message);
  }
  return lines;
}

namespace {

// Insertions, deletions, replacements and swaps of neighbours (Damerau 1964) that make one word of the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j < last.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < row.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last.back();
}

}  // namespace

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 100;  // no name is that long, and the effort grows with the square
  std::string best;
  std::size_t bestDistance = 1 + std::max<std::size_t>(1, name.size() / 3);
  for (const std::string& candidate : known) {
    if (name.size() > kLongest || candidate.size() > kLongest) continue;
    const std::size_t apart = distance(name, candidate);
    if (apart >= bestDistance) continue;
    bestDistance = apart;
    best = candidate;
  }
  return best;
}

}  // namespace mbfmu
