// Holds an object of a polymorphic class by value: a copy clones it.
#pragma once

#include <memory>
#include <utility>

namespace mbfmu {

template <class T>
class Cloned {
 public:
  Cloned(std::unique_ptr<T> object) : object_(std::move(object)) {}
  Cloned(const Cloned& other) : object_(other.object_->clone()) {}
  Cloned(Cloned&&) noexcept = default;
  Cloned& operator=(Cloned other) noexcept {
    object_ = std::move(other.object_);
    return *this;
  }
  ~Cloned() = default;

  T& operator*() const { return *object_; }
  T* operator->() const { return object_.get(); }

 private:
  std::unique_ptr<T> object_;
};

}  // namespace mbfmu
