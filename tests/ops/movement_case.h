// SPDX-License-Identifier: Apache-2.0
// Calls of operators that move elements, over element sizes and layouts, against the oracle.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "reference/movement.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {

// How a tensor lies in memory.
enum class Lie { kDense, kColumns, kGaps, kBackwards, kExpanded };
constexpr Lie kInputLies[] = {Lie::kDense, Lie::kColumns, Lie::kGaps, Lie::kBackwards,
                              Lie::kExpanded};
constexpr Lie kOutputLies[] = {Lie::kDense, Lie::kColumns, Lie::kGaps, Lie::kBackwards};
Layout Lying(const Shape& shape, aclDataType type, Lie lie);

// Types of 1, 2, 4, 8 and 16 bytes.
constexpr aclDataType kSizedTypes[] = {ACL_INT8, ACL_FLOAT16, ACL_FLOAT, ACL_INT64, ACL_COMPLEX128};

using Elements = std::vector<Int128>;  // the bits of each
// Random elements, as they are in memory afterwards.
Elements FillRandomly(Tensor& tensor, Random& random);

class IntArrayHandle {
 public:
  explicit IntArrayHandle(const std::vector<int64_t>& values)
      : handle_(aclCreateIntArray(values.data(), values.size())) {}
  IntArrayHandle(const IntArrayHandle&) = delete;
  IntArrayHandle& operator=(const IntArrayHandle&) = delete;
  ~IntArrayHandle() { aclDestroyIntArray(handle_); }
  const aclIntArray* get() const { return handle_; }

 private:
  aclIntArray* handle_;
};

class MovementTest : public DeviceTest {
 protected:
  using Call = std::function<Phase1(const aclTensor* self, aclTensor* out)>;

  // Over `types` and pairs of layouts: out[k] = self[moved.from[k]], or the bytes of 0.
  void Check(const Shape& self, const Moved& moved, const Call& call, Phase2 phase2,
             std::span<const aclDataType> types = kSizedTypes);
};

}  // namespace anyacl::test
