#include "multibody/mechanism.h"

#include <algorithm>
#include <cmath>

#include "multibody/assembly.h"
#include "multibody/configuration.h"
#include "multibody/event_functions.h"
#include "multibody/event_handler.h"
#include "multibody/placement.h"
#include "multibody/readings.h"

namespace mbfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class AssembledMechanism final : public Mechanism {
 public:
  AssembledMechanism(std::shared_ptr<const Model> model, std::unique_ptr<Assembly> assembly,
                     std::vector<double> parameters, std::vector<double> constants)
      : model_(std::move(model)), parts_(*assembly), set_(parameters.size()), parameters_(std::move(parameters)) {
    if (parts_.layout.spatial) {
      now_.spatialBodies.resize(model_->bodies.size());
    } else {
      now_.bodies.resize(model_->bodies.size());
    }
    now_.constants = std::move(constants);
    for (const Input& input : model_->inputs) now_.inputs.push_back(input.start);
    now_.inputs.resize(now_.inputs.size() + parts_.heldStart.size());
    resetHeld();
    now_.active.assign(parts_.rows.size(), 1);
    now_.offset.assign(parts_.rows.size(), 0);
    modes_ = initialModes(parts_.events);
    showModes();
    switched_.assign(parts_.rows.size(), 0);
    for (const Unilateral& u : parts_.events.unilaterals) switched_[at(u.row)] = 1;
    for (const Friction& f : parts_.events.frictions) switched_[at(f.row)] = 1;
    for (std::size_t i = 0; i < switched_.size(); ++i) now_.active[i] = !switched_[i];
  }

  std::unique_ptr<Mechanism> clone() const override { return std::make_unique<AssembledMechanism>(*this); }
  const Model& model() const override { return *model_; }
  Dimensions dimensions() const override { return parts_.layout.dimensions; }
  const Pattern& pattern() const override { return parts_.pattern; }
  std::string constraintName(int row) const override { return parts_.rowNames[at(row)]; }

  void advance(const Vector& q0, const Vector& theta, Vector& q) const override {
    if (!parts_.layout.spatial) return System::advance(q0, theta, q);
    configuration::advance(parts_.layout, now_.constants, q0, theta, q);
  }
  void difference(const Vector& q0, const Vector& q1, Vector& theta) const override {
    if (!parts_.layout.spatial) return System::difference(q0, q1, theta);
    configuration::difference(parts_.layout, q0, q1, theta);
  }
  void positionScale(const Vector& q, Vector& scale) const override {
    if (!parts_.layout.spatial) return System::positionScale(q, scale);
    configuration::positionScale(parts_.layout, q, scale);
  }
  void chartRate(const Vector& theta, const Vector& v, Vector& thetaRate) const override {
    if (!parts_.layout.spatial) return System::chartRate(theta, v, thetaRate);
    configuration::chartRate(parts_.layout, theta, v, thetaRate);
  }

  double input(int index) const override { return now_.inputs[at(index)]; }
  void setInput(int index, double value) override { now_.inputs[at(index)] = value; }
  double parameter(int index) const override { return parameters_[at(index)]; }
  void setRowActive(int row, bool active) override {
    if (!active || !switched_[at(row)]) now_.active[at(row)] = active;
  }
  bool rowActive(int row) const override { return now_.active[at(row)] != 0; }

  std::string setParameter(int index, double value) override {
    auto set = set_;
    set[at(index)] = value;
    auto parameters = parameterValues(*model_, set);
    const std::string name = "parameter " + model_->parameters[at(index)].name + " = " + std::to_string(value);
    if (!std::isfinite(value)) return name + ": must be a finite number";
    std::vector<Constants::Problem> problems;
    auto constants = parts_.constants.evaluate(*model_, parameters, problems);
    if (!problems.empty()) return name + ": " + problems[0].path + " " + problems[0].message;
    set_ = std::move(set);
    parameters_ = std::move(parameters);
    now_.constants = std::move(constants);
    return "";
  }

  State guess() const override {
    const Dimensions d = dimensions();
    State y{Vector::Zero(d.nq), Vector::Zero(d.nv), Vector::Zero(d.nx)};
    if (parts_.layout.spatial) {
      const SpatialPlacement placement = placeSpatialBodies(*model_, parameters_);
      configuration::readSpatial(parts_.layout, placement.bodies, y);
      for (std::size_t i = 0; i < model_->joints.size(); ++i) {
        const auto& start = model_->joints[i].start;
        const int memory = parts_.joints[i].angle;
        if (start && memory >= 0) y.q[memory] = evaluate(*model_, start->expression, parameters_);
      }
      configuration::settleAngles(parts_.layout, now_.constants, y.q);
    } else {
      configuration::readPlanar(parts_.layout, placeBodies(*model_, parameters_).bodies, y);
    }
    for (int i = 0; i < d.nx; ++i) {
      const StateVariable& state = model_->states[at(i)];
      y.x[i] = state.input >= 0 ? input(state.input) : evaluate(*model_, state.start.expression, parameters_);
    }
    return y;
  }

  void assemblyWeights(Vector& positions, Vector& velocities) const override {
    if (parts_.layout.spatial) {
      const SpatialPlacement placement = placeSpatialBodies(*model_, parameters_);
      spread(placement.weights, positions);
      spread(placement.velocityWeights, velocities);
    } else {
      const Placement placement = placeBodies(*model_, parameters_);
      spread(placement.weights, positions);
      spread(placement.velocityWeights, velocities);
    }
  }

  void residual(double t, const State& y, const Rates& w, Level level, Vector& r) const override {
    moveTo(t, y, &w);
    r.setZero(dimensions().unknowns());
    for (const auto& element : parts_.elements) element->addResidual(now_, level, r);
  }

  void constraints(double t, const State& y, Level level, Vector& c) const override {
    moveTo(t, y, nullptr);
    c.resize(dimensions().m);
    for (const Constraint* row : parts_.rows) c[row->row()] = row->violation(now_, level);
  }

  void linearise(double t, const State& y, const Rates& w, Level level, Linearisation& p) const override {
    moveTo(t, y, &w);
    for (auto* values : {&p.p0, &p.p1, &p.p2}) values->assign(parts_.pattern.size(), 0);
    for (const auto& element : parts_.elements) element->addLinearisation(now_, level, p);
  }

  void outputs(double t, const State& y, const Rates& w, Vector& values) const override {
    moveTo(t, y, &w);
    values.resize(static_cast<Eigen::Index>(parts_.outputs.size()));
    std::array<double, Quantity::kMaxSymbols> names;
    for (std::size_t i = 0; i < parts_.outputs.size(); ++i) {
      const Assembly::Output& output = parts_.outputs[i];
      for (std::size_t k = 0; k < output.names.size(); ++k) names[k] = readingOf(parts_, now_, output, k);
      values[static_cast<Eigen::Index>(i)] = output.expression.evaluate(std::span<const double>(names));
    }
  }

  double energy(double t, const State& y) const override {
    moveTo(t, y, nullptr);
    return energyOf(parts_, now_, true, true);
  }

  int eventCount() const override { return parts_.events.functions(); }
  const std::string& eventName(int function) const override { return parts_.events.name(function); }
  void eventFunctions(double t, const State& y, const Rates& w, Vector& g) const override {
    moveTo(t, y, &w);
    mbfmu::eventFunctions(parts_, modes_, now_, g);
  }
  double nextTimeEvent() const override {
    double first = std::numeric_limits<double>::infinity();
    for (const double time : modes_.next) first = std::min(first, time);
    return first;
  }
  std::string handleEvents(double t, const std::vector<int>& crossed, State& y, Rates& w) override {
    const std::string problem = EventHandler(*this, parts_, now_, modes_).handle(t, crossed, y, w);
    showModes();
    return problem;
  }
  std::string startEvents(double t, State& y, Rates& w) override {
    resetHeld();
    if (parts_.events.empty()) return "";
    const std::string problem = EventHandler(*this, parts_, now_, modes_).start(t, y, w);
    showModes();
    return problem;
  }
  bool stopped() const override { return modes_.stopped; }

  void transfer(Archive& archive) override {
    std::vector<char> isSet;
    for (const auto& value : set_) isSet.push_back(value.has_value());
    archive.sized(now_.inputs, parameters_, now_.constants, now_.active, now_.offset, isSet);
    modes_.transfer(archive);
    showModes();
    for (std::size_t i = 0; archive.reading() && i < set_.size(); ++i) {
      set_[i] = isSet[i] ? std::optional(parameters_[i]) : std::nullopt;
    }
  }

 private:
  // To the outputs.
  void showModes() {
    now_.closed = modes_.closed;
    now_.sticking = modes_.sticking;
  }

  void resetHeld() {
    for (std::size_t i = 0; i < parts_.heldStart.size(); ++i)
      now_.inputs[model_->inputs.size() + i] = now_.constant(parts_.heldStart[i]);
  }

  // Values by body and direction to the columns.
  template <std::size_t n>
  void spread(const std::vector<std::array<double, n>>& values, Vector& columns) const {
    columns.setOnes(dimensions().nv);
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        const int column = parts_.layout.columns[i][k];
        if (column >= 0) columns[column] = values[i][k];
      }
    }
  }

  // One sine and cosine, or one rotation matrix, per body and evaluation.
  void moveTo(double t, const State& y, const Rates* w) const {
    now_.t = t;
    now_.state = &y;
    now_.rates = w;
    if (parts_.layout.spatial) {
      configuration::placeSpatial(parts_.layout, y, w, now_.spatialBodies);
    } else {
      configuration::placePlanar(parts_.layout, y, w, now_.bodies);
    }
  }

  std::shared_ptr<const Model> model_;
  Assembly parts_;
  std::vector<std::optional<double>> set_;  // parameters that no longer follow the file
  std::vector<double> parameters_;
  mutable Evaluation now_;  // scratch of one evaluation; inputs, constants, active rows and offsets stay
  Modes modes_;
  std::vector<char> switched_;  // rows that events switch
};

}  // namespace

std::unique_ptr<Mechanism> Mechanism::build(std::shared_ptr<const Model> model, Diagnostics& diagnostics) {
  auto assembly = assemble(*model, diagnostics);
  assembly->constants.resolve(*model, diagnostics);
  auto parameters = parameterValues(*model, {});
  std::vector<Constants::Problem> problems;
  auto constants = assembly->constants.evaluate(*model, parameters, problems);
  for (const auto& problem : problems) diagnostics.error(problem.path, problem.message);
  if (!diagnostics.ok()) return nullptr;
  return std::make_unique<AssembledMechanism>(std::move(model), std::move(assembly), std::move(parameters),
                                              std::move(constants));
}

}  // namespace mbfmu
