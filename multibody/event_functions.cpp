#include "multibody/event_functions.h"

#include <cmath>
#include <limits>

namespace mbfmu {
namespace {

// What begins at rest is told from round-off by this much (m, rad, or per second).
constexpr double kMargin = 1e-10;

std::size_t at_(int i) { return static_cast<std::size_t>(i); }

bool active(const Evaluation& at, int row) { return at.active[at_(row)] != 0; }

double unilateral(const Assembly& parts, const Modes& modes, std::size_t i, const Evaluation& at) {
  const Unilateral& u = parts.events.unilaterals[i];
  if (modes.closed[i] && active(at, u.row)) return -u.sign * at.rates->lambda[u.row];
  const double gap = u.sign * parts.rows[at_(u.row)]->measure(at, Level::position);
  return modes.closed[i] || modes.slow[i] ? gap + kMargin : gap;
}

double friction(const Assembly& parts, const Modes& modes, std::size_t i, const Evaluation& at) {
  const Friction& f = parts.events.frictions[i];
  if (modes.sticking[i]) {
    if (!f.sticking || !active(at, f.row)) return 1;
    return stickingLimit(parts, f, at, at.rates->lambda) - std::abs(at.rates->lambda[f.row]);
  }
  const double direction = at.inputs[at_(f.direction)];
  if (direction == 0) return 1;
  const double speed = direction * parts.rows[at_(f.row)]->measure(at, Level::velocity);
  return modes.slow[parts.events.unilaterals.size() + i] ? speed + kMargin : speed;
}

}  // namespace

const std::string& EventParts::name(int function) const {
  auto i = static_cast<std::size_t>(function);
  if (i < unilaterals.size()) return unilaterals[i].name;
  i -= unilaterals.size();
  if (i < frictions.size()) return frictions[i].name;
  return watches[i - frictions.size()].name;
}

Modes initialModes(const EventParts& parts) {
  Modes modes;
  modes.closed.assign(parts.unilaterals.size(), 0);
  modes.sticking.assign(parts.frictions.size(), 0);
  modes.slow.assign(parts.unilaterals.size() + parts.frictions.size(), 0);
  modes.positive.assign(parts.watches.size(), 0);
  modes.next.assign(parts.clocks.size(), std::numeric_limits<double>::infinity());
  return modes;
}

double stickingLimit(const Assembly& parts, const Friction& friction, const Evaluation& at, const Vector& lambda) {
  if (!friction.sticking) return std::numeric_limits<double>::infinity();
  const double limit = friction.sticking->value(at);
  if (friction.normal < 0) return limit;
  const Unilateral& u = parts.events.unilaterals[at_(friction.normal)];
  return limit * -u.sign * lambda[u.row];
}

bool engaged(const Friction& friction, const Evaluation& at) {
  return !friction.engaged || friction.engaged->value(at) > 0.5;
}

void eventFunctions(const Assembly& parts, const Modes& modes, const Evaluation& at, Vector& g) {
  const EventParts& events = parts.events;
  g.resize(events.functions());
  Eigen::Index k = 0;
  for (std::size_t i = 0; i < events.unilaterals.size(); ++i) g[k++] = unilateral(parts, modes, i, at);
  for (std::size_t i = 0; i < events.frictions.size(); ++i) g[k++] = friction(parts, modes, i, at);
  for (std::size_t i = 0; i < events.watches.size(); ++i) {
    const double value = events.watches[i].value.value(at);
    g[k++] = modes.positive[i] ? value : -value;
  }
}

}  // namespace mbfmu
