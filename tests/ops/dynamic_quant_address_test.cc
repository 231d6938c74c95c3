// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2 with repeatable executors: tensors get other addresses between runs, by their
// position among the operator's tensor parameters, its inputs or its outputs. Optional parameters
// count even where they are left out.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

constexpr std::array<const char*, 6> kNames = {
    "x", "smoothScalesOptional", "groupIndexOptional", "yOut", "scaleOut", "offsetOut"};

using Setter = aclnnStatus (*)(aclOpExecutor*, size_t, aclTensor*, void*);

struct SetterCase {
  const char* name;
  Setter set;
  size_t first;  // Position of the parameter that index 0 means.
  size_t count;
};

const std::vector<SetterCase> kSetters = {
    {"aclSetTensorAddr", &aclSetTensorAddr, 0, 6},
    {"AclSetTensorAddr", &AclSetTensorAddr, 0, 6},
    {"aclSetInputTensorAddr", &aclSetInputTensorAddr, 0, 3},
    {"AclSetInputTensorAddr", &AclSetInputTensorAddr, 0, 3},
    {"aclSetOutputTensorAddr", &aclSetOutputTensorAddr, 3, 3},
    {"AclSetOutputTensorAddr", &AclSetOutputTensorAddr, 3, 3}};

class AddressTest : public DynamicQuantTest {
 protected:
  // A repeatable executor over tensors with the values of `problem`.
  void Prepare(const QuantProblem& problem) {
    tensors_.emplace(MakeTensors(problem));
    const Prepared prepared = anyacl::test::Prepare(tensors_->V2());
    ASSERT_OK(prepared.code);
    workspace_.emplace(
        Layout{.dims = {static_cast<int64_t>(prepared.workspace_size)}, .dtype = ACL_UINT8});
    executor_ = prepared.executor;
    ASSERT_OK(aclSetAclOpExecutorRepeatable(executor_));
  }

  void Run() {
    const auto size = static_cast<uint64_t>(workspace_->count());
    ASSERT_OK(
        aclnnDynamicQuantV2(size > 0 ? workspace_->data() : nullptr, size, executor_, stream()));
    ASSERT_OK(aclrtSynchronizeStream(stream()));
  }

  void TearDown() override {
    if (executor_ != nullptr) {
      EXPECT_OK(aclDestroyAclOpExecutor(executor_));
    }
    workspace_.reset();
    tensors_.reset();
    DynamicQuantTest::TearDown();
  }

  static std::array<Tensor*, 6> Parameters(QuantTensors& tensors) {
    return {&tensors.x,
            tensors.smooth ? &*tensors.smooth : nullptr,
            tensors.group ? &*tensors.group : nullptr,
            &tensors.y,
            &tensors.scale,
            tensors.offset ? &*tensors.offset : nullptr};
  }

  std::optional<QuantTensors> tensors_;
  std::optional<Tensor> workspace_;
  aclOpExecutor* executor_ = nullptr;
};

constexpr QuantForm kFull{.asymmetric = true, .smooth = Smooth::kPerExpert};

TEST_F(AddressTest, EveryParameterCanMove) {
  const QuantProblem old_values = RandomProblem(kFull, {4, 24}, random());
  const QuantProblem new_values = RandomProblem(kFull, {4, 24}, random());
  for (const SetterCase& setter : kSetters) {
    for (size_t index = 0; index < setter.count; ++index) {
      SCOPED_TRACE(std::string(setter.name) + " moves " + kNames[setter.first + index]);
      Prepare(old_values);
      Run();
      QuantTensors elsewhere = MakeTensors(new_values);
      Tensor* mine = Parameters(*tensors_)[setter.first + index];
      Tensor* other = Parameters(elsewhere)[setter.first + index];
      ASSERT_OK(setter.set(executor_, index, mine->handle(), other->data()));
      void* address = nullptr;
      ASSERT_OK(aclGetRawTensorAddr(mine->handle(), &address));
      EXPECT_EQ(address, other->data());
      Run();

      QuantProblem expected = old_values;
      if (mine == &tensors_->x) expected.x = new_values.x;
      if (tensors_->smooth && mine == &*tensors_->smooth) expected.smooth = new_values.smooth;
      if (tensors_->group && mine == &*tensors_->group) expected.group = new_values.group;
      DynamicQuantOutput output = ReadOutput(*tensors_);
      const DynamicQuantOutput moved = ReadOutput(elsewhere);
      if (mine == &tensors_->y) output.y = moved.y;
      if (mine == &tensors_->scale) output.scale = moved.scale;
      if (mine == &*tensors_->offset) output.offset = moved.offset;
      ExpectSameOutput(output, ReferenceOf(expected), 24);
      EXPECT_TRUE(elsewhere.GuardsIntact());
      ASSERT_OK(aclDestroyAclOpExecutor(std::exchange(executor_, nullptr)));
    }
  }
}

TEST_F(AddressTest, AbsentParametersKeepTheirPlaces) {
  const QuantProblem old_values = RandomProblem({}, {4, 24}, random());
  const QuantProblem new_values = RandomProblem({}, {4, 24}, random());
  Prepare(old_values);
  QuantTensors elsewhere = MakeTensors(new_values);
  ASSERT_OK(aclSetInputTensorAddr(executor_, 0, tensors_->x.handle(), elsewhere.x.data()));
  ASSERT_OK(aclSetTensorAddr(executor_, 3, tensors_->y.handle(), elsewhere.y.data()));
  ASSERT_OK(aclSetOutputTensorAddr(executor_, 1, tensors_->scale.handle(), elsewhere.scale.data()));
  Run();
  ExpectSameOutput(ReadOutput(elsewhere), ReferenceOf(new_values), 24);
}

TEST_F(AddressTest, AbsentParametersCannotMove) {
  Prepare(RandomProblem({}, {4, 24}, random()));
  const auto expect = [&](Setter set, size_t index, const char* name) {
    TakeMessages();
    ExpectFailure(set(executor_, index, tensors_->x.handle(), tensors_->x.data()), 161002, {name});
  };
  expect(&aclSetInputTensorAddr, 1, "smoothScalesOptional");
  expect(&aclSetInputTensorAddr, 2, "groupIndexOptional");
  expect(&aclSetOutputTensorAddr, 2, "offsetOut");
  expect(&aclSetTensorAddr, 5, "offsetOut");
}

TEST_F(AddressTest, IndicesBeyondTheParametersAreRefused) {
  Prepare(RandomProblem(kFull, {4, 24}, random()));
  for (const SetterCase& setter : kSetters) {
    for (size_t index : {setter.count, setter.count + 1, ~size_t{0}}) {
      SCOPED_TRACE(setter.name);
      TakeMessages();
      ExpectFailure(setter.set(executor_, index, tensors_->x.handle(), tensors_->x.data()), 161002,
                    {"index", std::to_string(index)});
    }
  }
}

TEST_F(AddressTest, NullAndDeadArgumentsAreRefused) {
  Prepare(RandomProblem(kFull, {4, 24}, random()));
  aclTensor* x = tensors_->x.handle();
  for (const SetterCase& setter : kSetters) {
    SCOPED_TRACE(setter.name);
    TakeMessages();
    ExpectFailure(setter.set(nullptr, 0, x, tensors_->x.data()), 561103, {"executor", "null"});
    ExpectFailure(setter.set(executor_, 0, nullptr, tensors_->x.data()), 561103,
                  {"tensor", "null"});
    int on_stack = 0;
    const int foreign = setter.set(reinterpret_cast<aclOpExecutor*>(&on_stack), 0, x, nullptr);
    ExpectFailure(foreign, 561000, {"executor"});
  }
}

// The address is looked up when phase 2 is called, not when it was prepared.
TEST_F(AddressTest, AddressesOfTheTensorObjectsCountToo) {
  const QuantProblem old_values = RandomProblem({}, {4, 24}, random());
  const QuantProblem new_values = RandomProblem({}, {4, 24}, random());
  Prepare(old_values);
  Run();
  const DeviceBuffer other_x = tensors_->x.NewBuffer();
  WriteX(new_values, tensors_->x, other_x);
  ASSERT_OK(aclSetRawTensorAddr(tensors_->x.handle(), tensors_->x.tensor_data_for(other_x)));
  Run();
  ExpectSameOutput(ReadOutput(*tensors_), ReferenceOf(new_values), 24);
}

// Runs that are queued keep the addresses of their calls.
TEST_F(AddressTest, QueuedRunsKeepTheirAddresses) {
  const QuantProblem values = RandomProblem({}, {4, 24}, random());
  Prepare(values);
  std::vector<DeviceBuffer> outputs;
  for (int i = 0; i < 10; ++i) {
    outputs.push_back(tensors_->y.NewBuffer());
    ASSERT_OK(aclSetOutputTensorAddr(executor_, 0, tensors_->y.handle(),
                                     tensors_->y.tensor_data_for(outputs.back())));
    ASSERT_OK(aclnnDynamicQuantV2(workspace_->data(), static_cast<uint64_t>(workspace_->count()),
                                  executor_, stream()));
  }
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  const DynamicQuantOutput expected = ReferenceOf(values);
  for (const DeviceBuffer& buffer : outputs) {
    EXPECT_EQ(tensors_->y.Read<int8_t>(buffer), expected.y);
  }
}

TEST_F(AddressTest, NullAddressIsRefusedByTheRun) {
  Prepare(RandomProblem({}, {4, 24}, random()));
  ASSERT_OK(aclSetInputTensorAddr(executor_, 0, tensors_->x.handle(), nullptr));
  TakeMessages();
  ExpectFailure(aclnnDynamicQuantV2(workspace_->data(), static_cast<uint64_t>(workspace_->count()),
                                    executor_, stream()),
                561000, {"x"});
  ASSERT_OK(aclSetInputTensorAddr(executor_, 0, tensors_->x.handle(), tensors_->x.data()));
  Run();
}

}  // namespace
}  // namespace anyacl::test
