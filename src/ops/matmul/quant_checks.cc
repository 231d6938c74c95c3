// SPDX-License-Identifier: Apache-2.0
// What the table cannot say of quantised products: which types go together, as the documents' lists
// for Atlas A2 and A3 have it, and shapes. Null is 161001, everything else 161002.
#include <array>
#include <optional>
#include <utility>

#include "ops/matmul/int4.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/quant.h"

namespace anyacl::matmul {
namespace {

// aclnnQuantMatmulV5's tensors that Atlas A2 and A3 have no use for; PyTorch makes empty ones.
Status CheckUnused(Operands& operands) {
  for (int id : {kQuantScale, kLeftOffset, kQuantOffset}) {
    if (!operands.Given(id)) continue;
    if (!operands[id].IsEmpty()) {
      if (id == kQuantOffset) return {};  // of INT8 by INT4
      return Fail(operands.spec().codes.shape, "{}.shape = {}, expected null or no elements",
                  operands.NameOf(id), operands[id].shape().ToString());
    }
    operands.Drop(id);
  }
  return {};
}

bool Is64Bits(aclDataType dtype) { return dtype == ACL_UINT64 || dtype == ACL_INT64; }

Status CheckType(const Operands& operands, int id, DTypeSet allowed, std::string_view beside) {
  if (!operands.Given(id) || allowed.Contains(operands[id].dtype())) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} beside {}",
              operands.NameOf(id), NameOf(operands[id].dtype()), allowed.ToString(), beside);
}

// "out of BF16 and scale of FLOAT"
std::string Types(const Operands& operands) {
  return Format("{} of {} and {} of {}", operands.NameOf(kOut), NameOf(operands[kOut].dtype()),
                operands.NameOf(kScale), NameOf(operands[kScale].dtype()));
}

Status CheckGiven(const Operands& operands, int id, bool expected) {
  if (operands.Given(id) == expected) return {};
  if (!expected) {
    return Fail(operands.spec().codes.dtype, "{} is given, expected null beside {}",
                operands.NameOf(id), Types(operands));
  }
  return Fail(operands.spec().codes.dtype,
              "{}.dtype = {} and {}.dtype = {}, expected factors of rows, or a scale of UINT64 or "
              "INT64",
              operands.NameOf(kOut), NameOf(operands[kOut].dtype()), operands.NameOf(kScale),
              NameOf(operands[kScale].dtype()));
}

// The documents' lists of types that go together.
Status CheckQuantTypes(const Operands& operands) {
  const aclDataType x = operands[kLeft].dtype(), out = operands[kOut].dtype();
  if (Status s = CheckType(operands, kRight, {x}, Format("x1 of {}", NameOf(x))); !s.ok()) return s;
  if (x == ACL_INT4) {
    if (Status s = CheckType(operands, kOut, kHalves, "x1 of INT4"); !s.ok()) return s;
  }
  if (operands.Given(kQuantOffset)) {
    return Fail(operands.spec().codes.dtype, "{} is given, expected null beside x2 of {}",
                operands.NameOf(kQuantOffset), NameOf(operands[kRight].dtype()));
  }
  const bool rounded = out == ACL_INT8, sums = out == ACL_INT32;
  const DTypeSet scales = rounded              ? DTypeSet{ACL_UINT64, ACL_INT64}
                          : out == ACL_FLOAT16 ? DTypeSet{ACL_UINT64, ACL_INT64, ACL_FLOAT}
                                               : DTypeSet{ACL_FLOAT, ACL_BF16};
  const std::string beside = Format("out of {}", NameOf(out));
  if (Status s = CheckType(operands, kScale, scales, beside); !s.ok()) return s;
  const bool coded = Is64Bits(operands[kScale].dtype());
  if (coded || sums) {
    if (Status s = CheckGiven(operands, kRowScale, false); !s.ok()) return s;
  } else if (out == ACL_FLOAT16) {
    if (Status s = CheckGiven(operands, kRowScale, true); !s.ok()) return s;
  }
  if (!rounded) {
    if (Status s = CheckGiven(operands, kOffset, false); !s.ok()) return s;
  }
  if (Status s = CheckType(operands, kOffset, {ACL_FLOAT}, beside); !s.ok()) return s;
  const DTypeSet biases = coded || sums ? DTypeSet{ACL_INT32} : DTypeSet{ACL_INT32, ACL_FLOAT, out};
  return CheckType(operands, kSummand, biases, Types(operands));
}

Status CheckRanks(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  for (int id : {kLeft, kRight, kOut}) {
    const Dims& shape = operands[id].shape();
    if (shape.rank() < 2) {
      return Fail(code, "{}.shape = {} has rank {}, expected 2 to 6", operands.NameOf(id),
                  shape.ToString(), shape.rank());
    }
    if (!operands[id].IsEmpty()) continue;
    return Fail(code, "{}.shape = {}, expected some elements", operands.NameOf(id),
                shape.ToString());
  }
  if (operands[kRight].dtype() == ACL_INT4 && operands[kRight].shape().rank() != 2) {
    return Fail(code, "{}.shape = {}, expected 2 dimensions of INT4", operands.NameOf(kRight),
                operands[kRight].shape().ToString());
  }
  if (operands[kLeft].dtype() == ACL_INT4 && operands.Flag(kTransposeLeft)) {
    return Fail(code, "transposeX1 = true, expected false beside x1 of INT4");
  }
  return {};
}

// [1] or one for each column.
Status CheckColumns(const Operands& operands, int id, int64_t columns) {
  if (!operands.Given(id)) return {};
  const Dims& shape = operands[id].shape();
  if (shape == Dims{1} || shape == Dims{columns}) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [1] or [{}]",
              operands.NameOf(id), shape.ToString(), columns);
}

Status CheckBias(const Operands& operands, const Dims& out) {
  if (!operands.Given(kSummand)) return {};
  const Dims& shape = operands[kSummand].shape();
  const int64_t columns = out.back();
  if (shape == Dims{columns}) return {};
  if (out.rank() == 3 && shape == Dims{out[0], 1, columns} && operands[kLeft].dtype() == ACL_INT8) {
    return {};
  }
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [{}]{}",
              operands.NameOf(kSummand), shape.ToString(), columns,
              out.rank() == 3 ? Format(" or [{}, 1, {}]", out[0], columns) : "");
}

TensorView Turned(TensorView view, bool turn) {
  if (turn) {
    std::swap(view.sizes[view.rank - 2], view.sizes[view.rank - 1]);
    std::swap(view.strides[view.rank - 2], view.strides[view.rank - 1]);
  }
  return view;
}

// Leading dimensions broadcast; the inner sizes must agree.
Status CheckProduct(const Operands& operands, QuantParams* params) {
  QuantParams& p = *params;
  const int code = operands.spec().codes.shape;
  const int64_t rows = p.x.sizes[p.x.rank - 2], depth = p.x.sizes[p.x.rank - 1];
  const int64_t columns = p.weight.sizes[p.weight.rank - 1];
  if (p.weight.sizes[p.weight.rank - 2] != depth) {
    return Fail(code, "x1.shape = {} and x2.shape = {}, expected as much of K: {} and {}",
                operands[kLeft].shape().ToString(), operands[kRight].shape().ToString(), depth,
                p.weight.sizes[p.weight.rank - 2]);
  }
  const Dims left(p.x.sizes, static_cast<size_t>(p.x.rank - 2));
  const Dims right(p.weight.sizes, static_cast<size_t>(p.weight.rank - 2));
  const std::optional<Dims> batch = BroadcastShape(left, right);
  if (!batch) {
    return Fail(code, "x1.shape = {} and x2.shape = {}, expected leading sizes that broadcast",
                operands[kLeft].shape().ToString(), operands[kRight].shape().ToString());
  }
  Dims out = *batch;
  out.push_back(rows);
  out.push_back(columns);
  if (Status s = CheckShapeIs(operands, kOut, out); !s.ok()) return s;
  for (int id : {kScale, kOffset}) {
    if (Status s = CheckColumns(operands, id, columns); !s.ok()) return s;
  }
  if (operands.Given(kRowScale) && !(operands[kRowScale].shape() == Dims{rows})) {
    return Fail(code, "{}.shape = {}, expected [{}], the rows of x1", operands.NameOf(kRowScale),
                operands[kRowScale].shape().ToString(), rows);
  }
  if (Status s = CheckBias(operands, out); !s.ok()) return s;
  const std::span<const int64_t> sizes{out.begin(), out.rank()};
  if (p.bias.given()) p.bias = *Broadcast(p.bias, sizes);
  Dims x = out, weight = out;
  x[out.rank() - 1] = weight[out.rank() - 2] = depth;
  p.x = *Broadcast(p.x, {x.begin(), x.rank()});
  p.weight = *Broadcast(p.weight, {weight.begin(), weight.rank()});
  return {};
}

}  // namespace

Status CheckQuantTable(Operands& operands) {
  if (Status s = CheckUnused(operands); !s.ok()) return s;
  SeeInt4(operands, kLeft);
  SeeInt4(operands, kRight);
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = operands.CheckValues(); !s.ok()) return s;
  return operands.CheckShapes();
}

Status CheckQuant(Operands& operands, QuantParams* params) {
  QuantParams& p = *params;
  if (Status s = CheckQuantTypes(operands); !s.ok()) return s;
  if (Status s = CheckRanks(operands); !s.ok()) return s;
  if (Status s = ReadPanels(operands, kRight, &p.panels); !s.ok()) return s;
  const bool turned = TurnInt4(operands, kRight) && !p.panels.given();
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  for (int id : {kLeft, kRight}) {
    if (Status s = CheckInt4(operands, id); !s.ok()) return s;
  }
  p.x = Turned(ViewOf(operands, kLeft), operands.Flag(kTransposeLeft));
  p.weight = Turned(p.panels.given() ? p.panels.view : ViewOf(operands, kRight),
                    operands.Flag(kTransposeRight) != turned);
  p.y = ViewOf(operands, kOut);
  p.scale = ViewOf(operands, kScale);
  p.offset = ViewOf(operands, kOffset);
  p.row_scale = ViewOf(operands, kRowScale);
  p.bias = ViewOf(operands, kSummand);
  if (Status s = CheckProduct(operands, &p); !s.ok()) return s;
  SeeStorage(operands, kRight, p.panels);
  return {};
}

}  // namespace anyacl::matmul
