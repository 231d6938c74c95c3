// SPDX-License-Identifier: Apache-2.0
// Makes a list of products of the group list; its epilogue finishes a row.
#include <algorithm>
#include <cstring>

#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/grouped_matmul/op.h"
#include "runtime/parallel.h"

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
    if (p_.int4_x) x_ = book_.Book<int8_t>(static_cast<size_t>(p_.list.rows * Depth()));
    if (p_.smooth_scale.given()) {
      smooth_ = book_.Book<float>(static_cast<size_t>(MostProducts() * Half()));
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    gemm::Product* const products = products_.In(bindings);
    const int64_t count = ReadGroups(bindings, products);
    gemm::ListAddresses at;
    if (p_.int4_x) {
      at.a = x_.In(bindings);
      if (count != 0) UnpackX(bindings, products[count - 1].row + products[count - 1].rows);
    } else {
      at.a = At<int8_t>(p_.x, bindings);
    }
    if (p_.smooth_scale.given()) CopySmoothScales(bindings, products, count);
    const float* const smooth = p_.smooth_scale.given() ? smooth_.In(bindings) : nullptr;
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
                                     .half = Half(),
                                     .q = q + row * p_.q.strides[0],
                                     .q_step = p_.q.strides[1],
                                     .scale = q_scale + row * p_.q_scale.strides[0],
                                     .smooth = SmoothOf(smooth, products, count, row)});
              });
    return {};
  }

 private:
  int64_t MostProducts() const { return std::min(p_.list.products, p_.list.rows); }

  int64_t Half() const { return p_.list.columns / 2; }
  int64_t Depth() const { return p_.list.depth.groups * p_.list.depth.size; }

  // x + 8 as bytes: what the products take off INT8 again.
  void UnpackX(const Bindings& bindings, int64_t rows) const {
    const int64_t words = Depth() / 8;
    const bool packed = p_.x.dtype == ACL_INT32;
    const char* const from = p_.x.Address(bindings);
    int8_t* const to = x_.In(bindings);
    // 64 KiB take about 8 us.
    ParallelFor(rows, std::max<int64_t>(1, 65536 / (Depth() + 1)), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        int8_t* const out = to + row * Depth();
        if (!packed) {  // contiguous, though rows may begin within a byte
          for (int64_t k = 0; k < Depth(); ++k) {
            const int64_t at = row * Depth() + k;
            out[k] = FromNibble(static_cast<uint8_t>(from[at / 2]) >> (at % 2 * 4));
          }
          continue;
        }
        for (int64_t w = 0; w < words; ++w) {
          uint32_t word = 0;
          std::memcpy(&word, from + (row * p_.x.strides[0] + w * p_.x.strides[1]) * 4, 4);
          for (int i = 0; i < 8; ++i) out[8 * w + i] = FromNibble(word >> (4 * i));
        }
      }
    });
  }
  // Of the lower four bits, two's complement: the number plus 8.
  static int8_t FromNibble(uint32_t bits) { return static_cast<int8_t>((bits & 15) ^ 8); }

  // One row for each product: the kernel reads them densely.
  void CopySmoothScales(const Bindings& bindings, const gemm::Product* products,
                        int64_t count) const {
    const TensorView& view = p_.smooth_scale;
    const auto* const from = At<float>(view, bindings);
    float* const to = smooth_.In(bindings);
    ParallelFor(count, std::max<int64_t>(1, 16384 / (Half() + 1)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const float* const row = from + products[i].matrix * view.strides[0];
        const int64_t step = view.rank == 2 ? view.strides[1] : 0;
        for (int64_t j = 0; j < Half(); ++j) to[i * Half() + j] = row[j * step];
      }
    });
  }
  const float* SmoothOf(const float* smooth, const gemm::Product* products, int64_t count,
                        int64_t row) const {
    if (smooth == nullptr) return nullptr;
    const auto* const next =
        std::upper_bound(products, products + count, row,
                         [](int64_t r, const gemm::Product& p) { return r < p.row; });
    return smooth + (next - products - 1) * Half();
  }

  // The values are the client's and may be anything: bounds that decrease or leave x are moved, and
  // so are the sums of counts.
  int64_t ReadGroups(const Bindings& bindings, gemm::Product* products) const {
    const auto* const list = At<int64_t>(p_.group_list, bindings);
    const auto given = [&](int64_t i) { return list[i * p_.group_list.strides[0]]; };
    const int64_t experts = p_.list.products, rows = p_.list.rows;
    const int64_t valid = p_.counts ? rows : std::clamp<int64_t>(given(experts - 1), 0, rows);
    int64_t count = 0;
    int64_t row = 0;
    bool moved = false;
    for (int64_t expert = 0; expert < experts; ++expert) {
      const int64_t value = given(expert);
      const int64_t end = p_.counts ? row + std::clamp<int64_t>(value, 0, rows - row)
                                    : std::min(std::max(value, row), valid);
      moved |= value != (p_.counts ? end - row : end);
      if (end > row) products[count++] = {expert, row, end - row};
      row = end;
    }
    if (moved) {
      Warn("groupList has {}; the others decide",
           p_.counts ? Format("counts below 0 or of more than the {} rows of x", rows)
                     : Format("bounds that decrease or are not within 0 to {}", rows));
    }
    return count;
  }

  const Params p_;
  const KernelSet& kernels_;
  const gemm::ListPlan list_;
  WorkspaceSlot<gemm::Product> products_;
  WorkspaceSlot<char> workspace_;
  WorkspaceSlot<int8_t> x_;
  WorkspaceSlot<float> smooth_;
};

Status Prepare(const Variant& variant, Operands& operands, PreparedCall* call) {
  Params params;
  if (Status s = Check(variant, operands, &params); !s.ok()) return s;
  if (!params.empty) call->plan = std::make_shared<GroupedMatmulPlan>(params);
  return {};
}

}  // namespace

Status PreparePlain(Operands& operands, PreparedCall* call) { return Prepare({}, operands, call); }

Status PrepareWeightNz(Operands& operands, PreparedCall* call) {
  return Prepare({.weight_nz = true}, operands, call);
}

Status PrepareLists(Operands& operands, PreparedCall* call) {
  return Prepare({.lists = true}, operands, call);
}

Status PrepareListsNz(Operands& operands, PreparedCall* call) {
  return Prepare({.weight_nz = true, .lists = true}, operands, call);
}

}  // namespace anyacl::grouped_matmul
