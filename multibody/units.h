// Unit strings ("N.m.s/rad", "kg.m2", "deg") as powers of the SI base units, the form in which FMI describes a unit:
// value in base units = factor * value + offset.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace mbfmu {

struct BaseUnit {
  // In the order of the names below, which are the attribute names of FMI's BaseUnit.
  std::array<int, 8> exponents{};
  double factor = 1, offset = 0;
};

inline constexpr std::array<const char*, 8> baseUnitNames = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

// Another unit to show values in: shown = factor * value.
struct DisplayUnit {
  std::string name;
  double factor = 1;
};

// What a unit of the model file measures ("" if the project has no word for it) and how else it can be shown.
struct UnitUse {
  std::string quantity;
  std::vector<DisplayUnit> displays;
  bool displayed = false;  // by the first of them, unless somebody asks for another
};
UnitUse useOf(const std::string& unit);

// Grammar: factors joined by '.', each a symbol with an optional SI prefix and an optional integer exponent ("m2",
// "s-1"); '/' divides by the one factor or the group in brackets that follows. Returns what is wrong, empty if nothing.
std::string parseUnit(const std::string& text, BaseUnit& unit);

}  // namespace mbfmu
