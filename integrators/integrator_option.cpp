#include "integrators/integrator_option.h"

#include <cmath>
#include <locale>
#include <sstream>

#include "integrators/option_reader.h"

namespace mbfmu {
namespace {

std::string plain(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

}  // namespace

std::string describe(const OptionValues& values) {
  if (values.kind == OptionValues::Kind::choice) return commaSeparated(values.choices);
  if (!std::isfinite(values.most)) return "at least " + plain(values.least);
  return plain(values.least) + " to " + plain(values.most);
}

}  // namespace mbfmu
