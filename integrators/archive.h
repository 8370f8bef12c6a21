// Everything that decides how a simulation goes on, to bytes and back. One function per class lists its members,
//   void transfer(Archive& archive) { archive(t_, y_.q, history_, order_); }
// and serves both directions, so that they cannot disagree. Bytes are those of the machine (little endian on every
// platform an FMU is built for); whoever stores them adds a version and a checksum.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace mbfmu {

class Archive {
 public:
  using Bytes = std::vector<unsigned char>;

  // Appends to bytes.
  static Archive writer(Bytes& bytes) { return Archive(&bytes, nullptr, 0); }
  static Archive reader(const unsigned char* data, std::size_t size) { return Archive(nullptr, data, size); }

  bool reading() const { return !out_; }
  // False once a reader ran past the end; everything read after that is zero or empty.
  bool ok() const { return ok_; }
  // A reader that has used every byte.
  bool finished() const { return ok_ && left_ == 0; }
  // For values that were read and cannot be right.
  void refuse() {
    ok_ = false;
    left_ = 0;
  }

  template <class... Values>
  void operator()(Values&... values) {
    (one(values), ...);
  }

  // Vectors and matrices whose sizes are known beforehand: others are refused, and the values keep their sizes.
  template <class... Values>
  void sized(Values&... values) {
    (oneSized(values), ...);
  }

 private:
  Archive(Bytes* out, const unsigned char* in, std::size_t left) : out_(out), in_(in), left_(left) {}

  void raw(void* data, std::size_t size) {
    if (size == 0) return;
    if (out_) {
      const auto* bytes = static_cast<const unsigned char*>(data);
      out_->insert(out_->end(), bytes, bytes + size);
    } else if (size <= left_) {
      std::memcpy(data, in_, size);
      in_ += size;
      left_ -= size;
    } else {
      std::memset(data, 0, size);
      refuse();
    }
  }

  // The number of elements to come; no more than the bytes left can hold.
  std::size_t count(std::size_t present, std::size_t elementSize) {
    auto n = static_cast<unsigned long long>(present);
    raw(&n, sizeof n);
    if (reading() && n > left_ / elementSize) {
      refuse();
      return 0;
    }
    return static_cast<std::size_t>(n);
  }

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void one(T& value) { raw(&value, sizeof value); }

  void one(bool& value) {
    unsigned char byte = value ? 1 : 0;
    raw(&byte, 1);
    value = byte != 0;
  }

  void one(std::string& text) {
    const std::size_t n = count(text.size(), 1);
    if (reading()) text.resize(n);
    raw(text.data(), n);
  }

  template <class T>
  void one(std::vector<T>& values) {
    const std::size_t n = count(values.size(), std::is_arithmetic_v<T> ? sizeof(T) : 1);
    if (reading()) values.resize(n);
    if constexpr (std::is_arithmetic_v<T>) {
      raw(values.data(), n * sizeof(T));
    } else {
      for (T& value : values) one(value);
    }
  }

  template <class Scalar, int Rows, int Cols>
  void one(Eigen::Matrix<Scalar, Rows, Cols>& matrix) {
    const std::size_t rows = count(static_cast<std::size_t>(matrix.rows()), 1);
    const std::size_t cols = count(static_cast<std::size_t>(matrix.cols()), 1);
    if (reading() && rows > 0 && cols > left_ / sizeof(Scalar) / rows) refuse();
    if (reading()) {
      const bool fits = (Rows == Eigen::Dynamic || rows == static_cast<std::size_t>(Rows)) &&
                        (Cols == Eigen::Dynamic || cols == static_cast<std::size_t>(Cols));
      if (!fits) refuse();
      if (!ok_) return;
      matrix.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
    }
    raw(matrix.data(), rows * cols * sizeof(Scalar));
  }

  template <class T>
  void oneSized(T& value) {
    const auto size = value.size();
    if (!reading()) return one(value);
    T read;
    one(read);
    if (read.size() != size) refuse();
    if constexpr (std::is_base_of_v<Eigen::MatrixBase<T>, T>) {
      if (read.rows() != value.rows()) refuse();
    }
    if (ok_) value = read;
  }

  // A class that lists its own members.
  template <class T>
  requires requires(T& value, Archive& archive) { value.transfer(archive); }
  void one(T& value) { value.transfer(*this); }

  Bytes* out_;
  const unsigned char* in_;
  std::size_t left_;
  bool ok_ = true;
};

}  // namespace mbfmu
