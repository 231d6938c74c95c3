// SPDX-License-Identifier: Apache-2.0
// Topk, Kthvalue and medians: parts of a sorted row, without sorting all of it.
#include "base/half_types.h"
#include "kernels.h"
#include "nnop/copy_runs.h"
#include "ops/blocks/first_entries.h"
#include "ops/sorting/rows.h"

namespace anyacl::sorting {
namespace {

// What a member takes of the entries of a row in order.
enum class Part { kFirst, kOne, kMedian, kNanMedian };

template <class Entry>
class SelectPlan final : public BookedPlan {
 public:
  // kFirst: entries 0 to k - 1; kOne: entry k - 1. Without a tensor for places, only values.
  SelectPlan(const Rows& self, aclDataType dtype, const Rows& values, const Rows* places, Part part,
             int64_t k, bool descending)
      : self_(self),
        values_(values),
        places_(places == nullptr ? values : *places),
        has_places_(places != nullptr),
        part_(part),
        k_(k),
        flip_(descending ? ~uint64_t{0} : 0),
        type_(KeyTypeOf(dtype)),
        load_(LoaderOf<Entry>(dtype)),
        store_(StorerOf<Entry>(dtype)),
        element_(anyacl::ElementOf(dtype)),
        find_(is_dense() && element_ <= Element::kBf16
                  ? Kernels().sorting.find_beyond[static_cast<size_t>(element_)]
                  : nullptr) {
    capacity_ = self_.length();
    if (part_ == Part::kFirst || part_ == Part::kOne) {
      capacity_ = blocks::RoomForFirst(k_, self_.length());
    }
    const int64_t pieces = std::min(ThreadCount(), self_.count());
    entries_ = book_.Book<Entry>(static_cast<size_t>(pieces * capacity_));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(self_.count(), std::max<int64_t>(1, 4096 / self_.length()),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  Entry* const entries = entries_.In(bindings) + slot * capacity_;
                  for (int64_t row = begin; row < end; ++row) RunRow(bindings, row, entries);
                });
    return {};
  }

 private:
  bool is_dense() const { return self_.is_simple() && self_.step() == self_.bytes(); }

  void RunRow(const Bindings& bindings, int64_t row, Entry* entries) const {
    const char* const from = self_.Row(bindings, row);
    if (part_ == Part::kFirst) {
      if (k_ == 0) return;
      blocks::KeepFirst(Elements(*this, from), k_, self_.length(), entries);
      std::sort(entries, entries + k_);
      return Write(bindings, row, from, entries, k_);
    }
    if (part_ == Part::kOne) {
      blocks::KeepFirst(Elements(*this, from), k_, self_.length(), entries);
      const Entry* const last = std::max_element(entries, entries + k_);
      return Write(bindings, row, from, last, 1);
    }
    const int64_t length = self_.length();
    self_.Load(from, 0, length, load_, 0, entries);
    int64_t numbers = length;
    if (type_.floating) {
      const auto is_nan = [this](const Entry& e) { return e.key() == type_.nan; };
      if (part_ == Part::kMedian) {
        const Entry* const nan = std::find_if(entries, entries + length, is_nan);
        if (nan != entries + length) return Write(bindings, row, from, nan, 1);
      } else {
        numbers -= std::count_if(entries, entries + length, is_nan);
      }
    }
    Entry* const middle = entries + std::max<int64_t>(numbers - 1, 0) / 2;
    std::nth_element(entries, middle, entries + length);
    Write(bindings, row, from, middle, 1);
  }

  // Elements as KeepFirst takes them.
  class Elements {
   public:
    Elements(const SelectPlan& plan, const char* from) : plan_(plan), from_(from) {}
    void Load(int64_t begin, int64_t end, Entry* to) const {
      plan_.self_.Load(from_, begin, end, plan_.load_, plan_.flip_, to);
    }
    bool finds() const { return plan_.find_ != nullptr; }
    Places Find(int64_t at, const Entry& entry) const {
      const float bound = FloatAt(plan_.element_, from_, entry.place());
      return plan_.find_({from_, at, plan_.self_.length(), bound, plan_.flip_ != 0});
    }

   private:
    const SelectPlan& plan_;
    const char* const from_;
  };

  void Write(const Bindings& bindings, int64_t row, const char* from, const Entry* entries,
             int64_t count) const {
    char* const to = values_.Row(bindings, row);
    if (self_.is_simple()) {
      store_(entries, count, flip_, from, self_.step(), to, values_.step());
    } else {
      // One element of a row that lies anyhow: read from where it is, at place 0.
      Entry there = Entry::Of(entries->key(), 0);
      store_(&there, 1, flip_, from + self_.PlaceOffset(entries->place()), 0, to, 0);
    }
    if (!has_places_) return;
    char* const places = places_.Row(bindings, row);
    for (int64_t i = 0; i < count; ++i) {
      StoreElement(places + i * places_.step(), entries[i].place());
    }
  }

  const Rows self_, values_, places_;
  const bool has_places_;
  const Part part_;
  const int64_t k_;
  const uint64_t flip_;
  const KeyType type_;
  const LoadFunction<Entry> load_;
  const StoreFunction<Entry> store_;
  const Element element_;
  Places (*const find_)(const Beyond& args);  // null: the elements are looked at one by one
  int64_t capacity_;
  WorkspaceSlot<Entry> entries_;
};

struct Selection {
  Part part = Part::kFirst;
  int64_t k = 0;
  bool descending = false;
};

std::shared_ptr<const Plan> MakePlan(const TensorView& self, int dim, const Rows& values,
                                     const Rows* places, const Selection& x) {
  const Rows rows(self, dim);
  if (FitsNarrow(self.dtype, rows.length())) {
    return std::make_shared<SelectPlan<Narrow>>(rows, self.dtype, values, places, x.part, x.k,
                                                x.descending);
  }
  return std::make_shared<SelectPlan<Wide>>(rows, self.dtype, values, places, x.part, x.k,
                                            x.descending);
}

// A result of one element for each row: its dimension, which `view` may lack.
TensorView AsRows(const TensorView& view, const TensorView& self, int dim) {
  return view.rank == self.rank ? view : WithDim(view, dim);
}

Status PrepareReduced(Operands& operands, PreparedCall* call, const Selection& selection) {
  const TensorView self = AtLeastVector(ViewOf(operands, kSelf));
  const Dims& shape = operands[kSelf].shape();
  int dim = 0;
  if (Status s = CheckDimOf(operands, self, &dim); !s.ok()) return s;
  if (Status s = CheckLength(operands, Rows(self, dim)); !s.ok()) return s;
  Dims expected;
  for (size_t i = 0; i < shape.rank(); ++i) {
    const bool reduced = i == static_cast<size_t>(dim);
    if (!reduced || operands.Flag(kKeepDim)) expected.push_back(reduced ? 1 : shape[i]);
  }
  for (int id : {kValues, kIndices}) {
    if (Status s = CheckShapeIs(operands, id, expected); !s.ok()) return s;
  }
  if (operands[kValues].IsEmpty()) return {};
  // As on a device: there is no median, and nothing is written.
  if (selection.part == Part::kMedian && self.elements() == 0) return {};
  const int64_t length = self.sizes[dim];
  if (length == 0) {
    return Fail(operands.spec().codes.shape, "self.shape = {}, expected elements along dim = {}",
                shape.ToString(), dim);
  }
  if (selection.k > length) {
    return Fail(operands.spec().codes.shape, "k = {}, expected 1 to {}: self.shape = {}, dim = {}",
                selection.k, length, shape.ToString(), dim);
  }
  const Rows values(AsRows(ViewOf(operands, kValues), self, dim), dim);
  const Rows places(AsRows(ViewOf(operands, kIndices), self, dim), dim);
  call->plan = MakePlan(self, dim, values, &places, selection);
  return {};
}

Status PrepareMedianOf(Operands& operands, PreparedCall* call, Part part) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands.Given(kIndices)) return PrepareReduced(operands, call, {.part = part, .k = 1});
  const TensorView self = ViewOf(operands, kSelf);
  const TensorView out = ViewOf(operands, kValues);
  if (out.elements() != 1) {
    return Fail(operands.spec().codes.shape, "valuesOut.shape = {}, expected a single element",
                ShapeOf(out).ToString());
  }
  if (self.elements() == 0) {
    return Fail(operands.spec().codes.shape, "self.shape = {} has no elements, expected some",
                ShapeOf(self).ToString());
  }
  if (Status s = CheckLength(operands, Rows(self, -1)); !s.ok()) return s;
  call->plan = MakePlan(self, -1, Rows(out, -1), nullptr, {.part = part, .k = 1});
  return {};
}

}  // namespace

Status PrepareTopk(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = AtLeastVector(ViewOf(operands, kSelf));
  int dim = 0;
  if (Status s = CheckDimOf(operands, self, &dim); !s.ok()) return s;
  if (Status s = CheckLength(operands, Rows(self, dim)); !s.ok()) return s;
  const int64_t k = operands.Int(kK);
  if (k > self.sizes[dim]) {
    return Fail(operands.spec().codes.shape, "k = {}, expected 0 to {}: self.shape = {}, dim = {}",
                k, self.sizes[dim], ShapeOf(self).ToString(), dim);
  }
  if (k == 0) return {};  // whatever the results are
  Dims expected = operands[kSelf].shape();
  if (expected.rank() > 0) expected[static_cast<size_t>(dim)] = k;
  for (int id : {kValues, kIndices}) {
    if (expected.rank() == 0 && operands[id].shape() == Dims{1}) continue;
    if (Status s = CheckShapeIs(operands, id, expected); !s.ok()) return s;
  }
  if (operands[kValues].IsEmpty()) return {};
  const Rows values(AtLeastVector(ViewOf(operands, kValues)), dim);
  const Rows places(AtLeastVector(ViewOf(operands, kIndices)), dim);
  call->plan = MakePlan(self, dim, values, &places,
                        {.part = Part::kFirst, .k = k, .descending = operands.Flag(kLargest)});
  return {};
}

Status PrepareKthvalue(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return PrepareReduced(operands, call, {.part = Part::kOne, .k = operands.Int(kK)});
}

Status PrepareMedian(Operands& operands, PreparedCall* call) {
  return PrepareMedianOf(operands, call, Part::kMedian);
}

Status PrepareNanMedian(Operands& operands, PreparedCall* call) {
  return PrepareMedianOf(operands, call, Part::kNanMedian);
}

}  // namespace anyacl::sorting
