// Tables of numbers over time, as CSV.
#pragma once

#include <string>
#include <vector>

namespace mbfmu {

// Columns over a strictly increasing time.
struct Table {
  std::vector<std::string> names;  // without "time"
  std::vector<double> time;
  std::vector<std::vector<double>> columns;  // columns[name][row]

  // The value of a column at time t: linear between rows, the first or last value outside.
  double at(std::size_t column, double t) const;
};

// Header "time,<names>", then one row of numbers per line. Throws FileError naming `source`, line and column.
Table parseCsv(const std::string& source, const std::string& text);

// Numbers with 17 digits, which read back as the same bits.
std::string number(double value);

// The fewest digits that read back as the same bits, for people to read.
std::string shortNumber(double value);

}  // namespace mbfmu
