// SPDX-License-Identifier: Apache-2.0
// Cross products: plain loops over the other dimensions.
#include <algorithm>
#include <complex>
#include <optional>

#include "base/half_types.h"
#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/linalg/operators.h"
#include "runtime/parallel.h"

namespace anyacl::linalg {
namespace {

// How an element of type E is computed with: 16-bit floating point in fp32, integers modulo 2^64.
template <class E>
struct Element {
  static E Load(E e) { return e; }
  static E Store(E number) { return number; }
};
template <class E>
struct Integer {
  static uint64_t Load(E e) { return static_cast<uint64_t>(e); }
  static E Store(uint64_t number) { return static_cast<E>(number); }
};
template <>
struct Element<int8_t> : Integer<int8_t> {};
template <>
struct Element<uint8_t> : Integer<uint8_t> {};
template <>
struct Element<int16_t> : Integer<int16_t> {};
template <>
struct Element<int32_t> : Integer<int32_t> {};
template <>
struct Element<int64_t> : Integer<int64_t> {};
template <class Half>
struct Narrow {
  static float Load(Half e) { return e.ToFloat(); }
  static Half Store(float number) { return Half::From(number); }
};
template <>
struct Element<Fp16> : Narrow<Fp16> {};
template <>
struct Element<Bf16> : Narrow<Bf16> {};

// The views lack the dimension of the vectors' three entries, whose strides stand apart.
struct Vectors {
  TensorView view;
  int64_t step;
};

template <class E>
class CrossPlan final : public Plan {
 public:
  CrossPlan(const Vectors& a, const Vectors& b, const Vectors& out) : a_(a), b_(b), out_(out) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    constexpr int64_t kGrain = 4096;
    const int last = out_.view.rank - 1;
    const int64_t length = last < 0 ? 1 : out_.view.sizes[last];
    const auto stride = [last](const Vectors& v) { return last < 0 ? 0 : v.view.strides[last]; };
    const int64_t a_stride = stride(a_), b_stride = stride(b_), out_stride = stride(out_);
    ParallelFor(out_.view.elements(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end;) {
        const int64_t count = std::min(length - at % length, end - at);
        const E *const a = At(a_, bindings, at), *const b = At(b_, bindings, at);
        E* const out = At(out_, bindings, at);
        for (int64_t i = 0; i < count; ++i) {
          Multiply(a + i * a_stride, b + i * b_stride, out + i * out_stride);
        }
        at += count;
      }
    });
    return {};
  }

 private:
  static E* At(const Vectors& vectors, const Bindings& bindings, int64_t index) {
    return reinterpret_cast<E*>(vectors.view.Address(bindings)) + vectors.view.OffsetOf(index);
  }

  void Multiply(const E* a, const E* b, E* out) const {
    using V = Element<E>;
    const auto x1 = V::Load(a[0]), y1 = V::Load(a[a_.step]), z1 = V::Load(a[2 * a_.step]);
    const auto x2 = V::Load(b[0]), y2 = V::Load(b[b_.step]), z2 = V::Load(b[2 * b_.step]);
    out[0] = V::Store(y1 * z2 - y2 * z1);
    out[out_.step] = V::Store(x2 * z1 - x1 * z2);
    out[2 * out_.step] = V::Store(x1 * y2 - x2 * y1);
  }

  const Vectors a_, b_, out_;
};

std::shared_ptr<const Plan> MakePlan(const Vectors& a, const Vectors& b, const Vectors& out) {
  switch (out.view.dtype) {
    case ACL_INT8:
      return std::make_shared<CrossPlan<int8_t>>(a, b, out);
    case ACL_UINT8:
      return std::make_shared<CrossPlan<uint8_t>>(a, b, out);
    case ACL_INT16:
      return std::make_shared<CrossPlan<int16_t>>(a, b, out);
    case ACL_INT32:
      return std::make_shared<CrossPlan<int32_t>>(a, b, out);
    case ACL_INT64:
      return std::make_shared<CrossPlan<int64_t>>(a, b, out);
    case ACL_FLOAT16:
      return std::make_shared<CrossPlan<Fp16>>(a, b, out);
    case ACL_BF16:
      return std::make_shared<CrossPlan<Bf16>>(a, b, out);
    case ACL_DOUBLE:
      return std::make_shared<CrossPlan<double>>(a, b, out);
    case ACL_COMPLEX64:
      return std::make_shared<CrossPlan<std::complex<float>>>(a, b, out);
    case ACL_COMPLEX128:
      return std::make_shared<CrossPlan<std::complex<double>>>(a, b, out);
    default:
      return std::make_shared<CrossPlan<float>>(a, b, out);
  }
}

}  // namespace

Status PrepareCross(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const auto rank = static_cast<int64_t>(operands[kSelf].shape().rank());
  const int64_t dim = operands.Int(kDim);
  if (dim < -rank || dim >= rank) {
    return Fail(operands.spec().codes.shape, "dim is {}, expected -{} to {}, as self has rank {}",
                dim, rank, rank - 1, rank);
  }
  const std::optional<Dims> product =
      BroadcastShape(operands[kSelf].shape(), operands[kOther].shape());
  if (!product) {
    return Fail(operands.spec().codes.shape,
                "self.shape = {} and other.shape = {}, expected shapes that broadcast",
                operands[kSelf].shape().ToString(), operands[kOther].shape().ToString());
  }
  const Dims& shape = *product;
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  // Counted from the end, where broadcasting aligns.
  const int from_end = static_cast<int>(dim < 0 ? dim : dim - rank);
  const int at = static_cast<int>(shape.rank()) + from_end;
  if (shape[static_cast<size_t>(at)] != 3) {
    return Fail(operands.spec().codes.shape,
                "out.shape[{}] = {}, expected 3, the entries of dim {}", at,
                shape[static_cast<size_t>(at)], dim);
  }
  if (operands[kOut].IsEmpty()) return {};
  int64_t steps[3];
  TensorView views[3];
  for (int i = 0; const int id : {kOut, kSelf, kOther}) {
    const TensorView view = *Broadcast(ViewOf(operands, id), {shape.begin(), shape.rank()});
    steps[i] = view.strides[at];
    views[i++] = WithoutDim(view, at);
  }
  Coalesce(views);
  call->plan = MakePlan({views[1], steps[1]}, {views[2], steps[2]}, {views[0], steps[0]});
  return {};
}

}  // namespace anyacl::linalg
