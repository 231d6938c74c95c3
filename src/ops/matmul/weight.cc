// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/weight.h"

#include <algorithm>
#include <optional>

#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "base/entry.h"
#include "nnop/exports.h"
#include "nnop/fractal_nz.h"
#include "ops/matmul/operators.h"

namespace anyacl::matmul {
namespace {

constexpr size_t kLeastRank = 2, kMostRank = 6;
constexpr int64_t kWeightPanelBytes = 32, kMostColumns = 64;  // of a panel

Status CheckWeightRank(const char* what, size_t rank) {
  if (rank >= kLeastRank && rank <= kMostRank) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "{} has rank {}, expected {} to {}", what, rank, kLeastRank,
              kMostRank);
}

// A FLOAT matrix has panels of 16 columns, so that a size in bytes is never less than its own.
int64_t PanelColumns(aclDataType dtype) {
  return dtype == ACL_INT8 ? kWeightPanelBytes : kWeightPanelBytes / 2;
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

// The strides of a dimension of one entry may be any number.
bool AreStrides(const Dims& shape, const Dims& strides, const Dims& expected) {
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] > 1 && strides[i] != expected[i]) return false;
  }
  return true;
}
// Strides of the matrices, those of one entry included.
bool EndsAlike(const Dims& a, const Dims& b) {
  const size_t last = a.rank() - 1;
  return a[last - 1] == b[last - 1] && a[last] == b[last];
}

// For the checks of the tensor's memory, which a call with a plan goes through.
class StayPlan final : public Plan {
 public:
  Status Run(const Bindings&, const StopToken&) const override { return {}; }
};

}  // namespace

Status ReadPanels(const Operands& operands, int id, Panels* panels, size_t list_index) {
  if (!operands.Given(id)) return {};
  const Operand& operand = operands.List(id)[list_index];
  const TensorLayout& layout = *operand.layout;
  const Dims& shape = layout.shape;
  const Dims& storage = layout.storage_shape;
  const size_t rank = shape.rank();
  if (layout.format != ACL_FORMAT_FRACTAL_NZ || storage.rank() < rank + kPanelRank) return {};
  if (rank < kLeastRank || storage.rank() != rank + kPanelRank ||
      !IsPanelWidth(storage.back(), kMostColumns)) {
    return Fail(
        operands.spec().codes.format,
        "{} is FRACTAL_NZ with storageShape = {}, expected panels of a matrix {}: {} sizes, "
        "the last one 8, 16, 32 or 64",
        operand.Name(), storage.ToString(), shape.ToString(), rank + kPanelRank);
  }
  Dims turned = shape;
  std::swap(turned[rank - 2], turned[rank - 1]);
  Dims turned_strides = ContiguousStrides(turned);
  std::swap(turned_strides[rank - 2], turned_strides[rank - 1]);
  const Dims as_is = NzShape(shape, storage.back()), transposed = NzShape(turned, storage.back());
  const Dims strides = ContiguousStrides(shape);
  const bool turns = AreStrides(shape, layout.strides, turned_strides) && storage == transposed;
  // A row or a column may be either: the stride of its one entry tells.
  const bool named =
      EndsAlike(layout.strides, turned_strides) && !EndsAlike(layout.strides, strides);
  const bool plain =
      AreStrides(shape, layout.strides, strides) && storage == as_is && !(turns && named);
  if (!plain && !turns) {
    return Fail(operands.spec().codes.format,
                "{} is FRACTAL_NZ with shape = {}, strides = {} and storageShape = {}, expected {} "
                "of a contiguous matrix or {} of a transposed one",
                operand.Name(), shape.ToString(), layout.strides.ToString(), storage.ToString(),
                as_is.ToString(), transposed.ToString());
  }
  const std::optional<int64_t> count = ElementCount(storage);
  if (!count) {
    return Fail(operands.spec().codes.shape,
                "{}.storageShape = {}, expected fewer than 2^63 elements", operand.Name(),
                storage.ToString());
  }
  Panels& p = *panels;
  p.width = storage.back();
  p.step = storage[rank - 1] * kPanelRows * p.width;
  p.view.slot = operands.SlotIndex(id) + static_cast<int>(list_index);
  p.view.dtype = layout.dtype;
  p.view.offset = layout.offset;
  p.view.rank = static_cast<int>(rank);
  std::copy_n(shape.begin(), rank, p.view.sizes);
  p.view.strides[rank - 2] = plain ? p.width : 1;
  p.view.strides[rank - 1] = plain ? 1 : p.width;
  int64_t step = storage[rank - 2] * p.step;
  for (size_t i = rank - 2; i-- > 0; step *= shape[i]) p.view.strides[i] = step;
  p.storage = layout;
  p.storage.shape = storage;
  p.storage.strides = ContiguousStrides(storage);
  return {};
}

void SeeStorage(Operands& operands, int id, const Panels& panels, size_t list_index) {
  if (!panels.given()) return;
  operands.List(id)[list_index].layout = std::make_shared<const TensorLayout>(panels.storage);
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
