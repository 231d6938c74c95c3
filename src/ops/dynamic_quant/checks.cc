// SPDX-License-Identifier: Apache-2.0
// The check tables of both versions, and what they cannot say. Codes: the V2 document prints 561003
// for dtypes and 561002 for formats; V1 has 161002 for both (README.md).
#include "aclnn/opdev/op_errno.h"
#include "ops/dynamic_quant/op.h"

namespace anyacl::dynamic_quant {
namespace {

constexpr int64_t kMaxExperts = 1024;

constexpr OpInfo kOpV1 = {"aclnnDynamicQuantGetWorkspaceSize", "aclnnDynamicQuant"};
// Phase 2 of V2 has one code for whatever it refuses.
constexpr OpInfo kOpV2 = {"aclnnDynamicQuantV2GetWorkspaceSize", "aclnnDynamicQuantV2",
                          ACLNN_ERR_INNER};

constexpr ParamSpec kParamX = {.name = "x",
                               .direction = Direction::kInput,
                               .need = Need::kRequired,
                               .dtypes = {ACL_FLOAT16, ACL_BF16},
                               .dims = "B.. H"};
constexpr ParamSpec kParamY = {.name = "yOut",
                               .direction = Direction::kOutput,
                               .need = Need::kRequired,
                               .dtypes = {ACL_INT8, ACL_INT4, ACL_INT32},
                               .dims = "B.. H",
                               .packed_dims = "B.. H/8"};
constexpr ParamSpec kParamScale = {.name = "scaleOut",
                                   .direction = Direction::kOutput,
                                   .need = Need::kRequired,
                                   .dtypes = {ACL_FLOAT},
                                   .dims = "B.."};

constexpr ParamSpec kParamsV1[] = {
    kParamX,
    {.name = "smoothScalesOptional",
     .direction = Direction::kInput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT16, ACL_BF16},
     .dims = "H",
     .same_dtype_as = "x"},
    kParamY,
    kParamScale,
};

constexpr ParamSpec kParamsV2[] = {
    kParamX,
    {.name = "smoothScalesOptional",
     .direction = Direction::kInput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT16, ACL_BF16},
     .dims = "H | E H",
     .same_dtype_as = "x"},
    {.name = "groupIndexOptional",
     .direction = Direction::kInput,
     .need = Need::kOptional,
     .dtypes = {ACL_INT32},
     .dims = "E"},
    kParamY,
    kParamScale,
    {.name = "offsetOut",
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT},
     .dims = "B.."},
};

// Experts choose among smooth scales, so there must be some.
Status CheckGroupHasScales(const Operands& operands) {
  if (!operands["groupIndexOptional"].given() || operands["smoothScalesOptional"].given())
    return {};
  return Fail(operands.spec().codes.shape,
              "groupIndexOptional is given and smoothScalesOptional is null, expected both or "
              "smoothScalesOptional alone");
}

Status CheckExperts(const Operands& operands) {
  const Operand& smooth = operands["smoothScalesOptional"];
  if (smooth.given() && smooth.shape().rank() == 2 && !operands["groupIndexOptional"].given()) {
    return Fail(operands.spec().codes.shape,
                "smoothScalesOptional.shape = {} has rank 2, expected rank 1 ([H]) as "
                "groupIndexOptional is null",
                smooth.shape().ToString());
  }
  if (!operands["groupIndexOptional"].given()) return {};
  const int64_t experts = operands["groupIndexOptional"].shape()[0];
  if (experts >= 1 && experts <= kMaxExperts) return {};
  return Fail(operands.spec().codes.shape,
              "groupIndexOptional.shape[0] = {}, expected 1 to {} experts", experts, kMaxExperts);
}

Status CheckWholeBytes(const Operands& operands) {
  const int64_t cols = operands["x"].shape().back();
  if (operands["yOut"].dtype() != ACL_INT4 || cols % 2 == 0) return {};
  return Fail(operands.spec().codes.shape,
              "x.shape[{}] = {}, expected an even number for yOut.dtype = INT4",
              operands["x"].shape().rank() - 1, cols);
}

int64_t LastStep(const Operand& operand) { return operand.strides().back(); }

Params Normalize(const Operands& operands) {
  const Operand& x = operands["x"];
  const Operand& y = operands["yOut"];
  const Operand& smooth = operands["smoothScalesOptional"];
  const Operand& group = operands["groupIndexOptional"];
  Params p;
  p.empty = x.IsEmpty() || y.IsEmpty() || operands["scaleOut"].IsEmpty();
  if (p.empty) return p;
  p.slot = {operands.Index("x"),
            operands.Index("smoothScalesOptional"),
            operands.Index("groupIndexOptional"),
            operands.Index("yOut"),
            operands.Index("scaleOut"),
            operands.Index("offsetOut")};
  const size_t leading = x.shape().rank() - 1;
  p.cols = x.shape().back();
  p.rows = *ElementCount(x.shape()) / p.cols;
  p.form.source = x.dtype() == ACL_BF16 ? Source::kBf16 : Source::kFp16;
  p.form.target = y.dtype() == ACL_INT8 ? Target::kInt8 : Target::kInt4;
  p.form.asymmetric = operands["offsetOut"].given();
  p.form.smooth = smooth.given();
  p.x = MapLeading(x, leading);
  p.x_step = LastStep(x);
  p.y = MapLeading(y, leading);
  // INT4 is contiguous: eight of its elements are a word, as in INT32.
  p.y_step = y.dtype() == ACL_INT4 ? 1 : LastStep(y);
  p.y_element_bits = BitsOf(y.dtype());
  p.scale = MapLeading(operands["scaleOut"], leading);
  if (p.form.asymmetric) p.offset = MapLeading(operands["offsetOut"], leading);
  if (smooth.given()) {
    p.experts = group.given() ? group.shape()[0] : 1;
    p.grouped = group.given();
    p.grouped_without_expert_scales = p.grouped && smooth.shape().rank() == 1;
    p.smooth_base = smooth.layout->offset;
    p.smooth_step = LastStep(smooth);
    p.expert_step = smooth.shape().rank() == 2 ? smooth.strides()[0] : 0;
  }
  if (group.given()) {
    p.group_base = group.layout->offset;
    p.group_step = LastStep(group);
  }
  return p;
}

}  // namespace

const OpSpec kSpecV1 = {&kOpV1,
                        kParamsV1,
                        {ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_INVALID,
                         ACLNN_ERR_PARAM_INVALID}};

const OpSpec kSpecV2 = {&kOpV2,
                        kParamsV2,
                        {ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                         ACLNN_ERR_INNER_TILING_ERROR, ACLNN_ERR_PARAM_INVALID}};

Status Check(std::span<const aclTensor* const> tensors, Operands& operands, Params* params) {
  if (Status s = operands.Resolve(tensors); !s.ok()) return s;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckGroupHasScales(operands); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (Status s = CheckExperts(operands); !s.ok()) return s;
  if (Status s = CheckWholeBytes(operands); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  *params = Normalize(operands);
  return {};
}

}  // namespace anyacl::dynamic_quant
