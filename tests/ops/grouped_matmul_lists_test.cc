// SPDX-License-Identifier: Apache-2.0
// The versions of GroupedMatmulSwigluQuant that take lists: their values against the oracle, also
// of INT4 rows, of counts and of smooth scales, and what they refuse.
#include <bit>
#include <map>

#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_v2.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz_v2.h"
#include "ops/grouped_matmul_case.h"

namespace anyacl::test {
namespace {

constexpr int kNullptr = 161001, kInvalid = 161002;

// One tensor, or none, as a list.
class OneOf {
 public:
  explicit OneOf(const Tensor* tensor) {
    if (tensor == nullptr) return;
    // The list owns its members; the tensor keeps its own handle.
    const Layout& l = tensor->layout();
    const std::vector<int64_t> strides = l.strides.empty() ? ContiguousStrides(l.dims) : l.strides;
    const std::vector<int64_t>& storage = l.storage.empty() ? l.dims : l.storage;
    const aclTensor* member =
        aclCreateTensor(l.dims.data(), l.dims.size(), l.dtype, strides.data(), l.offset, l.format,
                        storage.data(), storage.size(), tensor->data());
    handle_ = aclCreateTensorList(&member, 1);
  }
  OneOf(const OneOf&) = delete;
  ~OneOf() {
    if (handle_ != nullptr) aclDestroyTensorList(handle_);
  }
  aclTensorList* handle() const { return handle_; }

 private:
  aclTensorList* handle_ = nullptr;
};

struct Modes {
  int64_t dequant = 0, dequant_type = 28, quant = 0, group_list_type = 0;
};

class ListsTest : public GroupedMatmulTest {
 protected:
  // x, weight, weightScale, weightAssistMatrix, bias, xScale, smoothScale, groupList, output,
  // outputScale
  using Tensors = std::map<std::string, Tensor>;

  static void Add(Tensors& to, const char* name, const Layout& layout) { to.emplace(name, layout); }

  // Of INT8 rows by INT8 or INT4 weights, and, where the problem says so, of INT4 rows, which are
  // packed into INT32 where the weights are.
  Tensors Make(const GroupedProblem& problem, int64_t smooth_rank = 2) {
    GroupedLayouts l = LayoutsOf(problem);
    const GroupedMatmulInput& in = problem.in;
    Tensors t;
    if (in.int4_x) {
      const bool words = l.weight.dtype == ACL_INT32;
      l.x.dtype = l.weight.dtype;
      if (words) l.x.dims[1] /= 8;
      Add(t, "x", l.x);
      if (words) {
        std::vector<int32_t> packed(in.x.size() / 8);
        for (size_t i = 0; i < in.x.size(); ++i) {
          packed[i / 8] |=
              static_cast<int32_t>((static_cast<uint32_t>(in.x[i]) & 15u) << (4 * (i % 8)));
        }
        t.at("x").Write(packed);
      } else {
        t.at("x").Write(in.x);
      }
    } else {
      Add(t, "x", l.x);
      t.at("x").Write(in.x);
    }
    Add(t, "weight", l.weight);
    l.weight.dtype == ACL_INT32 ? t.at("weight").Write(StoredInt32(problem))
                                : t.at("weight").Write(StoredInt8(problem));
    Add(t, "weightScale", l.scale);
    if (l.scale.dtype == ACL_FLOAT) {
      t.at("weightScale").Write(in.scale);
    } else {
      std::vector<uint64_t> words;
      for (float s : in.scale) words.push_back(std::bit_cast<uint32_t>(s));
      t.at("weightScale").Write(words);
    }
    if (in.int4 && !in.int4_x) {
      Add(t, "weightAssistMatrix", l.bias);
      t.at("weightAssistMatrix").Write(in.bias);
    }
    Add(t, "xScale", l.x_scale);
    t.at("xScale").Write(in.x_scale);
    if (!in.smooth.empty()) {
      const int64_t half = in.columns / 2;
      std::vector<float> values;
      for (int64_t e = 0; e < in.experts; ++e) {
        for (int64_t j = 0; j < (smooth_rank == 1 ? 1 : half); ++j) {
          values.push_back(in.smooth[static_cast<size_t>(e * half + j)]);
        }
      }
      Layout layout{.dims = {in.experts}, .dtype = ACL_FLOAT};
      if (smooth_rank == 2) layout = {.dims = {in.experts, half}, .strides = {3 * half + 1, 3}};
      Add(t, "smoothScale", layout);
      t.at("smoothScale").Write(values);
    }
    Add(t, "groupList", l.group_list);
    t.at("groupList").Write(in.group_list);
    Add(t, "output", l.q);
    Add(t, "outputScale", l.q_scale);
    return t;
  }

  static Modes ModesOf(const GroupedProblem& problem) {
    return {.dequant = problem.scale_has_groups, .group_list_type = problem.in.counts};
  }

  static Phase1 Call(const Tensors& t, const Modes& modes, bool nz) {
    return [&t, modes, nz](uint64_t* size, aclOpExecutor** executor) {
      const auto find = [&](const char* name) {
        const auto found = t.find(name);
        return found == t.end() ? nullptr : &found->second;
      };
      const auto handle = [&](const char* name) -> aclTensor* {
        return find(name) == nullptr ? nullptr : find(name)->handle();
      };
      const OneOf weight(find("weight")), scale(find("weightScale")),
          assist(find("weightAssistMatrix"));
      const auto phase1 = nz ? &aclnnGroupedMatmulSwigluQuantWeightNzV2GetWorkspaceSize
                             : &aclnnGroupedMatmulSwigluQuantV2GetWorkspaceSize;
      return phase1(handle("x"), weight.handle(), scale.handle(), assist.handle(), handle("bias"),
                    handle("xScale"), handle("smoothScale"), handle("groupList"), modes.dequant,
                    modes.dequant_type, modes.quant, modes.group_list_type, nullptr,
                    handle("output"), handle("outputScale"), size, executor);
    };
  }

  void ExpectMatches(const GroupedProblem& problem, int64_t smooth_rank = 2) {
    SCOPED_TRACE(NameOf(problem.storage));
    for (bool nz : {false, true}) {
      if (nz && !IsNz(problem.storage)) continue;
      const Tensors t = Make(problem, smooth_rank);
      RunTwoPhase(Call(t, ModesOf(problem), nz),
                  nz ? &aclnnGroupedMatmulSwigluQuantWeightNzV2 : &aclnnGroupedMatmulSwigluQuantV2);
      EXPECT_EQ(Difference(problem.in, GroupedMatmul(problem.in), t.at("output").Read<int8_t>(),
                           t.at("outputScale").Read<float>()),
                "");
      for (const auto& [name, tensor] : t) EXPECT_TRUE(tensor.GuardsIntact()) << name;
      const std::vector<int64_t> owner = OwnersOf(problem.in);
      const std::vector<float> scales = t.at("outputScale").Read<float>();
      for (size_t r = 0; r < owner.size(); ++r) {
        if (owner[r] >= 0) continue;
        EXPECT_EQ(std::bit_cast<uint32_t>(scales[r]), 0x01010101u * Tensor::kCanary) << "row " << r;
      }
    }
  }

  // Rows of INT4, with or without smooth scales.
  GroupedProblem Int4Problem(Storage storage, const Sizes& sizes, bool smooth) {
    GroupedProblem problem = RandomProblem(storage, sizes, random());
    GroupedMatmulInput& in = problem.in;
    in.int4_x = true;
    for (int8_t& x : in.x) x = static_cast<int8_t>(random().Int(-8, 7));
    for (float& s : in.x_scale) s *= 15;
    in.bias.clear();
    if (smooth) {
      for (int64_t i = 0; i < in.experts * in.columns / 2; ++i) {
        in.smooth.push_back(static_cast<float>(random().Normal(0, 1)));
      }
    }
    return problem;
  }

  void ExpectCode(const Tensors& t, const Modes& modes, int code,
                  std::initializer_list<std::string_view> words, bool nz = false) {
    ExpectRefused(Call(t, modes, nz), code, words);
  }
};

const Sizes kSmall{.m = 9, .k = 32, .n = 128, .e = 3, .bounds = {2, 2, 8}};

TEST_F(ListsTest, Int8RowsAsBefore) {
  for (Storage storage : kAllStorages) {
    ExpectMatches(RandomProblem(storage, kSmall, random()));
    if (!IsInt4(storage)) continue;
    Sizes groups = kSmall;
    groups.g = 2;
    ExpectMatches(RandomProblem(storage, groups, random()));
  }
}

TEST_F(ListsTest, Int4Rows) {
  for (Storage storage : kInt4Storages) {
    for (int64_t m : {1, 7, 40, 150}) {
      for (int64_t g : {1, 4}) {
        Sizes sizes{.m = m, .k = 64, .n = 192, .e = 3, .g = g, .bounds = {}};
        ExpectMatches(Int4Problem(storage, sizes, false));
        ExpectMatches(Int4Problem(storage, sizes, true));
      }
    }
  }
}

// One scale for each expert.
TEST_F(ListsTest, SmoothScalesOfWholeExperts) {
  GroupedProblem problem = Int4Problem(Storage::kInt4Nz, kSmall, true);
  GroupedMatmulInput& in = problem.in;
  const size_t half = static_cast<size_t>(in.columns) / 2;
  for (size_t i = 0; i < in.smooth.size(); ++i) in.smooth[i] = in.smooth[i / half * half];
  ExpectMatches(problem, 1);
}

// K = 9 is odd: rows of INT4 begin within a byte.
TEST_F(ListsTest, RowsThatBeginWithinAByte) {
  ExpectMatches(
      Int4Problem(Storage::kInt4Nd, {.m = 5, .k = 9, .n = 64, .e = 2, .bounds = {2, 5}}, true));
}

TEST_F(ListsTest, CountsOfRows) {
  for (const std::vector<int64_t>& counts :
       std::vector<std::vector<int64_t>>{{3, 1, 2},
                                         {0, 9, 0},
                                         {4, 0},
                                         {0, 0, 0},
                                         {5, -2, 3},
                                         {4, 100, 3},
                                         {INT64_MAX, 1, 1},
                                         {2, INT64_MIN, INT64_MAX}}) {
    Sizes sizes = kSmall;
    sizes.bounds = counts;
    for (Storage storage : {Storage::kInt8Nz, Storage::kInt32Nz}) {
      GroupedProblem problem = RandomProblem(storage, sizes, random());
      problem.in.counts = true;
      ExpectMatches(problem);
    }
    GroupedProblem problem = Int4Problem(Storage::kInt4Nd, sizes, true);
    problem.in.counts = true;
    ExpectMatches(problem);
  }
}

TEST_F(ListsTest, NullTensors) {
  for (const char* name :
       {"x", "weight", "weightScale", "xScale", "groupList", "output", "outputScale"}) {
    Tensors t = Make(RandomProblem(Storage::kInt8Nz, kSmall, random()));
    t.erase(name);
    ExpectCode(t, {}, kNullptr, {name, "null"});
  }
}

TEST_F(ListsTest, WhatOneFormHasAndAnotherHasNot) {
  Tensors assisted = Make(RandomProblem(Storage::kInt4Nz, kSmall, random()));
  assisted.erase("weightAssistMatrix");
  ExpectCode(assisted, {}, kNullptr, {"weightAssistMatrix", "null"});
  for (const char* name : {"weightAssistMatrix", "bias", "smoothScale"}) {
    Tensors t = Make(RandomProblem(Storage::kInt8Nz, kSmall, random()));
    Add(t, name, {.dims = {3, 64}});
    ExpectCode(t, {}, kInvalid, {name, "expected null"});
  }
  Tensors t = Make(Int4Problem(Storage::kInt4Nz, kSmall, true));
  Add(t, "weightAssistMatrix", {.dims = {3, 128}});
  ExpectCode(t, {}, kInvalid, {"weightAssistMatrix", "expected null"});
}

TEST_F(ListsTest, Modes) {
  const Tensors t = Make(RandomProblem(Storage::kInt8Nz, kSmall, random()));
  ExpectCode(t, {.dequant = 1}, kInvalid, {"dequantMode", "1"});
  ExpectCode(t, {.quant = 1}, kInvalid, {"quantMode", "1"});
  ExpectCode(t, {.group_list_type = 2}, kInvalid, {"groupListType", "2"});
  Sizes groups = kSmall;
  groups.g = 2;
  ExpectCode(Make(RandomProblem(Storage::kInt4Nd, groups, random())), {.dequant = 0}, kInvalid,
             {"weightScale", "rank 3", "dequantMode"});
  ExpectCode(Make(RandomProblem(Storage::kInt4Nd, kSmall, random())), {.dequant = 1}, kInvalid,
             {"weightScale", "rank 2", "dequantMode"});
}

// Where the plain versions succeed and write nothing.
TEST_F(ListsTest, EmptyTensors) {
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nd}) {
    for (const Sizes& sizes : {Sizes{.m = 0, .k = 32, .n = 128, .bounds = {0}},
                               Sizes{.m = 4, .k = 32, .n = 0, .bounds = {4}},
                               Sizes{.m = 4, .k = 0, .n = 128, .bounds = {4}}}) {
      ExpectCode(Make(RandomProblem(storage, sizes, random())), {}, kInvalid, {"empty"});
    }
  }
  Tensors t = Make(RandomProblem(Storage::kInt8Nz, kSmall, random()));
  aclTensorList* none = aclCreateTensorList(nullptr, 0);
  ASSERT_NE(none, nullptr);
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnGroupedMatmulSwigluQuantV2GetWorkspaceSize(
            t.at("x").handle(), none, none, none, nullptr, t.at("xScale").handle(), nullptr,
            t.at("groupList").handle(), 0, 0, 0, 0, nullptr, t.at("output").handle(),
            t.at("outputScale").handle(), size, executor);
      },
      kInvalid, {"weight", "0 tensors"});
  // As torch_npu passes what is absent: fine with INT8 weights, missing with INT4.
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nz}) {
    Tensors given = Make(RandomProblem(storage, kSmall, random()));
    const OneOf weight(&given.at("weight")), scale(&given.at("weightScale"));
    const Phase1 call = [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnGroupedMatmulSwigluQuantV2GetWorkspaceSize(
          given.at("x").handle(), weight.handle(), scale.handle(), none, nullptr,
          given.at("xScale").handle(), nullptr, given.at("groupList").handle(), 0, 0, 0, 0, nullptr,
          given.at("output").handle(), given.at("outputScale").handle(), size, executor);
    };
    if (storage == Storage::kInt4Nz) {
      ExpectRefused(call, kInvalid, {"weightAssistMatrix", "no tensor"});
      continue;
    }
    const Prepared prepared = Prepare(call);
    EXPECT_OK(prepared.code);
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  }
  aclDestroyTensorList(none);
}

TEST_F(ListsTest, Limits) {
  Tensors t = Make(RandomProblem(Storage::kInt8Nz, kSmall, random()));
  t.erase("groupList");
  Add(t, "groupList", {.dims = {4}, .dtype = ACL_INT64});
  ExpectCode(t, {}, kInvalid, {"groupList", "4", "3"});
  // INT4 rows have no INT8 weights.
  Tensors mixed = Make(RandomProblem(Storage::kInt8Nz, kSmall, random()));
  mixed.erase("x");
  Add(mixed, "x", {.dims = {9, 32}, .dtype = ACL_INT4});
  ExpectCode(mixed, {}, kInvalid, {"weight", "INT8"});
}

}  // namespace
}  // namespace anyacl::test
