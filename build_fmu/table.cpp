#include "build_fmu/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "build_fmu/package.h"

namespace mbfmu {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\"");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(trimmed(cell));
  if (!line.empty() && line.back() == ',') cells.emplace_back();
  return cells;
}

double parseNumber(const std::string& cell, const std::string& where) {
  double value = 0;
  const char* end = cell.data() + cell.size();
  const auto [rest, error] = std::from_chars(cell.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value)) {
    throw FileError(where + ": \"" + cell + "\" is not a finite number");
  }
  return value;
}

}  // namespace

double Table::at(std::size_t column, double t) const {
  const std::vector<double>& values = columns[column];
  const auto after = std::upper_bound(time.begin(), time.end(), t);
  if (after == time.begin()) return values.front();
  if (after == time.end()) return values.back();
  const auto i = static_cast<std::size_t>(after - time.begin());
  const double part = (t - time[i - 1]) / (time[i] - time[i - 1]);
  return values[i - 1] + part * (values[i] - values[i - 1]);
}

Table parseCsv(const std::string& source, const std::string& text) {
  std::istringstream in(text);
  std::string line;
  if (!std::getline(in, line)) throw FileError(source + ": empty; expected a header \"time,<input names>\"");
  std::vector<std::string> header = split(line);
  if (header.empty() || header[0] != "time") {
    throw FileError(source + ":1: the first column has to be called \"time\"");
  }
  Table table;
  table.names.assign(header.begin() + 1, header.end());
  table.columns.resize(table.names.size());
  for (int number = 2; std::getline(in, line); ++number) {
    if (trimmed(line).empty()) continue;
    const std::string where = source + ":" + std::to_string(number);
    const std::vector<std::string> cells = split(line);
    if (cells.size() != header.size()) {
      throw FileError(where + ": " + std::to_string(cells.size()) + " values, expected " +
                      std::to_string(header.size()));
    }
    const double t = parseNumber(cells[0], where + ": time");
    if (!table.time.empty() && t <= table.time.back()) throw FileError(where + ": time has to increase");
    table.time.push_back(t);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      table.columns[i].push_back(parseNumber(cells[i + 1], where + ": " + header[i + 1]));
    }
  }
  if (table.time.empty()) throw FileError(source + ": no rows after the header");
  return table;
}

std::string number(double value) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 17);
  return {buffer.data(), end.ptr};
}

std::string shortNumber(double value) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

}  // namespace mbfmu
