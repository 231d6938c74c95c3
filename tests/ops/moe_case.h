// SPDX-License-Identifier: Apache-2.0
// What the tests of operators that route tokens to experts share.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::moe {

using Numbers = std::vector<double>;
using Integers = std::vector<int32_t>;
using Shape = std::vector<int64_t>;

class MoeTest : public DeviceTest {
 protected:
  // Strides: three times those of contiguous elements, and seven more in the first dimension.
  // A tensor without dimensions has but the offset.
  static Tensor Made(const Shape& dims, aclDataType type, bool strided = false) {
    Layout layout{.dims = dims, .dtype = type};
    if (strided) {
      layout.strides = ContiguousStrides(dims);
      for (int64_t& stride : layout.strides) stride *= 3;
      if (!layout.strides.empty()) layout.strides[0] += 7;
      layout.offset = 5;
    }
    return Tensor(layout);
  }
  static Tensor Holding(const Shape& dims, aclDataType type, const Numbers& values,
                        bool strided = false) {
    Tensor tensor = Made(dims, type, strided);
    WriteAs(tensor, values);
    return tensor;
  }
  Numbers Drawn(aclDataType type, size_t count, double low, double high) {
    Numbers values;
    for (size_t i = 0; i < count; ++i) values.push_back(AsHeld(type, random().Uniform(low, high)));
    return values;
  }
  static Numbers AsNumbers(const Integers& from) { return {from.begin(), from.end()}; }

  // The task fails, phase 1 does not; with ACL_LAUNCH_BLOCKING=1 phase 2 runs it.
  void ExpectTaskFails(const Phase1& phase1, Phase2 phase2, std::string_view word) {
    TakeMessages();
    const Prepared prepared = Prepare(phase1);
    ASSERT_OK(prepared.code);
    const DeviceBuffer workspace(std::max<uint64_t>(1, prepared.workspace_size));
    int code = phase2(workspace.data(), prepared.workspace_size, prepared.executor, stream());
    if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
    ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION, {word});
  }
};

}  // namespace anyacl::test::moe
