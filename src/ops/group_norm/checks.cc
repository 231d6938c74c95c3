// SPDX-License-Identifier: Apache-2.0
// The check tables, and what they cannot say.
#include "aclnn/opdev/op_errno.h"
#include "nnop/exports.h"
#include "ops/group_norm/op.h"

namespace anyacl::group_norm {
namespace {

constexpr OpInfo kForwardOp = {"aclnnGroupNormGetWorkspaceSize", "aclnnGroupNorm"};
constexpr OpInfo kBackwardOp = {"aclnnGroupNormBackwardGetWorkspaceSize", "aclnnGroupNormBackward"};

// Rows of partial sums are counted in bytes of the workspace: 16 for each element at most.
constexpr int64_t kMaxElements = int64_t{1} << 56;

constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

constexpr ParamSpec kBackwardParams[] = {
    {.name = "gradOut",
     .direction = Direction::kInput,
     .need = Need::kRequired,
     .dtypes = kFloats,
     .dims = "*",
     .elements = "N*C*HxW"},
    {.name = "input",
     .direction = Direction::kInput,
     .need = Need::kRequired,
     .dtypes = kFloats,
     .dims = "X*",
     .same_dtype_as = "gradOut",
     .elements = "N*C*HxW"},
    {.name = "mean",
     .direction = Direction::kInput,
     .need = Need::kRequired,
     .dtypes = kFloats,
     .dims = "*",
     .elements = "N*group"},
    {.name = "rstd",
     .direction = Direction::kInput,
     .need = Need::kRequired,
     .dtypes = kFloats,
     .dims = "*",
     .same_dtype_as = "mean",
     .elements = "N*group"},
    {.name = "gamma",
     .direction = Direction::kInput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "G*",
     .same_dtype_as = "mean",
     .elements = "C"},
    {.name = "gradInput",
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "X*",
     .same_dtype_as = "gradOut",
     .needed_if = "outputMask[0]"},
    {.name = "gradGammaOut",
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "G*",
     .same_dtype_as = "mean",
     .elements = "C",
     .needed_if = "outputMask[1]"},
    {.name = "gradBetaOut",
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "G*",
     .same_dtype_as = "mean",
     .elements = "C",
     .needed_if = "outputMask[2]"},
};
constexpr size_t kFirstOutput = 5;
constexpr size_t kOutputs = 3;

constexpr ParamSpec kForwardParams[] = {
    {.name = "self",
     .direction = Direction::kInput,
     .need = Need::kRequired,
     .dtypes = kFloats,
     .dims = "N C S*",
     .elements = "N*C*HxW"},
    {.name = "gamma",
     .direction = Direction::kInput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "C",
     .same_dtype_as = "self"},
    {.name = "beta",
     .direction = Direction::kInput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "C",
     .same_dtype_as = "self"},
    {.name = "out",
     .direction = Direction::kOutput,
     .need = Need::kRequired,
     .dtypes = kFloats,
     .dims = "N C S*",
     .same_dtype_as = "self"},
    {.name = "meanOut",
     .direction = Direction::kOutput,
     .need = Need::kRequired,
     .dtypes = kFloats,
     .dims = "N group",
     .same_dtype_as = "self"},
    {.name = "rstdOut",
     .direction = Direction::kOutput,
     .need = Need::kRequired,
     .dtypes = kFloats,
     .dims = "N group",
     .same_dtype_as = "self"},
};

// Which outputs are wanted; all of them where the mask is wrong.
struct OutputMask {
  std::shared_ptr<BoolArray> array;
  bool live = false;

  explicit OutputMask(const aclBoolArray* handle) : live(anyaclFindBoolArray(handle, &array)) {}
  bool well_formed() const { return live && array->size() == kOutputs; }
  bool wants(size_t i) const { return well_formed() && (*array)[i] != 0; }
};

Status CheckMask(const OutputMask& mask, const aclBoolArray* handle) {
  if (handle == nullptr) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "outputMask is null, expected an array of 3 values");
  }
  if (!mask.live) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "outputMask is {}, which is not a live array (destroyed, or never created here)",
                static_cast<const void*>(handle));
  }
  if (mask.well_formed()) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "outputMask has size {}, expected {}", mask.array->size(),
              kOutputs);
}

Status CheckWantedOutputs(const OutputMask& mask, const Operands& operands) {
  for (size_t i = 0; i < kOutputs; ++i) {
    const char* name = kBackwardParams[kFirstOutput + i].name;
    if (!mask.wants(i) || operands[name].given()) continue;
    return Fail(operands.spec().codes.null,
                "{} is null, expected a tensor as outputMask[{}] is true", name, i);
  }
  return {};
}

// Statistics and parameters have the type of the data, or fp32.
Status CheckTypePair(const Operands& operands) {
  const aclDataType data = operands["gradOut"].dtype();
  const aclDataType mean = operands["mean"].dtype();
  if (mean == data || mean == ACL_FLOAT) return {};
  return Fail(operands.spec().codes.dtype, "mean.dtype = {}, expected {}{} as gradOut.dtype = {}",
              NameOf(mean), data == ACL_FLOAT ? "" : "FLOAT or ", NameOf(data), NameOf(data));
}

Status CheckSizes(std::span<const Attribute> sizes, int64_t channels, int64_t group, int code) {
  for (const Attribute& size : sizes) {
    if (size.value < 0) {
      return Fail(code, "{} = {}, expected 0 or more", size.name, size.value);
    }
  }
  if (group <= 0) return Fail(code, "group = {}, expected 1 or more", group);
  if (channels % group == 0) return {};
  return Fail(code, "C = {}, expected a multiple of group = {}", channels, group);
}

// Where gamma would have told the shape of its gradient.
Status CheckParameterShape(const Operands& operands, const char* name, int64_t channels) {
  const Operand& operand = operands[name];
  if (!operand.given() || operands["gamma"].given() || operand.shape() == Dims{channels}) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [C] = [{}] as gamma is null",
              name, operand.shape().ToString(), channels);
}

Status CheckElementCount(const Operands& operands, const char* name) {
  const int64_t count = ElementCount(operands[name].shape()).value_or(INT64_MAX);
  if (count <= kMaxElements) return {};
  return Fail(operands.spec().codes.shape, "{} has {} elements, expected at most 2^56", name,
              count);
}

Status CheckEps(double eps, int code) {
  if (eps > 0) return {};
  return Fail(code, "eps = {}, expected more than 0", eps);
}

Status CheckSameFormat(const Operands& operands) {
  const aclFormat self = operands["self"].layout->format;
  const aclFormat out = operands["out"].layout->format;
  if (self == out) return {};
  return Fail(operands.spec().codes.format, "out.format = {}, expected {} as self.format",
              NameOf(out), NameOf(self));
}

Place PlaceOf(const Operands& operands, const char* name) {
  const Operand& operand = operands[name];
  if (!operand.given()) return {};
  const aclDataType dtype = operand.dtype();
  return {operands.Index(name), MapAll(operand),
          dtype == ACL_FLOAT     ? Element::kFp32
          : dtype == ACL_FLOAT16 ? Element::kFp16
                                 : Element::kBf16};
}

}  // namespace

constexpr CheckCodes kCodes = {ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_PARAM_INVALID,
                               ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_INVALID};
const OpSpec kBackwardSpec = {&kBackwardOp, kBackwardParams, kCodes};
const OpSpec kForwardSpec = {&kForwardOp, kForwardParams, kCodes};

Status CheckBackward(std::span<const aclTensor* const> tensors, const BackwardArguments& arguments,
                     Operands& operands, BackwardParams* params) {
  const OutputMask mask(arguments.output_mask);
  // Outputs that nobody wants are not looked at.
  const aclTensor* wanted[std::size(kBackwardParams)];
  for (size_t i = 0; i < std::size(wanted); ++i) {
    wanted[i] = i < kFirstOutput || mask.wants(i - kFirstOutput) ? tensors[i] : nullptr;
  }
  const int code = operands.spec().codes.shape;
  const Attribute sizes[] = {
      {"N", arguments.n}, {"C", arguments.c}, {"HxW", arguments.hxw}, {"group", arguments.group}};
  if (Status s = operands.Resolve(wanted); !s.ok()) return s;
  if (Status s = CheckMask(mask, arguments.output_mask); !s.ok()) return s;
  if (Status s = CheckWantedOutputs(mask, operands); !s.ok()) return s;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckTypePair(operands); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckSizes(std::span(sizes).first(3), arguments.c, arguments.group, code);
      !s.ok()) {
    return s;
  }
  if (Status s = operands.CheckShapes(sizes); !s.ok()) return s;
  for (const char* name : {"gradGammaOut", "gradBetaOut"}) {
    if (Status s = CheckParameterShape(operands, name, arguments.c); !s.ok()) return s;
  }
  if (Status s = CheckElementCount(operands, "gradOut"); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  params->sizes = {arguments.n, arguments.c, arguments.hxw, arguments.group};
  params->dy = PlaceOf(operands, "gradOut");
  params->x = PlaceOf(operands, "input");
  params->mean = PlaceOf(operands, "mean");
  params->rstd = PlaceOf(operands, "rstd");
  params->gamma = PlaceOf(operands, "gamma");
  params->dx = PlaceOf(operands, "gradInput");
  params->dgamma = PlaceOf(operands, "gradGammaOut");
  params->dbeta = PlaceOf(operands, "gradBetaOut");
  return {};
}

Status CheckForward(std::span<const aclTensor* const> tensors, const ForwardArguments& arguments,
                    Operands& operands, ForwardParams* params) {
  const int code = operands.spec().codes.shape;
  const Attribute sizes[] = {
      {"N", arguments.n}, {"C", arguments.c}, {"HxW", arguments.hxw}, {"group", arguments.group}};
  if (Status s = operands.Resolve(tensors); !s.ok()) return s;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckSameFormat(operands); !s.ok()) return s;
  if (Status s = CheckSizes(std::span(sizes).first(3), arguments.c, arguments.group, code);
      !s.ok()) {
    return s;
  }
  if (Status s = CheckEps(arguments.eps, code); !s.ok()) return s;
  if (Status s = operands.CheckShapes(sizes); !s.ok()) return s;
  if (Status s = CheckElementCount(operands, "self"); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  params->sizes = {arguments.n, arguments.c, arguments.hxw, arguments.group};
  params->eps = arguments.eps;
  params->x = PlaceOf(operands, "self");
  params->gamma = PlaceOf(operands, "gamma");
  params->beta = PlaceOf(operands, "beta");
  params->out = PlaceOf(operands, "out");
  params->mean = PlaceOf(operands, "meanOut");
  params->rstd = PlaceOf(operands, "rstdOut");
  return {};
}

}  // namespace anyacl::group_norm
