// SPDX-License-Identifier: Apache-2.0
// Makes a list of products of the group list; its epilogue finishes a row.
#include <algorithm>

#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/grouped_matmul/op.h"

namespace anyacl::grouped_matmul {
namespace {

template <class T>
T* At(const TensorView& view, const Bindings& bindings) {
  return reinterpret_cast<T*>(view.Address(bindings));
}

class GroupedMatmulPlan final : public BookedPlan {
 public:
  explicit GroupedMatmulPlan(const Params& params)
      : p_(params), kernels_(Kernels().grouped_matmul), list_(p_.list) {
    products_ = book_.Book<gemm::Product>(static_cast<size_t>(MostProducts()));
    workspace_ = book_.Book<char>(static_cast<size_t>(list_.workspace_bytes()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    gemm::Product* const products = products_.In(bindings);
    const int64_t count = ReadGroups(bindings, products);
    gemm::ListAddresses at;
    at.a = At<int8_t>(p_.x, bindings);
    at.b = At<char>(p_.weight, bindings);
    at.scale = At<char>(p_.scale, bindings);
    if (p_.bias.given()) at.bias = At<float>(p_.bias, bindings);
    at.row_scale = At<float>(p_.x_scale, bindings);
    auto* const q = At<int8_t>(p_.q, bindings);
    auto* const q_scale = At<float>(p_.q_scale, bindings);
    list_.Run(at, products, count, workspace_.In(bindings),
              [&](int64_t row, float* c, const float* next) {
                kernels_.finish_row({.c = c,
                                     .next = next,
                                     .half = p_.list.columns / 2,
                                     .q = q + row * p_.q.strides[0],
                                     .q_step = p_.q.strides[1],
                                     .scale = q_scale + row * p_.q_scale.strides[0]});
              });
    return {};
  }

 private:
  int64_t MostProducts() const { return std::min(p_.list.products, p_.list.rows); }

  // The values are the client's and may be anything: bounds that decrease or leave x are moved.
  int64_t ReadGroups(const Bindings& bindings, gemm::Product* products) const {
    const auto* const bounds = At<int64_t>(p_.group_list, bindings);
    const auto bound = [&](int64_t i) { return bounds[i * p_.group_list.strides[0]]; };
    const int64_t experts = p_.list.products;
    const int64_t valid = std::clamp<int64_t>(bound(experts - 1), 0, p_.list.rows);
    int64_t count = 0;
    int64_t row = 0;
    bool moved = false;
    for (int64_t expert = 0; expert < experts; ++expert) {
      const int64_t end = std::min(std::max(bound(expert), row), valid);
      moved |= end != bound(expert);
      if (end > row) products[count++] = {expert, row, end - row};
      row = end;
    }
    if (moved) {
      Warn("groupList has bounds that decrease or are not within 0 to {}; the others decide",
           p_.list.rows);
    }
    return count;
  }

  const Params p_;
  const KernelSet& kernels_;
  const gemm::ListPlan list_;
  WorkspaceSlot<gemm::Product> products_;
  WorkspaceSlot<char> workspace_;
};

Status Prepare(Variant variant, Operands& operands, PreparedCall* call) {
  Params params;
  if (Status s = Check(variant, operands, &params); !s.ok()) return s;
  if (!params.empty) call->plan = std::make_shared<GroupedMatmulPlan>(params);
  return {};
}

}  // namespace

Status PreparePlain(Operands& operands, PreparedCall* call) {
  return Prepare(Variant::kPlain, operands, call);
}

Status PrepareWeightNz(Operands& operands, PreparedCall* call) {
  return Prepare(Variant::kWeightNz, operands, call);
}

}  // namespace anyacl::grouped_matmul
