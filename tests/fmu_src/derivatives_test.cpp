// Derivatives of outputs by inputs, parameters and time against differences of the FMU's own outputs.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "model_description/variables.h"
#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

// Two links, two inputs, one of which enters nonlinearly; outputs of every kind.
const std::string model = R"x({
  "name": "arm", "space": "planar",
  "parameters": { "k": { "value": 3, "tunable": true }, "kd": { "value": 0, "tunable": true },
                  "m": { "value": 2, "unit": "kg", "tunable": true } },
  "gravity": [0, -9.81],
  "bodies": {
    "ground": { "markers": { "A": [0, 0] } },
    "upper": { "mass": 1.0, "inertia": 0.1, "markers": { "A": [-0.5, 0], "B": [0.5, 0] } },
    "lower": { "mass": "m", "inertia": 0.2, "markers": { "B": [-0.4, 0] } }
  },
  "joints": {
    "shoulder": { "type": "revolute", "between": ["ground.A", "upper.A"], "start": { "angle": 0.3, "rate": 1 },
                  "friction": { "viscous": "kd" } },
    "elbow": { "type": "revolute", "between": ["upper.B", "lower.B"], "start": { "angle": 0.5, "rate": -2 } } },
  "forces": { "motor1": { "type": "torque", "joint": "shoulder", "value": { "input": "u1" } },
              "motor2": { "type": "torque", "joint": "elbow", "value": "k*sin(u2)" } },
  "inputs": { "u1": { "start": 1 }, "u2": { "start": 0.4 } },
  "outputs": { "angle": "shoulder.angle", "rate": "shoulder.rate", "acceleration": "shoulder.acceleration",
               "pin": "elbow.force.x", "drive": "motor2.value", "mixed": "u1^2*elbow.rate + elbow.acceleration" },
  "solver": { "rtol": 1e-10, "atol": 1e-10 },
  "experiment": { "stop": 2, "step": 0.01 }
})x";
const std::vector<fmi3ValueReference> outputs = {2000000, 2000001, 2000002, 2000003, 2000004, 2000005};
const std::vector<fmi3ValueReference> knowns = {1000000, 1000001, 3000000, 3000001, 3000002};

std::vector<double> values(Fmu& fmu) {
  std::vector<double> result(outputs.size());
  EXPECT_EQ(FMI(fmi3GetFloat64)(fmu, outputs.data(), outputs.size(), result.data(), result.size()), fmi3OK);
  return result;
}

std::vector<double> directional(Fmu& fmu, const std::vector<double>& seed) {
  std::vector<double> result(outputs.size());
  EXPECT_EQ(FMI(fmi3GetDirectionalDerivative)(fmu, outputs.data(), outputs.size(), knowns.data(), knowns.size(),
                                              seed.data(), seed.size(), result.data(), result.size()),
            fmi3OK);
  return result;
}

TEST(DirectionalDerivative, AgreesWithDifferences) {
  Fmu fmu(true, model);
  fmu.toStepMode();
  ASSERT_EQ(fmu.step(0, 0.7), fmi3OK);
  for (std::size_t j = 0; j < knowns.size(); ++j) {
    std::vector<double> seed(knowns.size());
    seed[j] = 2;
    const std::vector<double> derivative = directional(fmu, seed);
    const double value = fmu.get(knowns[j]), step = 1e-4;
    // The damping is 0 and cannot be negative: a one-sided difference of second order.
    const bool oneSided = value == 0;
    ASSERT_EQ(fmu.set(knowns[j], value + step), fmi3OK);
    const std::vector<double> above = values(fmu);
    ASSERT_EQ(fmu.set(knowns[j], oneSided ? value + 2 * step : value - step), fmi3OK);
    const std::vector<double> below = values(fmu);
    ASSERT_EQ(fmu.set(knowns[j], value), fmi3OK);
    const std::vector<double> here = values(fmu);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const double difference =
          oneSided ? (4 * above[i] - below[i] - 3 * here[i]) / (2 * step) : (above[i] - below[i]) / (2 * step);
      EXPECT_NEAR(derivative[i], 2 * difference, 1e-6 * std::max(1.0, std::abs(2 * difference)))
          << "output " << i << " by " << j;
    }
  }
}

TEST(DirectionalDerivative, AlsoInInitializationMode) {
  Fmu fmu(true, model);
  fmu.initialise();
  const std::vector<double> derivative = directional(fmu, {1, 0, 0, 0, 0});
  EXPECT_EQ(derivative[0], 0);
  EXPECT_NE(derivative[2], 0);
}

// Of every example: all outputs by all inputs and by the parameters that may change in a run.
TEST(DirectionalDerivative, AgreesWithDifferencesInEveryExample) {
  for (const auto& file : std::filesystem::directory_iterator(MBFMU_SOURCE_DIR "/examples")) {
    if (file.path().extension() != ".json") continue;
    const std::string name = file.path().stem(), text = example(name);
    const auto description = modelOf(text);
    std::vector<fmi3ValueReference> unknown, known;
    const VariableTable table = describeVariables(*description);
    for (const Variable& v : table.variables()) {
      if (v.source.kind == SourceKind::output) unknown.push_back(v.valueReference);
      const bool parameter = v.source.kind == SourceKind::parameter && v.variability == Variability::tunable;
      if (v.source.kind == SourceKind::input || parameter) known.push_back(v.valueReference);
    }
    Fmu fmu(true, text);
    fmu.toStepMode();
    ASSERT_EQ(fmu.step(0, 0.3 * description->experiment.stop), fmi3OK) << name;
    const auto all = [&] {
      std::vector<double> result(unknown.size());
      EXPECT_EQ(FMI(fmi3GetFloat64)(fmu, unknown.data(), unknown.size(), result.data(), result.size()), fmi3OK);
      return result;
    };
    for (const fmi3ValueReference reference : known) {
      const double one = 1, value = fmu.get(reference), step = 1e-3 * std::max(1.0, std::abs(value));
      std::vector<double> exact(unknown.size());
      ASSERT_EQ(FMI(fmi3GetDirectionalDerivative)(fmu, unknown.data(), unknown.size(), &reference, 1, &one, 1,
                                                  exact.data(), exact.size()),
                fmi3OK)
          << name;
      for (std::size_t i = 0; i < unknown.size(); ++i) {
        double row = 0;
        ASSERT_EQ(FMI(fmi3GetAdjointDerivative)(fmu, &unknown[i], 1, &reference, 1, &one, 1, &row, 1), fmi3OK);
        EXPECT_NEAR(row, exact[i], 1e-12 * std::abs(exact[i]));
      }
      // A parameter of 0 may have to stay positive: the one-sided difference of second order.
      const bool oneSided = value == 0 && table.find(reference)->causality == Causality::parameter;
      ASSERT_EQ(fmu.set(reference, value + step), fmi3OK);
      const std::vector<double> above = all();
      ASSERT_EQ(fmu.set(reference, oneSided ? value + 2 * step : value - step), fmi3OK);
      const std::vector<double> below = all();
      ASSERT_EQ(fmu.set(reference, value), fmi3OK);
      const std::vector<double> here = all();
      for (std::size_t i = 0; i < unknown.size(); ++i) {
        const double difference =
            oneSided ? (4 * above[i] - below[i] - 3 * here[i]) / (2 * step) : (above[i] - below[i]) / (2 * step);
        // What is left of 16 digits after the difference.
        const double rounding = 1e-11 * std::abs(here[i]) / step;
        EXPECT_NEAR(exact[i], difference, 1e-6 * std::max(1e-3, std::abs(difference)) + rounding)
            << name << ": " << table.find(unknown[i])->name << " by " << table.find(reference)->name;
      }
    }
  }
}

// The pose of a slider-crank follows its lengths: x = r cos(phi) + sqrt(l^2 - r^2 sin^2(phi)).
TEST(DirectionalDerivative, OfInitialValuesGoesThroughTheAssembly) {
  Fmu fmu(true, example("slider_crank"));
  fmu.initialise();
  const fmi3ValueReference position = 2000002, crankAndRod[] = {3000000, 3000001};
  const double r = 0.1, l = 0.3, phi = std::acos(-1) / 3, root = std::sqrt(l * l - std::pow(r * std::sin(phi), 2));
  const double expected[] = {std::cos(phi) - r * std::pow(std::sin(phi), 2) / root, l / root};
  for (std::size_t j = 0; j < 2; ++j) {
    const double seed[] = {j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0};
    double result = 0, row[2] = {}, one = 1;
    ASSERT_EQ(FMI(fmi3GetDirectionalDerivative)(fmu, &position, 1, crankAndRod, 2, seed, 2, &result, 1), fmi3OK);
    EXPECT_NEAR(result, expected[j], 1e-8);
    ASSERT_EQ(FMI(fmi3GetAdjointDerivative)(fmu, &position, 1, crankAndRod, 2, &one, 1, row, 2), fmi3OK);
    EXPECT_EQ(row[j], result);
  }
  // They are fixed: nothing to differentiate by later.
  ASSERT_EQ(FMI(fmi3ExitInitializationMode)(fmu), fmi3OK);
  double seed = 1, result = 0;
  EXPECT_EQ(FMI(fmi3GetDirectionalDerivative)(fmu, &position, 1, crankAndRod, 1, &seed, 1, &result, 1), fmi3Error);
}

TEST(AdjointDerivative, IsTheTranspose) {
  Fmu fmu(true, model);
  fmu.toStepMode();
  ASSERT_EQ(fmu.step(0, 0.7), fmi3OK);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::vector<double> seed(outputs.size()), row(knowns.size());
    seed[i] = 1;
    ASSERT_EQ(FMI(fmi3GetAdjointDerivative)(fmu, outputs.data(), outputs.size(), knowns.data(), knowns.size(),
                                            seed.data(), seed.size(), row.data(), row.size()),
              fmi3OK);
    for (std::size_t j = 0; j < knowns.size(); ++j) {
      std::vector<double> direction(knowns.size());
      direction[j] = 1;
      EXPECT_NEAR(row[j], directional(fmu, direction)[i], 1e-12 * std::max(1.0, std::abs(row[j])));
    }
  }
}

TEST(DirectionalDerivative, RefusesOtherVariables) {
  for (const auto& [unknown, known] : {std::pair<fmi3ValueReference, fmi3ValueReference>{steps, 1000000},
                                       {2000000, relativeTolerance},
                                       {1000000, 1000000},
                                       {77, 1000000}}) {
    Fmu fmu(true, model);
    fmu.toStepMode();
    double seed = 1, result = 0;
    EXPECT_EQ(FMI(fmi3GetDirectionalDerivative)(fmu, &unknown, 1, &known, 1, &seed, 1, &result, 1), fmi3Error);
  }
}

TEST(OutputDerivatives, AreThoseOfTheMotion) {
  Fmu fmu(true, model);
  fmu.toStepMode();
  ASSERT_EQ(fmu.step(0, 0.7), fmi3OK);
  std::vector<double> first(outputs.size()), second(outputs.size());
  const std::vector<fmi3Int32> one(outputs.size(), 1), two(outputs.size(), 2);
  ASSERT_EQ(FMI(fmi3GetOutputDerivatives)(fmu, outputs.data(), outputs.size(), one.data(), first.data(), first.size()),
            fmi3OK);
  ASSERT_EQ(
      FMI(fmi3GetOutputDerivatives)(fmu, outputs.data(), outputs.size(), two.data(), second.data(), second.size()),
      fmi3OK);
  // Rate and acceleration of the shoulder are outputs themselves.
  const std::vector<double> now = values(fmu);
  EXPECT_NEAR(first[0], now[1], 1e-8);
  EXPECT_NEAR(second[0], now[2], 1e-6);
  EXPECT_NEAR(first[1], now[2], 1e-8);
  // The others against differences along the run.
  const double h = 2e-3;
  std::vector<std::vector<double>> samples;
  Fmu run(true, model);
  run.toStepMode();
  ASSERT_EQ(run.step(0, 0.7 - 2 * h), fmi3OK);
  for (int k = -2; k <= 2; ++k) {
    samples.push_back(values(run));
    ASSERT_EQ(run.step(0.7 + k * h, h), fmi3OK);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& s = samples;
    const double d1 = (s[0][i] - 8 * s[1][i] + 8 * s[3][i] - s[4][i]) / (12 * h);
    const double d2 = (-s[0][i] + 16 * s[1][i] - 30 * s[2][i] + 16 * s[3][i] - s[4][i]) / (12 * h * h);
    EXPECT_NEAR(first[i], d1, 1e-4 * std::max(1.0, std::abs(d1))) << i;
    EXPECT_NEAR(second[i], d2, 1e-2 * std::max(1.0, std::abs(d2))) << i;
  }
}

// A pendulum with friction: J alpha = torque - kd omega - m g L cos(theta), and what follows by differentiating.
TEST(OutputDerivatives, OfAnExpressionAgreeWithItsFormula) {
  std::string text = pendulumText;
  text.replace(text.find("pivot.force.x"), 13, "sin(pivot.angle)*pivot.rate");
  Fmu fmu(true, text);
  ASSERT_EQ(fmu.set(torque, 0.4), fmi3OK);
  fmu.toStepMode();
  for (int k = 0; k < 20; ++k) {
    ASSERT_EQ(fmu.step(0.07 * k, 0.07), fmi3OK);
    const fmi3ValueReference references[] = {angle, acceleration, angle, acceleration};
    const fmi3Int32 orders[] = {1, 1, 2, 2};
    double values[4] = {};
    ASSERT_EQ(FMI(fmi3GetOutputDerivatives)(fmu, references, 4, orders, values, 4), fmi3OK);
    const double length = 0.5, J = length * length * (1.0 / 3 + 1), kd = 0.1, weight = 9.81 * length;
    const double theta = fmu.get(angle), s = std::sin(theta), c = std::cos(theta), omega = values[0];
    const double alpha = (0.4 - kd * omega - weight * c) / J, jerk = (-kd * alpha + weight * s * omega) / J;
    EXPECT_NEAR(fmu.get(acceleration), s * omega, 1e-10);  // the output is s * omega
    EXPECT_NEAR(values[2], alpha, 1e-8 * (1 + std::abs(alpha)));
    EXPECT_NEAR(values[1], c * omega * omega + s * alpha, 1e-8 * (1 + std::abs(values[1])));
    EXPECT_NEAR(values[3], -s * std::pow(omega, 3) + 3 * c * omega * alpha + s * jerk,
                1e-5 * (1 + std::abs(values[3])));
  }
}

TEST(OutputDerivatives, RefuseOtherOrdersAndVariables) {
  for (const auto& [reference, order] :
       {std::pair<fmi3ValueReference, fmi3Int32>{2000000, 0}, {2000000, 3}, {1000000, 1}, {energy, 1}}) {
    Fmu fmu(true, model);
    fmu.toStepMode();
    double value = 0;
    EXPECT_EQ(FMI(fmi3GetOutputDerivatives)(fmu, &reference, 1, &order, &value, 1), fmi3Error);
  }
}

TEST(Dependencies, AreThoseOfTheDescription) {
  Fmu fmu(true, model);
  const std::size_t expected[] = {0, 0, 2, 2, 1, 2};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::size_t count = 99;
    ASSERT_EQ(FMI(fmi3GetNumberOfVariableDependencies)(fmu, outputs[i], &count), fmi3OK);
    ASSERT_EQ(count, expected[i]) << i;
    std::vector<std::size_t> dependent(count), independent(count);
    std::vector<fmi3ValueReference> references(count);
    std::vector<fmi3DependencyKind> kinds(count);
    ASSERT_EQ(FMI(fmi3GetVariableDependencies)(fmu, outputs[i], dependent.data(), references.data(), independent.data(),
                                               kinds.data(), count),
              fmi3OK);
    if (count == 1) {
      EXPECT_EQ(references[0], 1000001u);
    }
  }
}

}  // namespace
}  // namespace mbfmu::test
