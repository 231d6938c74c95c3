// SPDX-License-Identifier: Apache-2.0
// What tests of operators with index tensors share. Values are small integers, so that sums are
// exact in every type and can be compared bit by bit.
#pragma once

#include <functional>
#include <vector>

#include "ops/movement_case.h"
#include "reference/indexing.h"
#include "support/numbers.h"

namespace anyacl::test {

inline constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                         ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
// On which every layout is tried.
inline constexpr aclDataType kFewTypes[] = {ACL_FLOAT, ACL_BF16, ACL_INT64};

class Scalar {
 public:
  explicit Scalar(double value) : handle_(aclCreateScalar(&value, ACL_DOUBLE)) {}
  Scalar(const Scalar&) = delete;
  Scalar& operator=(const Scalar&) = delete;
  ~Scalar() { aclDestroyScalar(handle_); }
  const aclScalar* get() const { return handle_; }

 private:
  aclScalar* handle_;
};

class IndexingTest : public DeviceTest {
 protected:
  std::vector<int64_t> Indices(int64_t count, int64_t limit, bool negative = false) {
    std::vector<int64_t> index;
    for (int64_t i = 0; i < count; ++i) {
      index.push_back(random().Int(negative ? -limit : 0, limit - 1));
    }
    return index;
  }
  std::vector<double> Numbers(int64_t count, int64_t most = 3) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(0, most)));
    }
    return values;
  }
  static Tensor IndexTensor(const Shape& shape, const std::vector<int64_t>& values,
                            aclDataType type = ACL_INT64, Lie lie = Lie::kDense) {
    Tensor tensor(Lying(shape, type, lie));
    if (type == ACL_INT64) {
      tensor.Write(values);
    } else {
      tensor.Write(std::vector<int32_t>(values.begin(), values.end()));
    }
    return tensor;
  }

  // body(type, layout of what is read, layout of what is written): every type once, and every pair
  // of layouts.
  static void ForLayouts(const std::function<void(aclDataType, Lie, Lie)>& body) {
    for (aclDataType type : kTypes) body(type, Lie::kGaps, Lie::kDense);
    for (aclDataType type : kFewTypes) {
      for (Lie from : {Lie::kDense, Lie::kColumns, Lie::kGaps, Lie::kBackwards}) {
        for (Lie to : kOutputLies) {
          SCOPED_TRACE(::testing::Message() << "type " << type << ", layouts "
                                            << static_cast<int>(from) << static_cast<int>(to));
          body(type, from, to);
        }
      }
    }
  }
  // Large tensors are worth few layouts.
  static bool Worth(int64_t elements, aclDataType type, Lie from, Lie to) {
    const bool few = type == ACL_FLOAT || type == ACL_BF16;
    return elements < 2000 ||
           (few && from == Lie::kDense && to != Lie::kColumns && to != Lie::kBackwards);
  }
  static void Expect(const Tensor& actual, const std::vector<double>& expected) {
    const std::vector<double> values = ReadAs(actual);
    ASSERT_EQ(values.size(), expected.size());
    for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], expected[i]) << "element " << i;
    EXPECT_TRUE(actual.GuardsIntact());
  }

  // Runs both phases; the task must fail so, and `untouched` stay as it was.
  void ExpectTaskFails(const Phase1& phase1, Phase2 phase2, const Tensor& untouched,
                       std::initializer_list<std::string_view> words) {
    const auto before = untouched.Bytes();
    const Prepared prepared = Prepare(phase1);
    ASSERT_OK(prepared.code);
    const DeviceBuffer workspace(prepared.workspace_size + 1);
    int code = phase2(workspace.data(), prepared.workspace_size, prepared.executor, stream());
    if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
    ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION, words);
    EXPECT_EQ(untouched.Bytes(), before);
  }
};

}  // namespace anyacl::test
