#include "build_fmu/equations.h"

#include <array>
#include <set>

#include "build_fmu/html.h"
#include "multibody/json_text.h"

namespace mbfmu {
namespace {

struct Entry {
  const char *section, *type, *text;
};

// d is the vector from the first point of `between` to the second, e an axis fixed in the first body, s the coordinate
// of a joint, R the orientation of the second body against the first.
constexpr Entry entries[] = {
    {"joints", "revolute",
     "d = 0; in space also e<sub>1</sub> &sdot; R e<sub>3</sub> = e<sub>2</sub> &sdot; R e<sub>3</sub> = 0; s = angle"},
    {"joints", "prismatic", "d &minus; (d &sdot; e) e = 0 and R constant; s = d &sdot; e"},
    {"joints", "cylindrical", "d &minus; (d &sdot; e) e = 0 and R turns about e only; s = d &sdot; e and the angle"},
    {"joints", "spherical", "d = 0"},
    {"joints", "universal", "d = 0 and e<sub>1</sub> &sdot; R e<sub>2</sub> = 0"},
    {"joints", "planar", "d &sdot; n = 0 and R turns about n only"},
    {"joints", "screw", "as cylindrical, with d &sdot; e = pitch &sdot; angle / 2&pi;"},
    {"joints", "slot", "d across e = 0; s = d &sdot; e"},
    {"joints", "weld", "d = 0 and R constant"},
    {"joints", "rod", "|d| = length"},
    {"joints", "gear", "s<sub>2</sub> = ratio &sdot; s<sub>1</sub> + offset"},
    {"joints", "driven_point", "d = (x(t), y(t)), each component where given"},
    {"forces", "torque", "torque = value about a joint or on a body"},
    {"forces", "force", "force = value along a joint or at a point"},
    {"forces", "spring",
     "f = &minus;stiffness (l &minus; length) &minus; damping l&#775; along the line between two points, l = |d|; or f "
     "= f(l, l&#775;)"},
    {"forces", "torsion_spring",
     "&tau; = &minus;stiffness (s &minus; angle) &minus; damping s&#775; about a joint; or &tau; = &tau;(s, s&#775;)"},
    {"forces", "bushing", "f = &minus;K d &minus; D d&#775; and the same for the relative rotation"},
    {"forces", "actuator",
     "time_constant &sdot; x&#775; = clip(value, &plusmn;limit) &minus; x; x acts along the joint"},
    {"forces", "contact",
     "N = stiffness p<sup>exponent</sup> (1 + damping p&#775;) &ge; 0 for penetration p &gt; 0 (Hunt &amp; Crossley "
     "1975); friction &minus;&mu; N v / &radic;(v&sup2; + speed&sup2;)"},
    {"forces", "user", "a force computed by the C++ code that the FMU was built with"},
};

std::string textFor(const std::string& section, const std::string& type) {
  for (const Entry& entry : entries) {
    if (section == entry.section && type == entry.type) return entry.text;
  }
  return "see the reference of the model file";
}

}  // namespace

std::string equationsHtml(const Model& model) {
  std::string html =
      "<p>Unknown are the positions q, velocities v, first-order states x and multipliers &lambda;:</p>\n"
      "<p class=\"equation\">M(q) v&#775; + &Phi;<sub>q</sub><sup>T</sup> &lambda; = Q(q, v, x, t), &emsp; "
      "q&#775; = v, &emsp; x&#775; = f(q, v, x, t), &emsp; &Phi;(q, t) = 0</p>\n"
      "<p>In space q&#775; follows from the angular velocity, which stands for the rate of the orientation in v. "
      "Reactions are &minus;&Phi;<sub>q</sub><sup>T</sup> &lambda;. Below, d is the vector from the first point of an "
      "element to the second, e an axis fixed in the first body, R the relative orientation and s the coordinate of a "
      "joint.</p>\n";
  Diagnostics ignored(model.name);
  const Json document = parseJson(model.text, ignored);
  std::string rows;
  for (const char* section : {"joints", "forces"}) {
    if (!document.is_object() || !document.contains(section)) continue;
    std::set<std::string> done;
    for (const auto& item : document[section].items()) {
      const std::string type = item.value().is_object() ? item.value().value("type", "") : "";
      if (type.empty() || !done.insert(type).second) continue;
      std::string names;
      for (const auto& other : document[section].items()) {
        if (other.value().is_object() && other.value().value("type", "") == type) {
          names += (names.empty() ? "" : ", ") + escaped(other.key());
        }
      }
      rows += "<tr><td><code>" + escaped(type) + "</code></td><td>" + names + "</td><td>" + textFor(section, type) +
              "</td></tr>\n";
    }
  }
  if (rows.empty()) return html;
  return html + "<table><tr><th>element</th><th>in this model</th><th>equations</th></tr>\n" + rows + "</table>\n";
}

}  // namespace mbfmu
