#include "build_fmu/terminals.h"

#include <cmath>
#include <pugixml.hpp>
#include <sstream>

#include "build_fmu/table.h"
#include "multibody/paths.h"

namespace mbfmu {
namespace {

struct Member {
  std::string variable, name, kind;
};

// The member names of Modelica's flanges, by which terminals of the same matching rule "plug" are connected.
struct Names {
  const char *place, *rate, *load;
};
Names namesFor(const Joint& joint) {
  return coordinateName(joint) == "position" ? Names{"s", "v", "f"} : Names{"phi", "w", "tau"};
}

class Terminals {
 public:
  Terminals(const FmiDescription& description, const Model& model) : description_(description), model_(model) {}

  std::vector<Member> of(int joint) const {
    const Joint& its = model_.joints[static_cast<std::size_t>(joint)];
    const Names names = namesFor(its);
    std::vector<Member> members;
    const auto add = [&](const std::string& variable, const char* name, const char* kind) {
      for (const Member& member : members) {
        if (member.name == name) return;
      }
      members.push_back({variable, name, kind});
    };
    const std::string coordinate = coordinateName(its);
    for (const Output& output : model_.outputs) {
      if (!exists(output.name)) continue;
      const std::string path = output.expression.expression.singleName();
      if (!coordinate.empty() && path == its.name + "." + coordinate) add(output.name, names.place, "signal");
      if (path == its.name + ".rate") add(output.name, names.rate, "signal");
      if (path == its.name + ".drive") add(output.name, names.load, "outflow");
    }
    for (const Force& force : model_.forces) {
      if (force.joint != joint) continue;
      for (const Input& input : model_.inputs) {
        if (exists(input.name) && force.value[0].expression.singleName() == input.name) {
          add(input.name, names.load, "inflow");
        }
      }
    }
    return members;
  }

 private:
  // With arrays an element has no variable of its own.
  bool exists(const std::string& name) const {
    for (const Variable& variable : description_.variables.variables()) {
      if (variable.name == name) return variable.size == 1;
    }
    return false;
  }

  const FmiDescription& description_;
  const Model& model_;
};

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name) = value.c_str();
}

// Two decimals are less than anybody sees.
std::string coordinate(double value) { return shortNumber(std::round(100 * value) / 100); }

void setBox(pugi::xml_node node, double x1, double y1, double x2, double y2) {
  set(node, "x1", coordinate(x1));
  set(node, "y1", coordinate(y1));
  set(node, "x2", coordinate(x2));
  set(node, "y2", coordinate(y2));
}

}  // namespace

std::string terminalsXml(const FmiDescription& description, const Model& model, const std::vector<Point>& joints,
                         double size) {
  constexpr double half = 100, flange = 8;  // the icon reaches from -half to half, with y upwards
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node root = document.append_child("fmiTerminalsAndIcons");
  set(root, "fmiVersion", "3.0");
  pugi::xml_node graphics = root.append_child("GraphicalRepresentation");
  pugi::xml_node system = graphics.append_child("CoordinateSystem");
  setBox(system, -half, -half, half, half);
  set(system, "suggestedScalingFactorTo_mm", "0.1");
  setBox(graphics.append_child("Icon"), -half, -half, half, half);

  const Terminals terminals(description, model);
  pugi::xml_node list;
  for (int i = 0; i < static_cast<int>(model.joints.size()); ++i) {
    const std::vector<Member> members = terminals.of(i);
    if (members.empty()) continue;
    if (!list) list = root.append_child("Terminals");
    const Joint& joint = model.joints[static_cast<std::size_t>(i)];
    pugi::xml_node terminal = list.append_child("Terminal");
    set(terminal, "name", joint.name);
    set(terminal, "matchingRule", "plug");
    set(terminal, "description", "flange of the joint " + joint.name);
    for (const Member& member : members) {
      pugi::xml_node node = terminal.append_child("TerminalMemberVariable");
      set(node, "variableName", member.variable);
      set(node, "memberName", member.name);
      set(node, "variableKind", member.kind);
    }
    const Point& place = joints[static_cast<std::size_t>(i)];
    const double x = half * (2 * place.x / size - 1), y = half * (1 - 2 * place.y / size);
    pugi::xml_node picture = terminal.append_child("TerminalGraphicalRepresentation");
    set(picture, "defaultConnectionColor", "144 156 164");
    set(picture, "defaultConnectionStrokeSize", "0.5");
    setBox(picture, x - flange, y - flange, x + flange, y + flange);
    set(picture, "iconBaseName", "flange");
  }
  std::ostringstream out;
  document.save(out, "  ");
  return std::move(out).str();
}

}  // namespace mbfmu
