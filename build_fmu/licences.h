// The licences of what is linked into the binary of an FMU. They travel in documentation/licenses.
#pragma once

#include <string>
#include <vector>

namespace mbfmu {

struct LicenceText {
  std::string file, text;
};
const std::vector<LicenceText>& licenceTexts();

// documentation/licenses/license.txt: which component is under which of the texts.
inline constexpr const char* licenceSummary =
    "The binary of this FMU contains parts of the following works. Their licences are in this folder.\n"
    "\n"
    "  Eigen, a C++ template library for linear algebra        Eigen.txt, MPL-2.0.txt\n"
    "    Mozilla Public License 2.0; source code: https://eigen.tuxfamily.org\n"
    "  JSON for Modern C++ by Niels Lohmann                    nlohmann-json.txt\n"
    "    MIT License\n"
    "  FMI 3.0 header files of the Modelica Association        FMI-headers.txt\n"
    "    2-Clause BSD License\n"
    "  libstdc++ and libgcc of the GNU Compiler Collection     gcc-runtime-library.txt\n"
    "    GNU General Public License 3 with the GCC Runtime Library Exception 3.1\n";

}  // namespace mbfmu
