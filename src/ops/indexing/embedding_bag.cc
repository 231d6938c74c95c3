// SPDX-License-Identifier: Apache-2.0
// EmbeddingBag: rows of weight summed, averaged or compared in bags.
#include <algorithm>

#include "nnop/copy_runs.h"
#include "ops/blocks/blocks.h"
#include "ops/indexing/plan.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

enum class Mode { kSum, kMean, kLargest };

// Integers of one dimension, or of two.
class Integers {
 public:
  explicit Integers(const TensorView& view) : view_(view) {}
  int64_t Get(const Bindings& bindings, int64_t i) const {
    const char* const at = view_.Address(bindings) + i * view_.strides[0] * BytesOf(view_);
    return view_.dtype == ACL_INT64 ? LoadElement<int64_t>(at) : LoadElement<int32_t>(at);
  }
  void Set(const Bindings& bindings, int64_t i, int64_t k, int64_t value) const {
    const int64_t second = view_.rank > 1 ? k * view_.strides[1] : 0;
    char* const at = view_.Address(bindings) + (i * view_.strides[0] + second) * BytesOf(view_);
    if (view_.dtype == ACL_INT64) {
      StoreElement(at, value);
    } else {
      StoreElement(at, static_cast<int32_t>(value));
    }
  }

 private:
  TensorView view_;
};

struct BagProblem {
  TensorView weight, indices, offsets, sample_weights, output, offset2bag, bag_size, max_indices;
  Mode mode = Mode::kSum;
  int64_t bags = 0;
  int64_t padding = -1;
  bool include_last = false;
};

class BagPlan final : public BookedPlan {
 public:
  explicit BagPlan(const BagProblem& problem) : x_(problem) {
    width_ = x_.weight.sizes[1];
    const auto element = x_.weight.dtype;
    load_ = blocks::Loader(Element::kFp32, element);
    store_ = blocks::Storer(Element::kFp32, element);
    scratch_ = book_.Book<float>(static_cast<size_t>(ThreadCount() * 2 * blocks::kBlock));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = CheckValues(bindings); !s.ok()) return s;
    const int64_t grain = std::max<int64_t>(1, 1024 / std::max<int64_t>(width_, 1));
    ParallelFor(x_.bags, grain, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const scratch = scratch_.In(bindings) + slot * 2 * blocks::kBlock;
      for (int64_t bag = begin; bag < end; ++bag) RunBag(bindings, bag, scratch);
    });
    return {};
  }

 private:
  int64_t count() const { return x_.indices.sizes[0]; }
  int64_t Begin(const Bindings& bindings, int64_t bag) const {
    const bool given = bag < x_.offsets.sizes[0];
    return given ? Integers(x_.offsets).Get(bindings, bag) : count();
  }
  Status CheckValues(const Bindings& bindings) const {
    int64_t last = 0;
    const int64_t offsets = x_.offsets.sizes[0];
    for (int64_t i = 0; i < offsets; ++i) {
      const int64_t offset = Integers(x_.offsets).Get(bindings, i);
      const int64_t most = i == 0 ? 0 : count();
      if (offset < last || offset > most) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "offsets[{}] = {}, expected {} to {}", i, offset,
                    last, most);
      }
      last = offset;
    }
    for (int64_t i = 0; i < count(); ++i) {
      const int64_t row = Integers(x_.indices).Get(bindings, i);
      if (row >= 0 && row < x_.weight.sizes[0]) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "indices[{}] = {}, expected 0 to {}: weight.shape[0] = {}", i, row,
                  x_.weight.sizes[0] - 1, x_.weight.sizes[0]);
    }
    return {};
  }

  blocks::Tile Tile(const TensorView& view, const Bindings& bindings, int64_t row, int64_t first,
                    int64_t n) const {
    char* const data =
        view.Address(bindings) + (row * view.strides[0] + first * view.strides[1]) * BytesOf(view);
    return {data, 1, n, 0, view.strides[1], false};
  }

  void RunBag(const Bindings& bindings, int64_t bag, float* scratch) const {
    const int64_t begin = Begin(bindings, bag);
    const int64_t end = Begin(bindings, bag + 1);
    const Integers indices(x_.indices);
    int64_t members = 0;
    for (int64_t i = begin; i < end; ++i) {
      if (x_.offset2bag.elements() > 0) Integers(x_.offset2bag).Set(bindings, i, 0, bag);
      members += indices.Get(bindings, i) != x_.padding;
    }
    if (x_.bag_size.elements() > bag) Integers(x_.bag_size).Set(bindings, bag, 0, members);
    if (x_.mode != Mode::kLargest && x_.max_indices.elements() > bag) {
      Integers(x_.max_indices).Set(bindings, bag, 0, members);
    }
    float* const result = scratch;
    float* const row = scratch + blocks::kBlock;
    for (int64_t at = 0; at < width_; at += blocks::kBlock) {
      const int64_t n = std::min(blocks::kBlock, width_ - at);
      std::fill_n(result, n, 0.0f);
      if (x_.mode == Mode::kLargest) {
        for (int64_t c = 0; c < n; ++c) Integers(x_.max_indices).Set(bindings, bag, at + c, 0);
      }
      bool first = true;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t source = indices.Get(bindings, i);
        if (source == x_.padding) continue;
        load_(Tile(x_.weight, bindings, source, at, n), row);
        Combine(bindings, bag, i, source, at, n, first, row, result);
        first = false;
      }
      if (x_.mode == Mode::kMean && members > 0) {
        for (int64_t c = 0; c < n; ++c) result[c] /= static_cast<float>(members);
      }
      store_(result, Tile(x_.output, bindings, bag, at, n));
    }
  }

  void Combine(const Bindings& bindings, int64_t bag, int64_t i, int64_t source, int64_t at,
               int64_t n, bool first, const float* row, float* result) const {
    if (x_.mode == Mode::kLargest) {
      for (int64_t c = 0; c < n; ++c) {
        if (!first && !(row[c] > result[c])) continue;
        result[c] = row[c];
        Integers(x_.max_indices).Set(bindings, bag, at + c, source);
      }
      return;
    }
    float factor = 1;
    if (x_.sample_weights.given()) {
      const TensorView& weights = x_.sample_weights;
      load_({weights.Address(bindings) + i * weights.strides[0] * BytesOf(weights), 1, 1, 0, 1,
             false},
            &factor);
    }
    for (int64_t c = 0; c < n; ++c) result[c] += row[c] * factor;
  }

  const BagProblem x_;
  int64_t width_;
  blocks::LoadFunction load_;
  blocks::StoreFunction store_;
  WorkspaceSlot<float> scratch_;
};

Status CheckVector(const Operands& operands, int id, int64_t size) {
  const Dims& shape = operands[id].shape();
  if (shape.rank() == 1 && (size < 0 || shape[0] == size)) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}", operands.NameOf(id),
              shape.ToString(), size < 0 ? "a vector" : Dims{size}.ToString());
}

}  // namespace

Status PrepareEmbeddingBag(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const CheckCodes& codes = operands.spec().codes;
  if (operands.Flag(kScaleByFrequency) || operands.Flag(kSparse)) {
    return Fail(codes.shape, "scaleGradByFreq = {}, sparse = {}, expected false",
                operands.Flag(kScaleByFrequency), operands.Flag(kSparse));
  }
  for (int id : {kIndices, kOffsets}) {
    if (Status s = CheckVector(operands, id, -1); !s.ok()) return s;
  }
  BagProblem x;
  x.weight = ViewOf(operands, kSelf);
  x.indices = ViewOf(operands, kIndices);
  x.offsets = ViewOf(operands, kOffsets);
  x.output = ViewOf(operands, kOut);
  x.offset2bag = ViewOf(operands, kOffset2bag);
  x.bag_size = ViewOf(operands, kBagSize);
  x.max_indices = ViewOf(operands, kMaxIndex);
  x.mode = operands.Int(kMode) == 0   ? Mode::kSum
           : operands.Int(kMode) == 1 ? Mode::kMean
                                      : Mode::kLargest;
  x.include_last = operands.Flag(kIncludeLast);
  x.padding = operands.Int(kPaddingIdx);
  if (x.padding < 0) x.padding = -1;
  x.bags = x.offsets.sizes[0] - (x.include_last ? 1 : 0);
  if (x.bags < 0) {
    return Fail(codes.shape,
                "offsets.shape = [0], expected [1] or more: includeLastOffset is true");
  }
  if (x.output.sizes[0] != x.bags) {
    return Fail(codes.shape, "output.shape = {}, expected {} rows, one for each bag",
                ShapeOf(x.output).ToString(), x.bags);
  }
  if (operands.Given(kSampleWeights)) {
    if (x.mode != Mode::kSum) {
      return Fail(codes.shape, "perSampleWeights is given, expected null: mode = {}",
                  operands.Int(kMode));
    }
    if (Status s = CheckVector(operands, kSampleWeights, x.indices.sizes[0]); !s.ok()) return s;
    x.sample_weights = ViewOf(operands, kSampleWeights);
  }
  // Sizes differ between products: one more bag, or nothing.
  const auto check = [&](int id, int64_t size) -> Status {
    const TensorView view = ViewOf(operands, id);
    if (view.elements() == 0) return {};
    if (view.rank == 1 && (view.sizes[0] == size || view.sizes[0] == x.offsets.sizes[0])) return {};
    return CheckVector(operands, id, size);
  };
  if (x.offset2bag.elements() > 0) {
    if (Status s = CheckVector(operands, kOffset2bag, x.indices.sizes[0]); !s.ok()) return s;
  }
  if (Status s = check(kBagSize, x.bags); !s.ok()) return s;
  if (x.mode == Mode::kLargest) {
    const Dims expected{x.bags, x.weight.sizes[1]};
    if (Status s = CheckShapeIs(operands, kMaxIndex, expected); !s.ok()) return s;
  } else if (Status s = check(kMaxIndex, x.bags); !s.ok()) {
    return s;
  }
  if (x.bags > 0) call->plan = std::make_shared<BagPlan>(x);
  return {};
}

}  // namespace anyacl::indexing
