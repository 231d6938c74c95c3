// SPDX-License-Identifier: Apache-2.0
// Unique and Unique2: sorted, then cut where elements differ. A NaN equals nothing.
#include "nnop/copy_runs.h"
#include "nnop/dynamic_shape.h"
#include "ops/sorting/rows.h"

namespace anyacl::sorting {
namespace {

struct Outputs {
  TensorView values, inverse, counts;  // those that are wanted
  std::shared_ptr<Tensor> values_tensor, counts_tensor;
};

template <class Entry>
class UniquePlan final : public BookedPlan {
 public:
  UniquePlan(const TensorView& self, const Outputs& out)
      : self_(self, -1),
        inverse_(out.inverse.given() ? out.inverse : self, -1),
        out_(out),
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
      SortEntries(entries, entries + length, length, type_.bits, length > kPiece,
                  counts_.In(bindings));
      all = CountFirsts(entries, firsts_.In(bindings));
      Write(bindings, entries, from, all);
    }
    SetShape(*out_.values_tensor, Dims{all});
    if (out_.counts_tensor != nullptr) SetShape(*out_.counts_tensor, Dims{all});
    return {};
  }

 private:
  static constexpr int64_t kPiece = 32768;
  int64_t Pieces() const { return (self_.length() + kPiece - 1) / kPiece; }

  bool IsFirst(const Entry* entries, int64_t i) const {
    return i == 0 || entries[i].key() != entries[i - 1].key() ||
           (type_.floating && entries[i].key() == type_.nan);
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
    const int64_t bytes = BytesOf(out_.values);
    char* const values = out_.values.Address(bindings);
    char* const inverse = out_.inverse.given() ? inverse_.Row(bindings, 0) : nullptr;
    // Where each distinct element begins: the second half of the scratch is free.
    int64_t* const begins = reinterpret_cast<int64_t*>(entries_.In(bindings) + length);
    ParallelFor(Pieces(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        int64_t number = firsts[p] - 1;
        const int64_t last = std::min(length, (p + 1) * kPiece);
        for (int64_t i = p * kPiece; i < last; ++i) {
          if (IsFirst(entries, i)) {
            ++number;
            begins[number] = i;
            const Entry there = Entry::Of(entries[i].key(), 0);
            store_(&there, 1, 0, from + self_.PlaceOffset(entries[i].place()), 0,
                   values + number * bytes, 0);
          }
          if (inverse == nullptr) continue;
          StoreElement(inverse + inverse_.PlaceOffset(entries[i].place()), number);
        }
      }
    });
    if (!out_.counts.given()) return;
    auto* const counts = reinterpret_cast<int64_t*>(out_.counts.Address(bindings));
    for (int64_t n = 0; n < all; ++n) {
      counts[n] = (n + 1 < all ? begins[n + 1] : length) - begins[n];
    }
  }

  const Rows self_, inverse_;
  const Outputs out_;
  const KeyType type_;
  const LoadFunction<Entry> load_;
  const StoreFunction<Entry> store_;
  WorkspaceSlot<Entry> entries_;
  WorkspaceSlot<int64_t> counts_, firsts_;
};

}  // namespace

Status PrepareUnique(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = ViewOf(operands, kSelf);
  const int64_t elements = self.elements();
  if (Status s = CheckLength(operands, Rows(self, -1)); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kValues, Dims{elements}); !s.ok()) return s;
  Outputs out;
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
  if (FitsNarrow(self.dtype, elements)) {
    call->plan = std::make_shared<UniquePlan<Narrow>>(self, out);
  } else {
    call->plan = std::make_shared<UniquePlan<Wide>>(self, out);
  }
  return {};
}

}  // namespace anyacl::sorting
