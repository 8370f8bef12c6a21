// Broken model files and the message each must give.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "multibody/reader.h"

using namespace mbfmu;

namespace {

std::string model(const std::string& bodies, const std::string& rest = "") {
  return R"({"name": "t", "space": "planar", "bodies": {)" + bodies + "}" + (rest.empty() ? "" : ", " + rest) + "}";
}
const std::string kBody = R"("a": {"mass": 1, "inertia": 1, "markers": {"p": [0, 0]}})";

struct Broken {
  std::string text, path, message;
};

TEST(Reader, ReportsWhatIsWrong) {
  const std::string j = R"("joints": {"j": {"type": "revolute", "between": )";
  const std::vector<Broken> cases = {
      {"", "", "file is empty"},
      {"{\n  \"name\": }", "", "not valid JSON"},
      {"[]", "", "must be an object"},
      {R"({"name": "t", "space": "planar"})", "", "\"bodies\" is missing"},
      {R"({"space": "planar", "bodies": {}})", "", "\"name\" is missing"},
      {R"({"name": "t", "space": "round", "bodies": {}})", "/space", "planar"},
      {R"({"name": 3, "space": "planar", "bodies": {}})", "/name", "must be a string"},
      {model(kBody, R"("gravty": [0, 1])"), "/gravty", "did you mean \"gravity\""},
      {model(kBody, R"("gravity": 9.81)"), "/gravity", "list of two numbers"},
      {model(kBody + ", " + kBody), "/bodies/a", "appears twice"},
      {model(R"("a": {"mass": -1, "inertia": 1})"), "/bodies/a/mass", "must be positive"},
      {model(R"("a": {"mass": "1/0", "inertia": 1})"), "/bodies/a/mass", "not a finite number"},
      {model(R"("a": {"mass": true, "inertia": 1})"), "/bodies/a/mass", "must be a number"},
      {model(R"("a": {"inertia": 1})"), "/bodies/a", "\"mass\" is missing"},
      {model(R"("a": {"mass": "2*", "inertia": 1})"), "/bodies/a/mass", "ends too early"},
      {model(R"("a": {"mass": 1, "inertia": 1, "marker": {}})"), "/bodies/a/marker", "did you mean \"markers\""},
      {model(R"("a": {"type": "point", "mass": 1, "inertia": 1})"), "/bodies/a/inertia", "point mass"},
      {model(kBody, j + R"(["ground", "b.p"]}})"), "/joints/j/between/1", "unknown body \"b\""},
      {model(kBody, j + R"(["ground", "a.q"]}})"), "/joints/j/between/1", "unknown marker of a \"q\""},
      {model(kBody, j + R"(["a.p", "a"]}})"), "/joints/j/between", "with itself"},
      {model(kBody, j + R"(["a.p"]}})"), "/joints/j/between", "list of two points"},
      {model(kBody, R"("joints": {"j": {"type": "revolut"}})"), "/joints/j/type", "did you mean \"revolute\""},
      {model(kBody, R"("joints": {"j": {"type": "rod", "between": ["ground", "a"]}})"), "/joints/j",
       "\"length\" is missing"},
      {model(kBody, R"("forces": {"f": {"type": "torque", "body": "a", "value": {"input": "u"}}})"),
       "/forces/f/value/input", "unknown input \"u\""},
      {model(kBody, R"("forces": {"f": {"type": "torque", "joint": "j", "value": 1}})"), "/forces/f/joint",
       "unknown joint"},
      {model(kBody, R"("forces": {"f": {"type": "torque", "value": 1}})"), "/forces/f", "give one of them"},
      {model(kBody, R"("forces": {"f": {"type": "torque", "body": "a", "value": "a.alpha"}})"), "/forces/f/value",
       "outputs only"},
      {model(R"("a": {"mass": "1+time", "inertia": 1})"), "/bodies/a/mass", "parameters only, not \"time\""},
      {model(R"("a": {"mass": 1, "inertia": "u"})", R"("inputs": {"u": {"start": 1}})"), "/bodies/a/inertia",
       "not \"u\", which is an input"},
      {model(R"("a": {"mass": 1, "inertia": 1, "markers": {"p": ["a.x", 0]}})"), "/bodies/a/markers/p/0",
       "not \"a.x\""},
      {model(R"("a": {"mass": "n", "inertia": 1})", R"("parameters": {"m": 1})"), "/bodies/a/mass",
       "unknown parameter \"n\""},
      {model(R"("a": {"mass": 1, "inertia": 1, "pose": {"angle": "time"}})"), "/bodies/a/pose/angle",
       "parameters only"},
      {model(R"("a": {"mass": 1, "inertia": 1, "velocity": {"linear": ["0/0", 0]}})"), "/bodies/a/velocity/linear/0",
       "not a finite number"},
      {model(kBody, R"("gravity": [0, "time"])"), "/gravity/1", "parameters only"},
      {model(kBody, j + R"(["ground", "a"], "start": {"angle": "time"}}})"), "/joints/j/start/angle",
       "parameters only"},
      {model(kBody, R"("joints": {"j": {"type": "rod", "between": ["ground", "a"], "length": "a.x"}})"),
       "/joints/j/length", "parameters only"},
      {model(kBody, R"("joints": {"j": {"type": "weld", "between": ["ground", "a"], "friction": {"viscous": 1}}})"),
       "/joints/j/friction", "unknown key"},
      {model(kBody, R"("joints": {"j": {"type": "prismatic", "between": ["ground", "a"], "axis": [0, 0]}})"),
       "/joints/j/axis", "must not be zero"},
      {model(kBody, R"("states": {"s": {"derivative": 1, "start": "a.x"}})"), "/states/s/start", "parameters only"},
      {model(kBody, R"("outputs": {"o": "a.angel"})"), "/outputs/o", "did you mean \"a.angle\""},
      {model(kBody, R"("parameters": {"p": "q"})"), "/parameters/p", "unknown parameter \"q\""},
      {model(kBody, R"("parameters": {"sin": 1})"), "/parameters/sin", "meaning of its own"},
      {model(kBody, R"("inputs": {"u": {}}, "outputs": {"u": "a.x"})"), "/outputs/u", "already the name of an input"},
      {model(kBody, R"("parameters": {"p": 1}, "inputs": {"p": {}})"), "/inputs/p", "already the name of a parameter"},
      {model(kBody, R"("outputs": {"time": "a.x"})"), "/outputs/time", "the independent variable"},
      {model(kBody, R"("outputs": {"solver.steps": "a.x"})"), "/outputs/solver.steps", "belong to the integrator"},
      {model(kBody, R"("outputs": {"two words": "a.x"})"), "/outputs/two words", "letters, digits and _"},
      {model(kBody, j + R"(["ground", "a"]}}, "outputs": {"f": "j.force", "f[1]": "a.x"})"), "/outputs/f[1]",
       "already the name of an output"},
      {model(kBody, R"("joints": {"a": {"type": "revolute", "between": ["ground", "a"]}})"), "/joints/a",
       "already the name of a body"},
      {model(R"("energy": {"mass": 1, "inertia": 1})"), "/bodies/energy", "meaning of its own"},
      {model(R"("a": {"mass": 1, "inertia": 1, "markers": {"p.q": [0, 0]}})"), "/bodies/a/markers/p.q",
       "letters, digits and _"},
      {model(kBody, R"("forces": {"f": {"type": "torque", "body": "ground", "value": 1}})"), "/forces/f/body",
       "cannot turn"},
      {model(kBody, j + R"(["ground", "a"], "friction": {}}})"), "/joints/j/friction", "does nothing"},
      {model(kBody, j + R"(["ground", "a"], "friction": {"coulomb": -1}}})"), "/joints/j/friction/coulomb",
       "must not be negative"},
      {model(kBody, R"("joints": {"d": {"type": "driven_point", "between": ["ground", "a"]}})"), "/joints/d",
       "are missing"},
      {model(kBody, R"("joints": {"d": {"type": "driven_point", "between": ["ground", "a"], "x": "a.y"}})"),
       "/joints/d/x", "a motion may use time and parameters"},
      {model(kBody, R"("forces": {"s": {"type": "spring", "between": ["ground", "a"], "table": [[1, 0], [0, 1]]}})"),
       "/forces/s/table", "increasing"},
      {model(kBody, R"("forces": {"s": {"type": "spring", "between": ["ground", "a"], "force": 1, "stiffness": 2}})"),
       "/forces/s/stiffness", "does not go with"},
      {model(kBody, j + R"(["ground", "a"]}}, "forces": {"m": {"type": "actuator", "joint": "j", "value": 1,
                        "time_constant": 0}})"),
       "/forces/m/time_constant", "must be positive"},
      {model(kBody, R"("forces": {"c": {"type": "contact", "between": ["ground", "a"], "stiffness": 1,
                        "normal": [0, 0]}})"),
       "/forces/c/normal", "must not be zero"},
      {model(kBody, R"("solver": {"rtol": -1})"), "/solver/rtol", "must be positive"},
      {model(kBody, R"("experiment": {"start": 2, "stop": 1})"), "/experiment/stop", "later than the start"},
  };
  for (const Broken& broken : cases) {
    Diagnostics diagnostics("x.json");
    EXPECT_FALSE(readModel(broken.text, diagnostics)) << broken.text;
    bool found = false;
    for (const auto& e : diagnostics.errors()) {
      found = found || (e.path == broken.path && e.message.find(broken.message) != std::string::npos);
    }
    EXPECT_TRUE(found) << broken.text << "\nexpected " << broken.path << ": " << broken.message << "\n"
                       << diagnostics.text();
  }
}

TEST(Reader, InvalidJsonHasLineAndColumn) {
  Diagnostics diagnostics("x.json");
  readModel("{\n  \"name\": }", diagnostics);
  ASSERT_EQ(diagnostics.errors().size(), 1u);
  EXPECT_EQ(diagnostics.errors()[0].line, 2);
  EXPECT_EQ(diagnostics.errors()[0].column, 11);
}

TEST(Reader, MissingFile) {
  Diagnostics diagnostics("nowhere.json");
  EXPECT_FALSE(readModelFile("nowhere.json", diagnostics));
  EXPECT_NE(diagnostics.text().find("nowhere.json: cannot be read"), std::string::npos);
}

TEST(Reader, AllErrorsAtOnce) {
  Diagnostics diagnostics("x.json");
  readModel(model(R"("a": {"inertia": 1}, "b": {"mass": true, "inertia": 1})", R"("foo": 1)"), diagnostics);
  EXPECT_EQ(diagnostics.errors().size(), 3u) << diagnostics.text();
}

TEST(Reader, AllRangesAtOnce) {
  Diagnostics diagnostics("x.json");
  readModel(model(R"("a": {"mass": -1, "inertia": 0}, "b": {"mass": 1, "inertia": -2})"), diagnostics);
  EXPECT_EQ(diagnostics.errors().size(), 3u) << diagnostics.text();
}

// One file with faults of every stage: structure, references, names in expressions, constants, ranges. What follows
// from another fault (uses of "j", of "p") is not reported again.
TEST(Reader, FaultsOfAllStagesAtOnce) {
  Diagnostics diagnostics("x.json");
  readModel(model(R"("a": {"mass": -1, "inertia": "time"}, "b": {"mass": "p", "inertia": 1}, "typo": 3)",
                  R"("parameters": {"p": "q"},
                     "joints": {"j": {"type": "revolute", "between": ["ground", "nobody"]},
                                "k": {"type": "gear", "joints": ["j", "j"], "ratio": 2}},
                     "forces": {"f": {"type": "torque", "joint": "j", "value": 1},
                                "g": {"type": "torque", "body": "a", "value": "a.angel"}},
                     "outputs": {"o": "j.angle", "v": "f.value", "w": "b.z"})"),
            diagnostics);
  std::vector<std::string> paths;
  for (const auto& error : diagnostics.errors()) paths.push_back(error.path);
  std::sort(paths.begin(), paths.end());
  const std::vector<std::string> expected = {"/bodies/a/inertia",   "/bodies/a/mass", "/bodies/typo", "/forces/g/value",
                                             "/joints/j/between/1", "/outputs/w",     "/parameters/p"};
  EXPECT_EQ(paths, expected) << diagnostics.text();
}

TEST(Reader, Override) {
  const std::string text = model(kBody, R"("parameters": {"L": {"value": 1, "unit": "m"}}, "solver": {"rtol": 1e-4})");
  Diagnostics diagnostics("x.json");
  const auto changed = readModel(
      overrideModel(text, {{"parameters.L", "2*pi"}, {"solver.rtol", "1e-9"}, {"experiment.stop", "7"}}, diagnostics),
      diagnostics);
  ASSERT_TRUE(changed) << diagnostics.text();
  EXPECT_NEAR(changed->parameters[0].value, 2 * std::numbers::pi, 1e-15);
  EXPECT_EQ(changed->parameters[0].unit, "m");
  EXPECT_EQ(changed->solver.rtol, 1e-9);
  EXPECT_EQ(changed->experiment.stop, 7);
  overrideModel(text, {{"parameters.M", "1"}}, diagnostics);
  EXPECT_FALSE(diagnostics.ok());
}

}  // namespace
