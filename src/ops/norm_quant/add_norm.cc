// SPDX-License-Identifier: Apache-2.0
// Row by row in fp32: the sum, which is not rounded before its norm, the norm, and what becomes of
// it. Threads share rows.
#include <algorithm>
#include <cmath>

#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/norm_quant/operators.h"
#include "runtime/parallel.h"

namespace anyacl::norm_quant {
namespace {

using elementwise::Op;

// One of two quantised results.
struct Quantised {
  TensorView scales{}, offsets{}, out{};
};

struct Params {
  TensorView x1{}, x2{}, bias{}, gamma{}, beta{}, sum{}, mean{}, rstd{};
  TensorView normal{}, cast{};  // y as fp32, and as x's type
  TensorView shift{};           // added to y before it is quantised
  Quantised first, second;
  int64_t rows = 0, length = 0;
  double eps = 0;
  bool divides = true;
  bool centres = false;      // a layer norm
  bool bias_of_row = false;  // the same for all rows
};

class AddNormPlan final : public BookedPlan {
 public:
  explicit AddNormPlan(const Params& params) : p_(params) {
    const auto n = static_cast<size_t>(p_.length);
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), p_.rows));
    numbers_ = book_.Book<float>(slots * 2 * n);
    gamma_ = book_.Book<float>(n);
    beta_ = book_.Book<float>(p_.beta.given() ? n : 0);
    shift_ = book_.Book<float>(p_.shift.given() ? n : 0);
    for (int i = 0; i < 2; ++i) {
      const Quantised& q = i == 0 ? p_.first : p_.second;
      scales_[i] = book_.Book<float>(q.scales.given() ? n : 0);
      offsets_[i] = book_.Book<float>(q.offsets.given() ? n : 0);
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Load(bindings, p_.gamma, 0, gamma_.In(bindings));
    if (p_.beta.given()) Load(bindings, p_.beta, 0, beta_.In(bindings));
    if (p_.shift.given()) Load(bindings, p_.shift, 0, shift_.In(bindings));
    for (int i = 0; i < 2; ++i) {
      const Quantised& q = i == 0 ? p_.first : p_.second;
      if (q.scales.given()) Load(bindings, q.scales, 0, scales_[i].In(bindings));
      if (q.offsets.given()) Load(bindings, q.offsets, 0, offsets_[i].In(bindings));
    }
    constexpr int64_t kWorth = 1 << 13;  // elements: 5 us
    ParallelFor(p_.rows, std::max<int64_t>(1, kWorth / p_.length),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * 2 * p_.length;
                  for (int64_t row = begin; row < end; ++row) RunRow(bindings, row, numbers);
                });
    return {};
  }

 private:
  // A row's numbers, whose dimensions may be several.
  void Load(const Bindings& bindings, const TensorView& view, int64_t row, float* to) const {
    const auto load = blocks::Loader(Element::kFp32, view.dtype);
    blocks::ForTiles(view, view.Address(bindings), row * p_.length, (row + 1) * p_.length,
                     [&](const blocks::Tile& tile, int64_t before) { load(tile, to + before); });
  }
  void Store(const Bindings& bindings, const TensorView& view, int64_t row,
             const float* from) const {
    if (!view.given()) return;
    const auto store = blocks::Storer(Element::kFp32, view.dtype);
    blocks::ForTiles(view, view.Address(bindings), row * p_.length, (row + 1) * p_.length,
                     [&](const blocks::Tile& tile, int64_t before) { store(from + before, tile); });
  }

  void WriteNumber(const Bindings& bindings, const TensorView& view, int64_t row,
                   double number) const {
    if (!view.given()) return;
    blocks::StoreOne(number, ACL_FLOAT, view.Address(bindings) + view.OffsetOf(row) * 4);
  }

  // In place. What rounding the mean leaves of it is taken out again, as layer norms do.
  void Normalise(const Bindings& bindings, int64_t row, float* x) const {
    const auto& kernels = Kernels().rowwise.fp32;
    const auto n = static_cast<double>(p_.length);
    rowwise::Norm norm = {0, 0, 0, gamma_.In(bindings), nullptr, true};
    if (p_.beta.given()) norm.beta = beta_.In(bindings);
    if (p_.centres) norm.mean = static_cast<float>(kernels.sum(x, p_.length) / n);
    const rowwise::Moments about = kernels.moments(x, p_.length, norm.mean);
    const double off = p_.centres ? about.sum / n : 0;
    norm.residual = static_cast<float>(off);
    const double rstd = 1 / std::sqrt(about.squares / n - off * off + p_.eps);
    norm.rstd = static_cast<float>(rstd);
    WriteNumber(bindings, p_.mean, row, double{norm.mean} + off);
    WriteNumber(bindings, p_.rstd, row, rstd);
    kernels.normalize(x, p_.length, norm, {x, false});
  }

  void RunRow(const Bindings& bindings, int64_t row, float* numbers) const {
    float* const x = numbers;
    float* const y = x + p_.length;
    const blocks::Rows rows(p_.length);
    Load(bindings, p_.x1, row, x);
    Load(bindings, p_.x2, row, y);
    rows(Op::kAdd, x, x, y);
    if (p_.bias.given()) {
      Load(bindings, p_.bias, p_.bias_of_row ? 0 : row, y);
      rows(Op::kAdd, x, x, y);
    }
    Store(bindings, p_.sum, row, x);
    Normalise(bindings, row, x);
    Store(bindings, p_.normal, row, x);
    Store(bindings, p_.cast, row, x);
    if (p_.shift.given()) rows(Op::kAdd, x, x, shift_.In(bindings));
    for (int i = 0; i < 2; ++i) {
      const Quantised& q = i == 0 ? p_.first : p_.second;
      if (!q.scales.given()) continue;
      rows(p_.divides ? Op::kDiv : Op::kMul, y, x, scales_[i].In(bindings));
      if (q.offsets.given()) rows(Op::kAdd, y, y, offsets_[i].In(bindings));
      rows(Op::kRound, y, y);
      Store(bindings, q.out, row, y);
    }
  }

  const Params p_;
  WorkspaceSlot<float> numbers_, gamma_, beta_, shift_, scales_[2], offsets_[2];
};

// What all operators have.
Status CheckRowAndEps(const Operands& operands, Params* params) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kX1].shape();
  const Dims& row = operands[kGamma].shape();
  bool fits = row.rank() >= 1 && row.rank() <= x.rank();
  for (size_t i = 0; fits && i < row.rank(); ++i) {
    fits = row[i] == x[x.rank() - row.rank() + i];
  }
  if (!fits) {
    return Fail(code, "gamma.shape = {}, expected the last dimensions of x1.shape = {}",
                row.ToString(), x.ToString());
  }
  params->eps = operands.Real(kEps);
  if (!(params->eps >= 0)) {
    return Fail(code, "epsilon = {}, expected 0 or more", params->eps);
  }
  params->length = params->rows = 1;
  for (size_t i = 0; i < x.rank(); ++i) {
    (i < x.rank() - row.rank() ? params->rows : params->length) *= x[i];
  }
  params->x1 = ViewOf(operands, kX1);
  params->x2 = ViewOf(operands, kX2);
  params->gamma = ViewOf(operands, kGamma);
  params->sum = ViewOf(operands, kSum);
  return {};
}

// A number for each row: the first dimensions of x1, then any number of ones.
Status CheckPerRow(const Operands& operands, int id) {
  const Dims& x = operands[kX1].shape();
  const Dims& shape = operands[id].shape();
  const size_t kept = x.rank() - operands[kGamma].shape().rank();
  bool fits = shape.rank() >= kept;
  for (size_t i = 0; fits && i < shape.rank(); ++i) fits = shape[i] == (i < kept ? x[i] : 1);
  if (fits) return {};
  Dims expected(x.begin(), kept);
  while (expected.rank() < x.rank()) expected.push_back(1);
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}", operands.NameOf(id),
              shape.ToString(), expected.ToString());
}

// Inputs of two types, one of them FLOAT, give FLOAT.
Status CheckMixedTypes(const Operands& operands) {
  const int code = operands.spec().codes.dtype;
  const aclDataType x1 = operands[kX1].dtype(), x2 = operands[kX2].dtype();
  if (x1 != x2 && x1 != ACL_FLOAT && x2 != ACL_FLOAT) {
    return Fail(code, "x2.dtype = {}, expected {} or FLOAT as x1.dtype is {}", NameOf(x2),
                NameOf(x1), NameOf(x1));
  }
  const aclDataType sum = x1 == x2 ? x1 : ACL_FLOAT;
  for (int id : {kGamma, kBias, kY1, kSum}) {
    if (!operands.Given(id)) continue;
    const aclDataType type = operands[id].dtype();
    if (type == sum || (id == kGamma && type == ACL_FLOAT)) continue;
    return Fail(code, "{}.dtype = {}, expected {}{} as x1.dtype is {} and x2.dtype is {}",
                operands.NameOf(id), NameOf(type), NameOf(sum),
                id == kGamma && sum != ACL_FLOAT ? " or FLOAT" : "", NameOf(x1), NameOf(x2));
  }
  return {};
}

}  // namespace

Status PrepareAddRmsNormQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands.Given(kOffsets2) && !operands.Given(kScales2)) {
    return Fail(operands.spec().codes.shape,
                "zeroPoints2Optional is given, expected null as scales2Optional is");
  }
  Params params;
  if (Status s = CheckRowAndEps(operands, &params); !s.ok()) return s;
  const auto view = [&](int id) {
    return operands.Given(id) ? ViewOf(operands, id) : TensorView{};
  };
  params.first = {view(kScales1), view(kOffsets1), view(kY1)};
  params.second = {view(kScales2), view(kOffsets2), view(kY2)};
  params.shift = view(kBeta);
  params.cast = view(kNormOut);
  params.divides = operands.Flag(kDivMode);
  if (operands[kX1].IsEmpty()) return {};
  call->plan = std::make_shared<AddNormPlan>(params);
  return {};
}

Status PrepareAddRmsNormCast(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Params params;
  if (Status s = CheckRowAndEps(operands, &params); !s.ok()) return s;
  Dims per_row = operands[kX1].shape();
  const size_t kept = per_row.rank() - operands[kGamma].shape().rank();
  for (size_t i = kept; i < per_row.rank(); ++i) per_row[i] = 1;
  if (Status s = CheckShapeIs(operands, kRstd, per_row); !s.ok()) return s;
  params.normal = ViewOf(operands, kY1);
  params.cast = ViewOf(operands, kY2);
  params.rstd = ViewOf(operands, kRstd);
  if (operands[kX1].IsEmpty()) return {};
  call->plan = std::make_shared<AddNormPlan>(params);
  return {};
}

Status PrepareAddLayerNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckMixedTypes(operands); !s.ok()) return s;
  Params params;
  if (Status s = CheckRowAndEps(operands, &params); !s.ok()) return s;
  for (int id : {kMean, kRstd}) {
    if (Status s = CheckPerRow(operands, id); !s.ok()) return s;
  }
  const Dims& x = operands[kX1].shape();
  const Dims& row = operands[kGamma].shape();
  if (operands.Given(kBias)) {
    const Dims& bias = operands[kBias].shape();
    params.bias_of_row = bias == row && !(bias == x);
    if (!(bias == x) && !params.bias_of_row) {
      return Fail(operands.spec().codes.shape, "biasOptional.shape = {}, expected {} or {}",
                  bias.ToString(), row.ToString(), x.ToString());
    }
    params.bias = ViewOf(operands, kBias);
  }
  params.beta = ViewOf(operands, kBeta);
  params.mean = ViewOf(operands, kMean);
  params.rstd = ViewOf(operands, kRstd);
  params.cast = ViewOf(operands, kY1);
  params.centres = true;
  if (!operands.Flag(kAdditional)) params.sum = {};
  if (operands[kX1].IsEmpty()) return {};
  call->plan = std::make_shared<AddNormPlan>(params);
  return {};
}

}  // namespace anyacl::norm_quant
