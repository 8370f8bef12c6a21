#include "multibody/mechanism.h"

#include <algorithm>
#include <cmath>

#include "multibody/assembly.h"
#include "multibody/configuration.h"
#include "multibody/event_functions.h"
#include "multibody/event_handler.h"
#include "multibody/placement.h"

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
    const Placement placement = placeBodies(*model_, parameters_);
    const Dimensions d = dimensions();
    State y{Vector::Zero(d.nq), Vector::Zero(d.nv), Vector::Zero(d.nx)};
    for (std::size_t i = 0; i < placement.bodies.size(); ++i) {
      const BodyPose& pose = placement.bodies[i];
      const auto& columns = parts_.layout.columns[i];
      const double q[3] = {pose.x, pose.y, pose.angle}, v[3] = {pose.vx, pose.vy, pose.rate};
      for (std::size_t k = 0; k < 3; ++k) {
        if (columns[k] < 0) continue;
        y.q[columns[k]] = q[k];
        y.v[columns[k]] = v[k];
      }
    }
    for (int i = 0; i < d.nx; ++i) y.x[i] = evaluate(*model_, model_->states[at(i)].start.expression, parameters_);
    return y;
  }

  void assemblyWeights(Vector& positions, Vector& velocities) const override {
    const Placement placement = placeBodies(*model_, parameters_);
    positions.setOnes(dimensions().nv);
    velocities.setOnes(dimensions().nv);
    for (std::size_t i = 0; i < placement.bodies.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int column = parts_.layout.columns[i][k];
        if (column < 0) continue;
        positions[column] = placement.weights[i][k];
        velocities[column] = placement.velocityWeights[i][k];
      }
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
      for (std::size_t k = 0; k < output.names.size(); ++k) names[k] = namedValue(output, k);
      values[static_cast<Eigen::Index>(i)] = output.expression.evaluate(std::span<const double>(names));
    }
  }

  double energy(double t, const State& y) const override {
    moveTo(t, y, nullptr);
    return energy(true, true);
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
    return EventHandler(*this, parts_, now_, modes_).handle(t, crossed, y, w);
  }
  std::string startEvents(double t, State& y, Rates& w) override {
    resetHeld();
    return parts_.events.empty() ? "" : EventHandler(*this, parts_, now_, modes_).start(t, y, w);
  }
  bool stopped() const override { return modes_.stopped; }

  void transfer(Archive& archive) override {
    std::vector<char> isSet;
    for (const auto& value : set_) isSet.push_back(value.has_value());
    archive.sized(now_.inputs, parameters_, now_.constants, now_.active, now_.offset, isSet);
    modes_.transfer(archive);
    for (std::size_t i = 0; archive.reading() && i < set_.size(); ++i) {
      set_[i] = isSet[i] ? std::optional(parameters_[i]) : std::nullopt;
    }
  }

 private:
  void resetHeld() {
    for (std::size_t i = 0; i < parts_.heldStart.size(); ++i)
      now_.inputs[model_->inputs.size() + i] = now_.constant(parts_.heldStart[i]);
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

  double energy(bool kinetic, bool potential) const {
    double sum = 0;
    for (const auto& element : parts_.elements) {
      if (kinetic) sum += element->kineticEnergy(now_);
      if (potential) sum += element->potentialEnergy(now_);
    }
    return sum;
  }

  double coordinateValue(const Coordinate& coordinate, int order) const {
    CoordinateValue c;
    coordinate.evaluate(now_, 2, c);
    if (order == 0) return c.s;
    if (order == 1) return c.rate;
    double acceleration = c.curvature;
    for (int i = 0; i < coordinate.size(); ++i) {
      const int column = coordinate.column(parts_.layout, i);
      if (column >= 0) acceleration += c.sq[at(i)] * now_.rates->a[column];
    }
    return acceleration;
  }

  // -Phi_q^T lambda of a joint's rows on its second body: force and torque about its marker.
  std::array<double, 3> reaction(const Assembly::JointParts& joint) const {
    std::array<double, 3> sum{};
    CoordinateValue c;
    for (int row = joint.first; row < joint.last; ++row) {
      if (row == joint.motion) continue;
      const Coordinate& coordinate = parts_.rows[at(row)]->coordinate();
      coordinate.evaluate(now_, 1, c);
      for (int b = 0; b < coordinate.bodyCount(); ++b) {
        if (coordinate.body(b) != joint.second.body) continue;
        for (int k = 0; k < 3; ++k) sum[at(k)] -= c.sq[at(3 * b + k)] * now_.rates->lambda[row];
      }
    }
    const BodyPose& pose = now_.pose(joint.second.body);
    const double x = now_.constant(joint.second.position[0]), y = now_.constant(joint.second.position[1]);
    const double armX = pose.cosine * x - pose.sine * y, armY = pose.sine * x + pose.cosine * y;
    sum[2] -= armX * sum[1] - armY * sum[0];
    return sum;
  }

  // While a friction sticks, its row gives the force, else its force element; the other one is zero.
  double stickingForce(int friction) const { return -now_.rates->lambda[parts_.events.frictions[at(friction)].row]; }
  double slidingOrSticking(const Assembly::JointParts& joint) const {
    return stickingForce(joint.friction) + joint.sliding->force(now_);
  }
  double forceValue(const Assembly::ForceParts& force) const {
    if (force.contact >= 0) return -now_.rates->lambda[parts_.events.unilaterals[at(force.contact)].row];
    return force.element->force(now_) + (force.switching < 0 ? 0 : stickingForce(force.switching));
  }
  double frictionValue(const Assembly::ForceParts& force) const {
    if (force.friction) return force.friction->force(now_);
    return stickingForce(force.switching) + force.slidingContact->force(now_);
  }

  double namedValue(const Assembly::Output& output, std::size_t k) const {
    using What = NamedPath::What;
    const NamedPath& path = output.names[k];
    switch (path.what) {
      case What::bodyCoordinate:
      case What::markerCoordinate:
      case What::jointCoordinate:
      case What::springCoordinate:
        return coordinateValue(output.coordinates[k], path.order);
      case What::reactionForce:
        return reaction(parts_.joints[at(path.index)])[at(path.component)];
      case What::reactionTorque:
        return reaction(parts_.joints[at(path.index)])[2];
      case What::motionForce:
        return -now_.rates->lambda[parts_.joints[at(path.index)].motion];
      case What::forceValue:
        return forceValue(parts_.forces[at(path.index)]);
      case What::frictionValue:
        if (path.component == 0) return slidingOrSticking(parts_.joints[at(path.index)]);
        return frictionValue(parts_.forces[at(path.index)]);
      case What::stopForce: {
        double sum = 0;
        for (const int i : parts_.joints[at(path.index)].stops)
          sum -= now_.rates->lambda[parts_.events.unilaterals[at(i)].row];
        return sum;
      }
      case What::closed:
        return modes_.closed[at(parts_.forces[at(path.index)].contact)];
      case What::sticking:
        return modes_.sticking[at(path.component == 0 ? parts_.joints[at(path.index)].friction
                                                      : parts_.forces[at(path.index)].switching)];
      case What::discrete:
        return now_.inputs[model_->inputs.size() + at(path.index)];
      case What::kinetic:
        return energy(true, false);
      case What::potential:
        return energy(false, true);
      case What::total:
        return energy(true, true);
      case What::state:
        return now_.state->x[path.index];
      case What::input:
        return now_.inputs[at(path.index)];
      case What::parameter:
        return now_.constant(output.constants[k]);
      case What::time:
        return now_.t;
    }
    return 0;
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
