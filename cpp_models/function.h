// #include <mbfmu/function.h>: write functions in C++ that the expressions of a model file can call.
#pragma once

#include "multibody/own_function.h"
