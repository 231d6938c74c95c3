// SPDX-License-Identifier: Apache-2.0
// Phase 1 of aclnnGroupedMatmulSwigluQuant: every wrong argument gets its code and a message that
// names the parameter, what it is and what was expected; what the document lets pass passes.
#include <map>
#include <string>

#include "ops/grouped_matmul_case.h"

namespace anyacl::test {
namespace {

constexpr int kNullptr = 161001;
constexpr int kInvalid = 161002;
constexpr int kInner = 561000;

// A call whose ten tensors can each be laid out anew, or left out.
class ChecksTest : public GroupedMatmulTest {
 protected:
  void SetUp() override {
    GroupedMatmulTest::SetUp();
    Use(Storage::kInt8Nz, {.m = 6, .k = 32, .n = 128, .e = 3, .bounds = {1, 2, 6}});
  }

  void Use(Storage storage, const Sizes& sizes) {
    const GroupedLayouts l = LayoutsOf(RandomProblem(storage, sizes, random()));
    layouts_ = {{"x", l.x},
                {"weight", l.weight},
                {"weightScale", l.scale},
                {"xScale", l.x_scale},
                {"groupList", l.group_list},
                {"output", l.q},
                {"outputScale", l.q_scale}};
    if (IsInt4(storage)) layouts_["bias"] = l.bias;
  }

  Phase1 Call(bool weight_nz = false) {
    tensors_.clear();
    const auto handle = [&](const char* name) -> aclTensor* {
      const auto found = layouts_.find(name);
      if (found == layouts_.end()) return nullptr;
      return tensors_.emplace(name, Tensor(found->second)).first->second.handle();
    };
    const auto phase1 = weight_nz ? &aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize
                                  : &aclnnGroupedMatmulSwigluQuantGetWorkspaceSize;
    const aclTensor *x = handle("x"), *weight = handle("weight"), *bias = handle("bias"),
                    *offset = handle("offset"), *scale = handle("weightScale"),
                    *x_scale = handle("xScale"), *group_list = handle("groupList");
    aclTensor *output = handle("output"), *output_scale = handle("outputScale"),
              *output_offset = handle("outputOffset");
    return [=](uint64_t* workspace_size, aclOpExecutor** executor) {
      return phase1(x, weight, bias, offset, scale, x_scale, group_list, output, output_scale,
                    output_offset, workspace_size, executor);
    };
  }

  void ExpectCode(int code, std::initializer_list<std::string_view> words, bool weight_nz = false) {
    ExpectRefused(Call(weight_nz), code, words);
  }
  void ExpectAccepted(bool weight_nz = false) {
    const Prepared prepared = Prepare(Call(weight_nz));
    EXPECT_OK(prepared.code);
    ASSERT_NE(prepared.executor, nullptr);
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  }
  // The same with one tensor laid out anew.
  void ExpectCodeWith(const char* name, const Layout& layout, int code,
                      std::initializer_list<std::string_view> words) {
    const auto before = layouts_;
    layouts_[name] = layout;
    ExpectCode(code, words);
    layouts_ = before;
  }

  std::map<std::string, Layout> layouts_;
  std::map<std::string, Tensor> tensors_;
};

const Sizes kSmall{.m = 6, .k = 32, .n = 128, .e = 3, .bounds = {1, 2, 6}};

TEST_F(ChecksTest, UnbrokenCallsPass) {
  for (Storage storage : kAllStorages) {
    Use(storage, kSmall);
    ExpectAccepted();
    ExpectAccepted(IsNz(storage));
  }
}

// Ideas 33 and 34.
TEST_F(ChecksTest, NullTensors) {
  for (Storage storage : kAllStorages) {
    Use(storage, kSmall);
    const auto all = layouts_;
    for (const auto& [name, layout] : all) {
      layouts_ = all;
      layouts_.erase(name);
      ExpectCode(kNullptr, {name, "null"});
    }
  }
}

TEST_F(ChecksTest, NullResults) {
  aclOpExecutor* executor = nullptr;
  uint64_t workspace_size = 0;
  const Phase1 call = Call();
  TakeMessages();
  ExpectFailure(call(nullptr, &executor), kNullptr, {"workspaceSize", "null"});
  ExpectFailure(call(&workspace_size, nullptr), kNullptr, {"executor", "null"});
}

// Idea 34.
TEST_F(ChecksTest, BiasOfInt4) {
  Use(Storage::kInt4Nz, kSmall);
  ExpectCodeWith("bias", {.dims = {3, 64}, .dtype = ACL_FLOAT}, kInvalid, {"bias", "64", "128"});
  ExpectCodeWith("bias", {.dims = {128}, .dtype = ACL_FLOAT}, kInvalid, {"bias", "rank"});
  ExpectCodeWith("bias", {.dims = {3, 128}, .dtype = ACL_FLOAT16}, kInvalid, {"bias", "FLOAT16"});
}

// Ideas 35 and 36.
TEST_F(ChecksTest, FormatAndRankOfWeight) {
  const Layout nd{.dims = {3, 32, 128}, .dtype = ACL_INT8};
  ExpectCodeWith("weight", nd, kInvalid, {"weight", "ND", "FRACTAL_NZ"});
  Layout blocks = layouts_["weight"];
  blocks.format = ACL_FORMAT_ND;
  ExpectCodeWith("weight", blocks, kInvalid, {"weight", "ND", "FRACTAL_NZ"});
  Layout logical = nd;
  logical.format = ACL_FORMAT_FRACTAL_NZ;
  ExpectCodeWith("weight", logical, kInvalid, {"weight", "rank", "3", "5"});
  Use(Storage::kInt4Nz, kSmall);
  blocks = layouts_["weight"];
  blocks.format = ACL_FORMAT_ND;
  ExpectCodeWith("weight", blocks, kInvalid, {"weight", "rank", "5", "3"});
  logical = {.dims = {3, 32, 128}, .dtype = ACL_INT4, .format = ACL_FORMAT_FRACTAL_NZ};
  ExpectCodeWith("weight", logical, kInvalid, {"weight", "rank", "3", "5"});
  for (aclFormat format : {ACL_FORMAT_NC1HWC0, ACL_FORMAT_FRACTAL_Z, ACL_FORMAT_FRACTAL_NZ_C0_16}) {
    blocks.format = format;
    ExpectCodeWith("weight", blocks, kInvalid, {"weight", "FRACTAL_NZ"});
  }
}

TEST_F(ChecksTest, FormatOfTheOthers) {
  for (const char* name : {"x", "weightScale", "xScale", "groupList", "output", "outputScale"}) {
    Layout layout = layouts_[name];
    layout.format = ACL_FORMAT_FRACTAL_NZ;
    ExpectCodeWith(name, layout, kInvalid, {name, "FRACTAL_NZ", "ND"});
  }
}

// Idea 37.
TEST_F(ChecksTest, WidthLimits) {
  Use(Storage::kInt4Nd, {.m = 1, .k = 4, .n = 10240, .bounds = {1}});
  ExpectAccepted();
  Use(Storage::kInt8Nz, {.m = 1, .k = 16, .n = 10240, .bounds = {1}});
  ExpectAccepted();
  Use(Storage::kInt8Nz, {.m = 1, .k = 16, .n = 10272, .bounds = {1}});
  ExpectCode(kInvalid, {"weightScale", "10272", "10240"});
  Use(Storage::kInt4Nd, {.m = 1, .k = 4, .n = 10242, .bounds = {1}});
  ExpectCode(kInvalid, {"weightScale", "10242", "10240"});
  Use(Storage::kInt4Nd, {.m = 1, .k = 4, .n = 66, .bounds = {1}});
  layouts_["weight"].dims = {1, 4, 65};
  layouts_["bias"].dims = layouts_["weightScale"].dims = {1, 65};
  ExpectCode(kInvalid, {"65", "multiple", "2"});
}

// Idea 38.
TEST_F(ChecksTest, DepthLimits) {
  Use(Storage::kInt8Nz, {.m = 1, .k = 65520, .n = 32, .bounds = {1}});
  ExpectAccepted();
  Use(Storage::kInt8Nz, {.m = 1, .k = 65536, .n = 32, .bounds = {1}});
  ExpectCode(kInvalid, {"x", "65536", "65535"});
  Use(Storage::kInt4Nd, {.m = 1, .k = 19999, .n = 2, .bounds = {1}});
  ExpectAccepted();
  Use(Storage::kInt4Nd, {.m = 1, .k = 20000, .n = 2, .bounds = {1}});
  ExpectCode(kInvalid, {"x", "20000", "19999"});
}

// Idea 39.
TEST_F(ChecksTest, GroupsDivideTheDepth) {
  Use(Storage::kInt4Nz, kSmall);
  for (int64_t groups : {0, 3, 33, 64}) {
    ExpectCodeWith("weightScale", {.dims = {3, groups, 128}, .dtype = ACL_UINT64}, kInvalid,
                   {"weightScale", std::to_string(groups), "32"});
  }
}

// Ideas 40 and 42.
TEST_F(ChecksTest, Types) {
  const auto with_type = [&](const char* name, aclDataType type) {
    Layout layout = layouts_[name];
    layout.dtype = type;
    ExpectCodeWith(name, layout, kInvalid, {name});
  };
  with_type("weightScale", ACL_UINT64);
  with_type("weightScale", ACL_INT64);
  with_type("weightScale", ACL_DOUBLE);
  with_type("groupList", ACL_INT32);
  with_type("xScale", ACL_FLOAT16);
  with_type("xScale", ACL_BF16);
  with_type("output", ACL_INT32);
  with_type("outputScale", ACL_FLOAT16);
  with_type("x", ACL_FLOAT16);
  with_type("x", ACL_UINT8);
  with_type("weight", ACL_FLOAT16);
  with_type("weight", ACL_UINT8);
  Use(Storage::kInt4Nz, kSmall);
  with_type("weightScale", ACL_FLOAT);
  with_type("weightScale", ACL_BF16);
  with_type("x", ACL_INT4);
}

// Ideas 28 and 41, and each size of each tensor.
TEST_F(ChecksTest, Sizes) {
  const auto with_dims = [&](const char* name, const std::vector<int64_t>& dims,
                             std::initializer_list<std::string_view> words) {
    Layout layout = layouts_[name];
    layout.dims = dims;
    ExpectCodeWith(name, layout, kInvalid, words);
  };
  with_dims("groupList", {4}, {"groupList", "4", "3"});
  with_dims("output", {6, 128}, {"output", "128", "64"});
  with_dims("output", {5, 64}, {"output", "5", "6"});
  with_dims("outputScale", {5}, {"outputScale", "5", "6"});
  with_dims("outputScale", {6, 1}, {"outputScale", "rank"});
  with_dims("xScale", {5}, {"xScale", "5", "6"});
  with_dims("weightScale", {2, 128}, {"weightScale", "2", "3"});
  with_dims("weightScale", {3, 96}, {"weightScale", "96", "128"});
  with_dims("weightScale", {3, 1, 128}, {"weightScale", "rank"});
  with_dims("weight", {3, 4, 3, 16, 32}, {"weight", "3", "2"});
  with_dims("weight", {3, 4, 2, 15, 32}, {"weight", "15", "16"});
  with_dims("weight", {3, 4, 2, 16, 64}, {"weight", "64", "32"});
  with_dims("x", {6}, {"x", "rank"});
}

// Idea 44.
TEST_F(ChecksTest, BlocksThatDoNotDivide) {
  layouts_["x"].dims = {6, 24};
  layouts_["weight"].dims = {3, 4, 1, 16, 32};
  ExpectCode(kInvalid, {"24", "multiple", "16"});
  Use(Storage::kInt8Nz, kSmall);
  layouts_["weight"].dims = {3, 1, 2, 16, 32};
  layouts_["weightScale"].dims = {3, 40};
  layouts_["output"].dims = {6, 20};
  ExpectCode(kInvalid, {"weightScale", "40", "32"});
}

TEST_F(ChecksTest, StridesThatCannotBe) {
  layouts_["output"].strides = {32, 1};  // rows overlap
  ExpectCode(kInvalid, {"output"});
  Use(Storage::kInt4Nd, kSmall);
  layouts_["weight"].strides = {32 * 130, 130, 1};
  ExpectCode(kInvalid, {"weight", "contiguous"});
  Use(Storage::kInt4Nd, kSmall);
  layouts_["weight"].offset = 1;
  ExpectCode(kInvalid, {"weight", "even"});
}

// Idea 43: reserved tensors may be anything, and are left alone.
TEST_F(ChecksTest, ReservedTensorsAreIgnored) {
  for (const char* name : {"bias", "offset", "outputOffset"}) {
    layouts_[name] = {.dims = {}, .dtype = ACL_DOUBLE};
    ExpectAccepted();
    layouts_[name] = {.dims = {7, 7}, .dtype = ACL_FLOAT, .format = ACL_FORMAT_FRACTAL_NZ};
  }
  RunTwoPhase(Call(), &aclnnGroupedMatmulSwigluQuant);
  const std::vector<uint8_t> bytes = tensors_.at("outputOffset").Bytes();
  EXPECT_EQ(bytes, std::vector<uint8_t>(bytes.size(), Tensor::kCanary));
}

// Idea 45.
TEST_F(ChecksTest, EmptyTensors) {
  const auto runs = [&](Storage storage, const Sizes& sizes) {
    Use(storage, sizes);
    const Prepared prepared = Prepare(Call());
    ASSERT_OK(prepared.code);
    EXPECT_EQ(prepared.workspace_size, 0u);
    ASSERT_OK(aclnnGroupedMatmulSwigluQuant(nullptr, 0, prepared.executor, stream()));
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    const std::vector<uint8_t> bytes = tensors_.at("outputScale").Bytes();
    EXPECT_EQ(bytes, std::vector<uint8_t>(bytes.size(), Tensor::kCanary));
  };
  for (Storage storage : kAllStorages) {
    runs(storage, {.m = 0, .k = 32, .n = 128, .bounds = {0}});
    runs(storage, {.m = 4, .k = 32, .n = 0, .bounds = {4}});
  }
  Use(Storage::kInt8Nz, kSmall);
  layouts_["groupList"].dims = {0};
  ExpectAccepted();
  layouts_["weight"].dims[0] = layouts_["weightScale"].dims[0] = 0;
  ExpectAccepted();
}

// A depth of zero is a sum of nothing.
TEST_F(ChecksTest, DepthZero) {
  GroupedProblem int8 =
      RandomProblem(Storage::kInt8Nz, {.m = 3, .k = 0, .n = 64, .bounds = {3}}, random());
  EXPECT_EQ(Run(int8).scale, (std::vector<float>{0, 0, 0}));
  GroupedProblem int4 =
      RandomProblem(Storage::kInt4Nd, {.m = 3, .k = 0, .n = 64, .bounds = {3}}, random());
  int4.in.bias.assign(64, 2.0f);
  ExpectMatchesReference(int4);
}

// Idea 46, and a workspace that is missing or too small.
TEST_F(ChecksTest, PhaseTwoHasOneCode) {
  TakeMessages();
  ExpectFailure(aclnnGroupedMatmulSwigluQuant(nullptr, 0, nullptr, stream()), kInner,
                {"executor", "null"});
  const Prepared prepared = Prepare(Call());
  ASSERT_OK(prepared.code);
  ASSERT_GT(prepared.workspace_size, 0u);
  TakeMessages();
  ExpectFailure(
      aclnnGroupedMatmulSwigluQuant(nullptr, prepared.workspace_size, prepared.executor, stream()),
      kInner, {"workspace", "null"});
  const Prepared again = Prepare(Call());
  const DeviceBuffer small(16);
  TakeMessages();
  ExpectFailure(aclnnGroupedMatmulSwigluQuant(small.data(), 16, again.executor, stream()), kInner,
                {"workspaceSize", "16"});
}

// Idea 49.
TEST_F(ChecksTest, TensorsOfTheCallerStayAsTheyAre) {
  for (Storage storage : {Storage::kInt32Nd, Storage::kInt32Nz}) {
    Use(storage, kSmall);
    layouts_["weightScale"].dtype = ACL_INT64;
    for (int i = 0; i < 2; ++i) ExpectAccepted();
    for (const char* name : {"weight", "weightScale"}) {
      aclDataType type = ACL_DT_UNDEFINED;
      EXPECT_OK(aclGetDataType(tensors_.at(name).handle(), &type));
      EXPECT_EQ(type, layouts_[name].dtype);
      int64_t* dims = nullptr;
      uint64_t count = 0;
      EXPECT_OK(aclGetViewShape(tensors_.at(name).handle(), &dims, &count));
      EXPECT_EQ(std::vector<int64_t>(dims, dims + count), layouts_[name].dims);
      delete[] dims;
    }
  }
}

// The other entry takes any format, but wants a storage of rank 5.
TEST_F(ChecksTest, WeightNzWantsBlocksInStorage) {
  Layout logical{.dims = {3, 32, 128}, .dtype = ACL_INT8, .storage = {3, 4, 2, 16, 32}};
  const auto call = [&](const Layout& layout, int code,
                        std::initializer_list<std::string_view> words) {
    layouts_["weight"] = layout;
    code == 0 ? ExpectAccepted(true) : ExpectCode(code, words, true);
  };
  call(logical, 0, {});
  logical.format = ACL_FORMAT_FRACTAL_NZ;
  call(logical, 0, {});
  logical.strides = {1, 3, 96};  // mean nothing
  call(logical, 0, {});
  logical.strides.clear();
  logical.storage = {3 * 32 * 128};
  call(logical, kInvalid, {"weight", "rank", "1", "5"});
  logical.storage = {3, 32, 128};
  call(logical, kInvalid, {"weight", "rank", "3", "5"});
  logical.storage = {3, 4, 2, 16, 32};
  logical.dims = {3, 24, 128};
  call(logical, kInvalid, {"weight", "24", "16"});
  logical.dims = {3, 32, 120};
  call(logical, kInvalid, {"weight", "120", "32"});
  logical.dims = {32, 128};
  call(logical, kInvalid, {"weight", "rank"});
  layouts_.erase("weight");
  ExpectCode(kNullptr, {"weight", "null"}, true);
}

}  // namespace
}  // namespace anyacl::test
