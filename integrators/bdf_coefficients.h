// The backward differentiation formula of order k on the grid t_{n+1}, t_n, ..., t_{n-k+1} in terms of the modified
// differences  nabla^j x_n = (prod_{i<=j} tau_i) [x_n, ..., x_{n-j}],  tau_j = t_n - t_{n-j}:
//   x_{n+1} = x_n + sum_j omega_j nabla^j x_n + delta,   h x'_{n+1} = sum_j c_j omega_j nabla^j x_n + c_k delta,
// with delta = nabla^{k+1} x_{n+1}. Local error of order j: error(j) nabla^{j+1} x_{n+1}.
// Ren & Zhou 2020, eqs. 58 to 69, the vector c of eq. 67 being (c_1 omega_1, ..., c_k omega_k).
#pragma once

#include <array>

namespace mbfmu {

constexpr int kBdfMaxOrder = 5;
constexpr int kBdfPast = kBdfMaxOrder + 1;  // past points that are kept: one more order can be judged

struct BdfCoefficients {
  // Index 0 is unused but for omega_0 = 1 and c_0 = 0.
  std::array<double, kBdfPast + 1> omega{}, c{};
  std::array<double, kBdfPast + 2> tau{};  // of t_{n+1}: tau_1 = h
  double h = 0;
  double error(int j) const { return h / tau[static_cast<std::size_t>(j + 1)]; }
};

// tau: of t_n, entries 1 to past.
BdfCoefficients bdfCoefficients(const std::array<double, kBdfPast + 1>& tau, int past, double h);

}  // namespace mbfmu
