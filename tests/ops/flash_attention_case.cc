// SPDX-License-Identifier: Apache-2.0
#include "ops/flash_attention_case.h"

#include <algorithm>
#include <cmath>

#include "aclnnop/aclnn_flash_attention_score.h"
#include "aclnnop/aclnn_flash_attention_score_grad.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

// Calls visit(position in [B][N][S][D]) in the logical order of the layout.
template <class Visit>
void ForRows(const std::string& layout, int64_t batch, int64_t heads, int64_t rows, int64_t dim,
             const Visit& visit) {
  struct Axis {
    char name;
    int64_t size, step;
  };
  const Axis axes[] = {
      {'B', batch, heads * rows * dim}, {'N', heads, rows * dim}, {'S', rows, dim}, {'D', dim, 1}};
  std::string order = layout;
  if (const size_t h = order.find('H'); h != order.npos) order.replace(h, 1, "ND");
  std::vector<Axis> in_order;
  for (char name : order) {
    in_order.push_back(*std::find_if(std::begin(axes), std::end(axes),
                                     [&](const Axis& axis) { return axis.name == name; }));
  }
  const auto& [a, b, c, d] = std::tie(in_order[0], in_order[1], in_order[2], in_order[3]);
  for (int64_t i = 0; i < a.size; ++i) {
    for (int64_t k = 0; k < b.size; ++k) {
      for (int64_t l = 0; l < c.size; ++l) {
        for (int64_t m = 0; m < d.size; ++m) {
          visit(i * a.step + k * b.step + l * c.step + m * d.step);
        }
      }
    }
  }
}

int64_t Count(const std::vector<int64_t>& dims) {
  int64_t count = 1;
  for (int64_t size : dims) count *= size;
  return count;
}

void ExpectNear(const char* name, const std::vector<double>& actual, const Near& expected,
                aclDataType dtype) {
  ASSERT_EQ(actual.size(), expected.values.size()) << name;
  for (size_t i = 0; i < actual.size(); ++i) {
    const double value = expected.values[i];
    const double bound = expected.bounds[i] * 1.01 +
                         1.01 * HalfUnitOf(dtype, std::fabs(value) + expected.bounds[i]) + 1e-35;
    ASSERT_TRUE(std::fabs(actual[i] - value) <= bound)
        << name << "[" << i << "] = " << actual[i] << ", expected " << value << " +- " << bound;
  }
}

}  // namespace

FlashCase FlashOf(int64_t batch, int64_t heads, int64_t kv_heads, int64_t query, int64_t key,
                  int64_t dim, int64_t value_dim) {
  FlashCase c;
  FlashProblem& p = c.problem;
  p.batch = batch;
  p.heads = heads;
  p.kv_heads = kv_heads;
  p.query = query;
  p.key = key;
  p.dim = dim;
  p.value_dim = value_dim;
  p.scale = 1 / std::sqrt(static_cast<double>(dim));
  p.pre_tokens = p.next_tokens = INT32_MAX;
  return c;
}

void FillFlash(FlashCase& c, Random& random) {
  FlashProblem& p = c.problem;
  const auto fill = [&](std::vector<double>& values, int64_t count) {
    values.clear();
    for (int64_t i = 0; i < count; ++i) values.push_back(random.Bell());
    values = AsHeld(c.dtype, values);
  };
  fill(p.q, p.batch * p.heads * p.query * p.dim);
  fill(p.k, p.batch * p.kv_heads * p.key * p.dim);
  fill(p.v, p.batch * p.kv_heads * p.key * p.value_dim);
  fill(p.dy, p.batch * p.heads * p.query * p.value_dim);
}

void MaskFlash(FlashCase& c, std::vector<int64_t> dims, Random& random) {
  c.mask_dims = dims;
  c.problem.has_mask = true;
  c.problem.mask = {dims, {}};
  const int64_t key = dims.back();
  for (int64_t row = 0; row < Count(dims) / std::max<int64_t>(1, key); ++row) {
    // Some rows are hidden wholly, some not at all.
    const double share = row % 7 == 3 ? 1 : row % 7 == 5 ? 0 : 0.4;
    for (int64_t j = 0; j < key; ++j) c.problem.mask.values.push_back(random.Chance(share));
  }
}

void CompressFlash(FlashCase& c, int64_t mode) {
  c.problem.has_mask = true;
  c.problem.sparse_mode = mode;
  c.problem.mask = {};
  c.mask_dims = {mode == 6 ? 3072 : 2048, 2048};
}

void DropFlash(FlashCase& c, double keep_prob, Random& random) {
  FlashProblem& p = c.problem;
  p.keep_prob = keep_prob;
  const int64_t bits = p.batch * p.heads * p.query * p.key;
  p.drop.assign(static_cast<size_t>((bits + 127) / 128 * 16), 0);
  for (int64_t i = 0; i < bits; ++i) {
    if (random.Chance(keep_prob)) {
      p.drop[static_cast<size_t>(i / 8)] |= static_cast<uint8_t>(1 << (i % 8));
    }
  }
}

void ShiftFlash(FlashCase& c, std::vector<int64_t> dims, Random& random) {
  c.problem.pse = {dims, {}};
  for (int64_t i = 0; i < Count(dims); ++i) {
    c.problem.pse.values.push_back(AsHeld(c.dtype, random.Normal(0, 2)));
  }
}

void SinkFlash(FlashCase& c, Random& random) {
  c.third = true;
  if (c.pse_type < 0) c.pse_type = 1;
  for (int64_t n = 0; n < c.problem.heads; ++n) {
    c.problem.sink.push_back(AsHeld(ACL_FLOAT, random.Uniform(-2, 4)));
  }
}

void SlopeFlash(FlashCase& c, std::vector<int64_t> dims, Random& random) {
  c.slopes = {dims, {}};
  for (int64_t i = 0; i < Count(dims); ++i) {
    c.slopes.values.push_back(AsHeld(ACL_FLOAT, random.Uniform(-0.1, 0.5)));
  }
  // One alone is ignored.
  const bool both = !c.query_start.empty() && !c.key_start.empty();
  const int64_t query_start = both ? c.query_start[0] : 0, key_start = both ? c.key_start[0] : 0;
  MakePse(c.problem, c.slopes, c.pse_type == 3, query_start, key_start);
}

FlashTensors::FlashTensors(const FlashCase& c) : case_(c) {
  const FlashProblem& p = c.problem;
  scale = p.scale;
  keep_prob = p.keep_prob;
  pre_tokens = p.pre_tokens;
  next_tokens = p.next_tokens;
  head_num = p.heads;
  inner_precise = c.inner_precise;
  sparse_mode = p.sparse_mode;
  pse_type = c.pse_type;
  layout = c.layout;
  using enum FlashTensor;
  AddRows(kQuery, p.query, p.heads, p.dim, p.q);
  AddRows(kKey, p.key, p.kv_heads, p.dim, p.k);
  AddRows(kValue, p.key, p.kv_heads, p.value_dim, p.v);
  AddRows(kDy, p.query, p.heads, p.value_dim, p.dy);
  AddRows(kOut, p.query, p.heads, p.value_dim, {});
  AddRows(kDq, p.query, p.heads, p.dim, {});
  AddRows(kDk, p.key, p.kv_heads, p.dim, {});
  AddRows(kDv, p.key, p.kv_heads, p.value_dim, {});
  Add(kMax, {.dims = {p.batch, p.heads, p.query, 8}});
  Add(kSum, {.dims = {p.batch, p.heads, p.query, 8}});
  Add(kSoftmax, {.dims = {0}, .dtype = c.dtype});
  if (c.slopes.given()) {
    Add(kPse, {.dims = c.slopes.dims});
    WriteAs(At(kPse), c.slopes.values);
  } else if (p.pse.given()) {
    Add(kPse, {.dims = p.pse.dims, .dtype = c.dtype});
    WriteAs(At(kPse), p.pse.values);
    if (p.pse.dims == std::vector<int64_t>{p.batch, p.heads, p.query, p.key}) {
      Add(kDpse, {.dims = p.pse.dims, .dtype = c.dtype});
    }
  }
  if (!p.sink.empty()) {
    Add(kSink, {.dims = {p.heads}});
    WriteAs(At(kSink), p.sink);
    Add(kDsink, {.dims = {p.heads}});
  }
  if (!p.drop.empty()) {
    Add(kDrop, {.dims = {static_cast<int64_t>(p.drop.size())}, .dtype = ACL_UINT8});
    At(kDrop).Write(p.drop);
  }
  if (!c.mask_dims.empty()) {
    Add(kMask, {.dims = c.mask_dims, .dtype = c.mask_type});
    if (p.mask.given()) At(kMask).Write(p.mask.values);
  }
  const auto array = [](const std::vector<int64_t>& values) {
    return values.empty() ? nullptr : aclCreateIntArray(values.data(), values.size());
  };
  prefix_ = array(p.prefix);
  query_start_ = array(c.query_start);
  key_start_ = array(c.key_start);
}

FlashTensors::~FlashTensors() {
  for (const aclIntArray* array : {prefix_, query_start_, key_start_}) {
    if (array != nullptr) aclDestroyIntArray(array);
  }
}

void FlashTensors::Set(FlashTensor id, const Layout& made) {
  tensors_.erase(id);
  tensors_.emplace(id, std::make_unique<Tensor>(made));
}

void FlashTensors::Add(FlashTensor id, Layout made) {
  if (case_.gaps && !made.dims.empty()) {
    made.strides = ContiguousStrides(made.dims);
    for (int64_t& stride : made.strides) stride *= 2;
    made.strides.front() += 3;
    made.offset = 3;
  }
  Set(id, made);
}

Layout FlashTensors::RowLayout(int64_t rows, int64_t heads, int64_t dim) const {
  const int64_t batch = case_.problem.batch;
  Layout made{.dtype = case_.dtype};
  if (case_.layout == "BSH") made.dims = {batch, rows, heads * dim};
  if (case_.layout == "SBH") made.dims = {rows, batch, heads * dim};
  if (case_.layout == "BSND") made.dims = {batch, rows, heads, dim};
  if (case_.layout == "BNSD") made.dims = {batch, heads, rows, dim};
  return made;
}

void FlashTensors::AddRows(FlashTensor id, int64_t rows, int64_t heads, int64_t dim,
                           const std::vector<double>& values) {
  Add(id, RowLayout(rows, heads, dim));
  if (values.empty()) return;
  if (case_.ordered) return WriteAs(At(id), values);
  std::vector<double> ordered;
  ForRows(case_.layout, case_.problem.batch, heads, rows, dim,
          [&](int64_t at) { ordered.push_back(values[static_cast<size_t>(at)]); });
  WriteAs(At(id), ordered);
}

std::vector<double> FlashTensors::Rows(FlashTensor id) const {
  const FlashProblem& p = case_.problem;
  const bool of_key = id == FlashTensor::kDk || id == FlashTensor::kDv;
  const bool of_value = id == FlashTensor::kDv || id == FlashTensor::kOut;
  const std::vector<double> ordered = ReadAs(*tensors_.at(id));
  std::vector<double> values(ordered.size());
  size_t next = 0;
  ForRows(case_.layout, p.batch, of_key ? p.kv_heads : p.heads, of_key ? p.key : p.query,
          of_value ? p.value_dim : p.dim,
          [&](int64_t at) { values[static_cast<size_t>(at)] = ordered[next++]; });
  return values;
}

aclTensor* FlashTensors::Handle(FlashTensor id) const {
  const auto known = tensors_.find(id);
  return known == tensors_.end() ? nullptr : known->second->handle();
}

Phase1 FlashTensors::Forward() const {
  return [this](uint64_t* size, aclOpExecutor** executor) {
    using enum FlashTensor;
    std::string text = layout;
    if (version() == 3) {
      return aclnnFlashAttentionScoreV3GetWorkspaceSize(
          Handle(kQuery), Handle(kKey), Handle(kValue), Handle(kPse), Handle(kDrop),
          Handle(kPadding), Handle(kMask), Handle(kSink), prefix_, query_start_, key_start_, scale,
          keep_prob, pre_tokens, next_tokens, head_num, null_layout ? nullptr : text.data(),
          inner_precise, sparse_mode, pse_type, Handle(kMax), Handle(kSum), Handle(kSoftmax),
          Handle(kOut), size, executor);
    }
    if (version() == 2) {
      return aclnnFlashAttentionScoreV2GetWorkspaceSize(
          Handle(kQuery), Handle(kKey), Handle(kValue), Handle(kPse), Handle(kDrop),
          Handle(kPadding), Handle(kMask), prefix_, query_start_, key_start_, scale, keep_prob,
          pre_tokens, next_tokens, head_num, null_layout ? nullptr : text.data(), inner_precise,
          sparse_mode, pse_type, Handle(kMax), Handle(kSum), Handle(kSoftmax), Handle(kOut), size,
          executor);
    }
    return aclnnFlashAttentionScoreGetWorkspaceSize(
        Handle(kQuery), Handle(kKey), Handle(kValue), Handle(kPse), Handle(kDrop), Handle(kPadding),
        Handle(kMask), prefix_, scale, keep_prob, pre_tokens, next_tokens, head_num,
        null_layout ? nullptr : text.data(), inner_precise, sparse_mode, Handle(kMax), Handle(kSum),
        Handle(kSoftmax), Handle(kOut), size, executor);
  };
}

Phase1 FlashTensors::Gradient() const {
  return [this](uint64_t* size, aclOpExecutor** executor) {
    using enum FlashTensor;
    std::string text = layout;
    if (version() == 3) {
      return aclnnFlashAttentionScoreGradV3GetWorkspaceSize(
          Handle(kQuery), Handle(kKey), Handle(kValue), Handle(kDy), Handle(kPse), Handle(kDrop),
          Handle(kPadding), Handle(kMask), Handle(kMax), Handle(kSum), Handle(kSoftmax),
          Handle(kOut), Handle(kSink), prefix_, query_start_, key_start_, scale, keep_prob,
          pre_tokens, next_tokens, head_num, null_layout ? nullptr : text.data(), inner_precise,
          sparse_mode, pse_type, Handle(kDq), Handle(kDk), Handle(kDv), Handle(kDpse),
          Handle(kDsink), size, executor);
    }
    if (version() == 2) {
      return aclnnFlashAttentionScoreGradV2GetWorkspaceSize(
          Handle(kQuery), Handle(kKey), Handle(kValue), Handle(kDy), Handle(kPse), Handle(kDrop),
          Handle(kPadding), Handle(kMask), Handle(kMax), Handle(kSum), Handle(kSoftmax),
          Handle(kOut), prefix_, query_start_, key_start_, scale, keep_prob, pre_tokens,
          next_tokens, head_num, null_layout ? nullptr : text.data(), inner_precise, sparse_mode,
          pse_type, Handle(kDq), Handle(kDk), Handle(kDv), Handle(kDpse), size, executor);
    }
    return aclnnFlashAttentionScoreGradGetWorkspaceSize(
        Handle(kQuery), Handle(kKey), Handle(kValue), Handle(kDy), Handle(kPse), Handle(kDrop),
        Handle(kPadding), Handle(kMask), Handle(kMax), Handle(kSum), Handle(kSoftmax), Handle(kOut),
        prefix_, scale, keep_prob, pre_tokens, next_tokens, head_num,
        null_layout ? nullptr : text.data(), inner_precise, sparse_mode, Handle(kDq), Handle(kDk),
        Handle(kDv), Handle(kDpse), size, executor);
  };
}

bool FlashTensors::GuardsIntact() const {
  return std::all_of(tensors_.begin(), tensors_.end(),
                     [](const auto& entry) { return entry.second->GuardsIntact(); });
}

void FlashAttentionTest::RunForward(FlashTensors& tensors) {
  constexpr decltype(&aclnnFlashAttentionScore) kVersions[] = {
      aclnnFlashAttentionScore, aclnnFlashAttentionScoreV2, aclnnFlashAttentionScoreV3};
  RunTwoPhase(tensors.Forward(), kVersions[tensors.version() - 1]);
}

void FlashAttentionTest::RunGradient(FlashTensors& tensors) {
  constexpr decltype(&aclnnFlashAttentionScoreGrad) kVersions[] = {
      aclnnFlashAttentionScoreGrad, aclnnFlashAttentionScoreGradV2, aclnnFlashAttentionScoreGradV3};
  RunTwoPhase(tensors.Gradient(), kVersions[tensors.version() - 1]);
}

void FlashAttentionTest::ExpectMatchesReference(const FlashCase& c) {
  using enum FlashTensor;
  FlashTensors tensors(c);
  const double held = c.dtype == ACL_FLOAT ? 0x1p-24 : c.dtype == ACL_FLOAT16 ? 0x1p-11 : 0x1p-8;
  const FlashResult expected = FlashAttention(c.problem, c.unit(), held + c.unit());
  ASSERT_NO_FATAL_FAILURE(RunForward(tensors));
  ExpectNear("out", tensors.Rows(kOut), expected.out, c.dtype);
  for (const auto& [id, near] : {std::pair{kMax, &expected.max}, std::pair{kSum, &expected.sum}}) {
    const std::vector<double> all = ReadAs(tensors.At(id));
    std::vector<double> first;
    for (size_t i = 0; i < all.size(); ++i) {
      if (i % 8 == 0) first.push_back(all[i]);
      ASSERT_EQ(all[i], first.back()) << i;
    }
    ExpectNear(id == kMax ? "max" : "sum", first, *near, ACL_FLOAT);
  }
  // The third version's gradient has no FLOAT.
  if (c.third && c.dtype == ACL_FLOAT) return;
  ASSERT_NO_FATAL_FAILURE(RunGradient(tensors));
  ExpectNear("dq", tensors.Rows(kDq), expected.dq, c.dtype);
  ExpectNear("dk", tensors.Rows(kDk), expected.dk, c.dtype);
  ExpectNear("dv", tensors.Rows(kDv), expected.dv, c.dtype);
  if (tensors.Has(kDpse)) ExpectNear("dpse", ReadAs(tensors.At(kDpse)), expected.dpse, c.dtype);
  if (tensors.Has(kDsink)) {
    ExpectNear("dsink", ReadAs(tensors.At(kDsink)), expected.dsink, ACL_FLOAT);
  }
  EXPECT_TRUE(tensors.GuardsIntact());
}

}  // namespace anyacl::test
