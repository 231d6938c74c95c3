// SPDX-License-Identifier: Apache-2.0
// Operations set up and run as a program does it, on tensors that know their elements as double.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "atb/atb_infer.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {

using Shape = std::vector<int64_t>;
using Numbers = std::vector<double>;

inline int64_t CountOf(const Shape& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

inline atb::Dims DimsOf(const Shape& shape) {
  atb::Dims dims;
  for (int64_t size : shape) dims.dims[dims.dimNum++] = size;
  return dims;
}

class AtbTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_EQ(atb::CreateContext(&context_), 0);
    ASSERT_EQ(context_->SetExecuteStream(stream()), 0);
    EXPECT_EQ(context_->GetExecuteStream(), stream());
  }
  void TearDown() override {
    EXPECT_EQ(atb::DestroyContext(context_), 0);
    DeviceTest::TearDown();
  }

  atb::Context* context() const { return context_; }

  // Random numbers as the type holds them.
  Numbers Fill(Tensor& tensor, double low = -1, double high = 1) {
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(tensor.layout().dtype, random().Uniform(low, high)));
    }
    WriteAs(tensor, values);
    return values;
  }

  static atb::Tensor OnDevice(const Tensor& tensor) {
    atb::Tensor seen;
    seen.desc = {tensor.layout().dtype, ACL_FORMAT_ND, DimsOf(tensor.layout().dims)};
    seen.deviceData = tensor.data();
    seen.dataSize = atb::Utils::GetTensorSize(seen);
    return seen;
  }
  static atb::Tensor InHost(std::vector<int32_t>& values) {
    atb::Tensor seen;
    seen.desc = {ACL_INT32, ACL_FORMAT_ND, DimsOf({static_cast<int64_t>(values.size())})};
    seen.hostData = values.data();
    seen.dataSize = values.size() * sizeof(int32_t);
    return seen;
  }

  template <class Param>
  static std::unique_ptr<atb::Operation> Make(const Param& param) {
    atb::Operation* operation = nullptr;
    EXPECT_EQ(atb::CreateOperation(param, &operation), 0) << aclGetRecentErrMsg();
    return std::unique_ptr<atb::Operation>(operation);
  }

  // Both phases, in a workspace of just the size that was asked for, and the wait.
  void Run(atb::Operation& operation, const atb::VariantPack& pack) {
    uint64_t bytes = 1;
    ASSERT_EQ(operation.Setup(pack, bytes, context_), 0) << aclGetRecentErrMsg();
    const DeviceBuffer workspace(std::max<size_t>(bytes, 1));
    ASSERT_EQ(operation.Execute(pack, bytes == 0 ? nullptr : workspace.data(), bytes, context_), 0)
        << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
  }

  static void ExpectClose(const Tensor& tensor, const Numbers& expected, double tolerance) {
    const Numbers actual = ReadAs(tensor);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i],
                  tolerance + 1.01 * HalfUnitOf(tensor.layout().dtype, expected[i]))
          << "element " << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }

 private:
  atb::Context* context_ = nullptr;
};

}  // namespace anyacl::test
