#include "multibody/names.h"

#include <algorithm>
#include <cctype>

#include "multibody/expression.h"

namespace mbfmu {

namespace {

bool isIdentifier(const std::string& name) {
  const auto inName = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), inName);
}

// Identifiers joined by dots, with an index at the end: "arm.tip[2]" (FMI 3.0, structured naming).
bool isVariableName(std::string name) {
  if (name.ends_with(']')) {
    const std::size_t open = name.find('[');
    const std::string index = name.substr(std::min(open, name.size() - 1) + 1);
    if (open == std::string::npos || index.size() < 2) return false;
    if (!std::all_of(index.begin(), index.end() - 1, [](unsigned char c) { return std::isdigit(c); })) return false;
    name.resize(open);
  }
  for (std::size_t begin = 0;;) {
    const std::size_t dot = name.find('.', begin);
    if (!isIdentifier(name.substr(begin, dot - begin))) return false;
    if (dot == std::string::npos) return true;
    begin = dot + 1;
  }
}

}  // namespace

void Names::part(const std::string& name, const std::string& path) {
  if (isIdentifier(name)) return;
  diagnostics_.error(path, "a name has letters, digits and _ only and does not begin with a digit");
}

void Names::unique(Owners& owners, const std::string& name, const std::string& path, const std::string& kind) {
  const auto [owner, isNew] = owners.try_emplace(name, kind);
  if (isNew) return;
  diagnostics_.error(path, "\"" + name + "\" is already the name of " + owner->second + "; rename one of them");
}

void Names::notReserved(const std::string& name, const std::string& path) {
  const auto reserved = Expression::reservedNames();
  if (std::find(reserved.begin(), reserved.end(), name) == reserved.end()) return;
  diagnostics_.error(path, "\"" + name + "\" has a meaning of its own in expressions; choose another name");
}

void Names::symbol(const std::string& name, const std::string& path, const std::string& kind) {
  part(name, path);
  notReserved(name, path);
  unique(symbols_, name, path, kind);
  variables_.try_emplace(name, kind);
}

void Names::element(const std::string& name, const std::string& path, const std::string& kind) {
  part(name, path);
  if (path != "/bodies/ground") notReserved(name, path);
  unique(elements_, name, path, kind);
}

void Names::output(const std::string& name, const std::string& path) {
  if (!isVariableName(name)) {
    diagnostics_.error(path,
                       "the name of an output is made of letters, digits and _, with dots or an index as in a.b[1]");
  } else if (name.starts_with("solver.")) {
    diagnostics_.error(path, "names that begin with \"solver.\" belong to the integrator's variables; choose another");
  }
  unique(variables_, name, path, "an output");
}

}  // namespace mbfmu
