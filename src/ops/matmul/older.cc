// SPDX-License-Identifier: Apache-2.0
// QuantMatmul and V2 are QuantMatmulV3 with their scales in 64 bits. BatchMatmulQuant is a product
// in fp32, which its bias is added to before it is quantised.
#include <cstring>

#include "base/division.h"
#include "nnop/promotion.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/quantise.h"
#include "ops/steps.h"

namespace anyacl::matmul {
namespace {

// As many parameters as columns, rounded up to a multiple of 16.
bool AreOfColumns(const Dims& shape, int64_t columns) {
  return shape.rank() == 1 && shape[0] % 16 == 0 && shape[0] / 16 == CeilDivide(columns, 16);
}
Status FailParameters(const Operands& operands, int id, const char* or_one, int64_t columns) {
  return Fail(operands.spec().codes.shape,
              "{}.shape = {}, expected {}[N rounded up to a multiple of 16], N = {}",
              operands.NameOf(id), operands[id].shape().ToString(), or_one, columns);
}

struct Sizes {
  int64_t rows, depth, columns;
};

// The sizes of a product whose factors have two dimensions at least, and out's shape. `broadcasts`:
// leading sizes, which otherwise are the same.
Status CheckProduct(const Operands& operands, bool broadcasts, Sizes* sizes) {
  const int code = operands.spec().codes.shape;
  for (int id : {kLeft, kRight}) {
    const Dims& shape = operands[id].shape();
    if (shape.rank() >= 2) continue;
    return Fail(code, "{}.shape = {}, expected 2 dimensions or more", operands.NameOf(id),
                shape.ToString());
  }
  const Dims &left = operands[kLeft].shape(), &right = operands[kRight].shape();
  const size_t turn_left = operands.HasRow(kTransposeLeft) && operands.Flag(kTransposeLeft);
  const size_t turn_right = operands.HasRow(kTransposeRight) && operands.Flag(kTransposeRight);
  *sizes = {left[left.rank() - 2 + turn_left], left[left.rank() - 1 - turn_left],
            right[right.rank() - 1 - turn_right]};
  const Dims own(left.begin(), left.rank() - 2), other(right.begin(), right.rank() - 2);
  const std::optional<Dims> batch = broadcasts     ? BroadcastShape(own, other)
                                    : own == other ? std::optional(own)
                                                   : std::nullopt;
  if (sizes->depth != right[right.rank() - 2 + turn_right] || !batch) {
    return Fail(code, "x1.shape = {} and x2.shape = {}, expected as much of K and {}",
                left.ToString(), right.ToString(),
                broadcasts ? "batches that broadcast" : "the same leading sizes");
  }
  Dims out = *batch;
  out.push_back(sizes->rows);
  out.push_back(sizes->columns);
  if (Status s = CheckShapeIs(operands, kOut, out); !s.ok()) return s;
  if (!operands.Given(kSummand)) return {};
  return CheckShapeIs(operands, kSummand, {sizes->columns});
}

}  // namespace

Status PrepareOlderQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool of_columns = operands.HasRow(kScale);
  Sizes sizes;
  if (Status s = CheckProduct(operands, of_columns, &sizes); !s.ok()) return s;
  if (of_columns && !AreOfColumns(operands[kScale].shape(), sizes.columns)) {
    return FailParameters(operands, kScale, "", sizes.columns);
  }
  if (operands[kOut].IsEmpty()) return {};
  const bool has_bias = operands.Given(kSummand);
  if (sizes.depth == 0 && has_bias) {
    return Fail(operands.spec().codes.shape, "x1.shape = {}, expected elements beside bias",
                operands[kLeft].shape().ToString());
  }
  Steps steps(operands);
  if (sizes.depth == 0) {
    if (Status s = steps.Call("aclnnInplaceZero", {TensorOf(operands, kOut)}); !s.ok()) return s;
    return steps.Finish(call);
  }
  InnerTensor scale;
  if (of_columns) {
    scale = TensorOf(operands, kScale);
    scale = scale.As({sizes.columns}, scale.layout.strides);
  } else {
    scale = steps.Piece("deqScale", ACL_UINT64, {1});
    const uint64_t bits = QuantParameter(static_cast<float>(operands.Real(kFactor)));
    steps.Add([scale, bits](const Bindings& bindings, char*, const StopToken&) {
      std::memcpy(scale.Address(bindings), &bits, sizeof(bits));
      return Status();
    });
  }
  const bool turn_left = of_columns && operands.Flag(kTransposeLeft);
  const bool turn_right = of_columns && operands.Flag(kTransposeRight);
  if (Status s = steps.Call("aclnnQuantMatmulV3",
                            {TensorOf(operands, kLeft), TensorOf(operands, kRight), scale,
                             InnerTensor(), TensorOf(operands, kSummand), int64_t{turn_left},
                             int64_t{turn_right}, TensorOf(operands, kOut)});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

namespace {

// Of a product in fp32, contiguous [rows, columns].
class QuantiseProductPlan final : public BookedPlan {
 public:
  QuantiseProductPlan(const TensorView& product, const Quantiser::Tensors& tensors)
      : product_(product),
        tensors_(tensors),
        quantiser_(book_, Element::kFp32, product.sizes[0], product.sizes[1]) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t row_bytes = 4 * product_.sizes[1];
    const char* const from = product_.Address(bindings);
    return quantiser_.Run(bindings, tensors_, [&](int64_t row, int64_t rows, char* sums) {
      std::memcpy(sums, from + row * row_bytes, static_cast<size_t>(rows * row_bytes));
      return Status();
    });
  }

 private:
  const TensorView product_;
  const Quantiser::Tensors tensors_;
  const Quantiser quantiser_;
};

}  // namespace

Status PrepareBatchQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  Sizes sizes;
  if (Status s = CheckProduct(operands, false, &sizes); !s.ok()) return s;
  const Dims& parameters = operands[kQuantScale].shape();
  if (!(parameters == Dims{1}) && !AreOfColumns(parameters, sizes.columns)) {
    return FailParameters(operands, kQuantScale, "[1] or ", sizes.columns);
  }
  const Dims& shape = operands[kOut].shape();
  const Dims rows = {*ElementCount(shape) / sizes.columns, sizes.columns};
  constexpr int64_t kKeepTypes = 0;
  Steps steps(operands);
  const auto turned = [&](int id, int turns) {
    const InnerTensor tensor = TensorOf(operands, id);
    return operands.Flag(turns) ? tensor.Turned() : tensor;
  };
  const InnerTensor product = steps.Piece("x1 @ x2", ACL_FLOAT, shape);
  if (Status s = steps.Call("aclnnMatmul", {turned(kLeft, kTransposeLeft),
                                            turned(kRight, kTransposeRight), product, kKeepTypes});
      !s.ok()) {
    return s;
  }
  if (operands.Given(kSummand)) {
    if (Status s = steps.Call("aclnnInplaceAdd", {product, TensorOf(operands, kSummand), 1.0f});
        !s.ok()) {
      return s;
    }
  }
  PlanStep step;
  const TensorView from = step.View(product.As(rows));
  const TensorView to = step.View(steps.Result(kOut, rows));
  const TensorView scale = step.View(TensorOf(operands, kQuantScale));
  step.AddTo(steps, std::make_shared<QuantiseProductPlan>(
                        from, Quantiser::Tensors{.y = to, .scale = scale, .offset = {}}));
  return steps.Finish(call);
}

}  // namespace anyacl::matmul
