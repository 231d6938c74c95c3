// SPDX-License-Identifier: Apache-2.0
// Rows are scanned one by one where their elements are next to one another, else 64 side by side.
// Few long rows of sums are cut: the sums of pieces first, then every piece from where it starts.
// What is cut follows from the shape alone.
#include "ops/cumulative/scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "nnop/promotion.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::cumulative {
namespace {

using blocks::kBlock;

constexpr int64_t kLanes = 64;
constexpr int64_t kPiece = 32 * kBlock;  // of a row that is cut
constexpr int64_t kLong = 8 * kPiece;
constexpr int64_t kFew = 8;

bool IsHalf(aclDataType dtype) { return dtype == ACL_FLOAT16 || dtype == ACL_BF16; }

// A double rounded to odd: rounding that to 16 bits is rounding the double, since fp32 has two bits
// more than either needs, denormals included. The way over doubles alone takes 5 ns for each.
float RoundedToOdd(double x) {
  const auto nearest = static_cast<float>(x);
  const auto back = static_cast<double>(nearest);
  auto bits = std::bit_cast<uint32_t>(nearest);
  bits -= std::fabs(back) > std::fabs(x) ? 1 : 0;
  bits |= back != x ? 1 : 0;
  return std::bit_cast<float>(bits);
}

// Numbers into elements.
template <class T>
class Storer {
 public:
  explicit Storer(aclDataType out)
      : halves_(std::is_same_v<T, double> && IsHalf(out)),
        store_(blocks::Storer(halves_ ? Element::kFp32 : kElementOf<T>, out)) {}

  // At most kBlock.
  void Store(const T* from, const blocks::Tile& to) const {
    if (!halves_) return store_(from, to);
    alignas(64) float rounded[kBlock];
    for (int64_t i = 0; i < to.rows * to.cols; ++i) {
      rounded[i] = RoundedToOdd(static_cast<double>(from[i]));
    }
    store_(rounded, to);
  }

 private:
  bool halves_;
  blocks::StoreFunction store_;
};

// Elements of self as numbers: converted to `dtype` on the way, if that changes them.
template <class T>
class Loader {
 public:
  Loader(aclDataType self, aclDataType dtype) {
    const bool floating = CategoryOf(self) == Category::kFloating;
    truncates_ = std::is_same_v<T, int64_t> && floating;
    halves_ = std::is_same_v<T, double> && IsHalf(self);
    load_ = blocks::Loader(halves_      ? Element::kFp32
                           : truncates_ ? Element::kFp64
                                        : kElementOf<T>,
                           self);
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
    } else if (halves_) {
      alignas(64) float numbers[kBlock];
      load_(from, numbers);
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(numbers[i]);
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
  bool halves_;  // of self, which are widened to fp32 first
  blocks::LoadFunction load_;
  blocks::StoreFunction store_ = nullptr;
  blocks::LoadFunction reload_ = nullptr;
};

template <class T, Member kMember>
class ScanPlan final : public BookedPlan {
 public:
  static constexpr bool kExtreme = kMember == Member::kLargest || kMember == Member::kSmallest;

  explicit ScanPlan(const Problem& x) : loader_(x.self.dtype, x.dtype), store_(x.out.dtype) {
    length_ = x.self.sizes[x.dim];
    const TensorView given[] = {x.self, x.out, x.places};
    for (size_t i = 0; i < 3; ++i) {
      if (!given[i].given()) continue;
      steps_[i] = length_ > 1 ? given[i].strides[x.dim] : 0;
      kept_[i] = WithoutDim(given[i], x.dim);
    }
    Coalesce(kept_);
    rows_ = kept_[0].elements();
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
      ParallelFor(rows_, std::max<int64_t>(1, 4 * kBlock / length_),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t row = begin; row < end; ++row) {
                      Scan(bindings, row, 0, length_, nullptr);
                    }
                  });
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
      store_.Store(numbers, {At(bindings, 1, row, begin), 1, n, 0, steps_[1], false});
      if (kExtreme) place_(places, {At(bindings, 2, row, begin), 1, n, 0, steps_[2], false});
    }
  }

  int64_t Pieces() const { return (length_ + kPiece - 1) / kPiece; }

  void RunCut(const Bindings& bindings, int64_t row) const {
    T* const sums = sums_.In(bindings);
    ParallelFor(Pieces() - 1, 1, [&](int64_t first, int64_t last) {
      alignas(64) T numbers[kBlock];
      for (int64_t p = first; p < last; ++p) {
        State state = Start();
        for (int64_t at = p * kPiece; at < (p + 1) * kPiece; at += kBlock) {
          loader_.Load({At(bindings, 0, row, at), 1, kBlock, 0, steps_[0], false}, numbers);
          for (int64_t i = 0; i < kBlock; ++i) Step(&state, numbers[i], at + i);
        }
        sums[p] = state.value;
      }
    });
    State state = Start();
    for (int64_t p = 0; p < Pieces(); ++p) {
      const T here = sums[p];
      sums[p] = state.value;
      if (p + 1 < Pieces()) Step(&state, here, p);
    }
    ParallelFor(Pieces(), 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p) {
        const State start = {sums[p], 0};
        Scan(bindings, row, p * kPiece, std::min(length_, (p + 1) * kPiece), &start);
      }
    });
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
    State states[kLanes];
    std::fill_n(states, n, Start());
    alignas(64) T numbers[kBlock];
    alignas(64) int64_t places[kBlock];
    const int64_t rows = kBlock / n;
    for (int64_t at = 0; at < length_; at += rows) {
      const int64_t r = std::min(rows, length_ - at);
      loader_.Load(tile(0, at, r), numbers);
      for (int64_t i = 0; i < r; ++i) {
        for (int64_t c = 0; c < n; ++c) {
          Step(&states[c], numbers[i * n + c], at + i);
          numbers[i * n + c] = states[c].value;
          if (kExtreme) places[i * n + c] = states[c].place;
        }
      }
      store_.Store(numbers, tile(1, at, r));
      if (kExtreme) place_(places, tile(2, at, r));
    }
  }

  const Loader<T> loader_;
  const Storer<T> store_;
  blocks::StoreFunction place_ = nullptr;
  std::array<TensorView, 3> kept_;  // self, out, places: the dimensions that are not scanned
  std::array<int64_t, 3> steps_{};  // along the one that is, in elements
  int64_t length_, rows_;
  bool side_by_side_, cut_;
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
