// SPDX-License-Identifier: Apache-2.0
// Rows are scanned some at a time where their elements are next to one another, else 64 side by
// side. Few long rows of sums are cut: the sums of pieces first, then every piece from where it
// starts. What is cut follows from the shape alone.
#include "ops/cumulative/scan.h"

#include <algorithm>
#include <array>

#include "base/division.h"
#include "kernels.h"
#include "nnop/promotion.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/cumulative/kernel.h"
#include "runtime/parallel.h"

namespace anyacl::cumulative {
namespace {

using blocks::kBlock;

constexpr int64_t kLanes = 64;
constexpr int64_t kPiece = 32 * kBlock;  // of a row that is cut
constexpr int64_t kLong = 8 * kPiece;
constexpr int64_t kFew = 8;
constexpr int64_t kTogether = 4;  // rows, or pieces of a row, where no kernel takes kStrands

bool IsHalf(aclDataType dtype) { return dtype == ACL_FLOAT16 || dtype == ACL_BF16; }

// Elements of self as numbers: converted to `dtype` on the way, if that changes them.
template <class T>
class Loader {
 public:
  Loader(aclDataType self, aclDataType dtype) {
    const bool floating = CategoryOf(self) == Category::kFloating;
    truncates_ = std::is_same_v<T, int64_t> && floating;
    load_ = blocks::Loader(truncates_ ? Element::kFp64 : kElementOf<T>, self);
    if (self == dtype || dtype == ACL_DOUBLE || dtype == ACL_INT64) return;
    store_ = blocks::Storer(kElementOf<T>, dtype);
    reload_ = blocks::Loader(kElementOf<T>, dtype);
  }
  // At most kBlock elements, one row after the other.
  void Load(const blocks::Tile& from, T* to) const {
    const int64_t n = from.rows * from.cols;
    if (truncates_) {
      alignas(64) double numbers[kBlock];
      load_(from, numbers);
      const blocks::StoreFunction store = blocks::Storer(Element::kFp64, ACL_INT64);
      store(numbers, {reinterpret_cast<char*>(to), 1, n, 0, 1, false});
    } else {
      load_(from, to);
    }
    if (store_ == nullptr) return;
    alignas(64) char converted[kBlock * 8];
    store_(to, {converted, 1, n, 0, 1, false});
    reload_({converted, 1, n, 0, 1, false}, to);
  }

 private:
  bool truncates_;
  blocks::LoadFunction load_;
  blocks::StoreFunction store_ = nullptr;
  blocks::LoadFunction reload_ = nullptr;
};

template <class T, Member kMember>
class ScanPlan final : public BookedPlan {
 public:
  static constexpr bool kExtreme = kMember == Member::kLargest || kMember == Member::kSmallest;

  explicit ScanPlan(const Problem& x)
      : loader_(x.self.dtype, x.dtype), store_(blocks::Storer(kElementOf<T>, x.out.dtype)) {
    length_ = x.self.sizes[x.dim];
    const TensorView given[] = {x.self, x.out, x.places};
    for (size_t i = 0; i < 3; ++i) {
      if (!given[i].given()) continue;
      steps_[i] = length_ > 1 ? given[i].strides[x.dim] : 0;
      kept_[i] = WithoutDim(given[i], x.dim);
    }
    Coalesce(kept_);
    rows_ = kept_[0].elements();
    halves_ = IsHalf(x.self.dtype) && x.dtype == x.self.dtype && x.out.dtype == x.dtype;
    if (halves_) {
      load_halves_ = blocks::Loader(Element::kFp32, x.dtype);
      store_halves_ = blocks::Storer(Element::kFp32, x.dtype);
    }
    floats_ = x.self.dtype == ACL_FLOAT && x.dtype == ACL_FLOAT && x.out.dtype == ACL_FLOAT &&
              steps_[0] == 1 && steps_[1] == 1;
    if (kExtreme) {
      place_ = blocks::Storer(Element::kInt64, x.places.dtype);
    }
    const int last = kept_[0].rank - 1;
    side_by_side_ = last >= 0 && kept_[0].sizes[last] >= 8 &&
                    Magnitude(kept_[0].strides[last]) < Magnitude(steps_[0]);
    cut_ = kMember == Member::kSum && !side_by_side_ && rows_ < kFew && length_ >= kLong;
    if (cut_) sums_ = book_.Book<T>(static_cast<size_t>(Pieces()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (cut_) {
      for (int64_t row = 0; row < rows_; ++row) RunCut(bindings, row);
    } else if (side_by_side_) {
      RunSideBySide(bindings);
    } else {
      ParallelFor(rows_, std::max(Share(rows_), 4 * kBlock / length_ / kStrands * kStrands),
                  [&](int64_t begin, int64_t end) { ScanRows(bindings, begin, end); });
    }
    return {};
  }

 private:
  // The numbers so far: the result of each of a few rows, and its place.
  struct State {
    T value;
    int64_t place;
  };

  static void Step(State* state, T x, int64_t at) {
    if constexpr (kMember == Member::kSum) {
      state->value = Plus(state->value, x);
    } else if constexpr (kMember == Member::kProduct) {
      state->value = Times(state->value, x);
    } else {
      const bool better = kMember == Member::kLargest ? x >= state->value : x <= state->value;
      // The last one of equals; NaN stays, and a later one is the last.
      const bool is_nan = x != x;
      if (at == 0 || is_nan || (state->value == state->value && better)) *state = {x, at};
    }
  }
  static double Plus(double a, double b) { return a + b; }
  static int64_t Plus(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }
  static double Times(double a, double b) { return a * b; }
  static int64_t Times(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
  static State Start() { return {kMember == Member::kProduct ? T(1) : T(0), 0}; }

  // Tensor i from a row and an element on.
  char* At(const Bindings& bindings, size_t i, int64_t row, int64_t element) const {
    const int64_t offset = kept_[i].OffsetOf(row) + element * steps_[i];
    return kept_[i].Address(bindings) + offset * blocks::BytesOf(kept_[i].dtype);
  }

  // Elements begin to end of a row, from a state on; without `start` from the beginning.
  void Scan(const Bindings& bindings, int64_t row, int64_t begin, int64_t end,
            const State* start) const {
    State state = start != nullptr ? *start : Start();
    alignas(64) T numbers[kBlock];
    alignas(64) int64_t places[kBlock];
    for (; begin < end; begin += kBlock) {
      const int64_t n = std::min(kBlock, end - begin);
      loader_.Load({At(bindings, 0, row, begin), 1, n, 0, steps_[0], false}, numbers);
      for (int64_t i = 0; i < n; ++i) {
        Step(&state, numbers[i], begin + i);
        numbers[i] = state.value;
        if (kExtreme) places[i] = state.place;
      }
      store_(numbers, {At(bindings, 1, row, begin), 1, n, 0, steps_[1], false});
      if (kExtreme) place_(places, {At(bindings, 2, row, begin), 1, n, 0, steps_[2], false});
    }
  }

  // All rows of those types go the same way, whatever threads take: NaNs keep one of two payloads.
  bool InVectors() const { return !kExtreme && (floats_ || halves_); }
  // Rows or pieces that go side by side, of so many that are left.
  int64_t Together(int64_t left) const {
    if (InVectors()) return std::min(left, kStrands);
    return kExtreme || left < kTogether ? 1 : kTogether;
  }
  // Of so many, for a thread at a time.
  int64_t Share(int64_t count) const {
    if (!InVectors()) return kTogether;
    return std::clamp(CeilDivide(count, ThreadCount()), kTogether, kStrands);
  }

  void ScanRows(const Bindings& bindings, int64_t begin, int64_t end) const {
    const int last = kept_[0].rank - 1;
    while (begin < end) {
      const int64_t beside = last < 0 ? 1 : kept_[0].sizes[last] - begin % kept_[0].sizes[last];
      const int64_t rows = Together(std::min(beside, end - begin));
      if (rows == 1 && !InVectors()) {
        Scan(bindings, begin++, 0, length_, nullptr);
        continue;
      }
      T values[kStrands];
      std::fill_n(values, kStrands, Start().value);
      Strands strands;
      strands.rows = rows;
      for (size_t i = 0; i < 2; ++i) {
        strands.at[i] = At(bindings, i, begin, 0);
        strands.step[i] = kept_[i].strides[last];
      }
      ScanTogether(strands, length_, values, true);
      begin += rows;
    }
  }

  // Some rows of self and out, or parts of them, at equal steps in elements.
  struct Strands {
    char* at[2];
    int64_t step[2];
    int64_t rows;
  };

  blocks::Tile StrandTile(const Strands& strands, size_t i, int64_t at, int64_t n) const {
    const int64_t bytes = blocks::BytesOf(kept_[i].dtype);
    return {
        strands.at[i] + at * steps_[i] * bytes, strands.rows, n, strands.step[i], steps_[i], false};
  }

  // Each from its value on, of which there are kStrands. Each sum waits for the one before it, so
  // several are made by turns: the order of each is the same.
  void ScanTogether(const Strands& strands, int64_t length, T* values, bool writes) const {
    if constexpr (std::is_same_v<T, double> && !kExtreme) {
      if (floats_) return ScanFloats(strands, length, values, writes);
      if (halves_) return ScanHalves(strands, length, values, writes);
    }
    constexpr int64_t kColumns = kBlock / kTogether;
    alignas(64) T numbers[kBlock];
    T a = values[0], b = values[1], c = values[2], d = values[3];
    const auto step = [](T* value, T& number) {
      *value = kMember == Member::kProduct ? Times(*value, number) : Plus(*value, number);
      number = *value;
    };
    for (int64_t at = 0; at < length; at += kColumns) {
      const int64_t n = std::min(kColumns, length - at);
      loader_.Load(StrandTile(strands, 0, at, n), numbers);
      for (int64_t i = 0; i < n; ++i) {
        step(&a, numbers[i]);
        step(&b, numbers[n + i]);
        step(&c, numbers[2 * n + i]);
        step(&d, numbers[3 * n + i]);
      }
      if (writes) store_(numbers, StrandTile(strands, 1, at, n));
    }
    values[0] = a, values[1] = b, values[2] = c, values[3] = d;
  }

  static const ScanSet& Set() {
    const KernelSet& kernels = Kernels().cumulative;
    return kMember == Member::kProduct ? kernels.product : kernels.sum;
  }

  // Of rows of fp32 numbers that are dense, without buffers in between.
  void ScanFloats(const Strands& strands, int64_t length, double* values, bool writes) const {
    Set().strands[static_cast<int>(Rounding::kNearest)](
        {.from = reinterpret_cast<const float*>(strands.at[0]),
         .from_step = strands.step[0],
         .to = writes ? reinterpret_cast<float*>(strands.at[1]) : nullptr,
         .to_step = strands.step[1],
         .rows = strands.rows,
         .length = length,
         .sums = values});
  }

  void ScanHalves(const Strands& strands, int64_t length, double* values, bool writes) const {
    constexpr int64_t kColumns = kBlock / kStrands;
    alignas(64) float numbers[kBlock];
    for (int64_t at = 0; at < length; at += kColumns) {
      const int64_t n = std::min(kColumns, length - at);
      load_halves_(StrandTile(strands, 0, at, n), numbers);
      Set().strands[static_cast<int>(Rounding::kToOdd)]({.from = numbers,
                                                         .from_step = n,
                                                         .to = writes ? numbers : nullptr,
                                                         .to_step = n,
                                                         .rows = strands.rows,
                                                         .length = n,
                                                         .sums = values});
      if (writes) store_halves_(numbers, StrandTile(strands, 1, at, n));
    }
  }

  int64_t Pieces() const { return (length_ + kPiece - 1) / kPiece; }

  void RunCut(const Bindings& bindings, int64_t row) const {
    T* const sums = sums_.In(bindings);
    // The last piece's sum is not needed, and may be of fewer elements.
    ParallelFor(Pieces() - 1, Share(Pieces()), [&](int64_t p, int64_t last) {
      while (p < last) {
        const int64_t count = Together(last - p);
        T values[kStrands] = {};
        if (count > 1 || InVectors()) {
          ScanTogether(PiecesAt(bindings, row, p, count), kPiece, values, false);
        } else {
          values[0] = SumOfPiece(bindings, row, p);
        }
        std::copy_n(values, count, sums + p);
        p += count;
      }
    });
    State state = Start();
    for (int64_t p = 0; p < Pieces(); ++p) {
      const T here = sums[p];
      sums[p] = state.value;
      if (p + 1 < Pieces()) Step(&state, here, p);
    }
    ParallelFor(Pieces(), Share(Pieces()), [&](int64_t p, int64_t last) {
      const int64_t whole = std::min(last, length_ / kPiece);
      while (p < last) {
        const int64_t count = p < whole ? Together(whole - p) : 1;
        if (p < whole && (count > 1 || InVectors())) {
          T values[kStrands] = {};
          std::copy_n(sums + p, count, values);
          ScanTogether(PiecesAt(bindings, row, p, count), kPiece, values, true);
        } else {
          const State start = {sums[p], 0};
          Scan(bindings, row, p * kPiece, std::min(length_, (p + 1) * kPiece), &start);
        }
        p += count;
      }
    });
  }
  Strands PiecesAt(const Bindings& bindings, int64_t row, int64_t piece, int64_t count) const {
    return {{At(bindings, 0, row, piece * kPiece), At(bindings, 1, row, piece * kPiece)},
            {kPiece * steps_[0], kPiece * steps_[1]},
            count};
  }
  T SumOfPiece(const Bindings& bindings, int64_t row, int64_t piece) const {
    alignas(64) T numbers[kBlock];
    State state = Start();
    for (int64_t at = piece * kPiece; at < (piece + 1) * kPiece; at += kBlock) {
      loader_.Load({At(bindings, 0, row, at), 1, kBlock, 0, steps_[0], false}, numbers);
      for (int64_t i = 0; i < kBlock; ++i) Step(&state, numbers[i], at + i);
    }
    return state.value;
  }

  void RunSideBySide(const Bindings& bindings) const {
    const int last = kept_[0].rank - 1;
    const int64_t lanes = kept_[0].sizes[last];
    const int64_t tiles = (lanes + kLanes - 1) / kLanes;
    const int64_t grain = std::max<int64_t>(1, 64 / length_);
    ParallelFor(rows_ / lanes * tiles, grain, [&](int64_t begin, int64_t end) {
      for (int64_t tile = begin; tile < end; ++tile) {
        const int64_t lane = tile % tiles * kLanes;
        ScanLanes(bindings, tile / tiles * lanes + lane, std::min(kLanes, lanes - lane));
      }
    });
  }

  // Rows first to first + n - 1, which are next to one another.
  void ScanLanes(const Bindings& bindings, int64_t first, int64_t n) const {
    const int last = kept_[0].rank - 1;
    const auto tile = [&](size_t i, int64_t element, int64_t rows) -> blocks::Tile {
      return {At(bindings, i, first, element), rows, n, steps_[i], kept_[i].strides[last], false};
    };
    if constexpr (std::is_same_v<T, double> && !kExtreme) {
      if (halves_) return ScanHalfLanes(n, tile);
    }
    State states[kLanes];
    std::fill_n(states, n, Start());
    alignas(64) T values[kLanes];
    std::fill_n(values, n, Start().value);
    alignas(64) T numbers[kBlock];
    alignas(64) int64_t places[kBlock];
    const int64_t rows = kBlock / n;
    for (int64_t at = 0; at < length_; at += rows) {
      const int64_t r = std::min(rows, length_ - at);
      loader_.Load(tile(0, at, r), numbers);
      for (int64_t i = 0; i < r; ++i) {
        if constexpr (!kExtreme) {
          AddRow(numbers + i * n, n, values);
          continue;
        }
        for (int64_t c = 0; c < n; ++c) {
          Step(&states[c], numbers[i * n + c], at + i);
          numbers[i * n + c] = states[c].value;
          places[i * n + c] = states[c].place;
        }
      }
      store_(numbers, tile(1, at, r));
      if (kExtreme) place_(places, tile(2, at, r));
    }
  }

  // As ScanLanes, for sums and products of 16 bits.
  template <class Tiles>
  void ScanHalfLanes(int64_t n, const Tiles& tile) const {
    alignas(64) double values[kLanes];
    alignas(64) float numbers[kBlock];
    std::fill_n(values, kLanes, static_cast<double>(Start().value));
    const int64_t rows = kBlock / n;
    for (int64_t at = 0; at < length_; at += rows) {
      const int64_t r = std::min(rows, length_ - at);
      load_halves_(tile(0, at, r), numbers);
      Set().lanes_to_odd({.numbers = numbers, .lanes = n, .steps = r, .sums = values});
      store_halves_(numbers, tile(1, at, r));
    }
  }

  // One more row of lanes; the compiler's to vectorise.
  static void AddRow(T* __restrict numbers, int64_t n, T* __restrict values) {
    for (int64_t c = 0; c < n; ++c) {
      values[c] =
          kMember == Member::kProduct ? Times(values[c], numbers[c]) : Plus(values[c], numbers[c]);
      numbers[c] = values[c];
    }
  }

  const Loader<T> loader_;
  const blocks::StoreFunction store_;
  blocks::StoreFunction place_ = nullptr;
  std::array<TensorView, 3> kept_;  // self, out, places: the dimensions that are not scanned
  std::array<int64_t, 3> steps_{};  // along the one that is, in elements
  int64_t length_, rows_;
  bool side_by_side_, cut_;
  bool halves_;                                 // of 16 bits, all of them
  blocks::LoadFunction load_halves_ = nullptr;  // as fp32
  blocks::StoreFunction store_halves_ = nullptr;
  bool floats_;  // of self and out, which are dense
  WorkspaceSlot<T> sums_;
};

template <class T>
std::shared_ptr<const Plan> MakeOf(const Problem& x) {
  switch (x.member) {
    case Member::kSum:
      return std::make_shared<ScanPlan<T, Member::kSum>>(x);
    case Member::kProduct:
      return std::make_shared<ScanPlan<T, Member::kProduct>>(x);
    case Member::kLargest:
      return std::make_shared<ScanPlan<T, Member::kLargest>>(x);
    default:
      return std::make_shared<ScanPlan<T, Member::kSmallest>>(x);
  }
}

}  // namespace

std::shared_ptr<const Plan> MakeScan(const Problem& problem) {
  const bool real = CategoryOf(problem.dtype) == Category::kFloating;
  return real ? MakeOf<double>(problem) : MakeOf<int64_t>(problem);
}

}  // namespace anyacl::cumulative
