// SPDX-License-Identifier: Apache-2.0
// Rows that are multiplied by the two factors of an adapter each and added to others:
//   y[i, columns] += ((x[i] @ weightA[indices[i]].T) @ weightB[indices[i]].T) * scale
// Rows of one adapter are brought together, so that each factor is one product of a group. FLOAT16
// is what a device has between all steps.
#include <algorithm>
#include <vector>

#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/matmul/elements.h"
#include "ops/matmul/grouped.h"
#include "ops/matmul/operators.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

constexpr int64_t kLoraGrain = 16384;  // elements: 2 us or more

struct LoraParams {
  TensorView y, x, first, second, indices, out;  // factors of the layer: [W, R, H1] and [W, H2, R]
  double scale = 1;
  int64_t column = 0;  // of y, the first that is added to

  int64_t rows() const { return x.sizes[0]; }
  int64_t adapters() const { return second.sizes[0]; }
  int64_t rank() const { return second.sizes[2]; }
};

// A contiguous matrix at this place of the bindings.
TensorView MatrixAt(size_t slot, int64_t rows, int64_t columns) {
  return {.slot = static_cast<int>(slot),
          .dtype = ACL_FLOAT16,
          .rank = 2,
          .sizes = {rows, columns},
          .strides = {columns, 1}};
}

// Of all rows, those of one adapter behind each other: y = x @ weight.T.
GroupedParams ProductsOf(const LoraParams& p, const TensorView& x, const TensorView& weight,
                         const TensorView& y, size_t counts) {
  GroupedParams g;
  g.axis = Axis::kRows;
  g.groups = static_cast<size_t>(p.adapters());
  g.size = p.rows();
  g.x.views = {x};
  g.weight.views = {Permuted(weight, std::array<int64_t, 3>{0, 2, 1})};
  g.weight.stacked = true;
  g.panels.resize(1);
  g.y.views = {y};
  g.listing = Listing::kSizes;
  g.list = {.slot = static_cast<int>(counts),
            .dtype = ACL_INT64,
            .rank = 1,
            .sizes = {p.adapters()},
            .strides = {1}};
  return g;
}

class AddLoraPlan final : public BookedPlan {
 public:
  // Pieces of the workspace stand behind the call's `slots` tensors.
  AddLoraPlan(const LoraParams& params, size_t slots) : p_(params) {
    const size_t counts = slots, sorted = slots + 1, between = slots + 2, products = slots + 3;
    const int64_t rows = p_.rows(), depth = p_.x.sizes[1];
    const TensorView x = MatrixAt(sorted, rows, depth);
    const TensorView z1 = MatrixAt(between, rows, p_.rank());
    const TensorView z2 = MatrixAt(products, rows, p_.second.sizes[1]);
    if (p_.first.given()) first_ = MakeGroupedPlan(ProductsOf(p_, x, p_.first, z1, counts));
    second_ = MakeGroupedPlan(ProductsOf(p_, first_ ? z1 : x, p_.second, z2, counts));
    counts_ = book_.Book<int64_t>(static_cast<size_t>(p_.adapters()));
    begins_ = book_.Book<int64_t>(static_cast<size_t>(p_.adapters()));
    places_ = book_.Book<int64_t>(static_cast<size_t>(rows));
    sorted_ = book_.Book<uint16_t>(static_cast<size_t>(x.elements()));
    if (first_) between_ = book_.Book<uint16_t>(static_cast<size_t>(z1.elements()));
    products_ = book_.Book<uint16_t>(static_cast<size_t>(z2.elements()));
    const uint64_t bytes =
        std::max(first_ ? first_->workspace_size() : 0, second_->workspace_size());
    scratch_ = book_.Book<char>(bytes);
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    if (Status s = SortRows(bindings); !s.ok()) return s;
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    data.push_back(reinterpret_cast<char*>(counts_.In(bindings)));
    data.push_back(reinterpret_cast<char*>(sorted_.In(bindings)));
    data.push_back(first_ ? reinterpret_cast<char*>(between_.In(bindings)) : nullptr);
    data.push_back(reinterpret_cast<char*>(products_.In(bindings)));
    const Bindings inner = {data, scratch_.In(bindings)};
    if (first_) {
      if (Status s = first_->Run(inner, stop); !s.ok()) return s;
    }
    if (Status s = second_->Run(inner, stop); !s.ok()) return s;
    const int64_t columns = p_.y.sizes[1];
    ParallelFor(p_.rows(), std::max<int64_t>(1, kLoraGrain / columns),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) AddRow(bindings, row);
                });
    return {};
  }

 private:
  int64_t AdapterOf(const Bindings& bindings, int64_t row) const {
    return LoadElement<int32_t>(p_.indices.Address(bindings) + row * p_.indices.strides[0] * 4);
  }

  // Counts the adapters' rows and copies them to their places, -1 for rows without an adapter.
  Status SortRows(const Bindings& bindings) const {
    const int64_t adapters = p_.adapters();
    int64_t* const counts = counts_.In(bindings);
    int64_t* const places = places_.In(bindings);
    std::fill_n(counts, adapters, 0);
    for (int64_t row = 0; row < p_.rows(); ++row) {
      const int64_t adapter = AdapterOf(bindings, row);
      if (adapter < -1 || adapter > adapters) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "indices[{}] = {}, expected -1 to {}", row,
                    adapter, adapters);
      }
      const bool none = adapter == -1 || adapter == adapters;
      places[row] = none ? -1 : counts[adapter]++;  // among its adapter's
    }
    int64_t* const begins = begins_.In(bindings);
    for (int64_t i = 0; i < adapters; ++i) {
      begins[i] = i == 0 ? 0 : begins[i - 1] + counts[i - 1];
    }
    for (int64_t row = 0; row < p_.rows(); ++row) {
      if (places[row] >= 0) places[row] += begins[AdapterOf(bindings, row)];
    }
    const int64_t depth = p_.x.sizes[1];
    ParallelFor(p_.rows(), std::max<int64_t>(1, kLoraGrain / depth),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    if (places[row] < 0) continue;
                    const char* const from = p_.x.Address(bindings) + row * p_.x.strides[0] * 2;
                    uint16_t* const to = sorted_.In(bindings) + places[row] * depth;
                    for (int64_t k = 0; k < depth; ++k) {
                      to[k] = LoadElement<uint16_t>(from + k * p_.x.strides[1] * 2);
                    }
                  }
                });
    return {};
  }

  // The columns that are added to, of y and out; out has the others, too.
  void AddRow(const Bindings& bindings, int64_t row) const {
    constexpr int64_t kBlock = 1024;
    alignas(64) float numbers[kBlock], products[kBlock];
    uint16_t rounded[kBlock];
    const int64_t place = places_.In(bindings)[row];
    const int64_t begin = p_.column, end = p_.column + p_.second.sizes[1];
    const auto address = [&](const TensorView& view, int64_t column) {
      return view.Address(bindings) + (row * view.strides[0] + column * view.strides[1]) * 2;
    };
    const auto copy = [&](int64_t first, int64_t last) {
      for (int64_t n = first; n < last; ++n) {
        StoreElement(address(p_.out, n), LoadElement<uint16_t>(address(p_.y, n)));
      }
    };
    copy(0, place < 0 ? p_.y.sizes[1] : begin);
    if (place < 0) return;
    const auto* const sums =
        reinterpret_cast<const char*>(products_.In(bindings) + place * p_.second.sizes[1]);
    for (int64_t n = begin; n < end; n += kBlock) {
      const int64_t count = std::min(kBlock, end - n);
      blocks::LoadRow(ACL_FLOAT16, sums + (n - begin) * 2, 1, count, products);
      const auto scale = static_cast<float>(p_.scale);
      for (int64_t i = 0; i < count; ++i) products[i] *= scale;
      blocks::StoreRow(products, count, ACL_FLOAT16, reinterpret_cast<char*>(rounded), 1);
      blocks::LoadRow(ACL_FLOAT16, reinterpret_cast<const char*>(rounded), 1, count, products);
      blocks::LoadRow(ACL_FLOAT16, address(p_.y, n), p_.y.strides[1], count, numbers);
      for (int64_t i = 0; i < count; ++i) numbers[i] += products[i];
      blocks::StoreRow(numbers, count, ACL_FLOAT16, address(p_.y, n), p_.y.strides[1]);
      blocks::StoreRow(numbers, count, ACL_FLOAT16, address(p_.out, n), p_.out.strides[1]);
    }
    copy(end, p_.y.sizes[1]);
  }

  const LoraParams p_;
  std::shared_ptr<const Plan> first_, second_;
  WorkspaceSlot<int64_t> counts_, begins_, places_;
  WorkspaceSlot<uint16_t> sorted_, between_, products_;
  WorkspaceSlot<char> scratch_;
};

Status CheckLoraSizes(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  if (Status s = CheckElements(operands, {kSummand, kLeft, kRight, kFirstWeight}); !s.ok())
    return s;
  const int64_t depth = operands[kLeft].shape()[1];
  if (!operands.Given(kFirstWeight) && depth != operands.Size("R")) {
    return Fail(code, "x.shape[1] = {}, expected {} as weightB and no weightAOptional", depth,
                operands.Size("R"));
  }
  // What stands between both products is no tensor of the call.
  constexpr int64_t kMostBetween = int64_t{1} << 48;
  const int64_t rows = operands[kLeft].shape()[0], rank = operands.Size("R");
  if (ElementCount({rows, rank}).value_or(INT64_MAX) > kMostBetween) {
    return Fail(code, "x.shape[0] = {} and weightB.shape[3] = {}, expected at most {} as a product",
                rows, rank, kMostBetween);
  }
  if (operands.Int(kLayer) >= operands.Size("L")) {
    return Fail(code, "layerIdx = {}, expected 0 to {}: weightB.shape = {}", operands.Int(kLayer),
                operands.Size("L") - 1, operands[kRight].shape().ToString());
  }
  const int64_t columns = operands.Size("H2"), all = operands.Size("H3");
  if (columns > all) {
    return Fail(code, "weightB.shape[2] = {}, expected at most y.shape[1] = {}", columns, all);
  }
  if (operands.Int(kColumns) != columns) {
    return Fail(code, "ySliceSize = {}, expected weightB.shape[2] = {}", operands.Int(kColumns),
                columns);
  }
  if (operands.Int(kFirstColumn) > all - columns) {
    return Fail(code, "yOffset = {}, expected 0 to {}: {} of the {} columns of y",
                operands.Int(kFirstColumn), all - columns, columns, all);
  }
  return {};
}

// Of a layer.
TensorView LayerOf(const TensorView& weight, int64_t layer) {
  return weight.given() ? WithoutDim(Sliced(weight, 1, layer, 1), 1) : weight;
}

}  // namespace

Status PrepareAddLora(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckLoraSizes(operands); !s.ok()) return s;
  const int64_t layer = operands.Int(kLayer);
  const LoraParams p = {ViewOf(operands, kSummand),
                        ViewOf(operands, kLeft),
                        LayerOf(ViewOf(operands, kFirstWeight), layer),
                        LayerOf(ViewOf(operands, kRight), layer),
                        ViewOf(operands, kIndices),
                        ViewOf(operands, kOut),
                        operands.Real(kFactor),
                        operands.Int(kFirstColumn)};
  call->plan = std::make_shared<AddLoraPlan>(p, operands.Slots().size());
  return {};
}

}  // namespace anyacl::matmul
