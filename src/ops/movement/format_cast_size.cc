// SPDX-License-Identifier: Apache-2.0
// aclnnNpuFormatCastCalculateSizeAndFormat: what the result of a format cast will look like.
#include <algorithm>

#include "aclnnop/aclnn_npu_format_cast.h"
#include "base/entry.h"
#include "nnop/exports.h"
#include "nnop/fractal_nz.h"
#include "ops/movement/move.h"

namespace anyacl::movement {
namespace {

constexpr int64_t kPanelBytes = 32;
constexpr char kSizeApi[] = "aclnnNpuFormatCastCalculateSizeAndFormat";

Status FormatOfCast(aclFormat from, int to, bool* packs) {
  const bool from_nz = from == ACL_FORMAT_FRACTAL_NZ;
  *packs = to == ACL_FORMAT_FRACTAL_NZ;
  const bool plain = IsPlainFormat(from_nz ? static_cast<aclFormat>(to) : from);
  if (from_nz != *packs && plain) return {};
  return Fail(ACLNN_ERR_RUNTIME_ERROR,
              "srcTensor.format = {} and dstFormat = {}, expected FRACTAL_NZ (29) for one of them "
              "and ND or a format of axes for the other",
              NameOf(from), NameOf(static_cast<aclFormat>(to)));
}

Status SizeOfCast(const aclTensor* source, int format, int type, Dims* shape) {
  if (source == nullptr) return Fail(ACLNN_ERR_PARAM_NULLPTR, "srcTensor is null");
  std::shared_ptr<Tensor> tensor;
  if (!anyaclFindTensor(source, &tensor)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "srcTensor {} is not a live tensor",
                static_cast<const void*>(source));
  }
  const auto layout = tensor->layout();
  if (!kFormatCastTypes.Contains(layout->dtype)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "srcTensor.dtype = {}, expected {}", NameOf(layout->dtype),
                kFormatCastTypes.ToString());
  }
  const auto wanted = type == -1 ? layout->dtype : static_cast<aclDataType>(type);
  if (!kFormatCastTypes.Contains(wanted)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "additionalDtype = {}, expected {} or -1", NameOf(wanted),
                kFormatCastTypes.ToString());
  }
  bool packs = false;
  if (Status s = FormatOfCast(layout->format, format, &packs); !s.ok()) return s;
  Status s = CheckPlainRank("srcTensor", layout->shape, ACLNN_ERR_PARAM_INVALID);
  if (!s.ok()) return s;
  if (ElementCount(layout->shape).value_or(0) <= 0) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "srcTensor.shape = {} has no elements, expected some",
                layout->shape.ToString());
  }
  *shape = packs ? NzShape(layout->shape, kPanelBytes * 8 / BitsOf(wanted)) : layout->shape;
  return {};
}

}  // namespace
}  // namespace anyacl::movement

using namespace anyacl;

extern "C" aclnnStatus aclnnNpuFormatCastCalculateSizeAndFormat(const aclTensor* srcTensor,
                                                                int dstFormat, int additionalDtype,
                                                                int64_t** dstShape,
                                                                uint64_t* dstShapeSize,
                                                                int* actualFormat) {
  return Entry(movement::kSizeApi, [&]() -> Status {
    if (dstShape == nullptr || dstShapeSize == nullptr || actualFormat == nullptr) {
      return Fail(ACLNN_ERR_PARAM_NULLPTR, "dstShape, dstShapeSize or actualFormat is null");
    }
    Dims shape;
    Status s = movement::SizeOfCast(srcTensor, dstFormat, additionalDtype, &shape);
    if (!s.ok()) return s;
    *dstShape = new int64_t[shape.rank()];  // the caller's, for delete[]
    std::copy(shape.begin(), shape.end(), *dstShape);
    *dstShapeSize = shape.rank();
    *actualFormat = dstFormat;
    return {};
  });
}
