// SPDX-License-Identifier: Apache-2.0
// GatherNd, ScatterNd and TfScatterAdd: each row of `indices` along its last dimension has
// coordinates in the first dimensions of a tensor, and stands for the box at them. TfScatterAdd
// also takes single indices of the first dimension.
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

// `single`: each index is one of the first dimension, else each row has coordinates.
std::shared_ptr<IndexedPlan> MakePlan(const Operands& operands, int target, int plain,
                                      bool single = false) {
  const TensorView indices = ViewOf(operands, kIndices);
  auto plan = std::make_shared<IndexedPlan>(ViewOf(operands, target));
  plan->plain = ViewOf(operands, plain);
  plan->names = {operands.NameOf(kIndices), operands.NameOf(target)};
  plan->scattering.dtype = plan->target.dtype;
  const int64_t bytes = plan->access.element_bytes;
  const int rows = single ? indices.rank : indices.rank - 1;
  const int coordinates = single ? 1 : static_cast<int>(indices.sizes[rows]);
  for (int i = 0; i < rows; ++i) {
    Axis axis{.size = indices.sizes[i], .plain = plan->plain.strides[i] * bytes};
    axis.index.fill(indices.strides[i] * BytesOf(indices));
    plan->access.positions.push_back(axis);
  }
  if (rows == 0) plan->access.positions.push_back({});
  for (int i = 0; i < coordinates; ++i) {
    plan->AddIndex(single ? indices : WithoutDim(Sliced(indices, rows, i, 1), rows),
                   plan->target.sizes[i], plan->target.strides[i]);
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

namespace {

// Whether `updates` has a box for each index of the first dimension.
bool AreSingle(const Operands& operands) {
  const Dims &self = operands[kSelf].shape(), &indices = operands[kIndices].shape();
  const Dims& updates = operands[kSource].shape();
  return updates.rank() == indices.rank() + self.rank() - 1 &&
         std::equal(indices.begin(), indices.end(), updates.begin()) &&
         std::equal(self.begin() + 1, self.end(), updates.begin() + indices.rank());
}

}  // namespace

Status PrepareScatterBoxes(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool single = AreSingle(operands), none = operands[kIndices].IsEmpty();
  if (!none && operands[kSelf].IsEmpty()) {
    return Fail(operands.spec().codes.shape,
                "varRef.shape = {}, expected elements as indices.shape = {}",
                operands[kSelf].shape().ToString(), operands[kIndices].shape().ToString());
  }
  if (!single) {
    if (Status s = CheckBoxes(operands, kSource); !s.ok()) return s;
  }
  if (Status s = CheckTableSize(operands, ViewOf(operands, kIndices).elements()); !s.ok()) return s;
  if (none) return {};
  const auto plan = MakePlan(operands, kSelf, kSource, single);
  plan->access.wraps = false;
  plan->scattering.reduce = Reduce::kAdd;
  plan->Finish();
  call->plan = plan;
  return {};
}

}  // namespace anyacl::indexing
