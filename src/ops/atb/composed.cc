// SPDX-License-Identifier: Apache-2.0
// Operations that are others in turn.
#include <algorithm>

#include "ops/atb/operators.h"
#include "ops/steps.h"

namespace anyacl::atb_operations {
namespace {

constexpr int8_t kKeepTypes = 0;  // cubeMathType

Status Invalid(const Operands& operands, int id, int64_t value, const char* expected) {
  return Fail(operands.spec().codes.shape, "{} = {}, expected {}", operands.NameOf(id), value,
              expected);
}

// aclnnRotaryPositionEmbedding's modes by the number of pieces of a head.
Status ReadRotation(const Operands& operands, int64_t dim, int64_t* mode) {
  constexpr int64_t kHalves = 0, kNeighbours = 1, kQuarters = 2;
  const int64_t pieces = operands.Int(kRotaryCoeff);
  if (pieces == 2 || pieces == 4) {
    *mode = pieces == 2 ? kHalves : kQuarters;
  } else if (pieces == dim || 2 * pieces == dim) {
    *mode = kNeighbours;
  } else {
    return Invalid(operands, kRotaryCoeff, pieces, "2, 4 or the number of columns of cos");
  }
  return {};
}

}  // namespace

Status PrepareRope(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t tokens = operands[kCos].shape()[0], dim = operands[kCos].shape()[1];
  int64_t mode = 0;
  if (dim < 1) return Fail(operands.spec().codes.shape, "cos has no columns, expected D");
  if (Status s = ReadRotation(operands, dim, &mode); !s.ok()) return s;
  const aclDataType type = operands[kTurnedQuery].dtype(), angles = operands[kCos].dtype();
  if (angles != type && angles != ACL_FLOAT) {
    return Fail(operands.spec().codes.dtype, "cos.dtype = {}, expected {} as query.dtype, or FLOAT",
                NameOf(angles), NameOf(type));
  }
  Steps steps(operands);
  const Dims angle = {1, tokens, 1, dim};
  const InnerTensor cos = TensorOf(operands, kCos).As(angle);
  const InnerTensor sin = TensorOf(operands, kSin).As(angle);
  for (const auto& [from, to] : {std::pair{kTurnedQuery, kRopeQ}, {kTurnedKey, kRopeK}}) {
    const int64_t width = operands[from].shape()[1];
    if (width % dim != 0) {
      return Fail(operands.spec().codes.shape,
                  "{}.shape = {}, expected heads of {} numbers, as cos", operands.NameOf(from),
                  operands[from].shape().ToString(), dim);
    }
    if (operands[from].IsEmpty()) continue;
    const Dims heads = {1, tokens, width / dim, dim};
    const InnerTensor x = TensorOf(operands, from).As(heads);
    const InnerTensor out = TensorOf(operands, to).As(heads);
    const auto rotate = [&](const InnerTensor& in, const InnerTensor& result) {
      return steps.Call("aclnnRotaryPositionEmbedding", {in, cos, sin, mode, result});
    };
    if (angles == type) {
      if (Status s = rotate(x, out); !s.ok()) return s;
      continue;
    }
    const InnerTensor wide = steps.Piece(x.name, angles, heads);
    if (Status s = steps.Copy(wide, x); !s.ok()) return s;
    if (Status s = rotate(wide, wide); !s.ok()) return s;
    if (Status s = steps.Copy(out, wide); !s.ok()) return s;
  }
  return steps.Finish(call);
}

Status PrepareLinear(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Steps steps(operands);
  const InnerTensor x = TensorOf(operands, kX), weight = TensorOf(operands, kWeight);
  const InnerTensor a = operands.Flag(kTransposeA) ? x.Turned() : x;
  const InnerTensor b = operands.Flag(kTransposeB) ? weight.Turned() : weight;
  const InnerTensor out = TensorOf(operands, kOut);
  const bool sums = operands.Flag(kAccumulates);
  const aclDataType expected = sums ? ACL_FLOAT : x.layout.dtype;
  if (out.layout.dtype != expected) {
    return Fail(operands.spec().codes.dtype, "out.dtype = {}, expected {}",
                NameOf(out.layout.dtype), NameOf(expected));
  }
  if (operands.Given(kBias)) {
    const InnerTensor bias = TensorOf(operands, kBias);
    const Dims& shape = bias.layout.shape;
    const Dims row = {1, out.layout.shape[1]};
    const Dims& expected_shape = sums ? out.layout.shape : shape.rank() == 2 ? row : Dims{row[1]};
    if (Status s = CheckShapeIs(operands, kBias, expected_shape); !s.ok()) return s;
    if (Status s = steps.Call("aclnnAddmm", {bias, a, b, 1.0f, 1.0f, out, int64_t{kKeepTypes}});
        !s.ok()) {
      return s;
    }
  } else if (Status s = steps.Call("aclnnMatmul", {a, b, out, int64_t{kKeepTypes}}); !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

// Groups of K lie below each other in the output, or beside each other.
Status PrepareGroupedAdd(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool turned = operands.Flag(kTransposeA);
  const InnerTensor x = turned ? TensorOf(operands, kX) : TensorOf(operands, kX).Turned();
  const int64_t k = x.layout.shape[0], m = x.layout.shape[1];
  const int64_t n = operands.Size("N"), groups = operands.Size("G");
  const int code = operands.spec().codes.shape;
  if (k != operands.Size("K")) {
    return Fail(code, "x.shape[{}] = {}, expected weight.shape[0] = {}", turned ? 0 : 1, k,
                operands.Size("K"));
  }
  if (m < 1 || n < 1 || groups < 1) {
    return Fail(code, "m = {}, n = {}, groups = {}, expected 1 and more", m, n, groups);
  }
  const InnerTensor out = TensorOf(operands, kOut);
  const int64_t rows = out.layout.shape[0], columns = out.layout.shape[1];
  const auto many = [&](int64_t all, int64_t each) {
    return all % groups == 0 && all / groups == each;
  };
  const bool below = many(rows, m) && columns == n;
  if (!below && !(rows == m && many(columns, n))) {
    return Fail(code, "out.shape = {}, expected {} groups of {} below or beside each other",
                out.layout.shape.ToString(), groups, Dims{m, n}.ToString());
  }
  Steps steps(operands);
  // Usually one tensor, which is not copied then.
  if (Status s = steps.Copy(out, TensorOf(operands, kBias)); !s.ok()) return s;
  if (k == 0) return steps.Finish(call);
  const Dims strides = below ? Dims{m * n, n, 1} : Dims{n, groups * n, 1};
  if (Status s = steps.Call("aclnnGroupedMatmulAdd",
                            {x, TensorOf(operands, kWeight), TensorOf(operands, kGroupEnds),
                             out.As({groups, m, n}, strides), int64_t{1}, int64_t{0}, int64_t{2}});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

Status PrepareGroupTopk(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& shape = operands[kX].shape();
  const int64_t tokens = shape[0], experts = shape[1];
  const int64_t groups = operands.Int(kGroups), k = operands.Int(kGroupsChosen);
  const int64_t n = operands.Int(kExpertsSummed);
  if (groups < 1 || groups > experts || experts % groups != 0) {
    return Invalid(operands, kGroups, groups, "a divisor of the number of experts");
  }
  if (k < 1 || k > groups) return Invalid(operands, kGroupsChosen, k, "1 to groupNum");
  const int64_t size = experts / groups;
  if (n < 1 || n > size) return Invalid(operands, kExpertsSummed, n, "1 to the experts of a group");
  if (operands[kX].IsEmpty()) return {};

  Steps steps(operands);
  const aclDataType type = operands[kX].dtype();
  const InnerTensor x = TensorOf(operands, kX).As({tokens, groups, size});
  const InnerTensor out = TensorOf(operands, kOut).As({tokens, groups, size});
  const InnerTensor best = steps.Piece("x", type, {tokens, groups, n});
  const InnerTensor places = steps.Piece("x", ACL_INT64, {tokens, groups, n});
  const InnerTensor sums = steps.Piece("x", type, {tokens, groups});
  const InnerTensor chosen_sums = steps.Piece("x", type, {tokens, k});
  const InnerTensor chosen = steps.Piece("x", ACL_INT64, {tokens, k});
  const InnerTensor others = steps.Piece("x", ACL_BOOL, {tokens, groups});
  const int64_t last = 2, yes = 1, no = 0;
  Status s = steps.Call("aclnnTopk", {x, n, last, yes, yes, best, places});
  if (s.ok()) s = steps.Call("aclnnReduceSum", {best, IntArray{last}, no, int64_t{type}, sums});
  if (s.ok()) s = steps.Call("aclnnTopk", {sums, k, int64_t{1}, yes, yes, chosen_sums, chosen});
  if (s.ok()) s = steps.Call("aclnnInplaceOne", {others});
  if (s.ok()) {
    s = steps.Call("aclnnInplaceScatterValue", {others, int64_t{1}, chosen, 0.0f, int64_t{0}});
  }
  if (s.ok()) s = steps.Copy(out, x);
  if (s.ok()) {
    const InnerTensor of_group = others.As({tokens, groups, 1});
    s = steps.Call("aclnnInplaceMaskedFillScalar", {out, of_group, 0.0f});
  }
  if (!s.ok()) return s;
  return steps.Finish(call);
}

Status PrepareQuantPerChannel(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kX].IsEmpty()) return {};
  Steps steps(operands);
  const InnerTensor x = TensorOf(operands, kX);
  const InnerTensor steps_of_x = steps.Piece("x", x.layout.dtype, x.layout.shape);
  if (Status s = steps.Call("aclnnDiv", {x, TensorOf(operands, kSteps), steps_of_x}); !s.ok())
    return s;
  if (Status s = steps.Call("aclnnRound", {steps_of_x, steps_of_x}); !s.ok()) return s;
  if (operands.Given(kOffset) && !operands[kOffset].IsEmpty()) {
    const InnerTensor offset = TensorOf(operands, kOffset);
    if (Status s = steps.Call("aclnnAdd", {steps_of_x, offset, 1.0f, steps_of_x}); !s.ok())
      return s;
  }
  if (Status s = steps.Call("aclnnClamp", {steps_of_x, -128.0f, 127.0f, steps_of_x}); !s.ok()) {
    return s;
  }
  if (Status s = steps.Copy(TensorOf(operands, kOut), steps_of_x); !s.ok()) return s;
  return steps.Finish(call);
}

namespace {

// y = clamp(round(y / scale + offset)) of what lies in `y`.
Status Quantise(Steps& steps, const InnerTensor& y, const InnerTensor& scale,
                const InnerTensor& offset, const InnerTensor& out) {
  Status s = steps.Call("aclnnDiv", {y, scale, y});
  if (s.ok()) s = steps.Call("aclnnAdd", {y, offset, 1.0f, y});
  if (s.ok()) s = steps.Call("aclnnRound", {y, y});
  if (s.ok()) s = steps.Call("aclnnClamp", {y, -128.0f, 127.0f, y});
  return s.ok() ? steps.Copy(out, y) : s;
}

}  // namespace

Status PrepareRmsNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool quantised = operands.Given(kSteps);
  const aclDataType expected = quantised ? ACL_INT8 : operands[kX].dtype();
  if (operands[kOut].dtype() != expected) {
    return Fail(operands.spec().codes.dtype, "y.dtype = {}, expected {}",
                NameOf(operands[kOut].dtype()), NameOf(expected));
  }
  if (operands[kX].IsEmpty()) return {};
  Steps steps(operands);
  const InnerTensor x = TensorOf(operands, kX), out = TensorOf(operands, kOut);
  const Dims& shape = x.layout.shape;
  const Dims row = {shape.back()};
  const InnerTensor gamma = TensorOf(operands, kGamma).As(row);
  Dims rows = shape;
  rows[rows.rank() - 1] = 1;
  const InnerTensor factors = steps.Piece("x", ACL_FLOAT, rows);
  const double epsilon = operands.Real(kEpsilon);
  if (!quantised) {
    if (Status s = steps.Call("aclnnRmsNorm", {x, gamma, epsilon, out, factors}); !s.ok()) return s;
    return steps.Finish(call);
  }
  // In FLOAT up to the rounding.
  const InnerTensor wide = steps.Piece("x", ACL_FLOAT, shape);
  const InnerTensor wide_gamma = steps.Piece("gamma", ACL_FLOAT, row);
  Status s = steps.Copy(wide, x);
  if (s.ok()) s = steps.Copy(wide_gamma, gamma);
  if (s.ok()) s = steps.Call("aclnnRmsNorm", {wide, wide_gamma, epsilon, wide, factors});
  if (s.ok() && operands.Given(kBeta)) {
    s = steps.Call("aclnnAdd", {wide, TensorOf(operands, kBeta).As(row), 1.0f, wide});
  }
  if (s.ok()) {
    s = Quantise(steps, wide, TensorOf(operands, kSteps), TensorOf(operands, kOffset), out);
  }
  return s.ok() ? steps.Finish(call) : s;
}

}  // namespace anyacl::atb_operations
