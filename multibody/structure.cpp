#include "multibody/structure.h"

#include <algorithm>

#include "multibody/json_object.h"

namespace mbfmu {

namespace {

const Json& schema() {
  static const Json parsed = Json::parse(schemaText());
  return parsed;
}

// Follows the keywords of JSON Schema that mbfmu.schema.json uses (a test sees to it that it uses no others).
class StructureCheck {
 public:
  explicit StructureCheck(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void check(const Json& value, const Json& rules, const std::string& path) {
    if (const auto ref = rules.find("$ref"); ref != rules.end()) check(value, definition(*ref), path);
    if (!hasType(value, rules, path) || !isAllowedWord(value, rules, path)) return;
    if (value.is_object()) members(value, rules, path);
    if (value.is_array()) elements(value, rules, path);
    if (const auto all = rules.find("allOf"); all != rules.end()) {
      for (const Json& part : *all) check(value, part, path);
    }
    if (const auto condition = rules.find("if"); condition != rules.end()) {
      const auto branch = rules.find(fits(value, *condition) ? "then" : "else");
      if (branch != rules.end()) check(value, *branch, path);
    }
  }

 private:
  // "#/$defs/name"
  static const Json& definition(const Json& reference) {
    return schema().at(Json::json_pointer(reference.get<std::string>().substr(1)));
  }

  static bool fits(const Json& value, const Json& rules) {
    Diagnostics silent("");
    StructureCheck(silent).check(value, rules, "");
    return silent.ok();
  }

  static bool is(const Json& value, const std::string& type) {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
                               : value.is_number();
  }

  void report(const std::string& path, const Json& rules, const std::string& otherwise) {
    diagnostics_.structure(path, rules.value("errorMessage", otherwise));
  }

  bool hasType(const Json& value, const Json& rules, const std::string& path) {
    const auto type = rules.find("type");
    if (type == rules.end()) return true;
    const std::vector<std::string> types =
        type->is_array() ? type->get<std::vector<std::string>>() : std::vector{type->get<std::string>()};
    if (std::none_of(types.begin(), types.end(), [&](const auto& name) { return is(value, name); })) {
      std::string names;
      for (const auto& name : types) names += (names.empty() ? "" : " or ") + name;
      report(path, rules, "must be: " + names);
      return false;
    }
    if (value.is_string() && rules.value("minLength", 0) > 0 && value.get_ref<const std::string&>().empty()) {
      diagnostics_.structure(path, "must not be empty");
      return false;
    }
    return true;
  }

  bool isAllowedWord(const Json& value, const Json& rules, const std::string& path) {
    std::vector<std::string> words;
    if (rules.contains("const")) words.push_back(rules["const"].get<std::string>());
    if (rules.contains("enum")) words = rules["enum"].get<std::vector<std::string>>();
    const std::string key = path.substr(path.rfind('/') + 1);
    if (words.empty()) return true;
    if (!value.is_string()) {
      std::string list;
      for (const auto& word : words) list += (list.empty() ? "\"" : ", \"") + word + "\"";
      diagnostics_.structure(path, (words.size() > 1 ? "must be one of " : "must be ") + list);
      return false;
    }
    const auto word = value.get<std::string>();
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    diagnostics_.structure(path, unknownName(key, word, words));
    return false;
  }

  void members(const Json& value, const Json& rules, const std::string& path) {
    static const Json none = Json::object();
    const auto found = rules.find("properties");
    const Json& known = found == rules.end() ? none : *found;
    const auto others = rules.find("additionalProperties");
    for (const auto& [key, member] : value.items()) {
      const std::string place = path + "/" + key;
      if (const auto own = known.find(key); own != known.end()) {
        check(member, *own, place);
      } else if (others != rules.end() && others->is_object()) {
        check(member, *others, place);
      } else if (others != rules.end()) {
        std::vector<std::string> names;
        for (const auto& item : known.items()) names.push_back(item.key());
        diagnostics_.structure(place, unknownName("key", key, names));
      }
    }
    for (const Json& key : rules.value("required", Json::array())) {
      if (!value.contains(key.get<std::string>())) diagnostics_.missing(path, key.get<std::string>());
    }
  }

  void elements(const Json& value, const Json& rules, const std::string& path) {
    const std::size_t least = rules.value("minItems", std::size_t{0}), most = rules.value("maxItems", value.size());
    if (value.size() < least || value.size() > most) {
      report(path, rules, "must have from " + std::to_string(least) + " to " + std::to_string(most) + " elements");
      return;
    }
    const auto items = rules.find("items");
    if (items == rules.end()) return;
    for (std::size_t i = 0; i < value.size(); ++i) check(value[i], *items, path + "/" + std::to_string(i));
  }

  Diagnostics& diagnostics_;
};

}  // namespace

void checkStructure(const Json& document, Diagnostics& diagnostics) {
  StructureCheck(diagnostics).check(document, schema(), "");
}

}  // namespace mbfmu
