// Holds an object of a polymorphic class by value: a copy clones it. Assignment copies into the object that is there,
// without the heap if that needs none; both have to be of the same class.
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
  Cloned& operator=(Cloned&&) noexcept = default;
  Cloned& operator=(const Cloned& other) {
    if (this != &other) object_->assign(*other.object_);
    return *this;
  }
  ~Cloned() = default;

  T& operator*() const { return *object_; }
  T* operator->() const { return object_.get(); }

 private:
  std::unique_ptr<T> object_;
};

}  // namespace mbfmu
