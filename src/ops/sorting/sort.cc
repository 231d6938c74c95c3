// SPDX-License-Identifier: Apache-2.0
// Sort, Argsort and SortV2: radix sort of keys and places. Threads share rows, or, where rows are
// long, the passes over one row after the other.
#include "ops/sorting/rows.h"
#include "ops/steps.h"

namespace anyacl::sorting {
namespace {

constexpr int64_t kLong = 1 << 17;  // elements of a row that threads share

template <class Entry>
class SortPlan final : public BookedPlan {
 public:
  SortPlan(const TensorView& self, const TensorView& values, const TensorView& places, int dim,
           bool descending)
      : self_(self, dim),
        values_(values.given() ? values : places, dim),
        places_(places.given() ? places : values, dim),
        has_values_(values.given()),
        has_places_(places.given()),
        flip_(descending ? ~uint64_t{0} : 0),
        key_bits_(KeyTypeOf(self.dtype).bits),
        load_(LoaderOf<Entry>(self.dtype)),
        store_(StorerOf<Entry>(self.dtype)) {
    shared_ = self_.length() >= kLong && self_.count() < 4 * ThreadCount();
    const int64_t pieces = shared_ ? 1 : std::min(ThreadCount(), self_.count());
    entries_ = book_.Book<Entry>(static_cast<size_t>(pieces * 2 * self_.length()));
    if (shared_) counts_ = book_.Book<int64_t>(static_cast<size_t>(CountsOf(self_.length())));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Entry* const entries = entries_.In(bindings);
    if (shared_) {
      for (int64_t row = 0; row < self_.count(); ++row) RunShared(bindings, row, entries);
      return {};
    }
    const int64_t length = self_.length();
    ParallelFor(self_.count(), std::max<int64_t>(1, 512 / length),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  Entry* const mine = entries + slot * 2 * length;
                  for (int64_t row = begin; row < end; ++row) {
                    const char* const from = self_.Row(bindings, row);
                    self_.Load(from, 0, length, load_, flip_, mine);
                    SortEntries(mine, mine + length, length, key_bits_, false, nullptr);
                    Write(bindings, row, from, mine, 0, length);
                  }
                });
    return {};
  }

 private:
  void RunShared(const Bindings& bindings, int64_t row, Entry* entries) const {
    constexpr int64_t kPiece = 32768;
    const int64_t length = self_.length();
    const char* const from = self_.Row(bindings, row);
    ParallelFor(length, kPiece, [&](int64_t begin, int64_t end) {
      self_.Load(from, begin, end, load_, flip_, entries + begin);
    });
    SortEntries(entries, entries + length, length, key_bits_, true, counts_.In(bindings));
    ParallelFor(length, kPiece, [&](int64_t begin, int64_t end) {
      Write(bindings, row, from, entries, begin, end);
    });
  }

  void Write(const Bindings& bindings, int64_t row, const char* from, const Entry* entries,
             int64_t begin, int64_t end) const {
    if (has_values_) {
      char* const to = values_.Row(bindings, row) + begin * values_.step();
      store_(entries + begin, end - begin, flip_, from, self_.step(), to, values_.step());
    }
    if (!has_places_) return;
    char* const to = places_.Row(bindings, row);
    for (int64_t i = begin; i < end; ++i) {
      *reinterpret_cast<int64_t*>(to + i * places_.step()) = entries[i].place();
    }
  }

  const Rows self_, values_, places_;
  const bool has_values_, has_places_;
  const uint64_t flip_;
  const int key_bits_;
  const LoadFunction<Entry> load_;
  const StoreFunction<Entry> store_;
  bool shared_;
  WorkspaceSlot<Entry> entries_;
  WorkspaceSlot<int64_t> counts_;
};

// Values of another type than self's are converted when they are in order.
Status PrepareConverted(Operands& operands, PreparedCall* call) {
  Steps steps(operands);
  const InnerTensor self = TensorOf(operands, kSelf);
  Status s = steps.Call(
      "aclnnSort", {self, int64_t{operands.Flag(kStable)}, operands.Int(kDim),
                    int64_t{operands.Flag(kDescending)}, steps.ResultAs(kValues, self.layout.dtype),
                    TensorOf(operands, kIndices)});
  return s.ok() ? steps.Finish(call) : s;
}

}  // namespace

Status PrepareSort(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = AtLeastVector(ViewOf(operands, kSelf));
  int dim = 0;
  if (Status s = CheckDimOf(operands, self, &dim); !s.ok()) return s;
  if (self.elements() == 0) return {};
  if (operands.Given(kValues) && operands[kValues].dtype() != self.dtype) {
    return PrepareConverted(operands, call);
  }
  TensorView values, places;
  if (operands.Given(kValues)) values = AtLeastVector(ViewOf(operands, kValues));
  if (operands.Given(kIndices)) places = AtLeastVector(ViewOf(operands, kIndices));
  const Rows rows(self, dim);
  if (Status s = CheckLength(operands, rows); !s.ok()) return s;
  const bool descending = operands.Flag(kDescending);
  if (FitsNarrow(self.dtype, rows.length())) {
    call->plan = std::make_shared<SortPlan<Narrow>>(self, values, places, dim, descending);
  } else {
    call->plan = std::make_shared<SortPlan<Wide>>(self, values, places, dim, descending);
  }
  return {};
}

}  // namespace anyacl::sorting
