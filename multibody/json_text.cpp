#include "multibody/json_text.h"

#include <algorithm>
#include <set>

namespace mbfmu {

Json parseJson(const std::string& text, Diagnostics& diagnostics) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    diagnostics.error("", "the file is empty; a model needs at least \"name\", \"space\" and \"bodies\"");
    return Json(Json::value_t::discarded);
  }
  // The keys on the way to the current place, and those seen in each object on that way.
  std::vector<std::string> keys;
  std::vector<std::set<std::string>> seen;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    const auto level = static_cast<std::size_t>(std::max(depth, 0));
    if (event == Json::parse_event_t::object_start) {
      seen.resize(level + 1);
      seen[level].clear();
    } else if (event == Json::parse_event_t::key) {
      seen.resize(std::max(seen.size(), level));
      keys.resize(level);
      keys[level - 1] = parsed.get<std::string>();
      if (!seen[level - 1].insert(keys[level - 1]).second) {
        std::string path;
        for (const auto& key : keys) path += "/" + key;
        diagnostics.error(path, "\"" + keys.back() + "\" appears twice; names must be unique, rename or remove one");
      }
    }
    return true;
  };
  try {
    return Json::parse(text, watch, true, true);
  } catch (const Json::parse_error& error) {
    const std::size_t end = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    const std::size_t newline = end > 0 ? text.rfind('\n', end - 1) : std::string::npos;
    const std::size_t column = newline == std::string::npos ? end + 1 : end - newline;
    std::string what = error.what();
    const std::size_t colon = what.find(": ", what.find("column"));
    if (colon != std::string::npos) what = what.substr(colon + 2);
    diagnostics.errorAt(static_cast<int>(line), static_cast<int>(column), "not valid JSON: " + what);
  } catch (const std::exception& error) {
    diagnostics.error("", std::string("not valid JSON: ") + error.what());
  }
  return Json(Json::value_t::discarded);
}

}  // namespace mbfmu
