#include "build_fmu/compare_xml.h"

#include <map>
#include <pugixml.hpp>

namespace mbfmu {
namespace {

// What tells an element from its sisters.
std::string keyOf(pugi::xml_node node) {
  for (const char* name : {"name", "variableName", "valueReference", "value"}) {
    if (const pugi::xml_attribute attribute = node.attribute(name)) return attribute.value();
  }
  return "";
}

std::string nameOf(pugi::xml_node node) {
  const std::string key = keyOf(node);
  return node.name() + (key.empty() ? "" : " \"" + key + "\"");
}

using Children = std::map<std::string, pugi::xml_node>;
Children childrenOf(pugi::xml_node node) {
  Children result;
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element) result.emplace(nameOf(child), child);
  }
  return result;
}

void compare(pugi::xml_node found, pugi::xml_node expected, std::vector<std::string>& result) {
  for (const pugi::xml_attribute attribute : expected.attributes()) {
    const std::string name = attribute.name();
    if (name == "instantiationToken") continue;
    const pugi::xml_attribute there = found.attribute(attribute.name());
    const std::string value = attribute.value();
    if (!there) {
      result.push_back(nameOf(expected) + ": " + name + " is missing, expected \"" + value + "\"");
    } else if (value != there.value()) {
      result.push_back(nameOf(expected) + ": " + name + " is \"" + there.value() + "\", expected \"" + value + "\"");
    }
  }
  for (const pugi::xml_attribute attribute : found.attributes()) {
    if (!expected.attribute(attribute.name())) {
      result.push_back(nameOf(found) + ": unexpected " + attribute.name() + "=\"" + attribute.value() + "\"");
    }
  }
  const Children there = childrenOf(found), wanted = childrenOf(expected);
  for (const auto& [name, child] : wanted) {
    const auto same = there.find(name);
    if (same == there.end()) {
      result.push_back(nameOf(expected) + ": " + name + " is missing");
    } else {
      compare(same->second, child, result);
    }
  }
  for (const auto& [name, child] : there) {
    if (!wanted.contains(name)) result.push_back(nameOf(found) + ": unexpected " + name);
  }
}

}  // namespace

std::vector<std::string> differences(const std::string& found, const std::string& expected) {
  pugi::xml_document there, wanted;
  const pugi::xml_parse_result parsed = there.load_buffer(found.data(), found.size());
  wanted.load_buffer(expected.data(), expected.size());
  if (!parsed) {
    return {std::string("not well-formed: ") + parsed.description() + " at byte " + std::to_string(parsed.offset)};
  }
  std::vector<std::string> result;
  compare(there.document_element(), wanted.document_element(), result);
  return result;
}

}  // namespace mbfmu
