// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise/complex.h"

#include <algorithm>
#include <cmath>

#include "ops/blocks/blocks.h"
#include "ops/blocks/convert.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {
namespace {

// Elements of a piece: four buffers of 8 KiB.
constexpr int64_t kPiece = 512;

struct Buffers {
  ComplexNumber in[3][kPiece];
  ComplexNumber out[kPiece];
};

template <aclDataType kFrom, aclDataType kTo>
void StoreComplex(const void* from, const blocks::Tile& to) {
  const int64_t bytes = BitsOf(kFrom) / 8, to_bytes = BitsOf(kTo) / 8;
  for (int64_t r = 0; r < to.rows; ++r) {
    blocks::ConvertElements(kFrom, static_cast<const char*>(from) + r * to.cols * bytes, bytes, kTo,
                            to.data + r * to.row_stride * to_bytes, to.col_stride * to_bytes,
                            to.cols);
  }
}
template <aclDataType kFrom>
blocks::StoreFunction StorerTo(aclDataType dtype) {
  return dtype == ACL_COMPLEX64 ? StoreComplex<kFrom, ACL_COMPLEX64>
                                : StoreComplex<kFrom, ACL_COMPLEX128>;
}

ComplexNumber Truth(bool yes) { return yes ? 1.0 : 0.0; }

// 0^0 and 0 to a power that is not negative by their limits, where exp(b log a) knows none.
ComplexNumber Power(ComplexNumber a, ComplexNumber b) {
  if (b == ComplexNumber(0)) return 1.0;
  if (a == ComplexNumber(0) && b.real() > 0) return 0.0;
  return std::pow(a, b);
}

ComplexNumber Sign(ComplexNumber a) {
  const double size = std::abs(a);
  return size == 0 ? ComplexNumber(0) : a / size;
}

// The functions of kernel_elementary.cc.
ComplexFunction OtherFunctionOf(Op op) {
  using N = ComplexNumber;
  switch (op) {
    case Op::kLog2:
      return [](const N* x, N, N) { return std::log(x[0]) / M_LN2; };
    case Op::kLog10:
      return [](const N* x, N, N) { return std::log10(x[0]); };
    case Op::kTan:
      return [](const N* x, N, N) { return std::tan(x[0]); };
    case Op::kAcos:
      return [](const N* x, N, N) { return std::acos(x[0]); };
    case Op::kAtan:
      return [](const N* x, N, N) { return std::atan(x[0]); };
    case Op::kSinh:
      return [](const N* x, N, N) { return std::sinh(x[0]); };
    case Op::kCosh:
      return [](const N* x, N, N) { return std::cosh(x[0]); };
    case Op::kAsinh:
      return [](const N* x, N, N) { return std::asinh(x[0]); };
    case Op::kAcosh:
      return [](const N* x, N, N) { return std::acosh(x[0]); };
    case Op::kAtanh:
      return [](const N* x, N, N) { return std::atanh(x[0]); };
    default:
      return nullptr;
  }
}

class ComplexPlan final : public Plan {
 public:
  explicit ComplexPlan(const ComplexProgram& program) : p_(program) {
    std::array<TensorView, 4> views = {p_.out, p_.in[0], p_.in[1], p_.in[2]};
    Coalesce(std::span(views).first(static_cast<size_t>(p_.inputs + 1)));
    for (TensorView& view : views) {
      if (view.rank > 0) continue;
      view.rank = 1;
      view.sizes[0] = view.strides[0] = 1;
    }
    p_.out = views[0];
    std::copy(views.begin() + 1, views.end(), p_.in.begin());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int last = p_.out.rank - 1;
    const int64_t pieces = (p_.out.sizes[last] + kPiece - 1) / kPiece;
    const int64_t rows = p_.out.elements() / p_.out.sizes[last];
    // A piece takes some 2 us and more, short rows less.
    const int64_t grain = std::max<int64_t>(1, 4096 / std::min(p_.out.sizes[last], kPiece));
    ParallelFor(rows * pieces, grain, [&](int64_t begin, int64_t end) {
      Buffers buffers;
      for (int64_t unit = begin; unit < end; ++unit) {
        RunPiece(bindings, unit / pieces, unit % pieces * kPiece, buffers);
      }
    });
    return {};
  }

 private:
  // The piece of a view that begins in row `row`, in element `first`.
  static char* AddressOf(const TensorView& view, const Bindings& bindings, int64_t row,
                         int64_t first) {
    const int64_t at = view.OffsetOf(row, view.rank - 1) + first * view.strides[view.rank - 1];
    return view.Address(bindings) + at * BytesOf(view);
  }
  static int64_t StepOf(const TensorView& view) {
    return view.strides[view.rank - 1] * BytesOf(view);
  }

  void RunPiece(const Bindings& bindings, int64_t row, int64_t first, Buffers& buffers) const {
    constexpr auto kStep = static_cast<int64_t>(sizeof(ComplexNumber));
    const int64_t count = std::min(kPiece, p_.out.sizes[p_.out.rank - 1] - first);
    for (int i = 0; i < p_.inputs; ++i) {
      const TensorView& in = p_.in[static_cast<size_t>(i)];
      blocks::ConvertElements(in.dtype, AddressOf(in, bindings, row, first), StepOf(in),
                              ACL_COMPLEX128, reinterpret_cast<char*>(buffers.in[i]), kStep, count);
    }
    for (int64_t k = 0; k < count; ++k) {
      const ComplexNumber x[] = {buffers.in[0][k], buffers.in[1][k], buffers.in[2][k]};
      buffers.out[k] = p_.compute(x, p_.p, p_.q);
    }
    blocks::ConvertElements(ACL_COMPLEX128, reinterpret_cast<const char*>(buffers.out), kStep,
                            p_.out.dtype, AddressOf(p_.out, bindings, row, first), StepOf(p_.out),
                            count);
  }

  ComplexProgram p_;
};

}  // namespace

ComplexFunction ComplexFunctionOf(Op op) {
  using N = ComplexNumber;
  switch (op) {
    case Op::kAdd:
      return [](const N* x, N, N) { return x[0] + x[1]; };
    case Op::kAddScaled:
      return [](const N* x, N p, N) { return x[0] + p * x[1]; };
    case Op::kSub:
      return [](const N* x, N, N) { return x[0] - x[1]; };
    case Op::kMul:
      return [](const N* x, N, N) { return x[0] * x[1]; };
    case Op::kDiv:
      return [](const N* x, N, N) { return x[0] / x[1]; };
    case Op::kAddScalar:
      return [](const N* x, N p, N) { return x[0] + p; };
    case Op::kMulScalar:
      return [](const N* x, N p, N) { return x[0] * p; };
    case Op::kDivScalar:
      return [](const N* x, N p, N) { return x[0] / p; };
    case Op::kNeg:
      return [](const N* x, N, N) { return -x[0]; };
    case Op::kSquare:
      return [](const N* x, N, N) { return x[0] * x[0]; };
    case Op::kCube:
      return [](const N* x, N, N) { return x[0] * x[0] * x[0]; };
    case Op::kSqrt:
      return [](const N* x, N, N) { return std::sqrt(x[0]); };
    case Op::kRsqrt:
      return [](const N* x, N, N) { return 1.0 / std::sqrt(x[0]); };
    case Op::kReciprocal:
      return [](const N* x, N, N) { return 1.0 / x[0]; };
    case Op::kAbs:
      return [](const N* x, N, N) { return N(std::abs(x[0])); };
    case Op::kSign:
      return [](const N* x, N, N) { return Sign(x[0]); };
    case Op::kEqual:
      return [](const N* x, N, N) { return Truth(x[0] == x[1]); };
    case Op::kNotEqual:
      return [](const N* x, N, N) { return Truth(x[0] != x[1]); };
    case Op::kAnd:
      return [](const N* x, N, N) { return Truth(x[0] != N(0) && x[1] != N(0)); };
    case Op::kOr:
      return [](const N* x, N, N) { return Truth(x[0] != N(0) || x[1] != N(0)); };
    case Op::kXor:
      return [](const N* x, N, N) { return Truth((x[0] != N(0)) != (x[1] != N(0))); };
    case Op::kEqualScalar:
      return [](const N* x, N p, N) { return Truth(x[0] == p); };
    case Op::kNotEqualScalar:
      return [](const N* x, N p, N) { return Truth(x[0] != p); };
    case Op::kExp:
      return [](const N* x, N, N) { return std::exp(x[0]); };
    case Op::kLog:
      return [](const N* x, N, N) { return std::log(x[0]); };
    case Op::kSigmoid:
      return [](const N* x, N, N) { return 1.0 / (1.0 + std::exp(-x[0])); };
    case Op::kSin:
      return [](const N* x, N, N) { return std::sin(x[0]); };
    case Op::kCos:
      return [](const N* x, N, N) { return std::cos(x[0]); };
    case Op::kPow:
      return [](const N* x, N, N) { return Power(x[0], x[1]); };
    case Op::kPowScalar:
      return [](const N* x, N p, N) { return Power(x[0], p); };
    case Op::kScaleAdd:
      return [](const N* x, N p, N q) { return p + q * x[0]; };
    case Op::kPowOfScalar:
      return [](const N* x, N p, N) { return Power(p, x[0]); };
    case Op::kSigmoidGrad:
      return [](const N* x, N, N) { return x[0] * std::conj((1.0 - x[1]) * x[1]); };
    default:
      return OtherFunctionOf(op);
  }
}

ComplexNumber ComplexWhere(const ComplexNumber* x, ComplexNumber, ComplexNumber) {
  return x[0] != ComplexNumber(0) ? x[1] : x[2];
}

blocks::StoreFunction ComplexStorer(Element number, aclDataType dtype) {
  switch (number) {
    case Element::kFp32:
      return StorerTo<ACL_FLOAT>(dtype);
    case Element::kFp64:
      return StorerTo<ACL_DOUBLE>(dtype);
    case Element::kInt32:
      return StorerTo<ACL_INT32>(dtype);
    default:
      return StorerTo<ACL_INT64>(dtype);
  }
}

std::shared_ptr<const Plan> MakeComplexPlan(const ComplexProgram& program) {
  return std::make_shared<ComplexPlan>(program);
}

}  // namespace anyacl::elementwise
