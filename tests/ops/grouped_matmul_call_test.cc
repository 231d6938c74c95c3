// SPDX-License-Identifier: Apache-2.0
// Calls as programs make them: weights packed by the library, the WeightNZ entry, the unfused
// steps, executors used again, tensors destroyed early, streams side by side.
#include <cmath>
#include <thread>

#include "anyacl/weight_nz.h"
#include "ops/grouped_matmul_case.h"

namespace anyacl::test {
namespace {

class CallTest : public GroupedMatmulTest {
 protected:
  void Launch(const Prepared& prepared, const DeviceBuffer& workspace) {
    ASSERT_OK(aclnnGroupedMatmulSwigluQuant(workspace.data(), prepared.workspace_size,
                                            prepared.executor, stream()));
  }
  static GroupedOutput Results(const GroupedTensors& tensors) {
    return {tensors.q.Read<int8_t>(), tensors.q_scale.Read<float>()};
  }
  static void ExpectRight(const GroupedProblem& problem, const GroupedTensors& tensors) {
    EXPECT_EQ(Difference(problem.in, GroupedMatmul(problem.in), tensors.q.Read<int8_t>(),
                         tensors.q_scale.Read<float>()),
              "");
  }
};

// WeightNZ on views of both ranks, whatever their formats.
TEST_F(CallTest, WeightNzTakesBothViews) {
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nz, Storage::kInt32Nz}) {
    const GroupedProblem problem = RandomProblem(
        storage, {.m = 11, .k = 48, .n = 128, .e = 3, .g = IsInt4(storage) ? 3 : 1}, random());
    const GroupedOutput expected = Run(problem);
    for (bool logical : {false, true}) {
      for (aclFormat format : {ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, ACL_FORMAT_NCHW}) {
        GroupedTensors tensors = MakeTensors(problem);
        Layout layout = tensors.weight.layout();
        layout.format = format;
        const int64_t packed = storage == Storage::kInt32Nz ? 8 : 1;
        if (logical) {
          layout.dims = {3, 48, 128 / packed};
          layout.strides = {1, 2, 3};
        }
        aclTensor* weight = aclCreateTensor(layout.dims.data(), layout.dims.size(), layout.dtype,
                                            layout.strides.data(), 0, format, layout.storage.data(),
                                            layout.storage.size(), tensors.weight.data());
        RunTwoPhase(
            [&](uint64_t* workspace_size, aclOpExecutor** executor) {
              return aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize(
                  tensors.x.handle(), weight, tensors.bias ? tensors.bias->handle() : nullptr,
                  nullptr, tensors.scale.handle(), tensors.x_scale.handle(),
                  tensors.group_list.handle(), tensors.q.handle(), tensors.q_scale.handle(),
                  nullptr, workspace_size, executor);
            },
            &aclnnGroupedMatmulSwigluQuantWeightNZ);
        EXPECT_TRUE(Results(tensors) == expected) << NameOf(storage) << " logical " << logical;
        EXPECT_OK(aclDestroyTensor(weight));
      }
    }
  }
}

// The formula of the document, element by element.
TEST_F(CallTest, PackedWeightsAreWhereTheFormatSays) {
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nz, Storage::kInt32Nz}) {
    for (const Sizes& sizes : {Sizes{.k = 16, .n = 64}, Sizes{.k = 48, .n = 192, .e = 3},
                               Sizes{.k = 4096, .n = 256, .e = 2}}) {
      GroupedProblem problem = RandomProblem(storage, sizes, random());
      problem.in.rows = 0;
      GroupedProblem rows = problem;
      rows.storage = storage == Storage::kInt8Nz   ? Storage::kInt8Nz
                     : storage == Storage::kInt4Nz ? Storage::kInt4Nd
                                                   : Storage::kInt32Nd;
      GroupedLayouts layouts = LayoutsOf(rows);
      layouts.weight.dims = {sizes.e, sizes.k, sizes.n / (storage == Storage::kInt32Nz ? 8 : 1)};
      layouts.weight.format = ACL_FORMAT_ND;
      Tensor nd(layouts.weight);
      Tensor nz(LayoutsOf(problem).weight);
      Tensor expected(LayoutsOf(problem).weight);
      if (storage == Storage::kInt32Nz) {
        nd.Write(StoredInt32(rows));
        expected.Write(StoredInt32(problem));
      } else {
        nd.Write(problem.in.weight);
        expected.Write(StoredInt8(problem));
      }
      ASSERT_OK(anyaclPackWeightNz(nd.data(), nz.data(), sizes.e, sizes.k, sizes.n,
                                   layouts.weight.dtype));
      EXPECT_EQ(nz.Bytes(), expected.Bytes()) << NameOf(storage);
      Tensor back(layouts.weight);
      ASSERT_OK(anyaclUnpackWeightNz(nz.data(), back.data(), sizes.e, sizes.k, sizes.n,
                                     layouts.weight.dtype));
      EXPECT_EQ(back.Bytes(), nd.Bytes()) << NameOf(storage);
    }
  }
}

TEST_F(CallTest, PackingRefusesWhatItCannotDo) {
  std::vector<int8_t> from(2048), to(2048);
  const auto fails = [&](int code, const void* nd, void* nz, int64_t e, int64_t k, int64_t n,
                         aclDataType type, std::initializer_list<std::string_view> words) {
    TakeMessages();
    ExpectFailure(anyaclPackWeightNz(nd, nz, e, k, n, type), code, words);
    TakeMessages();
    ExpectFailure(anyaclUnpackWeightNz(nd, nz, e, k, n, type), code, {});
  };
  fails(161001, nullptr, to.data(), 1, 16, 32, ACL_INT8, {"nd", "null"});
  fails(161001, from.data(), nullptr, 1, 16, 32, ACL_INT8, {"nz", "null"});
  fails(161002, from.data(), to.data(), 1, 16, 32, ACL_FLOAT, {"dtype", "FLOAT", "INT8"});
  fails(161002, from.data(), to.data(), 1, 24, 32, ACL_INT8, {"k", "24", "16"});
  fails(161002, from.data(), to.data(), 1, 16, 40, ACL_INT8, {"n", "40", "32"});
  fails(161002, from.data(), to.data(), 1, 16, 32, ACL_INT4, {"n", "32", "64"});
  fails(161002, from.data(), to.data(), 1, -16, 32, ACL_INT8, {"k", "-16"});
  fails(161002, from.data(), to.data(), -1, 16, 32, ACL_INT8, {"experts", "-1"});
  fails(161002, from.data(), to.data(), int64_t{1} << 40, 1 << 20, 1 << 20, ACL_INT8, {"experts"});
  fails(161002, from.data(), from.data() + 100, 1, 16, 32, ACL_INT8, {"nd", "nz", "overlap"});
  EXPECT_OK(anyaclPackWeightNz(from.data(), to.data(), 0, 16, 32, ACL_INT8));
}

// Idea 54: an executor that may be repeated reads what the buffers hold then.
TEST_F(CallTest, RepeatedRunsReadNewValues) {
  GroupedProblem problem =
      RandomProblem(Storage::kInt8Nz, {.m = 20, .k = 64, .n = 96, .e = 2}, random());
  GroupedTensors tensors = MakeTensors(problem);
  const Prepared prepared = Prepare(tensors.Plain());
  ASSERT_OK(prepared.code);
  ASSERT_OK(aclSetAclOpExecutorRepeatable(prepared.executor));
  const DeviceBuffer workspace(prepared.workspace_size);
  for (int i = 0; i < 3; ++i) {
    Launch(prepared, workspace);
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    ExpectRight(problem, tensors);
    for (int8_t& x : problem.in.x) x = static_cast<int8_t>(random().Int(-128, 127));
    tensors.x.Write(problem.in.x);
  }
  EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
}

// Idea 54.
TEST_F(CallTest, TensorsMayBeDestroyedAfterPhaseTwo) {
  const GroupedProblem problem =
      RandomProblem(Storage::kInt4Nz, {.m = 40, .k = 512, .n = 256, .e = 4, .g = 4}, random());
  GroupedTensors tensors = MakeTensors(problem);
  const Prepared prepared = Prepare(tensors.Plain());
  ASSERT_OK(prepared.code);
  const DeviceBuffer workspace(prepared.workspace_size);
  Launch(prepared, workspace);
  for (Tensor* tensor : {&tensors.x, &tensors.weight, &*tensors.bias, &tensors.scale,
                         &tensors.x_scale, &tensors.group_list, &tensors.q, &tensors.q_scale}) {
    tensor->Destroy();
  }
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  ExpectRight(problem, tensors);
}

// Idea 51, and part of idea 50: many calls at once share the pool and nothing else.
TEST_F(CallTest, StreamsSideBySide) {
  constexpr int kThreads = 4;
  std::vector<GroupedProblem> problems;
  std::vector<GroupedOutput> expected;
  for (int i = 0; i < kThreads; ++i) {
    problems.push_back(RandomProblem(i % 2 == 0 ? Storage::kInt8Nz : Storage::kInt4Nz,
                                     {.m = 30, .k = 256, .n = 256, .e = 3}, random()));
    expected.push_back(Run(problems.back()));
  }
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      ASSERT_OK(aclrtSetDevice(0));
      aclrtStream own = nullptr;
      ASSERT_OK(aclrtCreateStream(&own));
      for (int round = 0; round < 5; ++round) {
        const GroupedTensors tensors = MakeTensors(problems[i]);
        uint64_t size = 0;
        aclOpExecutor* executor = nullptr;
        ASSERT_OK(tensors.Plain()(&size, &executor));
        const DeviceBuffer workspace(size);
        ASSERT_OK(aclnnGroupedMatmulSwigluQuant(workspace.data(), size, executor, own));
        ASSERT_OK(aclrtSynchronizeStream(own));
        EXPECT_TRUE(Results(tensors) == expected[i]);
      }
      ASSERT_OK(aclrtDestroyStream(own));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Idea 53: matrix product, dequantisation, SwiGLU and quantisation one after the other in fp32.
TEST_F(CallTest, UnfusedStepsAgree) {
  const GroupedProblem problem =
      RandomProblem(Storage::kInt8Nz, {.m = 24, .k = 128, .n = 128, .e = 3}, random());
  const GroupedMatmulInput& in = problem.in;
  const GroupedOutput fused = Run(problem);
  const std::vector<int64_t> owner = OwnersOf(in);
  for (size_t r = 0; r < 24; ++r) {
    std::vector<float> c(128), s(64);
    for (size_t n = 0; n < 128; ++n) {
      int32_t sum = 0;
      for (size_t k = 0; k < 128; ++k) {
        sum += in.x[r * 128 + k] * in.weight[(static_cast<size_t>(owner[r]) * 128 + k) * 128 + n];
      }
      c[n] = static_cast<float>(sum) * in.scale[static_cast<size_t>(owner[r]) * 128 + n] *
             in.x_scale[r];
    }
    float largest = 0;
    for (size_t j = 0; j < 64; ++j) {
      s[j] = c[j] / (1 + std::exp(-c[j])) * c[64 + j];
      largest = std::max(largest, std::abs(s[j]));
    }
    EXPECT_NEAR(fused.scale[r], largest / 127, 2e-6f * largest / 127);
    for (size_t j = 0; j < 64; ++j) {
      EXPECT_NEAR(fused.q[r * 64 + j], std::nearbyint(s[j] / (largest / 127)), 1);
    }
  }
}

// Every group order, hence every result, has one value: ten runs agree.
TEST_F(CallTest, RunsRepeat) {
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nz}) {
    const GroupedProblem problem = RandomProblem(
        storage, {.m = 65, .k = 512, .n = 320, .e = 3, .g = IsInt4(storage) ? 4 : 1}, random());
    const GroupedOutput first = Run(problem);
    for (int i = 0; i < 9; ++i) EXPECT_TRUE(Run(problem) == first);
  }
}

}  // namespace
}  // namespace anyacl::test
