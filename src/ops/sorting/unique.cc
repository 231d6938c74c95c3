// SPDX-License-Identifier: Apache-2.0
// Unique, Unique2 and UniqueConsecutive of all elements: sorted or as they are, then cut where
// elements differ. A NaN equals nothing.
#include "ops/sorting/unique.h"

#include "nnop/copy_runs.h"
#include "nnop/dynamic_shape.h"

namespace anyacl::sorting {
namespace {

template <class Entry>
class UniquePlan final : public BookedPlan {
 public:
  UniquePlan(const TensorView& self, const Distinct& out, bool ordered)
      : self_(self, -1),
        inverse_(out.inverse.given() ? out.inverse : self, -1),
        out_(out),
        ordered_(ordered),
        type_(KeyTypeOf(self.dtype)),
        load_(LoaderOf<Entry>(self.dtype)),
        store_(StorerOf<Entry>(self.dtype)) {
    const int64_t length = self_.length();
    entries_ = book_.Book<Entry>(static_cast<size_t>(2 * length));
    counts_ = book_.Book<int64_t>(static_cast<size_t>(CountsOf(length)));
    firsts_ = book_.Book<int64_t>(static_cast<size_t>(Pieces() + 1));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t length = self_.length();
    int64_t all = 0;
    if (length > 0) {
      Entry* const entries = entries_.In(bindings);
      const char* const from = self_.Row(bindings, 0);
      ParallelFor(length, kPiece, [&](int64_t begin, int64_t end) {
        self_.Load(from, begin, end, load_, 0, entries + begin);
      });
      if (ordered_) {
        SortEntries(entries, entries + length, length, type_.bits, length > kPiece,
                    counts_.In(bindings));
      }
      all = CountFirsts(entries, firsts_.In(bindings));
      Write(bindings, entries, from, all);
    }
    SetShape(*out_.values_tensor, Dims{all});
    if (out_.counts_tensor != nullptr) SetShape(*out_.counts_tensor, Dims{all});
    return {};
  }

 private:
  static constexpr int64_t kPiece = 32768;
  static constexpr int64_t kFew = 256;
  int64_t Pieces() const { return (self_.length() + kPiece - 1) / kPiece; }

  bool IsFirst(const Entry* entries, int64_t i) const {
    if (i == 0) return true;
    const uint64_t key = entries[i].key();
    return (key != entries[i - 1].key()) | (type_.floating & (key == type_.nan));
  }
  // firsts[p] = how many elements before piece p differ from the one before them.
  int64_t CountFirsts(const Entry* entries, int64_t* firsts) const {
    ParallelFor(Pieces(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        int64_t count = 0;
        const int64_t last = std::min(self_.length(), (p + 1) * kPiece);
        for (int64_t i = p * kPiece; i < last; ++i) count += IsFirst(entries, i);
        firsts[p] = count;
      }
    });
    int64_t all = 0;
    for (int64_t p = 0; p < Pieces(); ++p) {
      const int64_t here = firsts[p];
      firsts[p] = all;
      all += here;
    }
    return all;
  }
  void Write(const Bindings& bindings, const Entry* entries, const char* from, int64_t all) const {
    const int64_t* const firsts = firsts_.In(bindings);
    const int64_t length = self_.length();
    char* const values = out_.values.Address(bindings);
    char* const inverse = out_.inverse.given() ? inverse_.Row(bindings, 0) : nullptr;
    // Where each distinct element begins: the second half of the scratch is free.
    int64_t* const begins = reinterpret_cast<int64_t*>(entries_.In(bindings) + length);
    ParallelFor(Pieces(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        int64_t number = firsts[p];
        const int64_t last = std::min(length, (p + 1) * kPiece);
        for (int64_t i = p * kPiece; i < last; i += kFew) {
          const int64_t n = std::min(kFew, last - i);
          if (inverse != nullptr) WriteInverse(entries, i, n, number, inverse);
          number += WriteFirsts(entries, i, n, from, values + number * BytesOf(out_.values),
                                begins + number);
        }
      }
    });
    if (!out_.counts.given()) return;
    char* const counts = out_.counts.Address(bindings);
    const int64_t count_bytes = BytesOf(out_.counts);
    for (int64_t n = 0; n < all; ++n) {
      PutNumber(counts + n * count_bytes, count_bytes,
                (n + 1 < all ? begins[n + 1] : length) - begins[n]);
    }
  }

  // Of entries `first` on; `number` are distinct before them.
  void WriteInverse(const Entry* entries, int64_t first, int64_t n, int64_t number,
                    char* to) const {
    for (int64_t i = first; i < first + n; ++i) {
      number += IsFirst(entries, i);
      PutNumber(to + inverse_.PlaceOffset(entries[i].place()), inverse_.bytes(), number - 1);
    }
  }
  // How many of n entries differ from the one before them. Whether one does is for no branch to
  // foresee: of 2^18 elements of 3 values that takes most of 2 ms.
  int64_t WriteFirsts(const Entry* entries, int64_t first, int64_t n, const char* from,
                      char* values, int64_t* begins) const {
    const int64_t bytes = BytesOf(out_.values);
    Entry kept[kFew];
    int64_t places[kFew];
    int64_t count = 0;
    for (int64_t i = first; i < first + n; ++i) {
      kept[count] = entries[i];
      places[count] = i;
      count += IsFirst(entries, i);
    }
    std::copy_n(places, count, begins);
    if (self_.is_simple()) {
      store_(kept, count, 0, from, self_.step(), values, bytes);
      return count;
    }
    for (int64_t i = 0; i < count; ++i) {
      const Entry there = Entry::Of(kept[i].key(), 0);
      store_(&there, 1, 0, from + self_.PlaceOffset(kept[i].place()), 0, values + i * bytes, 0);
    }
    return count;
  }

  const Rows self_, inverse_;
  const Distinct out_;
  const bool ordered_;  // else only elements that follow each other are compared
  const KeyType type_;
  const LoadFunction<Entry> load_;
  const StoreFunction<Entry> store_;
  WorkspaceSlot<Entry> entries_;
  WorkspaceSlot<int64_t> counts_, firsts_;
};

}  // namespace

std::shared_ptr<const Plan> MakeUnique(const TensorView& self, const Distinct& out, bool ordered) {
  if (FitsNarrow(self.dtype, self.elements())) {
    return std::make_shared<UniquePlan<Narrow>>(self, out, ordered);
  }
  return std::make_shared<UniquePlan<Wide>>(self, out, ordered);
}

Status PrepareUnique(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = ViewOf(operands, kSelf);
  const int64_t elements = self.elements();
  if (Status s = CheckLength(operands, Rows(self, -1)); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kValues, Dims{elements}); !s.ok()) return s;
  Distinct out;
  out.values = ViewOf(operands, kValues);
  out.values_tensor = operands[kValues].tensor;
  const bool counts = operands.Given(kReturnCounts) && operands.Flag(kReturnCounts);
  if (operands.Flag(kReturnInverse)) {
    if (Status s = CheckShapeIs(operands, kInverse, operands[kSelf].shape()); !s.ok()) return s;
  }
  // Whoever asks for counts gets the inverse as well, if there is room.
  if ((operands.Flag(kReturnInverse) || counts) &&
      operands[kInverse].shape() == operands[kSelf].shape()) {
    out.inverse = ViewOf(operands, kInverse);
  }
  if (counts) {
    if (Status s = CheckShapeIs(operands, kCounts, Dims{elements}); !s.ok()) return s;
    out.counts = ViewOf(operands, kCounts);
    out.counts_tensor = operands[kCounts].tensor;
  }
  call->plan = MakeUnique(self, out, true);
  return {};
}

}  // namespace anyacl::sorting
