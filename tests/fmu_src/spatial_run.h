// A model in space given as text, run in process.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "fmu_src/simulation.h"
#include "multibody/reader.h"

namespace mbfmu::test {

// Sections of a model after "space"; tolerance for everything.
inline std::unique_ptr<Simulation> spatialRun(const std::string& sections, double tolerance = 1e-11,
                                              const std::string& integrator = "") {
  const std::string number = std::to_string(tolerance * 1e12) + "e-12";
  std::string solver = R"("solver": {"rtol": )" + number + R"(, "atol": )" + number;
  if (!integrator.empty()) solver += R"(, "integrator": ")" + integrator + "\"";
  Diagnostics diagnostics("model");
  const auto model = readModel(R"({"name": "t", "space": "spatial", )" + sections + ", " + solver + "}}", diagnostics);
  EXPECT_TRUE(model) << diagnostics.text();
  if (!model) return nullptr;
  auto simulation = Simulation::create(model, diagnostics);
  EXPECT_TRUE(simulation) << diagnostics.text();
  if (simulation) {
    EXPECT_EQ(simulation->initialise(0), "");
  }
  return simulation;
}

}  // namespace mbfmu::test
