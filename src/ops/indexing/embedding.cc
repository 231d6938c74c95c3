// SPDX-License-Identifier: Apache-2.0
// OneHot, EmbeddingRenorm.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "nnop/copy_runs.h"
#include "ops/blocks/blocks.h"
#include "ops/indexing/nonzero.h"
#include "ops/indexing/plan.h"
#include "runtime/cache_share.h"

namespace anyacl::indexing {
namespace {

int64_t LoadInteger(const char* at, aclDataType dtype) {
  return dtype == ACL_INT64   ? LoadElement<int64_t>(at)
         : dtype == ACL_INT32 ? LoadElement<int32_t>(at)
                              : LoadElement<uint8_t>(at);
}

class OneHotPlan final : public Plan {
 public:
  // The classes are dimension `axis` of out.
  OneHotPlan(const TensorView& self, const TensorView& on, const TensorView& off,
             const TensorView& out, int axis)
      : self_(self),
        on_(on),
        off_(off),
        out_(WithoutDim(out, axis)),
        classes_(out.sizes[axis]),
        step_(out.strides[axis]) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    WithBytes(BytesOf(out_), [&]<class T>(T) { RunOf<T>(bindings); });
    return {};
  }

 private:
  template <class T>
  void RunOf(const Bindings& bindings) const {
    constexpr int64_t kSize = sizeof(T);
    const char* const self = self_.Address(bindings);
    char* const out = out_.Address(bindings);
    const T on = LoadElement<T>(on_.Address(bindings));
    const T off = LoadElement<T>(off_.Address(bindings));
    const int64_t grain = std::max<int64_t>(1, 16384 / classes_);
    const int64_t bytes = self_.elements() * classes_ * kSize;
    const bool past_caches = step_ == 1 && bytes > LastCacheShare() / 4 * 3;
    const auto row = [&](int64_t i) { return out + out_.OffsetOf(i) * kSize; };
    ParallelFor(self_.elements(), grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (step_ == 1) {
          RepeatElement(row(i), off, classes_, past_caches);
        } else {
          for (int64_t c = 0; c < classes_; ++c) StoreElement(row(i) + c * step_ * kSize, off);
        }
      }
      // When all rows are on their way past the caches, so as not to wait for each.
      if (past_caches) FencePastCaches();
      for (int64_t i = begin; i < end; ++i) {
        const int64_t at = self_.OffsetOf(i) * BytesOf(self_);
        const int64_t value = LoadInteger(self + at, self_.dtype);
        if (value >= 0 && value < classes_) StoreElement(row(i) + value * step_ * kSize, on);
      }
    });
  }

  const TensorView self_, on_, off_, out_;
  const int64_t classes_, step_;
};

// Rows of self whose norm is larger are scaled to maxNorm, each once.
class RenormPlan final : public BookedPlan {
 public:
  RenormPlan(const TensorView& self, const TensorView& index, double max_norm, double power,
             Names names)
      : self_(self), index_(index), max_norm_(max_norm), power_(power), names_(names) {
    rows_ = book_.Book<int64_t>(static_cast<size_t>(index_.elements()));
    numbers_ = book_.Book<float>(static_cast<size_t>(ThreadCount() * blocks::kBlock));
    load_ = blocks::Loader(Element::kFp32, self.dtype);
    store_ = blocks::Storer(Element::kFp32, self.dtype);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const rows = rows_.In(bindings);
    const int64_t count = index_.elements();
    const char* const index = index_.Address(bindings);
    for (int64_t i = 0; i < count; ++i) {
      rows[i] = LoadInteger(index + index_.OffsetOf(i) * BytesOf(index_), index_.dtype);
      if (rows[i] >= 0 && rows[i] < self_.sizes[0]) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}: element {} is {}, expected 0 to {}",
                  names_.index, i, rows[i], self_.sizes[0] - 1);
    }
    std::sort(rows, rows + count);
    const int64_t unique = std::unique(rows, rows + count) - rows;
    ParallelFor(unique, std::max<int64_t>(1, 4096 / std::max<int64_t>(self_.sizes[1], 1)),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * blocks::kBlock;
                  for (int64_t i = begin; i < end; ++i) Scale(bindings, rows[i], numbers);
                });
    return {};
  }

 private:
  blocks::Tile TileOf(const Bindings& bindings, int64_t row, int64_t first, int64_t count) const {
    char* const data = self_.Address(bindings) +
                       (row * self_.strides[0] + first * self_.strides[1]) * BytesOf(self_);
    return {data, 1, count, 0, self_.strides[1], false};
  }
  template <class Body>
  void ForBlocks(const Body& body) const {
    for (int64_t at = 0; at < self_.sizes[1]; at += blocks::kBlock) {
      body(at, std::min(blocks::kBlock, self_.sizes[1] - at));
    }
  }
  void Scale(const Bindings& bindings, int64_t row, float* numbers) const {
    double sum = 0;
    ForBlocks([&](int64_t first, int64_t n) {
      load_(TileOf(bindings, row, first, n), numbers);
      for (int64_t i = 0; i < n; ++i) {
        const double x = std::fabs(static_cast<double>(numbers[i]));
        if (std::isinf(power_)) {
          sum = x > sum || std::isnan(x) ? x : sum;
        } else if (power_ == 2) {
          sum += x * x;
        } else if (power_ == 1) {
          sum += x;
        } else if (power_ == 0) {
          sum += x != 0;
        } else {
          sum += std::pow(x, power_);
        }
      }
    });
    const bool direct = std::isinf(power_) || power_ == 0 || power_ == 1;
    const double norm = direct ? sum : power_ == 2 ? std::sqrt(sum) : std::pow(sum, 1 / power_);
    if (!(norm > max_norm_)) return;
    const auto factor = static_cast<float>(max_norm_ / (norm + 1e-7));
    ForBlocks([&](int64_t first, int64_t n) {
      load_(TileOf(bindings, row, first, n), numbers);
      for (int64_t i = 0; i < n; ++i) numbers[i] *= factor;
      store_(numbers, TileOf(bindings, row, first, n));
    });
  }

  const TensorView self_, index_;
  const double max_norm_, power_;
  const Names names_;
  WorkspaceSlot<int64_t> rows_;
  WorkspaceSlot<float> numbers_;
  blocks::LoadFunction load_;
  blocks::StoreFunction store_;
};

}  // namespace

Status PrepareOneHot(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& self = operands[kSelf].shape();
  const int64_t classes = operands.Int(kClasses);
  const CheckCodes& codes = operands.spec().codes;
  if (operands[kSelf].IsEmpty() && classes == 0) {
    return Fail(codes.shape, "numClasses = 0, expected a positive number: self has no elements");
  }
  const int64_t rank = static_cast<int64_t>(self.rank());
  const int64_t axis = operands.Int(kAxis);
  if (axis < -1 || axis > rank) {
    return Fail(codes.shape, "axis = {}, expected -1 to {}: self.shape = {}", axis, rank,
                self.ToString());
  }
  const int64_t at = axis < 0 ? rank : axis;
  if (rank >= TensorView::kMaxRank) {
    return Fail(codes.shape, "self.shape = {} has rank {}, expected at most 7", self.ToString(),
                rank);
  }
  Dims expected;
  for (int64_t i = 0; i <= rank; ++i) {
    expected.push_back(i == at ? classes : self[static_cast<size_t>(i < at ? i : i - 1)]);
  }
  if (Status s = CheckShapeIs(operands, kOut, expected); !s.ok()) return s;
  for (int id : {kOnValue, kOffValue}) {
    if (!operands[id].IsEmpty()) continue;
    return Fail(codes.shape, "{}.shape = {} has no elements, expected one", operands.NameOf(id),
                operands[id].shape().ToString());
  }
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<OneHotPlan>(ViewOf(operands, kSelf), ViewOf(operands, kOnValue),
                                            ViewOf(operands, kOffValue), ViewOf(operands, kOut),
                                            static_cast<int>(at));
  return {};
}

Status PrepareEmbeddingRenorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView index = ViewOf(operands, kIndices);
  if (Status s = CheckTableSize(operands, index.elements()); !s.ok()) return s;
  const double max_norm = operands.Real(kMaxNorm);
  const double power = operands.Real(kNormType);
  if (max_norm < 0 || std::isnan(max_norm) || power < 0 || std::isnan(power)) {
    return Fail(operands.spec().codes.shape,
                "maxNorm = {}, normType = {}, expected neither below 0", max_norm, power);
  }
  if (index.elements() == 0) return {};
  call->plan =
      std::make_shared<RenormPlan>(ViewOf(operands, kSelf), index, max_norm, power,
                                   Names{operands.NameOf(kIndices), operands.NameOf(kSelf)});
  return {};
}

}  // namespace anyacl::indexing
