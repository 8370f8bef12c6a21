// Two XML documents, element by element.
#pragma once

#include <string>
#include <vector>

namespace mbfmu {

// Where `found` is not as `expected`: "Float64 "x1": unit is "m", expected "rad"". Elements belong together if they
// have the same element name and the same name, valueReference, variableName or value; instantiationToken is left out.
std::vector<std::string> differences(const std::string& found, const std::string& expected);

}  // namespace mbfmu
