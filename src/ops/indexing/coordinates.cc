// SPDX-License-Identifier: Apache-2.0
// GatherNd and ScatterNd: each row of `indices` along its last dimension has coordinates in the
// first dimensions of a tensor, and stands for the box at them.
#include "ops/indexing/plan.h"

namespace anyacl::indexing {
namespace {

// The plain tensor has a box for each row of `indices`.
Status CheckBoxes(const Operands& operands, int plain) {
  const Dims& self = operands[kSelf].shape();
  const Dims& indices = operands[kIndices].shape();
  const CheckCodes& codes = operands.spec().codes;
  const int64_t count = indices[indices.rank() - 1];
  if (count < 1 || count > static_cast<int64_t>(self.rank())) {
    return Fail(codes.shape, "{}.shape = {}, expected 1 to {} in the last dimension: {}.shape = {}",
                operands.NameOf(kIndices), indices.ToString(), self.rank(), operands.NameOf(kSelf),
                self.ToString());
  }
  Dims expected;
  for (size_t i = 0; i + 1 < indices.rank(); ++i) expected.push_back(indices[i]);
  for (auto i = static_cast<size_t>(count); i < self.rank(); ++i) expected.push_back(self[i]);
  if (operands[plain].shape() == expected) return {};
  return Fail(codes.shape, "{}.shape = {}, expected {}: {}.shape = {}, {}.shape = {}",
              operands.NameOf(plain), operands[plain].shape().ToString(), expected.ToString(),
              operands.NameOf(kIndices), indices.ToString(), operands.NameOf(kSelf),
              self.ToString());
}

std::shared_ptr<IndexedPlan> MakePlan(const Operands& operands, int target, int plain) {
  const TensorView indices = ViewOf(operands, kIndices);
  auto plan = std::make_shared<IndexedPlan>(ViewOf(operands, target));
  plan->plain = ViewOf(operands, plain);
  plan->names = {operands.NameOf(kIndices), operands.NameOf(target)};
  plan->scattering.dtype = plan->target.dtype;
  const int64_t bytes = plan->access.element_bytes;
  const int rows = indices.rank - 1;
  const auto coordinates = static_cast<int>(indices.sizes[rows]);
  for (int i = 0; i < rows; ++i) {
    Axis axis{.size = indices.sizes[i], .plain = plan->plain.strides[i] * bytes};
    axis.index.fill(indices.strides[i] * BytesOf(indices));
    plan->access.positions.push_back(axis);
  }
  if (rows == 0) plan->access.positions.push_back({});
  for (int i = 0; i < coordinates; ++i) {
    plan->AddIndex(WithoutDim(Sliced(indices, rows, i, 1), rows), plan->target.sizes[i],
                   plan->target.strides[i]);
  }
  for (int i = coordinates; i < plan->target.rank; ++i) {
    plan->access.inner.push_back({.size = plan->target.sizes[i],
                                  .target = plan->target.strides[i] * bytes,
                                  .plain = plan->plain.strides[rows + i - coordinates] * bytes});
  }
  return plan;
}

}  // namespace

Status PrepareGatherNd(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckBoxes(operands, kOut); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const auto plan = MakePlan(operands, kSelf, kOut);
  plan->gathers = true;
  plan->access.wraps = operands.Flag(kNegative);
  plan->Finish();
  call->plan = plan;
  return {};
}

Status PrepareScatterNd(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckBoxes(operands, kSource); !s.ok()) return s;
  const int64_t positions = ViewOf(operands, kIndices).elements();
  if (Status s = CheckTableSize(operands, positions); !s.ok()) return s;
  if (operands[kSelf].IsEmpty() && operands[kSource].IsEmpty()) return {};
  const auto plan = MakePlan(operands, kOut, kSource);
  plan->access.wraps = false;
  plan->CopyFirst(ViewOf(operands, kSelf));
  plan->Finish();
  call->plan = plan;
  return {};
}

}  // namespace anyacl::indexing
