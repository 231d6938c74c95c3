// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say. Null is 161001, everything else 161002.
#include "aclnn/opdev/op_errno.h"
#include "nnop/exports.h"
#include "ops/grouped_matmul/op.h"

namespace anyacl::grouped_matmul {

namespace {

constexpr int64_t kMaxColumns = 10240;
constexpr int64_t kMaxDepthInt8 = 65535;
constexpr int64_t kMaxDepthInt4 = 19999;

// A size of a FRACTAL_NZ weight whose view is the logical [E, K, N] becomes two.
Status SplitSize(const char* what, int64_t size, int64_t by, int64_t* quotient) {
  if (size % by != 0) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "weight has {} = {}, expected a multiple of {} as its storage is FRACTAL_NZ", what,
                size, by);
  }
  *quotient = size / by;
  return {};
}

// The WeightNZ entry: whatever the format says, the elements lie in FRACTAL_NZ order. A view of
// rank 3 gives the logical sizes, and its strides mean nothing.
Status RelabelAsNz(Operands& operands) {
  const TensorLayout& given = *operands[kWeight].layout;
  if (given.storage_shape.rank() != 5) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "weight.storageShape = {} has rank {}, expected rank 5 (FRACTAL_NZ)",
                given.storage_shape.ToString(), given.storage_shape.rank());
  }
  TensorLayout layout = given;
  layout.format = ACL_FORMAT_FRACTAL_NZ;
  if (given.shape.rank() == 3) {
    const bool int8 = given.dtype == ACL_INT8;
    // Elements of a row of a panel.
    const int64_t width = int8 ? 32 : given.dtype == ACL_INT4 ? 64 : 8;
    int64_t blocks = 0;
    int64_t panels = 0;
    if (Status s = SplitSize("K", given.shape[1], 16, &blocks); !s.ok()) return s;
    if (Status s =
            SplitSize(given.dtype == ACL_INT32 ? "N/8" : "N", given.shape[2], width, &panels);
        !s.ok()) {
      return s;
    }
    layout.shape = {given.shape[0], panels, blocks, 16, width};
    layout.strides = ContiguousStrides(layout.shape);
  }
  operands.Relabel(kWeight, std::move(layout));
  return {};
}

Status CheckWeightType(const Operands& operands) {
  const aclDataType dtype = operands[kWeight].dtype();
  if (dtype == ACL_INT8 || dtype == ACL_INT4 || dtype == ACL_INT32) return {};
  return Fail(operands.spec().codes.dtype, "weight.dtype = {}, expected INT8, INT4 or INT32",
              NameOf(dtype));
}

// The format says which of the two ranks the weight has.
Status CheckWeightRank(const Operands& operands) {
  const TensorLayout& weight = *operands[kWeight].layout;
  const size_t rank = weight.format == ACL_FORMAT_FRACTAL_NZ ? 5 : 3;
  if (weight.shape.rank() == rank) return {};
  return Fail(operands.spec().codes.shape,
              "weight.shape = {} has rank {}, expected rank {} as its "
              "format is {}",
              weight.shape.ToString(), weight.shape.rank(), rank, NameOf(weight.format));
}

Status CheckLimits(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const int64_t columns = operands.Size("N");
  if (columns > kMaxColumns) {
    return Fail(code, "weightScale has N = {}, expected at most {}", columns, kMaxColumns);
  }
  const int64_t depth = operands.Size("K");
  const int64_t max_depth = operands[kWeight].dtype() == ACL_INT8 ? kMaxDepthInt8 : kMaxDepthInt4;
  if (depth > max_depth) {
    return Fail(code, "x.shape[1] = {}, expected at most {} for weight.dtype = {}", depth,
                max_depth, NameOf(operands[kWeight].dtype()));
  }
  if (operands.Size("L") > operands.Size("E")) {
    return Fail(code, "groupList.shape[0] = {}, expected at most {}, the experts of weight",
                operands.Size("L"), operands.Size("E"));
  }
  return {};
}

Status CheckGroups(const Operands& operands) {
  const Operand& scale = operands[kWeightScale];
  if (scale.shape().rank() != 3) return {};
  const int64_t groups = scale.shape()[1];
  const int64_t depth = operands.Size("K");
  if (groups >= 1 && depth % groups == 0) return {};
  return Fail(operands.spec().codes.shape,
              "weightScale.shape[1] = {}, expected a divisor of {} (K, from x.shape[1])", groups,
              depth);
}

// Lists have one member, which weightAssistMatrix must have beside INT8 by INT4 alone.
Status CheckLists(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  for (int id : {kWeight, kWeightScale, kBias}) {
    const size_t count = operands.Given(id) ? operands.List(id).size() : 0;
    if (count == 1 || (count == 0 && id == kBias)) continue;
    return Fail(code, "{} has {} tensors, expected one for all experts", operands.NameOf(id),
                count);
  }
  const aclDataType x = operands[kX].dtype(), weight = operands[kWeight].dtype();
  const bool assisted = x == ACL_INT8 && weight != ACL_INT8;
  const bool int4 = x == ACL_INT4 || x == ACL_INT32;
  const auto check = [&](int id, bool fits) -> Status {
    if (!operands.Given(id) || fits) return {};
    return Fail(code, "{} is given, expected null as x is {} and weight {}", operands.NameOf(id),
                NameOf(x), NameOf(weight));
  };
  if (assisted && !operands.Given(kBias)) {
    return Fail(code, "weightAssistMatrix has no tensor, expected one as x is {} and weight {}",
                NameOf(x), NameOf(weight));
  }
  if (Status s = check(kBias, assisted); !s.ok()) return s;
  if (Status s = check(kSmoothScale, int4); !s.ok()) return s;
  return check(kNoBias, false);
}

Status CheckNotEmpty(const Operands& operands) {
  for (int id : {kX, kWeight, kWeightScale, kXScale}) {
    if (!operands[id].IsEmpty()) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {} is empty, expected elements",
                operands.NameOf(id), operands[id].shape().ToString());
  }
  return {};
}

// Groups of k have scales of their own under dequantMode 1.
Status CheckDequantMode(const Operands& operands) {
  const size_t rank = operands[kWeightScale].shape().rank();
  const bool groups = operands.Int(kDequantMode) == 1;
  if (rank == (groups ? 3 : 2)) return {};
  return Fail(operands.spec().codes.shape,
              "weightScale has rank {}, expected {} as dequantMode = {}", rank, groups ? 3 : 2,
              operands.Int(kDequantMode));
}

gemm::ColumnView ColumnsOf(const TensorView& view) {
  const int last = view.rank - 1;
  return {view.strides[0], last == 2 ? view.strides[1] : 0, view.strides[last]};
}

gemm::PanelView PanelsOf(const TensorView& weight, int64_t depth, int64_t columns) {
  const bool nz = weight.rank == 5;
  gemm::PanelView view;
  if (weight.dtype == ACL_INT4) {  // always contiguous
    view.matrix_step = depth * columns / 2;
    view.row_step = nz ? gemm::kPanelBytes : columns / 2;
    view.panel_step = nz ? depth * gemm::kPanelBytes : gemm::kPanelBytes;
    view.block_step = 16 * view.row_step;
    return view;
  }
  view.unit_bytes = weight.dtype == ACL_INT32 ? 4 : 1;
  const auto bytes = [&](int dim) { return weight.strides[dim] * view.unit_bytes; };
  view.matrix_step = bytes(0);
  view.unit_step = bytes(weight.rank - 1);
  view.panel_step = nz ? bytes(1) : gemm::kPanelBytes / view.unit_bytes * view.unit_step;
  view.row_step = nz ? bytes(3) : bytes(1);
  view.block_step = nz ? bytes(2) : 16 * view.row_step;
  return view;
}

Params Normalize(const Operands& operands, bool lists) {
  Params p;
  p.x = ViewOf(operands, kX);
  p.weight = ViewOf(operands, kWeight);
  p.scale = ViewOf(operands, kWeightScale);
  p.x_scale = ViewOf(operands, kXScale);
  p.group_list = ViewOf(operands, kGroupList);
  p.q = ViewOf(operands, kOutput);
  p.q_scale = ViewOf(operands, kOutputScale);
  const int64_t depth = operands.Size("K");
  gemm::ListProblem& list = p.list;
  list.rows = operands.Size("M");
  list.columns = operands.Size("N");
  list.products = operands.Size("L");
  list.depth.groups = p.scale.rank == 3 ? p.scale.sizes[1] : 1;
  list.depth.size = depth / list.depth.groups;
  p.int4_x = p.x.dtype != ACL_INT8;
  list.a_row_step = p.int4_x ? depth : p.x.strides[0];
  list.a_column_step = p.int4_x ? 1 : p.x.strides[1];
  list.b_type = p.weight.dtype == ACL_INT8 ? Element::kInt8 : Element::kInt4;
  list.b = PanelsOf(p.weight, depth, list.columns);
  list.scale_type = ElementOf(p.scale.dtype);
  list.scale = ColumnsOf(p.scale);
  if (list.b_type == Element::kInt4 && operands.Given(kBias)) {
    p.bias = ViewOf(operands, kBias);
    list.bias = ColumnsOf(p.bias);
  }
  if (lists) {
    p.counts = operands.Int(kGroupListType) == 1;
    p.smooth_scale = ViewOf(operands, kSmoothScale);
  }
  list.row_scale_step = p.x_scale.strides[0];
  p.empty = list.rows == 0 || list.columns == 0 || list.products == 0;
  return p;
}

}  // namespace

namespace {

// Of the first tensor of a list; undefined where there is none.
aclDataType TypeOf(const aclTensor* handle) {
  std::shared_ptr<Tensor> tensor;
  if (handle == nullptr || !anyaclFindTensor(handle, &tensor)) return ACL_DT_UNDEFINED;
  return tensor->layout()->dtype;
}
aclDataType TypeOf(const aclTensorList* handle) {
  std::shared_ptr<TensorList> list;
  if (handle == nullptr || !anyaclFindTensorList(handle, &list) || list->empty()) {
    return ACL_DT_UNDEFINED;
  }
  return TypeOf((*list)[0]);
}
bool IsInt4(aclDataType dtype) { return dtype == ACL_INT4 || dtype == ACL_INT32; }

}  // namespace

size_t VariantOf(std::span<const Argument> arguments) {
  return IsInt4(TypeOf(static_cast<const aclTensor*>(arguments[kWeight].pointer))) ? 1 : 0;
}

size_t ListVariantOf(std::span<const Argument> arguments) {
  constexpr size_t kAssistArgument = 3;
  const aclDataType x = TypeOf(static_cast<const aclTensor*>(arguments[kX].pointer));
  if (IsInt4(x)) return 2;
  if (!IsInt4(TypeOf(static_cast<const aclTensorList*>(arguments[kWeight].pointer)))) return 0;
  return x == ACL_INT8 || arguments[kAssistArgument].pointer != nullptr ? 1 : 2;
}

Status Check(const Variant& variant, Operands& operands, Params* params) {
  if (variant.lists) {
    if (Status s = CheckLists(operands); !s.ok()) return s;
  }
  if (Status s = CheckWeightType(operands); !s.ok()) return s;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (variant.weight_nz) {
    if (Status s = RelabelAsNz(operands); !s.ok()) return s;
  }
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckWeightRank(operands); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (variant.lists) {
    if (Status s = operands.CheckValues(); !s.ok()) return s;
    if (Status s = CheckDequantMode(operands); !s.ok()) return s;
    if (Status s = CheckNotEmpty(operands); !s.ok()) return s;
  }
  if (Status s = CheckLimits(operands); !s.ok()) return s;
  if (Status s = CheckGroups(operands); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  *params = Normalize(operands, variant.lists);
  return {};
}

}  // namespace anyacl::grouped_matmul
