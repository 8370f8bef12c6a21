"""The include check finds what it is there for."""

import tempfile
import unittest
from pathlib import Path

from check_includes import check


class CheckIncludes(unittest.TestCase):
    def faults(self, folder, line):
        with tempfile.TemporaryDirectory() as root:
            (Path(root) / folder).mkdir()
            (Path(root) / folder / "a.h").write_text(line + "\n", encoding="utf-8")
            return check(Path(root))

    def test_upward_include(self):
        self.assertIn("integrators may not include multibody", self.faults("integrators", '#include "multibody/model.h"')[0])
        self.assertTrue(self.faults("multibody", '#include "model_description/variables.h"'))
        self.assertTrue(self.faults("fmu_src", '#include "build_fmu/package.h"'))

    def test_libraries_of_the_command_line(self):
        for header in ("<pugixml.hpp>", "<zip.h>", "<CLI/CLI.hpp>", "<ida/ida.h>"):
            self.assertTrue(self.faults("fmu_src", "#include " + header), header)

    def test_downward_includes_pass(self):
        self.assertEqual([], self.faults("build_fmu", '#include "fmu_src/simulation.h"'))
        self.assertEqual([], self.faults("multibody", '#include "integrators/system.h"'))
        self.assertEqual([], self.faults("build_fmu", "#include <zip.h>"))
        self.assertEqual([], self.faults("fmu_src", "#include <fmi3Functions.h>"))
        self.assertEqual([], self.faults("integrators", "#include <Eigen/Dense>"))


if __name__ == "__main__":
    unittest.main()
