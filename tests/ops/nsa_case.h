// SPDX-License-Identifier: Apache-2.0
// What the tests of native sparse attention share.
#pragma once

#include <memory>
#include <numeric>
#include <string>

#include "ops/moe_case.h"
#include "reference/native_sparse_attention.h"
#include "support/fixed.h"
#include "support/near.h"

namespace anyacl::test::nsa {

using moe::Integers;
using moe::Numbers;
using moe::Shape;
using Lengths = std::vector<int64_t>;

// Where sequences of some lengths end.
inline Lengths EndsOf(Lengths lengths) {
  std::partial_sum(lengths.begin(), lengths.end(), lengths.begin());
  return lengths;
}
inline int64_t Total(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
}

class IntArray {
 public:
  explicit IntArray(const Lengths& values)
      : handle_(aclCreateIntArray(values.data(), values.size())) {}
  ~IntArray() { aclDestroyIntArray(handle_); }
  IntArray(const IntArray&) = delete;
  IntArray& operator=(const IntArray&) = delete;
  const aclIntArray* handle() const { return handle_; }

 private:
  const aclIntArray* handle_;
};

class NsaTest : public moe::MoeTest {
 protected:
  std::unique_ptr<Tensor> Filled(const Shape& shape, aclDataType type, Numbers* numbers,
                                 bool strided = false, double reach = 1) {
    const auto count = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    *numbers = Drawn(type, static_cast<size_t>(count), -reach, reach);
    return std::make_unique<Tensor>(Holding(shape, type, *numbers, strided));
  }
  static std::unique_ptr<Tensor> Empty(const Shape& shape, aclDataType type, bool strided = false) {
    return std::make_unique<Tensor>(Made(shape, type, strided));
  }
  // The same numbers everywhere, for hashes of results.
  static void Fix(const std::unique_ptr<Tensor>& tensor, uint64_t seed) {
    WriteAs(*tensor, FixedNumbers(tensor->count(), seed));
  }
  static void FixIndices(const std::unique_ptr<Tensor>& tensor, int64_t limit) {
    FixedSequence sequence(9);
    Numbers numbers;
    for (int64_t i = 0; i < tensor->count(); ++i) {
      numbers.push_back(static_cast<double>(int64_t{sequence.Bits(16)} % limit));
    }
    WriteAs(*tensor, numbers);
  }
  static uint64_t HashOf(std::initializer_list<const Tensor*> tensors) {
    uint64_t hash = Fingerprint(nullptr, 0);
    for (const Tensor* tensor : tensors) hash = Fingerprint(tensor->ElementBytes(), hash);
    return hash;
  }
  // From element `first` on nothing was written.
  static bool LeftAlone(const Tensor& tensor, int64_t first) {
    const std::vector<uint8_t> bytes = tensor.ElementBytes();
    const auto size = static_cast<std::ptrdiff_t>(bytes.size()) / tensor.count();
    return std::all_of(bytes.begin() + size * first, bytes.end(),
                       [](uint8_t byte) { return byte == Tensor::kCanary; });
  }
  static std::unique_ptr<Tensor> Bytes(const Shape& shape, const std::vector<uint8_t>& bytes,
                                       aclDataType type, bool strided = false) {
    if (bytes.empty()) return nullptr;
    return std::make_unique<Tensor>(
        Holding(shape, type, Numbers(bytes.begin(), bytes.end()), strided));
  }
};

inline const aclTensor* HandleOf(const std::unique_ptr<Tensor>& tensor) {
  return tensor == nullptr ? nullptr : tensor->handle();
}
inline aclTensor* ResultOf(const std::unique_ptr<Tensor>& tensor) {
  return tensor == nullptr ? nullptr : tensor->handle();
}

}  // namespace anyacl::test::nsa
