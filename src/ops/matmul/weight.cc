// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/weight.h"

#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "base/entry.h"
#include "nnop/exports.h"
#include "ops/matmul/operators.h"

namespace anyacl::matmul {
namespace {

constexpr size_t kLeastRank = 2, kMostRank = 6;
constexpr int64_t kPanelRows = 16, kPanelBytes = 32;
constexpr size_t kPanelRank = 2;  // that panels add

Status CheckWeightRank(const char* what, size_t rank) {
  if (rank >= kLeastRank && rank <= kMostRank) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "{} has rank {}, expected {} to {}", what, rank, kLeastRank,
              kMostRank);
}

// A FLOAT matrix has panels of 16 columns, so that a size in bytes is never less than its own.
int64_t PanelColumns(aclDataType dtype) {
  return dtype == ACL_INT8 ? kPanelBytes : kPanelBytes / 2;
}

// Elements of a matrix that is made up to whole panels, and of all of a batch.
Status WeightSize(const aclIntArray* array, aclDataType dtype, uint64_t* size) {
  if (array == nullptr || size == nullptr) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "{} is null",
                array == nullptr ? "tensorShape" : "weightTensorSize");
  }
  std::shared_ptr<const void> found;
  if (!anyaclFindObject(Kind::kIntArray, array, &found)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "tensorShape is {}, which is not a live array",
                static_cast<const void*>(array));
  }
  const IntArray& shape = *static_cast<const IntArray*>(found.get());
  if (!kWeights.Contains(dtype)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "dataType = {}, expected {}", NameOf(dtype),
                kWeights.ToString());
  }
  if (Status s = CheckWeightRank("tensorShape", shape.size()); !s.ok()) return s;
  uint64_t count = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t unit = i + 1 == shape.size()   ? PanelColumns(dtype)
                         : i + 2 == shape.size() ? kPanelRows
                                                 : 1;
    uint64_t padded = 0;
    if (shape[i] <= 0 ||
        __builtin_add_overflow(static_cast<uint64_t>(shape[i]), unit - 1, &padded) ||
        __builtin_mul_overflow(count, padded / unit * unit, &count) ||
        count > uint64_t{INT64_MAX}) {
      return Fail(ACLNN_ERR_PARAM_INVALID,
                  "tensorShape[{}] = {}, expected sizes of 1 and more and fewer than 2^63 elements",
                  i, shape[i]);
    }
  }
  *size = count;
  return {};
}

// For the checks of the tensor's memory, which a call with a plan goes through.
class StayPlan final : public Plan {
 public:
  Status Run(const Bindings&, const StopToken&) const override { return {}; }
};

}  // namespace

Status CheckNoPanels(const Operands& operands, int id) {
  if (!operands.Given(id)) return {};
  const TensorLayout& layout = *operands[id].layout;
  if (layout.format != ACL_FORMAT_FRACTAL_NZ ||
      layout.storage_shape.rank() < layout.shape.rank() + kPanelRank) {
    return {};
  }
  return Fail(operands.spec().codes.format,
              "{} is FRACTAL_NZ with storageShape = {}, expected a weight of "
              "aclnnTransMatmulWeight: panels are not read",
              operands.NameOf(id), layout.storage_shape.ToString());
}

Status PrepareWeight(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckWeightRank("mmWeightRef", operands[kRight].shape().rank()); !s.ok()) return s;
  if (operands[kRight].IsEmpty()) {
    return Fail(operands.spec().codes.shape, "mmWeightRef.shape = {}, expected some elements",
                operands[kRight].shape().ToString());
  }
  call->plan = std::make_shared<StayPlan>();
  return {};
}

}  // namespace anyacl::matmul

using namespace anyacl;

extern "C" {

aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape, aclDataType dataType,
                                             uint64_t* weightTensorSize) {
  return Entry("aclnnCalculateMatmulWeightSizeV2",
               [&] { return matmul::WeightSize(tensorShape, dataType, weightTensorSize); });
}

aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray* tensorShape,
                                           uint64_t* weightTensorSize) {
  return Entry("aclnnCalculateMatmulWeightSize",
               [&] { return matmul::WeightSize(tensorShape, ACL_FLOAT16, weightTensorSize); });
}
}
