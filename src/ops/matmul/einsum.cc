// SPDX-License-Identifier: Apache-2.0
// Einsum of the two equations that there are: products of the matrix engine, or element by element;
// sums of integers are taken modulo 2^n. Threads share elements of the output.
#include <cstring>

#include "ops/blocks/blocks.h"
#include "ops/matmul/operators.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

// y[i] = the sum over d of left[i, d] * right[i, d].
class IntegerSumsPlan final : public Plan {
 public:
  IntegerSumsPlan(const TensorView& left, const TensorView& right, const TensorView& y)
      : left_(left), right_(right), y_(y) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int last = left_.rank - 1;
    const int64_t depth = left_.sizes[last];
    const auto load = [&](const TensorView& view, int64_t i, int64_t d) {
      const int64_t at = view.OffsetOf(i, last) + d * view.strides[last];
      return static_cast<uint64_t>(
          blocks::LoadOne<int64_t>(view.dtype, view.Address(bindings) + at * BytesOf(view)));
    };
    constexpr int64_t kWorth = 1024;  // products: some 10 us
    ParallelFor(y_.elements(), std::max<int64_t>(1, kWorth / depth),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    uint64_t sum = 0;
                    for (int64_t d = 0; d < depth; ++d)
                      sum += load(left_, i, d) * load(right_, i, d);
                    // The lowest bytes are the sum modulo 2^n.
                    std::memcpy(y_.Address(bindings) + y_.OffsetOf(i) * BytesOf(y_), &sum,
                                static_cast<size_t>(BytesOf(y_)));
                  }
                });
    return {};
  }

 private:
  const TensorView left_, right_, y_;
};

Status CheckTensors(const Operands& operands, bool outer) {
  const CheckCodes& codes = operands.spec().codes;
  const std::span<const Operand> tensors = operands.List(kLeft);
  if (tensors.size() != 2) {
    return Fail(codes.shape, "tensors has {} tensors, expected 2", tensors.size());
  }
  if (tensors[0].dtype() != tensors[1].dtype()) {
    return Fail(codes.dtype, "tensors[1].dtype = {}, expected {} as tensors[0]",
                NameOf(tensors[1].dtype()), NameOf(tensors[0].dtype()));
  }
  const Dims &left = tensors[0].shape(), &right = tensors[1].shape();
  const bool fits = outer ? left.rank() == 1 && right.rank() == 1
                          : left.rank() == 4 && right.rank() == 5 &&
                                std::equal(left.begin(), left.begin() + 3, right.begin()) &&
                                left[3] == right[4];
  if (!fits) {
    return Fail(codes.shape, "tensors[0].shape = {} and tensors[1].shape = {}, expected {}",
                left.ToString(), right.ToString(),
                outer ? "[a] and [b]" : "[a, b, c, d] and [a, b, c, e, d]");
  }
  return CheckShapeIs(operands, kOut,
                      outer ? Dims{left[0], right[0]} : Dims{left[0], left[1], left[2], right[3]});
}

}  // namespace

Status PrepareEinsum(Operands& operands, PreparedCall* call) {
  size_t equation = 0;
  if (Status s = operands.CheckText(kActType, {"abcd,abced->abce", "a,b->ab"}, &equation);
      !s.ok()) {
    return s;
  }
  const bool outer = equation == 1;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTensors(operands, outer); !s.ok()) return s;
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  const aclDataType type = operands[kOut].dtype();
  const InnerTensors tensors = TensorsOf(operands, kLeft);
  if (type != ACL_FLOAT && type != ACL_FLOAT16) {
    // Of the outer product d is 1. The left tensor is the same for all e.
    TensorView left = ViewOf(operands, kLeft, 0), right = ViewOf(operands, kLeft, 1);
    if (outer) {
      left = WithDim(left, 1);
      right = WithDim(right, 0);
      left = WithDim(left, 2);
      right = WithDim(right, 2);
    } else {
      left = WithDim(left, 3);
    }
    const TensorView y = ViewOf(operands, kOut);
    Dims sizes = ShapeOf(y);
    sizes.push_back(outer ? 1 : right.sizes[4]);
    const std::span<const int64_t> all{sizes.begin(), sizes.rank()};
    call->plan =
        std::make_shared<IntegerSumsPlan>(*Broadcast(left, all), *Broadcast(right, all), y);
    return {};
  }
  // With one more dimension, the last one.
  const auto with_one = [](const InnerTensor& tensor) {
    Dims shape = tensor.layout.shape, strides = tensor.layout.strides;
    shape.push_back(1);
    strides.push_back(1);
    return tensor.As(shape, strides);
  };
  Steps steps(operands);
  const InnerTensor out = TensorOf(operands, kOut);
  constexpr int64_t kKeepTypes = 0;
  if (Status s = outer ? steps.Call("aclnnMul", {with_one(tensors[0]), tensors[1], out})
                       : steps.Call("aclnnMatmul",
                                    {tensors[1], with_one(tensors[0]), with_one(out), kKeepTypes});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::matmul
