// SPDX-License-Identifier: Apache-2.0
// EmbeddingBag: rows of weight summed, averaged or compared in bags.
#include <algorithm>

#include "nnop/copy_runs.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/indexing/plan.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

enum class Mode { kSum, kMean, kLargest };

// Rows lie anywhere: those of so many positions on are asked for. 2048 bags of 20 rows of 128 fp32
// among 20,000 take a quarter less time.
constexpr int64_t kPositionsAhead = 8;
constexpr int64_t kRowsAtOnce = 64;

// Integers of one dimension, or of two, as many as there are.
class Integers {
 public:
  Integers(const TensorView& view, const Bindings& bindings)
      : wide_(view.dtype == ACL_INT64), count_(view.elements()) {
    if (count_ == 0) return;
    data_ = view.Address(bindings);
    step_ = view.strides[0] * BytesOf(view);
    second_ = view.rank > 1 ? view.strides[1] * BytesOf(view) : 0;
  }
  int64_t count() const { return count_; }
  int64_t operator[](int64_t i) const {
    const char* const at = data_ + i * step_;
    return wide_ ? LoadElement<int64_t>(at) : LoadElement<int32_t>(at);
  }
  void Set(int64_t i, int64_t value) const { Set(i, 0, value); }
  void Set(int64_t i, int64_t k, int64_t value) const {
    char* const at = data_ + i * step_ + k * second_;
    wide_ ? StoreElement(at, value) : StoreElement(at, static_cast<int32_t>(value));
  }

 private:
  bool wide_;
  int64_t count_;
  char* data_ = nullptr;
  int64_t step_ = 0, second_ = 0;
};

struct BagProblem {
  TensorView weight, indices, offsets, sample_weights, output, offset2bag, bag_size, max_indices;
  Mode mode = Mode::kSum;
  int64_t bags = 0;
  int64_t padding = -1;
  bool include_last = false;
};

// One run: where everything lies.
class Bags {
 public:
  Bags(const BagProblem& problem, const Bindings& bindings)
      : x_(problem),
        weight_(x_.weight.Address(bindings)),
        bytes_(BytesOf(x_.weight)),
        row_bytes_(x_.weight.strides[0] * bytes_),
        column_bytes_(x_.weight.strides[1] * bytes_),
        output_(x_.output.Address(bindings)),
        factors_(x_.sample_weights.given() ? x_.sample_weights.Address(bindings) : nullptr),
        indices_(x_.indices, bindings),
        offsets_(x_.offsets, bindings),
        bag_of_(x_.offset2bag, bindings),
        sizes_(x_.bag_size, bindings),
        largest_(x_.max_indices, bindings) {}

  Status CheckValues() const {
    int64_t last = 0;
    for (int64_t i = 0; i < offsets_.count(); ++i) {
      const int64_t offset = offsets_[i];
      const int64_t most = i == 0 ? 0 : indices_.count();
      if (offset < last || offset > most) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "offsets[{}] = {}, expected {} to {}", i, offset,
                    last, most);
      }
      last = offset;
    }
    const int64_t rows = x_.weight.sizes[0];
    for (int64_t i = 0; i < indices_.count(); ++i) {
      const int64_t row = indices_[i];
      if (row >= 0 && row < rows) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "indices[{}] = {}, expected 0 to {}: weight.shape[0] = {}", i, row, rows - 1,
                  rows);
    }
    return {};
  }

  // `scratch`: two blocks of numbers.
  void Run(int64_t bag, float* scratch) const {
    const int64_t begin = Begin(bag), end = Begin(bag + 1);
    int64_t members = 0;
    for (int64_t i = begin; i < end; ++i) {
      if (bag_of_.count() > 0) bag_of_.Set(i, bag);
      members += indices_[i] != x_.padding;
    }
    if (sizes_.count() > bag) sizes_.Set(bag, members);
    if (x_.mode != Mode::kLargest && largest_.count() > bag) largest_.Set(bag, members);
    const int64_t width = x_.weight.sizes[1];
    for (int64_t at = 0; at < width; at += blocks::kBlock) {
      const Columns columns{at, std::min(blocks::kBlock, width - at)};
      std::fill_n(scratch, columns.count, 0.0f);
      if (x_.mode == Mode::kLargest) {
        Compare(bag, begin, end, columns, scratch);
      } else {
        Sum(begin, end, columns, scratch);
      }
      if (x_.mode == Mode::kMean && members > 0) {
        blocks::Rows(columns.count)(elementwise::Op::kDivScalar, scratch, scratch, nullptr, nullptr,
                                    static_cast<float>(members));
      }
      blocks::StoreRow(scratch, columns.count, x_.output.dtype,
                       AddressIn(x_.output, output_, bag, columns.first), x_.output.strides[1]);
    }
  }

 private:
  struct Columns {
    int64_t first, count;
  };

  static char* AddressIn(const TensorView& view, char* data, int64_t row, int64_t column) {
    return data + (row * view.strides[0] + column * view.strides[1]) * BytesOf(view);
  }
  int64_t Begin(int64_t bag) const {
    return bag < offsets_.count() ? offsets_[bag] : indices_.count();
  }

  // The row of position i where it lies; asks for the one of a later position.
  const char* Row(int64_t i, Columns columns) const {
    const char* const first = weight_ + columns.first * column_bytes_;
    if (column_bytes_ == bytes_ && i + kPositionsAhead < indices_.count()) {
      AskForRun(first + indices_[i + kPositionsAhead] * row_bytes_, columns.count * bytes_);
    }
    return first + indices_[i] * row_bytes_;
  }
  // Its numbers: where they lie, or in `numbers`.
  const float* Read(int64_t i, Columns columns, float* numbers) const {
    const char* const row = Row(i, columns);
    if (x_.weight.strides[1] == 1 && x_.weight.dtype == ACL_FLOAT) {
      return reinterpret_cast<const float*>(row);
    }
    blocks::LoadRow(x_.weight.dtype, row, x_.weight.strides[1], columns.count, numbers);
    return numbers;
  }

  // Some rows at once where they lie, or else one that is brought into numbers before.
  void Sum(int64_t begin, int64_t end, Columns columns, float* sums) const {
    const bool dense = x_.weight.strides[1] == 1;
    const char* rows[kRowsAtOnce];
    float factors[kRowsAtOnce];
    AddRowsArgs args = {.rows = rows,
                        .factors = factors_ == nullptr ? nullptr : factors,
                        .count = 0,
                        .type = dense ? ElementOf(x_.weight.dtype) : Element::kFp32,
                        .columns = columns.count,
                        .sums = sums};
    const auto add = [&] {
      Kernels().indexing.add_rows(args);
      args.count = 0;
    };
    for (int64_t i = begin; i < end; ++i) {
      const TensorView& view = x_.sample_weights;
      if (indices_[i] == x_.padding) continue;
      if (factors_ != nullptr) {
        const char* const factor = factors_ + i * view.strides[0] * BytesOf(view);
        factors[args.count] = blocks::LoadOne<float>(view.dtype, factor);
      }
      rows[args.count++] =
          dense ? Row(i, columns)
                : reinterpret_cast<const char*>(Read(i, columns, sums + blocks::kBlock));
      if (!dense || args.count == kRowsAtOnce) add();
    }
    if (args.count > 0) add();
  }

  void Compare(int64_t bag, int64_t begin, int64_t end, Columns columns, float* result) const {
    for (int64_t c = 0; c < columns.count; ++c) largest_.Set(bag, columns.first + c, 0);
    bool first = true;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t source = indices_[i];
      if (source == x_.padding) continue;
      const float* const row = Read(i, columns, result + blocks::kBlock);
      for (int64_t c = 0; c < columns.count; ++c) {
        if (!first && !(row[c] > result[c])) continue;
        result[c] = row[c];
        largest_.Set(bag, columns.first + c, source);
      }
      first = false;
    }
  }

  const BagProblem& x_;
  const char* const weight_;
  const int64_t bytes_, row_bytes_, column_bytes_;  // of weight
  char *const output_, *const factors_;
  Integers indices_, offsets_, bag_of_, sizes_, largest_;
};

class BagPlan final : public BookedPlan {
 public:
  explicit BagPlan(const BagProblem& problem) : x_(problem) {
    scratch_ = book_.Book<float>(static_cast<size_t>(ThreadCount() * 2 * blocks::kBlock));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Bags bags(x_, bindings);
    if (Status s = bags.CheckValues(); !s.ok()) return s;
    const int64_t grain = std::max<int64_t>(1, 1024 / std::max<int64_t>(x_.weight.sizes[1], 1));
    ParallelFor(x_.bags, grain, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const scratch = scratch_.In(bindings) + slot * 2 * blocks::kBlock;
      for (int64_t bag = begin; bag < end; ++bag) bags.Run(bag, scratch);
    });
    return {};
  }

 private:
  const BagProblem x_;
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
