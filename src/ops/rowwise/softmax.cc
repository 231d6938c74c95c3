// SPDX-License-Identifier: Apache-2.0
// Softmax, its logarithm, and their gradients, along any dimension.
#include "ops/rowwise/operators.h"
#include "ops/rowwise/softmax_work.h"
#include "ops/steps.h"

namespace anyacl::rowwise {
namespace {

Status FindDim(const Operands& operands, int* dim) {
  const size_t rank = std::max<size_t>(operands[kX].shape().rank(), 1);
  return CheckDim(operands, "dim", operands.Int(kDim), rank, dim);
}

Status PrepareForward(Operands& operands, PreparedCall* call, bool logarithm) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  if (Status s = FindDim(operands, &dim); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView x = ViewOf(operands, kX), out = ViewOf(operands, kOut);
  Rows rows({RowsAlong(x, dim), RowsAlong(out, dim)}, {.in_groups = true, .across = true});
  if (x.dtype == ACL_DOUBLE || out.dtype == ACL_DOUBLE) {
    call->plan =
        std::make_shared<RowPlan<SoftmaxWork<double>>>(std::move(rows), Options{logarithm});
  } else if (rows.across_rows()) {
    call->plan = std::make_shared<RowPlan<SoftmaxAcross>>(std::move(rows), Options{logarithm});
  } else {
    call->plan = std::make_shared<RowPlan<SoftmaxWork<float>>>(std::move(rows), Options{logarithm});
  }
  return {};
}

Status PrepareBackward(Operands& operands, PreparedCall* call, bool logarithm) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  if (Status s = FindDim(operands, &dim); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  if (operands[kOut].dtype() == ACL_DOUBLE) {
    Steps steps(operands);
    if (Status s = steps.Call(logarithm ? "aclnnLogSoftmaxBackward" : "aclnnSoftmaxBackward",
                              {TensorOf(operands, kX), TensorOf(operands, kX2), int64_t{dim},
                               steps.ResultAs(kOut, ACL_FLOAT)});
        !s.ok()) {
      return s;
    }
    return steps.Finish(call);
  }
  Rows rows({RowsAlong(ViewOf(operands, kX), dim), RowsAlong(ViewOf(operands, kX2), dim),
             RowsAlong(ViewOf(operands, kOut), dim)},
            {.in_groups = true, .across = true});
  if (rows.across_rows()) {
    call->plan = std::make_shared<RowPlan<GradAcross>>(std::move(rows), Options{logarithm});
  } else {
    call->plan = std::make_shared<RowPlan<GradWork>>(std::move(rows), Options{logarithm});
  }
  return {};
}

}  // namespace

Status PrepareSoftmax(Operands& operands, PreparedCall* call) {
  return PrepareForward(operands, call, false);
}
Status PrepareLogSoftmax(Operands& operands, PreparedCall* call) {
  return PrepareForward(operands, call, true);
}
Status PrepareSoftmaxBackward(Operands& operands, PreparedCall* call) {
  return PrepareBackward(operands, call, false);
}
Status PrepareLogSoftmaxBackward(Operands& operands, PreparedCall* call) {
  return PrepareBackward(operands, call, true);
}

}  // namespace anyacl::rowwise
