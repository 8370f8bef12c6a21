#include "model_description/output_description.h"

#include <algorithm>

namespace mbfmu {
namespace {

struct Word {
  const char *suffix, *text;  // %: the name of the element
};
constexpr Word bodyWords[] = {
    {"x", "x of %"},
    {"y", "y of %"},
    {"z", "z of %"},
    {"angle", "angle of %"},
    {"vx", "velocity of %, x"},
    {"vy", "velocity of %, y"},
    {"vz", "velocity of %, z"},
    {"rate", "angular velocity of %"},
    {"ax", "acceleration of %, x"},
    {"ay", "acceleration of %, y"},
    {"az", "acceleration of %, z"},
    {"alpha", "angular acceleration of %"},
};
constexpr Word jointWords[] = {
    {"angle", "angle of %"},
    {"position", "position of %"},
    {"rate", "rate of %"},
    {"acceleration", "acceleration of %"},
    {"force.x", "reaction force of % on its second body, x"},
    {"force.y", "reaction force of % on its second body, y"},
    {"force.z", "reaction force of % on its second body, z"},
    {"torque", "reaction torque of % on its second body"},
    {"torque.x", "reaction torque of % on its second body, x"},
    {"torque.y", "reaction torque of % on its second body, y"},
    {"torque.z", "reaction torque of % on its second body, z"},
    {"stop", "force of the stops of %"},
    {"friction", "friction of %"},
    {"sticking", "whether % sticks"},
    {"drive", "what the motion of % needs along its coordinate"},
};
constexpr Word forceWords[] = {
    {"value", "value of %"},
    {"length", "length of %"},
    {"angle", "angle of %"},
    {"rate", "rate of %"},
    {"distance", "distance of % from its plane"},
    {"friction", "friction of %"},
    {"closed", "whether % touches"},
    {"sticking", "whether % sticks"},
    {"locked", "whether % is locked"},
    {"state", "what % has reached of its value"},
};
constexpr Word energyWords[] = {
    {"kinetic", "kinetic energy"},
    {"potential", "potential energy"},
    {"total", "kinetic and potential energy"},
};

template <std::size_t size>
std::string say(const Word (&words)[size], const std::string& suffix, const std::string& name) {
  for (const Word& word : words) {
    if (suffix != word.suffix) continue;
    std::string text = word.text;
    if (const auto place = text.find('%'); place != std::string::npos) text.replace(place, 1, name);
    return text;
  }
  return "";
}

template <class List>
const auto* find(const List& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

OutputDescriptions::OutputDescriptions(const Model& model) : model_(model) {
  Diagnostics ignored(model.name);
  document_ = parseJson(model.text, ignored);
}

std::string OutputDescriptions::ofPath(const std::string& path) const {
  if (const auto* input = find(model_.inputs, path)) return input->description;
  if (const auto* state = find(model_.states, path)) return state->description;
  if (const auto* state = find(model_.discrete, path)) return state->description;
  if (const auto* parameter = find(model_.parameters, path)) return parameter->description;
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return "";
  const std::string owner = path.substr(0, dot), rest = path.substr(dot + 1);
  if (owner == "energy") return say(energyWords, rest, "");
  if (find(model_.joints, owner)) return say(jointWords, rest, owner);
  if (find(model_.forces, owner)) return say(forceWords, rest, owner);
  if (!find(model_.bodies, owner)) return "";
  const std::size_t last = rest.rfind('.');
  if (last == std::string::npos) return say(bodyWords, rest, owner);
  return say(bodyWords, rest.substr(last + 1), "point " + rest.substr(0, last) + " of " + owner);
}

std::string OutputDescriptions::of(const Output& output) const {
  if (!output.description.empty()) return output.description;
  const std::string path = output.expression.expression.singleName();
  const std::string words = path.empty() ? "" : ofPath(path);
  if (!words.empty()) return words;
  const std::string& place = output.expression.path;
  if (place.starts_with("/")) {
    const Json::json_pointer pointer(place);
    if (document_.contains(pointer) && document_[pointer].is_string()) return document_[pointer].get<std::string>();
  }
  return path;
}

}  // namespace mbfmu
