// Random sequences of calls with random arguments. Whatever a master does, the FMU answers: no crash, no hang, no leak,
// and the rules on errors hold. MBFMU_FUZZ_CASES=100000 makes the long run.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <utility>

#include "fmu_src/state_machine.h"
#include "tests/fmu_src/fuzz.h"
#include "tests/fmu_src/runtime.h"

namespace mbfmu::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
constexpr std::array numbers = {0.0,  1.0,  -1.0,   0.5,   1e-9,   0.01, 0.1,      0.1,      3.0,
                                -2.0, 1e-7, 1e-300, 1e300, 5e-324, nan,  infinity, -infinity};
// Not too many: a step without an end would be what the master asked for.
constexpr std::array<fmi3Int64, 8> wholeNumbers = {0, 1, 2, 3, 5, 100, -1, std::numeric_limits<fmi3Int64>::min()};
constexpr std::array texts = {"", "0", "1", "2", "3", "0.001", "1e-3", "nan", "radau", "hht", "baumgarte", "none", "é"};

std::string fuzzModel() {
  std::string model = pendulumText;
  model.replace(model.find("\"atol\": 1e-8"), 12, "\"atol\": 1e-8, \"maxSteps\": 100");
  return model;
}

// What has worked so far, over all sequences.
struct Reached {
  long steps = 0, discards = 0, restored = 0, derivatives = 0;
} reached;

// Where an instance has to be after the calls so far.
struct Where {
  Mode mode = Mode::instantiated;
  double time = 0;
};

class Sequence {
 public:
  Sequence(Random& random, const std::string& token, const std::string& resources) : random_(random) {
    std::vector<fmi3ValueReference> intermediate;
    if (random.oneIn(3)) intermediate = {torque, angle};
    if (random.oneIn(20)) intermediate.push_back(reference());
    const bool updates = random.oneIn(2);
    earlyReturnAllowed_ = random.oneIn(2);
    eventMode_ = random.oneIn(3);
    handle_ = FMI(fmi3InstantiateCoSimulation)(
        random.oneIn(100) ? nullptr : "fuzz", random.oneIn(100) ? "{}" : token.c_str(),
        random.oneIn(100) ? nullptr : resources.c_str(), false, random.oneIn(2), eventMode_, earlyReturnAllowed_,
        intermediate.data(), intermediate.size(), this, log, updates ? update : nullptr);
  }
  ~Sequence() { FMI(fmi3FreeInstance)(handle_); }
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  // One call: mostly a legal one that leads on.
  void call() {
    if (random_.oneIn(6)) return anything();
    if (random_.oneIn(6)) return states();
    switch (where_.mode) {
      case Mode::instantiated:
        return move(FMI(fmi3EnterInitializationMode)(handle_, false, 0, 0, false, 0), Mode::initialization);
      case Mode::initialization:
        return move(FMI(fmi3ExitInitializationMode)(handle_), eventMode_ ? Mode::event : Mode::step);
      case Mode::event:
        return move(FMI(fmi3EnterStepMode)(handle_), Mode::step);
      case Mode::terminated:
        return random_.oneIn(2) ? states() : move(FMI(fmi3Reset)(handle_), Mode::instantiated);
      default:
        break;
    }
    switch (random_.below(8)) {
      case 0:
        if (eventMode_) return move(FMI(fmi3EnterEventMode)(handle_), Mode::event);
        return set(damping, 0.1);
      case 1:
        return set(torque, 0.1 * static_cast<double>(random_.below(3)));
      case 2:
        return derivative(angle + static_cast<unsigned>(random_.below(2)), torque);
      case 3:
        return step(where_.time, 1e300);  // cannot be done
      default:
        return step(where_.time, random_.of(std::array{0.01, 0.01, 0.1, 1e-9, 0.5}));
    }
  }

 private:
  static void log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
    EXPECT_TRUE(environment && category && message && *message);
    EXPECT_NE(status, fmi3Fatal);
  }
  static void update(fmi3InstanceEnvironment environment, double, bool, bool, bool, bool, bool* requested, double* at) {
    auto& sequence = *static_cast<Sequence*>(environment);
    if (sequence.random_.oneIn(2)) sequence.anything();
    *requested = sequence.random_.oneIn(4);
    if (sequence.random_.oneIn(2)) *at = sequence.number();
  }

  double number() { return random_.of(numbers); }
  std::size_t count() { return random_.oneIn(3) ? random_.below(4) : 1; }
  fmi3ValueReference reference() {
    static constexpr std::array known = {
        time,     torque,   angle,    acceleration, length,     damping,          relativeTolerance,
        4000001u, 4000002u, 4000003u, 4000004u,     maxSteps,   integratorChoice, steps,
        5000008u, 5000009u, energy,   6000001u,     blockNodes, 7000001u,         7000003u};
    return random_.oneIn(10) ? static_cast<fmi3ValueReference>(random_.below(8'000'000)) : random_.of(known);
  }
  // Sometimes no array at all.
  template <class List>
  auto* array(List& list) {
    return random_.oneIn(50) ? nullptr : list.data();
  }

  void check(fmi3Status status) {
    EXPECT_LE(status, fmi3Error);
    EXPECT_TRUE(handle_ || status == fmi3Error);
    if (status == fmi3Error) where_.mode = Mode::terminated;
  }

  void move(fmi3Status status, Mode mode) {
    check(status);
    if (status != fmi3OK) return;
    where_.mode = mode;
    if (mode == Mode::initialization) FMI(fmi3GetFloat64)(handle_, &time, 1, &where_.time, 1);
  }

  void set(fmi3ValueReference reference, double value) {
    check(FMI(fmi3SetFloat64)(handle_, &reference, 1, &value, 1));
  }

  void derivative(fmi3ValueReference unknown, fmi3ValueReference known) {
    const double seed = 1;
    double result = nan;
    const auto function = random_.oneIn(2) ? FMI(fmi3GetDirectionalDerivative) : FMI(fmi3GetAdjointDerivative);
    const fmi3Status status = function(handle_, &unknown, 1, &known, 1, &seed, 1, &result, 1);
    check(status);
    if (status != fmi3OK) return;
    EXPECT_TRUE(std::isfinite(result));
    ++reached.derivatives;
  }

  void step(double from, double size) {
    bool event = true, terminate = true, early = true;
    double last = nan;
    const bool possible = where_.mode == Mode::step;
    const fmi3Status status = FMI(fmi3DoStep)(handle_, from, size, random_.oneIn(2), &event, &terminate, &early, &last);
    check(status);
    EXPECT_TRUE(possible || status == fmi3Error) << "a step after an error or out of Step Mode";
    if (status == fmi3Error) return;
    EXPECT_TRUE(std::isfinite(last));
    EXPECT_TRUE(earlyReturnAllowed_ || !early);
    if (status == fmi3Discard) {
      EXPECT_EQ(last, where_.time);
      ++reached.discards;
    } else {
      EXPECT_GE(last, where_.time);
      ++reached.steps;
    }
    where_.time = last;
  }

  void get() {
    std::array<fmi3ValueReference, 4> references = {reference(), reference(), reference(), reference()};
    std::array<double, 4> values = {nan, nan, nan, nan};
    const std::size_t n = count(), size = random_.oneIn(20) ? count() : n;
    const fmi3Status status = FMI(fmi3GetFloat64)(handle_, array(references), n, array(values), size);
    check(status);
    for (std::size_t i = 0; status == fmi3OK && i < n; ++i) {
      EXPECT_TRUE(std::isfinite(values[i])) << references[i];
    }
  }

  void states() {
    fmi3FMUState& state = states_[random_.below(states_.size())];
    switch (state || random_.oneIn(10) ? random_.below(5) : 0) {
      case 0: {
        const fmi3Status status = FMI(fmi3GetFMUState)(handle_, &state);
        check(status);
        if (status == fmi3OK) saved_[state] = where_;
        return;
      }
      case 1: {
        const fmi3Status status = FMI(fmi3SetFMUState)(handle_, state);
        check(status);
        if (status != fmi3OK) return;
        where_ = saved_[state];
        ++reached.restored;
        return;
      }
      case 2:
        return check(FMI(fmi3FreeFMUState)(handle_, &state));
      case 3: {
        std::size_t size = 0;
        fmi3Status status = FMI(fmi3SerializedFMUStateSize)(handle_, state, &size);
        check(status);
        if (status != fmi3OK) return;
        Bytes bytes(size);
        status = FMI(fmi3SerializeFMUState)(handle_, state, bytes.data(), random_.oneIn(10) ? size / 2 : size);
        check(status);
        if (status == fmi3OK) serialized_ = {bytes, saved_[state]};
        return;
      }
      default: {
        Bytes bytes = serialized_.first;
        const bool damaged = bytes.empty() || random_.oneIn(3);
        if (damaged && !bytes.empty()) bytes[random_.below(bytes.size())] ^= 1;
        const fmi3Status status = FMI(fmi3DeserializeFMUState)(handle_, array(bytes), bytes.size(), &state);
        check(status);
        EXPECT_TRUE(status == fmi3Error || !damaged);
        if (status == fmi3OK) saved_[state] = serialized_.second;
      }
    }
  }

  void anything() {
    std::array<fmi3ValueReference, 4> references = {reference(), reference(), reference(), reference()};
    std::array<double, 8> reals = {number(), number(), number(), number(), 0, 0, 0, 0};
    const std::size_t n = count(), m = random_.oneIn(20) ? count() : n;
    switch (random_.below(20)) {
      case 0:
        return check(FMI(fmi3SetFloat64)(handle_, array(references), n, array(reals), m));
      case 1: {
        const std::array<fmi3Int64, 4> values = {random_.of(wholeNumbers), random_.of(wholeNumbers),
                                                 random_.of(wholeNumbers), random_.of(wholeNumbers)};
        return check(FMI(fmi3SetInt64)(handle_, array(references), n, array(values), m));
      }
      case 2: {
        const std::array<fmi3String, 4> values = {random_.of(texts), random_.oneIn(20) ? nullptr : random_.of(texts),
                                                  random_.of(texts), random_.of(texts)};
        return check(FMI(fmi3SetString)(handle_, array(references), n, array(values), m));
      }
      case 3: {
        std::array<fmi3Int64, 4> values{};
        return check(FMI(fmi3GetInt64)(handle_, array(references), n, array(values), m));
      }
      case 4: {
        std::array<fmi3String, 4> values{};
        const fmi3Status status = FMI(fmi3GetString)(handle_, array(references), n, array(values), m);
        for (std::size_t i = 0; status == fmi3OK && i < n; ++i) EXPECT_TRUE(values[i]);
        return check(status);
      }
      case 5: {
        const std::array<fmi3Int32, 4> orders = {1, 2, static_cast<fmi3Int32>(random_.below(4)), 1};
        return check(FMI(fmi3GetOutputDerivatives)(handle_, array(references), n, array(orders), array(reals), m));
      }
      case 6:
      case 7: {
        const auto function = random_.oneIn(2) ? FMI(fmi3GetDirectionalDerivative) : FMI(fmi3GetAdjointDerivative);
        std::array<double, 4> sensitivity{};
        return check(function(handle_, array(references), n, references.data() + 2, random_.below(3), array(reals), m,
                              array(sensitivity), count()));
      }
      case 8: {
        std::size_t size = 0;
        const fmi3ValueReference dependent = reference();
        const fmi3Status status = FMI(fmi3GetNumberOfVariableDependencies)(handle_, dependent, &size);
        check(status);
        if (status != fmi3OK) return;
        std::vector<std::size_t> one(size), two(size);
        std::vector<fmi3ValueReference> independents(size);
        std::vector<fmi3DependencyKind> kinds(size);
        return check(FMI(fmi3GetVariableDependencies)(handle_, dependent, array(one), independents.data(), two.data(),
                                                      kinds.data(), size));
      }
      case 9: {
        const std::array<fmi3String, 2> categories = {"logStatusError", random_.oneIn(3) ? "nonsense" : "logSolver"};
        return check(FMI(fmi3SetDebugLogging)(handle_, random_.oneIn(2), random_.below(3), array(categories)));
      }
      case 10:
        return move(
            FMI(fmi3EnterInitializationMode)(handle_, random_.oneIn(2), number(), number(), random_.oneIn(2), number()),
            Mode::initialization);
      case 11: {
        bool a = false, b = false, c = false, d = false, e = false;
        double t = 0;
        return check(FMI(fmi3UpdateDiscreteStates)(handle_, &a, &b, &c, &d, random_.oneIn(20) ? nullptr : &e, &t));
      }
      case 12:
        if (!random_.oneIn(4)) return get();
        return move(FMI(fmi3Terminate)(handle_), Mode::terminated);
      case 13:
        if (!random_.oneIn(4)) return get();
        return move(FMI(fmi3Reset)(handle_), Mode::instantiated);
      case 14:
        return step(number(), number());
      case 15: {
        // Functions without a use here.
        const std::array functions = {FMI(fmi3EnterConfigurationMode), FMI(fmi3ExitConfigurationMode),
                                      FMI(fmi3EvaluateDiscreteStates), FMI(fmi3EnterContinuousTimeMode)};
        return check(random_.of(functions)(handle_));
      }
      case 16:
      case 17:
        return states();
      default:
        return get();
    }
  }

  Random& random_;
  fmi3Instance handle_ = nullptr;
  bool eventMode_ = false, earlyReturnAllowed_ = false;
  Where where_;
  std::array<fmi3FMUState, 3> states_{};
  std::map<fmi3FMUState, Where> saved_;
  std::pair<Bytes, Where> serialized_;
};

TEST(Fuzz, RandomCallsWithRandomArguments) {
  const std::string model = fuzzModel(), token = tokenOf(model);
  const Resources resources(model);
  const unsigned long cases = fuzzCases(1500);
  for (unsigned seed = 0; seed < cases && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Sequence sequence(random, token, resources.path());
    for (std::size_t n = random.below(60); n > 0; --n) sequence.call();
  }
  // Sequences that always end in the first error would test little.
  const auto few = static_cast<long>(cases / 100);
  EXPECT_GT(reached.steps, few);
  EXPECT_GT(reached.discards, few);
  EXPECT_GT(reached.restored, few);
  EXPECT_GT(reached.derivatives, few);
  std::cout << reached.steps << " steps, " << reached.discards << " discarded, " << reached.restored
            << " states restored, " << reached.derivatives << " derivatives\n";
}

}  // namespace
}  // namespace mbfmu::test
