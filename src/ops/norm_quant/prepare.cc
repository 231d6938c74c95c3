// SPDX-License-Identifier: Apache-2.0
// The documents' rules of norms of sums, and what their calls come to.
#include "ops/norm_quant/add_norm.h"
#include "ops/norm_quant/operators.h"

namespace anyacl::norm_quant {
namespace {

// What all operators have, of rows that are the last `rank` dimensions.
Status ReadRows(const Operands& operands, size_t rank, Params* params) {
  const Dims& x = operands[kX1].shape();
  params->eps = operands.Real(kEps);
  if (!(params->eps >= 0)) {
    return Fail(operands.spec().codes.shape, "epsilon = {}, expected 0 or more", params->eps);
  }
  // A product that does not fit is that of a tensor without elements.
  const size_t leading = x.rank() - rank;
  params->rows = ElementCount(Dims(x.begin(), leading)).value_or(0);
  params->length = ElementCount(Dims(x.begin() + leading, rank)).value_or(0);
  params->x1 = ViewOf(operands, kX1);
  params->x2 = ViewOf(operands, kX2);
  params->gamma = ViewOf(operands, kGamma);
  params->sum = ViewOf(operands, kSum);
  return {};
}

Status CheckRowAndEps(const Operands& operands, Params* params) {
  const Dims& x = operands[kX1].shape();
  const Dims& row = operands[kGamma].shape();
  bool fits = row.rank() >= 1 && row.rank() <= x.rank();
  for (size_t i = 0; fits && i < row.rank(); ++i) {
    fits = row[i] == x[x.rank() - row.rank() + i];
  }
  if (!fits) {
    return Fail(operands.spec().codes.shape,
                "gamma.shape = {}, expected the last dimensions of {}.shape = {}", row.ToString(),
                operands.NameOf(kX1), x.ToString());
  }
  return ReadRows(operands, row.rank(), params);
}

// x1's shape with ones for the dimensions of gamma.
Dims PerRow(const Operands& operands) {
  Dims shape = operands[kX1].shape();
  const size_t kept = shape.rank() - operands[kGamma].shape().rank();
  for (size_t i = kept; i < shape.rank(); ++i) shape[i] = 1;
  return shape;
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

// A byte has two INT4 of the same row.
Status CheckEven(const Operands& operands, int out) {
  const Dims& x = operands[kX1].shape();
  if (operands[out].dtype() != ACL_INT4 || x.back() % 2 == 0) return {};
  return Fail(operands.spec().codes.shape,
              "{}.shape[{}] = {}, expected an even number as {}.dtype is INT4",
              operands.NameOf(kX1), x.rank() - 1, x.back(), operands.NameOf(out));
}

// Without a mask the second result is that of both smooth scales.
Status ReadMask(const Operands& operands, bool* first, bool* second) {
  const int code = operands.spec().constraint_code != 0 ? operands.spec().constraint_code
                                                        : operands.spec().codes.shape;
  const bool smooth1 = operands.Given(kScales1), smooth2 = operands.Given(kScales2);
  if (!operands.Given(kMask)) {
    if (smooth2 && !smooth1) {
      return Fail(code,
                  "smoothScale1Optional is null, expected a tensor beside "
                  "smoothScale2Optional");
    }
    *first = true;
    *second = smooth2;
    return {};
  }
  const auto mask = operands.Bools(kMask);
  if (mask.size() != 2) {
    return Fail(code, "outputMaskOptional has {} values, expected 2", mask.size());
  }
  *first = mask[0] != 0;
  *second = mask[1] != 0;
  if (!*first && !*second) {
    return Fail(code, "outputMaskOptional = {{false, false}}, expected true at least once");
  }
  for (int i = 0; i < 2; ++i) {
    if ((i == 0 ? smooth1 : smooth2) && mask[static_cast<size_t>(i)] == 0) {
      return Fail(code,
                  "outputMaskOptional[{}] = false, expected true as smoothScale{}Optional is "
                  "given",
                  i, i + 1);
    }
  }
  return {};
}

// One of the results that are written, which may also have the shape of their rows. A wrong shape
// of numbers has the code that the document prints for types.
Status CheckDynamic(const Operands& operands, int y, int steps, bool as_rows) {
  const CheckCodes& codes = operands.spec().codes;
  const Dims& x = operands[kX1].shape();
  const Dims per_row(x.begin(), x.rank() - 1);
  const int64_t rows = ElementCount(per_row).value_or(0);
  const Dims& shape = operands[y].shape();
  if (!(shape == x) && !(as_rows && shape == Dims{rows, x.back()})) {
    return Fail(
        operands.spec().constraint_code != 0 ? operands.spec().constraint_code : codes.shape,
        "{}.shape = {}, expected {} as {}.shape", operands.NameOf(y), shape.ToString(),
        x.ToString(), operands.NameOf(kX1));
  }
  if (Status s = CheckEven(operands, y); !s.ok()) return s;
  const Dims& numbers = operands[steps].shape();
  if (numbers == per_row || numbers == Dims{rows}) return {};
  return Fail(codes.shape, "{}.shape = {}, expected {} or [{}]", operands.NameOf(steps),
              numbers.ToString(), per_row.ToString(), rows);
}

// Of the rows or of all elements.
Status ReadBias(const Operands& operands, Params* params) {
  if (!operands.Given(kBias)) return {};
  const Dims& x = operands[kX1].shape();
  const Dims& row = operands[kGamma].shape();
  const Dims& bias = operands[kBias].shape();
  params->bias_of_row = bias == row && !(bias == x);
  if (!(bias == x) && !params->bias_of_row) {
    return Fail(operands.spec().codes.shape, "biasOptional.shape = {}, expected {} or {}",
                bias.ToString(), row.ToString(), x.ToString());
  }
  params->bias = ViewOf(operands, kBias);
  return {};
}

// Which scales and zero points go together.
Status CheckFactors(const Operands& operands, bool dynamic) {
  const int code = operands.spec().codes.shape;
  const bool second = operands.Given(kScales2), offsets = operands.Given(kOffsets1);
  if (!operands.Given(kScales1) && (second || !dynamic)) {
    return Fail(code, "scales1Optional is null, expected a tensor {}",
                dynamic ? "beside scales2Optional" : "as quantMode is static");
  }
  if (dynamic && (offsets || operands.Given(kOffsets2))) {
    return Fail(code, "{} is given, expected null as quantMode is dynamic",
                operands.NameOf(offsets ? kOffsets1 : kOffsets2));
  }
  if (operands.Given(kOffsets2) == (second && offsets)) return {};
  return Fail(code,
              "zeroPoints2Optional is {}, expected it {} scales2Optional and "
              "zeroPoints1Optional",
              operands.Given(kOffsets2) ? "given" : "null",
              second && offsets ? "beside" : "only beside");
}

// A row that was given as [1, row].
void DropFirst(Operands& operands, int id, const Dims& shape) {
  if (!operands.Given(id) || !(operands[id].shape() == shape)) return;
  TensorLayout layout = *operands[id].layout;
  layout.shape = {layout.shape[1]};
  layout.strides = {layout.strides[1]};
  operands.Relabel(id, std::move(layout));
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
  if (operands.Given(kScales2)) params.second = {view(kScales2), view(kOffsets2), view(kY2)};
  params.shift = view(kBeta);
  params.cast = view(kNormOut);
  params.divides = operands.Flag(kDivMode);
  if (operands[kX1].IsEmpty()) return {};
  call->plan = MakePlan(params);
  return {};
}

Status PrepareAddRmsNormCast(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Params params;
  if (Status s = CheckRowAndEps(operands, &params); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kRstd, PerRow(operands)); !s.ok()) return s;
  params.normal = ViewOf(operands, kY1);
  params.cast = ViewOf(operands, kY2);
  params.rstd = ViewOf(operands, kRstd);
  if (operands[kX1].IsEmpty()) return {};
  call->plan = MakePlan(params);
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
  if (Status s = ReadBias(operands, &params); !s.ok()) return s;
  params.beta = ViewOf(operands, kBeta);
  params.mean = ViewOf(operands, kMean);
  params.rstd = ViewOf(operands, kRstd);
  params.cast = ViewOf(operands, kY1);
  params.centres = true;
  if (!operands.Flag(kAdditional)) params.sum = {};
  if (operands[kX1].IsEmpty()) return {};
  call->plan = MakePlan(params);
  return {};
}

namespace {

// Of a norm of x alone: one number for all columns, or one for each.
Status ReadQuantised(const Operands& operands, Params* params) {
  const int code = operands.spec().codes.shape;
  if (operands[kX1].IsEmpty()) {
    return Fail(code, "x.shape = {}, expected elements", operands[kX1].shape().ToString());
  }
  if (Status s = ReadRows(operands, 1, params); !s.ok()) return s;
  if (Status s = CheckEven(operands, kY1); !s.ok()) return s;
  const int64_t count = operands[kScales1].shape()[0];
  if (count != 1 && count != params->length) {
    return Fail(code, "scale.shape = [{}], expected [1] or [{}]", count, params->length);
  }
  const auto spread = [&](int id) {
    TensorView view = ViewOf(operands, id);
    if (!view.given() || count == params->length) return view;
    view.sizes[0] = params->length;
    view.strides[0] = 0;
    return view;
  };
  params->beta = ViewOf(operands, kBeta);
  params->first.scales = spread(kScales1);
  params->first.offsets = spread(kOffsets1);
  params->first.out = ViewOf(operands, kY1);
  return {};
}

}  // namespace

Status PrepareRmsNormQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Params params;
  if (Status s = ReadQuantised(operands, &params); !s.ok()) return s;
  call->plan = MakePlan(params);
  return {};
}

Status PrepareLayerNormQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kX1].IsEmpty()) return {};
  Params params;
  if (Status s = ReadQuantised(operands, &params); !s.ok()) return s;
  params.centres = true;
  call->plan = MakePlan(params);
  return {};
}

Status PrepareAddLayerNormQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  size_t mode = 0;
  if (Status s = operands.CheckText(kQuantMode, {"static", "dynamic"}, &mode); !s.ok()) return s;
  const bool dynamic = mode == 1;
  if (Status s = CheckFactors(operands, dynamic); !s.ok()) return s;
  const Dims &x = operands[kX1].shape(), given = operands[kGamma].shape();
  if (given.rank() == 2 && given[0] == 1 && x.rank() > 0 && given[1] == x.back()) {
    for (int id : {kGamma, kBeta, kBias, kScales1, kScales2, kOffsets1, kOffsets2}) {
      if (id != kBias || !(given == x)) DropFirst(operands, id, given);
    }
  }
  Params params;
  if (Status s = CheckRowAndEps(operands, &params); !s.ok()) return s;
  if (Status s = ReadBias(operands, &params); !s.ok()) return s;
  const Dims row = operands[kGamma].shape();
  if (dynamic && row.rank() != 1) {
    return Fail(code, "gamma.shape = {}, expected one dimension as quantMode is dynamic",
                row.ToString());
  }
  // All of them have one shape.
  if (operands.Given(kScales1)) {
    const Dims& scales = operands[kScales1].shape();
    if (!(scales == row) && !(scales == Dims{1})) {
      return Fail(code, "scales1Optional.shape = {}, expected {} or [1]", scales.ToString(),
                  given.ToString());
    }
  }
  const auto spread = [&](int id) {
    TensorView view = ViewOf(operands, id);
    if (!view.given() || view.elements() == params.length) return view;
    view.sizes[0] = params.length;
    view.strides[0] = 0;
    return view;
  };
  const auto read = [&](Quantised* result, int scales, int offsets, int y, int steps) -> Status {
    if (Status s = CheckShapeIs(operands, y, x); !s.ok()) return s;
    *result = {spread(scales), spread(offsets), ViewOf(operands, y)};
    if (!dynamic) return {};
    result->steps = ViewOf(operands, steps);
    return CheckShapeIs(operands, steps, Dims(x.begin(), x.rank() - 1));
  };
  if (Status s = read(&params.first, kScales1, kOffsets1, kY1, kSteps1); !s.ok()) return s;
  if (operands.Given(kScales2)) {
    if (Status s = read(&params.second, kScales2, kOffsets2, kY2, kSteps2); !s.ok()) return s;
  }
  params.beta = ViewOf(operands, kBeta);
  params.cast = ViewOf(operands, kNormOut);
  params.divides = !dynamic && operands.Flag(kDivMode);
  params.centres = true;
  if (!operands.Flag(kAdditional)) params.sum = {};
  if (operands[kX1].IsEmpty()) return {};
  call->plan = MakePlan(params);
  return {};
}

Status PrepareRmsNormQuantV3(Operands& operands, PreparedCall* call) {
  const bool writes_rstd = operands.Flag(kOutputRstd);
  if (!writes_rstd) {
    operands.Drop(kRstd);
  } else if (Status s = operands.Require(kRstd); !s.ok()) {
    return s;
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Params params;
  if (Status s = ReadQuantised(operands, &params); !s.ok()) return s;
  params.divides = operands.Flag(kDivMode);
  if (writes_rstd) {
    Dims shape = operands[kX1].shape();
    shape[shape.rank() - 1] = 1;
    if (Status s = CheckShapeIs(operands, kRstd, shape); !s.ok()) return s;
    params.rstd = ViewOf(operands, kRstd);
  }
  call->plan = MakePlan(params);
  return {};
}

namespace {

Status PrepareDynamic(Operands& operands, bool as_rows, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  bool wanted[2] = {};
  if (Status s = ReadMask(operands, &wanted[0], &wanted[1]); !s.ok()) return s;
  if (wanted[0] && wanted[1] && operands[kY1].dtype() != operands[kY2].dtype()) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "y2Out.dtype = {}, expected {} as y1Out.dtype",
                NameOf(operands[kY2].dtype()), NameOf(operands[kY1].dtype()));
  }
  Params params;
  if (Status s = CheckRowAndEps(operands, &params); !s.ok()) return s;
  const auto result = [&](int smooth, int y, int steps) {
    const float most = operands[y].dtype() == ACL_INT4 ? 7 : 127;
    return Quantised{
        ViewOf(operands, smooth), {}, ViewOf(operands, y), ViewOf(operands, steps), most};
  };
  if (wanted[0]) {
    if (Status s = CheckDynamic(operands, kY1, kSteps1, as_rows); !s.ok()) return s;
    params.first = result(kScales1, kY1, kSteps1);
  }
  if (wanted[1]) {
    if (Status s = CheckDynamic(operands, kY2, kSteps2, as_rows); !s.ok()) return s;
    params.second = result(kScales2, kY2, kSteps2);
  }
  params.beta = ViewOf(operands, kBeta);
  params.divides = false;
  if (operands[kX1].IsEmpty()) return {};
  call->plan = MakePlan(params);
  return {};
}

}  // namespace

Status PrepareAddRmsNormDynamicQuant(Operands& operands, PreparedCall* call) {
  return PrepareDynamic(operands, true, call);
}
Status PrepareAddRmsNormDynamicQuantV2(Operands& operands, PreparedCall* call) {
  return PrepareDynamic(operands, false, call);
}

// With nothing to add, and one result.
Status PrepareRmsNormDynamicQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  return PrepareDynamic(operands, false, call);
}

Status PrepareDeepNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kX1].shape().rank() < 2) {
    return Fail(operands.spec().codes.shape, "x.shape = {}, expected two dimensions or more",
                operands[kX1].shape().ToString());
  }
  Params params;
  if (Status s = CheckRowAndEps(operands, &params); !s.ok()) return s;
  for (int id : {kMean, kRstd}) {
    if (Status s = CheckShapeIs(operands, id, PerRow(operands)); !s.ok()) return s;
  }
  params.beta = ViewOf(operands, kBeta);
  params.mean = ViewOf(operands, kMean);
  params.rstd = ViewOf(operands, kRstd);
  params.cast = ViewOf(operands, kY1);
  params.factor = static_cast<float>(operands.Real(kAlpha));
  params.centres = true;
  if (operands[kX1].IsEmpty()) return {};
  call->plan = MakePlan(params);
  return {};
}

}  // namespace anyacl::norm_quant
