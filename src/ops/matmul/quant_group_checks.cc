// SPDX-License-Identifier: Apache-2.0
// What goes together in products with factors of groups, as the document of aclnnQuantMatmulV5
// lists it for Atlas A2 and A3. All of it is 161002.
#include <array>
#include <span>
#include <utility>

#include "ops/matmul/int4.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/quant_groups.h"

namespace anyacl::matmul {
namespace {

constexpr int64_t kTokenDepth = 256, kBlock = 128;

GroupSizes SizesOf(const Operands& operands) {
  const auto bits = static_cast<uint64_t>(operands.Int(kGroupSize));
  const auto piece = [&](int shift) { return static_cast<int64_t>(bits >> shift & 0xFFFF); };
  return {piece(32), piece(16), piece(0)};
}

// An argument of a form: its types, or none where it is null.
struct GroupRule {
  int id;
  DTypeSet dtypes;
  bool required = true;
};
constexpr DTypeSet kNothing = {};

// The operator's tensors beside x1, by the form that x1, x2 and groupSize make.
std::array<GroupRule, 7> RulesOf(GroupForm form) {
  switch (form) {
    case GroupForm::kTokenGroup:
      return {{{kRight, {ACL_INT4}},
               {kScale, {ACL_FLOAT}},
               {kRowScale, {ACL_FLOAT}},
               {kOffset, {ACL_FLOAT16}},
               {kQuantOffset, kNothing, false},
               {kSummand, kNothing, false},
               {kOut, kHalves}}};
    case GroupForm::kShifted:
      return {{{kRight, {ACL_INT4}},
               {kScale, {ACL_UINT64, ACL_INT64}},
               {kRowScale, {ACL_FLOAT}},
               {kOffset, kNothing, false},
               {kQuantOffset, {ACL_FLOAT}},
               {kSummand, kNothing, false},
               {kOut, kHalves}}};
    case GroupForm::kGroupBlock:
      break;
  }
  return {{{kRight, {ACL_INT8}},
           {kScale, {ACL_FLOAT}},
           {kRowScale, {ACL_FLOAT}},
           {kOffset, kNothing, false},
           {kQuantOffset, kNothing, false},
           {kSummand, {ACL_FLOAT}, false},
           {kOut, {ACL_BF16}}}};
}

Status CheckGroupTypes(const Operands& operands, GroupForm form) {
  const int code = operands.spec().codes.dtype;
  const std::string beside = Format("beside x1 of {} and groupSize = {}",
                                    NameOf(operands[kLeft].dtype()), operands.Int(kGroupSize));
  for (const GroupRule& rule : RulesOf(form)) {
    const char* const name = operands.NameOf(rule.id);
    const bool given = operands.Given(rule.id), none = rule.dtypes.ToString().empty();
    if (given && none) return Fail(code, "{} is given, expected null {}", name, beside);
    if (!given && rule.required) {
      return Fail(code, "{} is null, expected {} {}", name, rule.dtypes.ToString(), beside);
    }
    if (!given || rule.dtypes.Contains(operands[rule.id].dtype())) continue;
    return Fail(code, "{}.dtype = {}, expected {} {}", name, NameOf(operands[rule.id].dtype()),
                rule.dtypes.ToString(), beside);
  }
  return {};
}

// Of rows and columns 0 and 1 mean the same where the form has no blocks of them.
Status CheckSizes(const Operands& operands, const QuantGroupParams& p) {
  const GroupSizes& s = p.sizes;
  const bool block = p.form == GroupForm::kGroupBlock;
  const int64_t depth = block ? kBlock : kTokenDepth;
  const bool whole = p.form == GroupForm::kShifted && operands.Int(kGroupSize) == 0;
  const bool fits =
      s.depth == depth && s.rows <= 1 && (block ? s.columns == kBlock : s.columns <= 1);
  if (whole || fits) return {};
  return Fail(operands.spec().codes.shape, "groupSize = {}: [{}, {}, {}], expected {}",
              operands.Int(kGroupSize), s.rows, s.columns, s.depth,
              block                           ? "[1, 128, 128] for x2 of INT8"
              : p.form == GroupForm::kShifted ? "0 or [0, 0, 256]"
                                              : "[0, 0, 256]");
}

TensorView TurnedScale(TensorView view, bool turn) {
  if (turn) {
    std::swap(view.sizes[0], view.sizes[1]);
    std::swap(view.strides[0], view.strides[1]);
  }
  return view;
}

Status CheckShape(const Operands& operands, int id, std::initializer_list<Dims> allowed) {
  if (!operands.Given(id)) return {};
  const Dims& shape = operands[id].shape();
  std::string expected;
  for (const Dims& dims : allowed) {
    if (shape == dims) return {};
    expected += (expected.empty() ? "" : " or ") + dims.ToString();
  }
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}", operands.NameOf(id),
              shape.ToString(), expected);
}

Status CheckShapes(const Operands& operands, const QuantGroupParams& p) {
  const int code = operands.spec().codes.shape;
  const TensorView &x = p.matrices.x, &weight = p.matrices.weight;
  const int64_t rows = x.sizes[0], depth = x.sizes[1], columns = weight.sizes[1];
  if (weight.sizes[0] != depth) {
    return Fail(code, "x1.shape = {} and x2.shape = {}, expected as much of K: {} and {}",
                operands[kLeft].shape().ToString(), operands[kRight].shape().ToString(), depth,
                weight.sizes[0]);
  }
  const int64_t group = p.sizes.depth == 0 ? depth : p.sizes.depth;
  if (depth % group != 0) {
    return Fail(code, "x1.shape = {}, expected K to be a multiple of {}, as groupSize has it",
                operands[kLeft].shape().ToString(), group);
  }
  const int64_t groups = depth / group;
  if (Status s = CheckShapeIs(operands, kOut, {rows, columns}); !s.ok()) return s;
  if (p.form == GroupForm::kGroupBlock) {
    const int64_t blocks = (columns + kBlock - 1) / kBlock;
    if (Status s = CheckShape(operands, kRowScale, {Dims{rows, groups}}); !s.ok()) return s;
    if (Status s = CheckShape(operands, kScale, {Dims{blocks, groups}}); !s.ok()) return s;
    return CheckShape(operands, kSummand, {Dims{columns}});
  }
  if (Status s = CheckShape(operands, kRowScale, {Dims{rows}, Dims{rows, 1}}); !s.ok()) return s;
  const Dims scale = {groups, columns};
  if (Status s = p.sizes.depth == 0 ? CheckShape(operands, kScale, {Dims{columns}, scale})
                                    : CheckShape(operands, kScale, {scale});
      !s.ok()) {
    return s;
  }
  if (Status s = CheckShape(operands, kOffset, {scale}); !s.ok()) return s;
  return CheckShape(operands, kQuantOffset, {Dims{columns}});
}

Status CheckMatrices(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  for (int id : {kLeft, kRight, kOut}) {
    const Dims& shape = operands[id].shape();
    if (shape.rank() == 2 && !operands[id].IsEmpty()) continue;
    return Fail(code, "{}.shape = {}, expected 2 dimensions and some elements", operands.NameOf(id),
                shape.ToString());
  }
  if (!operands.Flag(kTransposeLeft)) return {};
  return Fail(code, "transposeX1 = true, expected false beside factors of groups");
}

}  // namespace

bool HasGroups(const Operands& operands) {
  if (!operands.Given(kGroupSize)) return false;
  return operands.Int(kGroupSize) != 0 ||
         (operands[kLeft].dtype() == ACL_INT8 && operands[kRight].dtype() == ACL_INT4);
}

Status CheckQuantGroups(Operands& operands, QuantGroupParams* params) {
  QuantGroupParams& p = *params;
  QuantParams& m = p.matrices;
  p.sizes = SizesOf(operands);
  const bool int4 = operands[kRight].dtype() == ACL_INT4;
  p.form = operands[kLeft].dtype() == ACL_INT4 ? GroupForm::kTokenGroup
           : int4                              ? GroupForm::kShifted
                                               : GroupForm::kGroupBlock;
  if (Status s = CheckGroupTypes(operands, p.form); !s.ok()) return s;
  if (Status s = CheckSizes(operands, p); !s.ok()) return s;
  if (Status s = CheckMatrices(operands); !s.ok()) return s;
  if (Status s = ReadPanels(operands, kRight, &m.panels); !s.ok()) return s;
  if (m.panels.given() && p.form == GroupForm::kGroupBlock) {
    return Fail(operands.spec().codes.format,
                "{} is FRACTAL_NZ, expected ND beside factors of blocks", operands.NameOf(kRight));
  }
  const bool turned = TurnInt4(operands, kRight) && !m.panels.given();
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  for (int id : {kLeft, kRight}) {
    if (Status s = CheckInt4(operands, id); !s.ok()) return s;
  }
  m.x = ViewOf(operands, kLeft);
  m.weight = TurnedScale(m.panels.given() ? m.panels.view : ViewOf(operands, kRight),
                         operands.Flag(kTransposeRight) != turned);
  if (Status s = CheckShapes(operands, p); !s.ok()) return s;
  m.y = ViewOf(operands, kOut);
  m.bias = ViewOf(operands, kSummand);
  m.offset = ViewOf(operands, kOffset);
  m.scale = ViewOf(operands, kScale);
  if (m.scale.rank == 1) m.scale = WithDim(m.scale, 0);
  m.row_scale = ViewOf(operands, kRowScale);
  if (m.row_scale.rank == 1) m.row_scale = WithDim(m.row_scale, 1);
  p.added = ViewOf(operands, kQuantOffset);
  SeeStorage(operands, kRight, m.panels);
  return {};
}

}  // namespace anyacl::matmul
