// Random numbers for the fuzz tests: the same ones on every machine.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>

namespace mbfmu::test {

// How many cases to run: the test's own number, or another one from the environment for a long run.
inline unsigned long fuzzCases(unsigned long usual) {
  const char* wanted = std::getenv("MBFMU_FUZZ_CASES");
  return wanted ? std::stoul(wanted) : usual;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return engine_() % n; }
  bool oneIn(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937 engine_;
};

}  // namespace mbfmu::test
