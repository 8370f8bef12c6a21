#include "multibody/json_text.h"

#include <algorithm>
#include <set>

namespace mbfmu {

namespace {

constexpr int kDeepest = 64;  // no model needs more; what walks over a document may then recurse

struct TooDeep {};

// Where a byte is, counted from 1 as editors do.
void reportAt(std::size_t byte, const std::string& text, const std::string& message, Diagnostics& diagnostics) {
  const std::size_t end = std::min(byte, text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  const std::size_t newline = end > 0 ? text.rfind('\n', end - 1) : std::string::npos;
  const std::size_t column = newline == std::string::npos ? end + 1 : end - newline;
  diagnostics.errorAt(static_cast<int>(line), static_cast<int>(column), message);
}

// The library's own words without its name in front, and not the whole text again.
std::string explanation(const std::string& what) {
  constexpr std::size_t kLongest = 160;
  const std::size_t colon = what.find(": ", what.find("column"));
  const std::string text = colon == std::string::npos ? what : what.substr(colon + 2);
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

}  // namespace

Json parseJson(const std::string& text, Diagnostics& diagnostics) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    diagnostics.error("", "the file is empty; a model needs at least \"name\", \"space\" and \"bodies\"");
    return Json(Json::value_t::discarded);
  }
  // The keys on the way to the current place, and those seen in each object on that way.
  std::vector<std::string> keys;
  std::vector<std::set<std::string>> seen;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepest) throw TooDeep();
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
  } catch (const TooDeep&) {
    diagnostics.error("", "is nested deeper than " + std::to_string(kDeepest) + " levels, which no model file is");
  } catch (const Json::parse_error& error) {
    reportAt(error.byte > 0 ? error.byte - 1 : 0, text, "not valid JSON: " + explanation(error.what()), diagnostics);
  } catch (const Json::out_of_range& error) {
    const std::string what = error.what();  // ends in the number in quotes
    const std::size_t quote = what.find('\'');
    const std::string number = what.substr(quote + 1, what.rfind('\'') - quote - 1);
    reportAt(text.find(number), text, "the number " + explanation(number) + " is too large", diagnostics);
  }
  return Json(Json::value_t::discarded);
}

}  // namespace mbfmu
