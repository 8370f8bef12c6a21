#include "multibody/json_object.h"
#include "multibody/reader.h"

namespace mbfmu {

namespace {

// A number where the text is one, else a string (an expression or a name).
Json valueOf(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  return value.is_number() ? value : Json(text);
}

std::vector<std::string> keysOf(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  return keys;
}

}  // namespace

std::string overrideModel(const std::string& jsonText,
                          const std::vector<std::pair<std::string, std::string>>& assignments,
                          Diagnostics& diagnostics) {
  if (assignments.empty()) return jsonText;
  Json document = parseJson(jsonText, diagnostics);
  if (document.is_discarded() || !diagnostics.ok()) return jsonText;
  for (const auto& [name, text] : assignments) {
    Json* place = &document;
    std::string path;
    for (std::size_t begin = 0; place && begin <= name.size();) {
      const std::size_t dot = std::min(name.find('.', begin), name.size());
      const std::string key = name.substr(begin, dot - begin);
      const bool mayBeNew =
          path.empty() ? key == "solver" || key == "experiment" : path == "/solver" || path == "/experiment";
      if (!place->is_object() || (!place->contains(key) && !mayBeNew)) {
        diagnostics.error(
            path, "cannot set " + name + ": " +
                      unknownName("key", key, place->is_object() ? keysOf(*place) : std::vector<std::string>{}));
        place = nullptr;
        break;
      }
      if (!place->contains(key) && dot < name.size()) (*place)[key] = Json::object();
      place = &(*place)[key];
      path += "/" + key;
      begin = dot + 1;
    }
    if (!place) continue;
    // A parameter or input written with unit and description keeps them.
    if (place->is_object() && place->contains("value"))
      place = &(*place)["value"];
    else if (place->is_object() && place->contains("start"))
      place = &(*place)["start"];
    if (place->is_object() || place->is_array()) {
      diagnostics.error(path, "cannot set " + name + ": it is not a single value; name one of its members");
    } else {
      *place = valueOf(text);
    }
  }
  return diagnostics.ok() ? document.dump(2) : jsonText;
}

}  // namespace mbfmu
