// SPDX-License-Identifier: Apache-2.0
// What is called by name, mostly as calls of other operators.
#include "ops/rowwise/nodes.h"

#include <cmath>
#include <cstring>

#include "acl/error_codes/rt_error_codes.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::rowwise {
namespace {

Scalar ScalarOf(double value) {
  Scalar scalar;
  scalar.dtype = ACL_DOUBLE;
  std::memcpy(scalar.bytes.data(), &value, sizeof(value));
  return scalar;
}

// The mask as fp32 numbers, in the shape of what it is of: 1 / keep where an element is kept.
Status AddFactors(Steps& steps, const Operands& operands, int of, InnerTensor* factors) {
  const int code = operands.spec().codes.shape;
  const double keep = operands.Real(kKeepProb);
  if (!(keep > 0 && keep <= 1)) {
    return Fail(code, "input_keep_prob = {}, expected above 0, up to 1", keep);
  }
  const Dims& shape = operands[of].shape();
  const int64_t count = *ElementCount(shape);
  const InnerTensor mask = TensorOf(operands, kMask);
  if (mask.layout.shape[0] < count || !mask.IsContiguous()) {
    return Fail(code, "mask.shape = {}, expected {} elements or more, without gaps",
                mask.layout.shape.ToString(), count);
  }
  *factors = steps.Piece("factors", ACL_FLOAT, shape);
  if (Status s = steps.Copy(*factors, mask.As(shape)); !s.ok()) return s;
  return steps.Call("aclnnInplaceMuls", {*factors, ScalarOf(1 / keep)});
}

}  // namespace

Status PrepareLayerNormNode(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& shape = operands[kX].shape();
  int first = 0;
  if (Status s =
          CheckDim(operands, "begin_norm_axis", operands.Int(kBeginNorm), shape.rank(), &first);
      !s.ok()) {
    return s;
  }
  if (operands.Int(kBeginParams) != operands.Int(kBeginNorm)) {
    return Fail(operands.spec().codes.shape,
                "begin_params_axis = {}, expected {} as begin_norm_axis",
                operands.Int(kBeginParams), operands.Int(kBeginNorm));
  }
  const IntArray row(shape.begin() + first, shape.end());
  Steps steps(operands);
  if (Status s =
          steps.Call("aclnnLayerNorm",
                     {TensorOf(operands, kX), row, TensorOf(operands, kGamma),
                      TensorOf(operands, kBeta), operands.Real(kEps), TensorOf(operands, kOut),
                      TensorOf(operands, kMean), TensorOf(operands, kRstd)});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

// All of a sequence are normalized by what the mean and the deviation of its first elements are.
Status PrepareNormalizeBatch(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  size_t type = 0;
  if (Status s = operands.CheckText(kNormType, {"per_feature", "all_features"}, &type); !s.ok()) {
    return s;
  }
  if (operands[kOut].IsEmpty()) return {};
  const int64_t batch = operands.Size("N"), features = operands.Size("C"),
                size = operands.Size("D");
  const double eps = operands.Real(kEps);
  const int64_t together = type == 1 ? features : 1;  // of which mean and deviation are
  Steps steps(operands);
  InnerTensor x, lengths;
  if (Status s = steps.ContiguousAs(kX, ACL_FLOAT, &x); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kLengths, ACL_INT32, &lengths); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* from = reinterpret_cast<const float*>(x.Address(bindings));
    const auto* length = reinterpret_cast<const int32_t*>(lengths.Address(bindings));
    auto* to = reinterpret_cast<float*>(out.Address(bindings));
    for (int64_t n = 0; n < batch; ++n) {
      if (length[n] >= 1 && length[n] <= size) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "seq_len[{}] = {}, expected 1 to {}", n, length[n],
                  size);
    }
    const int64_t units = batch * features / together;
    ParallelFor(units, 1 + 4096 / (together * size), [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const float* const rows = from + unit * together * size;
        const int64_t used = length[unit * together / features];
        const auto count = static_cast<double>(together * used);
        double sum = 0, squares = 0;
        const auto for_used = [&](const auto& visit) {
          for (int64_t c = 0; c < together; ++c) {
            for (int64_t i = 0; i < used; ++i) visit(static_cast<double>(rows[c * size + i]));
          }
        };
        for_used([&](double value) { sum += value; });
        const double mean = sum / count;
        for_used([&](double value) { squares += (value - mean) * (value - mean); });
        const double deviation = std::sqrt(squares / (count - 1)) + eps;
        float* const result = to + unit * together * size;
        for (int64_t i = 0; i < together * size; ++i) {
          result[i] = static_cast<float>((static_cast<double>(rows[i]) - mean) / deviation);
        }
      }
    });
    return {};
  });
  return steps.Finish(call);
}

Status PrepareSoftmaxDropout(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const Dims& shape = operands[kX].shape();
  Steps steps(operands);
  InnerTensor factors;
  if (Status s = AddFactors(steps, operands, kX, &factors); !s.ok()) return s;
  const InnerTensor sum = steps.Piece("x1 + alpha * x2", ACL_FLOAT, shape);
  const InnerTensor softmax = steps.Piece("softmax", ACL_FLOAT, shape);
  if (Status s = steps.Copy(sum, TensorOf(operands, kX)); !s.ok()) return s;
  if (Status s = steps.Call("aclnnInplaceAdd",
                            {sum, TensorOf(operands, kX2), ScalarOf(operands.Real(kAlpha))});
      !s.ok()) {
    return s;
  }
  if (Status s = steps.Call("aclnnSoftmax", {sum, operands.Int(kDim), softmax}); !s.ok()) return s;
  if (Status s = steps.Call("aclnnMul", {softmax, factors, TensorOf(operands, kDropped)});
      !s.ok()) {
    return s;
  }
  if (Status s = steps.Copy(TensorOf(operands, kOut), softmax); !s.ok()) return s;
  return steps.Finish(call);
}

Status PrepareSoftmaxDropoutGrad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const Dims& shape = operands[kX].shape();
  Steps steps(operands);
  InnerTensor gradient;  // at first the factors
  if (Status s = AddFactors(steps, operands, kX, &gradient); !s.ok()) return s;
  const InnerTensor softmax = steps.Piece("softmax", ACL_FLOAT, shape);
  const InnerTensor result = steps.Piece("the gradient", ACL_FLOAT, shape);
  if (Status s = steps.Copy(softmax, TensorOf(operands, kX2)); !s.ok()) return s;
  if (Status s = steps.Call("aclnnInplaceMul", {gradient, TensorOf(operands, kX)}); !s.ok())
    return s;
  if (Status s =
          steps.Call("aclnnSoftmaxBackward", {gradient, softmax, operands.Int(kDim), result});
      !s.ok()) {
    return s;
  }
  if (Status s = steps.Call("aclnnMuls",
                            {result, ScalarOf(operands.Real(kAlpha)), TensorOf(operands, kOut)});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::rowwise
