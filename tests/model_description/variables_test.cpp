#include "model_description/variables.h"

#include <gtest/gtest.h>

#include <set>

#include "model_description/description.h"
#include "model_description/solver_variables.h"

namespace mbfmu {
namespace {

Model smallModel() {
  Model model;
  model.text = "{}";
  model.name = "two-link";
  model.inputs.resize(2);
  model.inputs[0].name = "torque1";
  model.inputs[0].unit = "N.m";
  model.inputs[1].name = "torque2";
  model.inputs[1].start = 3;
  model.outputs.resize(1);
  model.outputs[0].name = "theta1";
  model.outputs[0].unit = "rad";
  model.parameters.resize(2);
  model.parameters[0].name = "L";
  model.parameters[1].name = "kd";
  model.parameters[1].tunable = true;
  return model;
}

TEST(Variables, EveryReferenceLeadsBackToItsVariable) {
  const VariableTable table = describeVariables(smallModel());
  std::set<std::string> names;
  for (const Variable& variable : table.variables()) {
    EXPECT_EQ(table.find(variable.valueReference), &variable);
    EXPECT_TRUE(names.insert(variable.name).second) << variable.name;
  }
  EXPECT_EQ(table.variables().size(), 1u + 2 + 1 + 2 + 7 + 10 + 2 + integratorOwnOptions().size());
  for (const std::uint32_t wrong : {1u, 1000002u, 2000001u, 6000002u, 8000000u, 4294967295u}) {
    EXPECT_EQ(table.find(wrong), nullptr);
  }
}

TEST(Variables, AFurtherInputRenumbersNothingElse) {
  Model model = smallModel();
  const VariableTable before = describeVariables(model);
  model.inputs.resize(3);
  const VariableTable after = describeVariables(model);
  for (const Variable& variable : before.variables()) {
    EXPECT_EQ(after.find(variable.valueReference)->name, variable.name);
  }
}

TEST(Variables, FollowTheRulesOfTheStandard) {
  const VariableTable table = describeVariables(smallModel());
  const Variable& time = *table.find(0);
  EXPECT_EQ(time.causality, Causality::independent);
  EXPECT_FALSE(time.hasStart);
  for (const Variable& v : table.variables()) {
    EXPECT_EQ(v.hasStart, v.causality == Causality::input || v.causality == Causality::parameter) << v.name;
    EXPECT_FALSE(v.type != VariableType::float64 && v.variability == Variability::continuous) << v.name;
  }
  EXPECT_EQ(table.find(3000000)->variability, Variability::fixed);
  EXPECT_EQ(table.find(3000001)->variability, Variability::tunable);
}

TEST(Token, ChangesWithModelAndTable) {
  const Model model = smallModel();
  const std::string token = instantiationToken(model, describeVariables(model));
  EXPECT_EQ(token.size(), 38u);
  EXPECT_EQ(token, instantiationToken(model, describeVariables(model)));
  Model other = model;
  other.text = "{ }";
  EXPECT_NE(token, instantiationToken(other, describeVariables(other)));
  other = model;
  other.inputs[0].name = "torqueA";
  EXPECT_NE(token, instantiationToken(other, describeVariables(other)));
}

TEST(Description, ListsOutputsUnitsAndProblems) {
  Model model = smallModel();
  const FmiDescription good = describeModel(model);
  EXPECT_TRUE(good.problems.empty());
  EXPECT_EQ(good.modelIdentifier, "two_link");
  EXPECT_EQ(good.outputs.size(), 11u);
  EXPECT_EQ(good.initialUnknowns.size(), 11u);
  EXPECT_TRUE(good.outputs[0].dependencies.empty());
  EXPECT_EQ(good.initialUnknowns[0].dependencies.size(), 2u);
  EXPECT_TRUE(good.initialUnknowns[1].dependencies.empty());
  EXPECT_EQ(good.units.size(), 4u);  // s, N.m, rad, J
  model.outputs[0].unit = "parsec";
  EXPECT_EQ(describeModel(model).problems.size(), 1u);
}

}  // namespace
}  // namespace mbfmu
