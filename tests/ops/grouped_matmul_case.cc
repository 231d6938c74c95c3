// SPDX-License-Identifier: Apache-2.0
#include "ops/grouped_matmul_case.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "support/half.h"

namespace anyacl::test {
namespace {

const aclTensor* HandleOf(const std::optional<Tensor>& tensor) {
  return tensor ? tensor->handle() : nullptr;
}

// Columns in a row of a FRACTAL_NZ block.
int64_t BlockColumns(Storage storage) { return storage == Storage::kInt8Nz ? 32 : 64; }

void WriteScale(const GroupedProblem& problem, Tensor& tensor) {
  const std::vector<float>& scale = problem.in.scale;
  if (problem.scale_type == ACL_FLOAT) return tensor.Write(scale);
  if (problem.scale_type == ACL_FLOAT16 || problem.scale_type == ACL_BF16) {
    std::vector<uint16_t> bits;
    for (float value : scale) {
      bits.push_back(problem.scale_type == ACL_BF16 ? EncodeBf16(value) : EncodeFp16(value));
    }
    return tensor.Write(bits);
  }
  std::vector<uint64_t> words;
  for (float value : scale)
    words.push_back(problem.scale_upper << 32 | std::bit_cast<uint32_t>(value));
  tensor.Write(words);
}

std::vector<int64_t> RandomBounds(int64_t experts, int64_t rows, Random& random) {
  std::vector<int64_t> bounds;
  for (int64_t e = 0; e < experts; ++e) bounds.push_back(random.Int(0, rows));
  std::sort(bounds.begin(), bounds.end());
  bounds.back() = rows;
  return bounds;
}

bool SameBits(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

}  // namespace

const char* NameOf(Storage storage) {
  switch (storage) {
    case Storage::kInt8Nz:
      return "int8_nz";
    case Storage::kInt4Nd:
      return "int4_nd";
    case Storage::kInt4Nz:
      return "int4_nz";
    case Storage::kInt32Nd:
      return "int32_nd";
    case Storage::kInt32Nz:
      return "int32_nz";
  }
  return "";
}

bool IsInt4(Storage storage) { return storage != Storage::kInt8Nz; }
bool IsNz(Storage storage) { return storage != Storage::kInt4Nd && storage != Storage::kInt32Nd; }

GroupedProblem RandomProblem(Storage storage, const Sizes& sizes, Random& random) {
  GroupedProblem problem;
  problem.storage = storage;
  GroupedMatmulInput& in = problem.in;
  in.rows = sizes.m;
  in.depth = sizes.k;
  in.columns = sizes.n;
  in.experts = sizes.e;
  in.groups = sizes.g;
  in.int4 = IsInt4(storage);
  problem.scale_type = in.int4 ? ACL_UINT64 : ACL_FLOAT;
  problem.scale_has_groups = sizes.g > 1;
  const auto fill = [&](auto& values, int64_t count, auto draw) {
    values.resize(static_cast<size_t>(count));
    for (auto& value : values) value = static_cast<std::decay_t<decltype(value)>>(draw());
  };
  fill(in.x, in.rows * in.depth, [&] { return random.Int(-128, 127); });
  const int64_t limit = in.int4 ? 7 : 127;
  fill(in.weight, in.experts * in.depth * in.columns,
       [&] { return random.Int(-limit - 1, limit); });
  // Products have deviation 1 to 4 then, where swish bends.
  const double norm = 1 / (74.0 * (in.int4 ? 4.6 : 74.0) * std::sqrt(double(in.depth) + 1));
  fill(in.scale, in.experts * in.groups * in.columns,
       [&] { return norm * 100 * random.Uniform(0.5, 2); });
  fill(in.x_scale, in.rows, [&] { return 0.01 * random.Uniform(0.5, 2); });
  if (in.int4) in.bias = AuxiliaryBias(in);
  in.group_list = sizes.bounds.empty() ? RandomBounds(in.experts, in.rows, random) : sizes.bounds;
  return problem;
}

GroupedLayouts LayoutsOf(const GroupedProblem& problem) {
  const GroupedMatmulInput& in = problem.in;
  const Storage storage = problem.storage;
  GroupedLayouts layouts;
  layouts.x = {.dims = {in.rows, in.depth}, .dtype = ACL_INT8};
  const bool words = storage == Storage::kInt32Nd || storage == Storage::kInt32Nz;
  layouts.weight.dtype = words ? ACL_INT32 : in.int4 ? ACL_INT4 : ACL_INT8;
  const int64_t packed = words ? 8 : 1;
  if (IsNz(storage)) {
    const int64_t width = BlockColumns(storage);
    layouts.weight.dims = {in.experts, in.columns / width, in.depth / 16, 16, width / packed};
    layouts.weight.format = ACL_FORMAT_FRACTAL_NZ;
  } else {
    layouts.weight.dims = {in.experts, in.depth, in.columns / packed};
  }
  layouts.bias = {.dims = {in.experts, in.columns}, .dtype = ACL_FLOAT};
  layouts.scale = {.dims = {in.experts, in.columns}, .dtype = problem.scale_type};
  if (problem.scale_has_groups)
    layouts.scale.dims.insert(layouts.scale.dims.begin() + 1, in.groups);
  layouts.x_scale = {.dims = {in.rows}, .dtype = ACL_FLOAT};
  layouts.group_list = {.dims = {static_cast<int64_t>(in.group_list.size())}, .dtype = ACL_INT64};
  layouts.q = {.dims = {in.rows, in.columns / 2}, .dtype = ACL_INT8};
  layouts.q_scale = {.dims = {in.rows}, .dtype = ACL_FLOAT};
  return layouts;
}

std::vector<int8_t> StoredInt8(const GroupedProblem& problem) {
  const GroupedMatmulInput& in = problem.in;
  if (!IsNz(problem.storage)) return in.weight;
  const int64_t width = BlockColumns(problem.storage);
  std::vector<int8_t> stored;
  stored.reserve(in.weight.size());
  for (int64_t e = 0; e < in.experts; ++e) {
    for (int64_t n1 = 0; n1 < in.columns / width; ++n1) {
      for (int64_t k1 = 0; k1 < in.depth / 16; ++k1) {
        for (int64_t k0 = 0; k0 < 16; ++k0) {
          for (int64_t n0 = 0; n0 < width; ++n0) {
            const int64_t k = k1 * 16 + k0, n = n1 * width + n0;
            stored.push_back(in.weight[static_cast<size_t>((e * in.depth + k) * in.columns + n)]);
          }
        }
      }
    }
  }
  return stored;
}

std::vector<int32_t> StoredInt32(const GroupedProblem& problem) {
  const std::vector<int8_t> nibbles = StoredInt8(problem);
  std::vector<int32_t> words;
  for (size_t i = 0; i + 8 <= nibbles.size(); i += 8) {
    uint32_t word = 0;
    for (size_t j = 0; j < 8; ++j) word |= (static_cast<uint32_t>(nibbles[i + j]) & 15) << (4 * j);
    words.push_back(static_cast<int32_t>(word));
  }
  return words;
}

GroupedTensors MakeTensors(const GroupedProblem& problem, const GroupedLayouts& layouts) {
  GroupedTensors tensors{.x = Tensor(layouts.x),
                         .weight = Tensor(layouts.weight),
                         .bias = std::nullopt,
                         .scale = Tensor(layouts.scale),
                         .x_scale = Tensor(layouts.x_scale),
                         .group_list = Tensor(layouts.group_list),
                         .q = Tensor(layouts.q),
                         .q_scale = Tensor(layouts.q_scale)};
  tensors.x.Write(problem.in.x);
  if (layouts.weight.dtype == ACL_INT32) {
    tensors.weight.Write(StoredInt32(problem));
  } else {
    tensors.weight.Write(StoredInt8(problem));
  }
  if (!problem.in.bias.empty()) tensors.bias.emplace(layouts.bias).Write(problem.in.bias);
  WriteScale(problem, tensors.scale);
  tensors.x_scale.Write(problem.in.x_scale);
  tensors.group_list.Write(problem.in.group_list);
  return tensors;
}

Phase1 GroupedTensors::Plain() const {
  return [this](uint64_t* workspace_size, aclOpExecutor** executor) {
    return aclnnGroupedMatmulSwigluQuantGetWorkspaceSize(
        x.handle(), weight.handle(), HandleOf(bias), nullptr, scale.handle(), x_scale.handle(),
        group_list.handle(), q.handle(), q_scale.handle(), nullptr, workspace_size, executor);
  };
}

Phase1 GroupedTensors::WeightNz() const {
  return [this](uint64_t* workspace_size, aclOpExecutor** executor) {
    return aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize(
        x.handle(), weight.handle(), HandleOf(bias), nullptr, scale.handle(), x_scale.handle(),
        group_list.handle(), q.handle(), q_scale.handle(), nullptr, workspace_size, executor);
  };
}

bool GroupedTensors::GuardsIntact() const {
  return x.GuardsIntact() && weight.GuardsIntact() && (!bias || bias->GuardsIntact()) &&
         scale.GuardsIntact() && x_scale.GuardsIntact() && group_list.GuardsIntact() &&
         q.GuardsIntact() && q_scale.GuardsIntact();
}

bool operator==(const GroupedOutput& a, const GroupedOutput& b) {
  return a.q == b.q &&
         std::equal(a.scale.begin(), a.scale.end(), b.scale.begin(), b.scale.end(), SameBits);
}

GroupedOutput GroupedMatmulTest::Run(const GroupedProblem& problem, const GroupedLayouts& layouts) {
  const GroupedTensors tensors = MakeTensors(problem, layouts);
  RunTwoPhase(tensors.Plain(), &aclnnGroupedMatmulSwigluQuant);
  EXPECT_TRUE(tensors.GuardsIntact()) << "bytes between or around the elements were written";
  const GroupedOutput output{tensors.q.Read<int8_t>(), tensors.q_scale.Read<float>()};
  const std::vector<int64_t> owner = OwnersOf(problem.in);
  const float canary = std::bit_cast<float>(0x01010101u * Tensor::kCanary);
  const int64_t half = problem.in.columns / 2;
  for (size_t r = 0; r < owner.size(); ++r) {
    if (owner[r] >= 0) continue;
    EXPECT_EQ(output.scale[r], canary) << "row " << r << " belongs to nobody and was written";
    for (int64_t j = 0; j < half; ++j) {
      EXPECT_EQ(output.q[r * static_cast<size_t>(half) + static_cast<size_t>(j)],
                static_cast<int8_t>(Tensor::kCanary))
          << "row " << r << " belongs to nobody and was written";
    }
  }
  return output;
}

void GroupedMatmulTest::ExpectMatchesReference(const GroupedProblem& problem,
                                               const GroupedLayouts& layouts) {
  const GroupedOutput output = Run(problem, layouts);
  EXPECT_EQ(Difference(problem.in, GroupedMatmul(problem.in), output.q, output.scale), "");
}

}  // namespace anyacl::test
