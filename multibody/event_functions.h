// Event functions of a mechanism: positive as long as its modes last.
#pragma once

#include "multibody/assembly.h"

namespace mbfmu {

// The modes before anything is known: everything is open and loose.
Modes initialModes(const EventParts& parts);

// What a friction can take while it sticks, given all multipliers (or impulses): with the normal force of its contact,
// if it has one.
double stickingLimit(const Assembly& parts, const Friction& friction, const Evaluation& at, const Vector& lambda);
bool engaged(const Friction& friction, const Evaluation& at);

void eventFunctions(const Assembly& parts, const Modes& modes, const Evaluation& at, Vector& g);

}  // namespace mbfmu
