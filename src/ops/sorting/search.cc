// SPDX-License-Identifier: Apache-2.0
// SearchSorted, SearchSorteds and IsInTensorScalar: comparisons in int64 or double, which hold
// every number that is compared (but the largest integers beside floating-point numbers).
#include <atomic>
#include <cstring>

#include "nnop/copy_runs.h"
#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "ops/blocks/convert.h"
#include "ops/sorting/rows.h"

namespace anyacl::sorting {
namespace {

constexpr int64_t kSearchBlock = 512;

template <class T>
constexpr aclDataType kTypeOf = ACL_DOUBLE;
template <>
inline constexpr aclDataType kTypeOf<int64_t> = ACL_INT64;

// NaN, which nothing reaches, stands behind all.
template <class T, class At>
int64_t FirstReached(int64_t count, bool right, T value, const At& at) {
  int64_t low = 0;
  while (count > 0) {
    const int64_t half = count / 2;
    const T middle = at(low + half);
    const bool reached = right ? middle > value : middle >= value;
    low = reached ? low : low + half + 1;
    count = reached ? half : count - half - 1;
  }
  return low;
}

template <class T>
class SearchPlan final : public BookedPlan {
 public:
  SearchPlan(const TensorView& sequence, const TensorView& self, const TensorView& sorter,
             const TensorView& out, bool right)
      : sequence_(sequence, sequence.rank - 1),
        self_(self, self.rank - 1),
        sorter_(sorter.given() ? sorter : sequence, sequence.rank - 1),
        out_(out, out.rank - 1),
        types_{sequence.dtype, self.dtype},
        sorted_by_(sorter.given()),
        wide_(out.dtype == ACL_INT64),
        right_(right) {
    const int64_t pieces = sequence_.count() == 1 ? 1 : std::min(ThreadCount(), sequence_.count());
    ordered_ = book_.Book<T>(static_cast<size_t>(pieces * sequence_.length()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    std::atomic<int64_t> wrong{-1};
    T* const ordered = ordered_.In(bindings);
    const int64_t length = sequence_.length();
    if (sequence_.count() == 1) {
      Order(bindings, 0, ordered, &wrong);
      const int64_t row = self_.length();
      ParallelFor(self_.count() * row, kSearchBlock * 4, [&](int64_t begin, int64_t end) {
        while (begin < end) {
          const int64_t n = std::min(end - begin, row - begin % row);
          Search(bindings, begin / row, begin % row, n, ordered);
          begin += n;
        }
      });
    } else {
      ParallelFor(sequence_.count(), 1, [&](int64_t begin, int64_t end, int64_t slot) {
        T* const mine = ordered + slot * length;
        for (int64_t row = begin; row < end; ++row) {
          Order(bindings, row, mine, &wrong);
          Search(bindings, row, 0, self_.length(), mine);
        }
      });
    }
    if (wrong.load() < 0) return {};
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                "sorter has an index beyond 0 to {} in row {}: sortedSequence has rows of {}",
                length - 1, wrong.load(), length);
  }

 private:
  // The sequence of a row as numbers of one type, in its order.
  void Order(const Bindings& bindings, int64_t row, T* to, std::atomic<int64_t>* wrong) const {
    const int64_t length = sequence_.length();
    if (length == 0) return;
    const char* const from = sequence_.Row(bindings, row);
    if (!sorted_by_) {
      blocks::ConvertElements(types_[0], from, sequence_.step(), kTypeOf<T>,
                              reinterpret_cast<char*>(to), sizeof(T), length);
      return;
    }
    const char* const sorter = sorter_.Row(bindings, row);
    for (int64_t i = 0; i < length; ++i) {
      int64_t place = LoadElement<int64_t>(sorter + i * sorter_.step());
      if (place < 0 || place >= length) {
        wrong->store(row);
        place = 0;
      }
      blocks::ConvertElements(types_[0], from + place * sequence_.step(), 0, kTypeOf<T>,
                              reinterpret_cast<char*>(to + i), sizeof(T), 1);
    }
  }

  void Search(const Bindings& bindings, int64_t row, int64_t first, int64_t count,
              const T* ordered) const {
    T values[kSearchBlock];
    const char* const from = self_.Row(bindings, row) + first * self_.step();
    char* const to = out_.Row(bindings, row) + first * out_.step();
    for (int64_t at = 0; at < count; at += kSearchBlock) {
      const int64_t n = std::min(kSearchBlock, count - at);
      blocks::ConvertElements(types_[1], from + at * self_.step(), self_.step(), kTypeOf<T>,
                              reinterpret_cast<char*>(values), sizeof(T), n);
      for (int64_t i = 0; i < n; ++i) {
        const int64_t place = Find(ordered, values[i]);
        char* const target = to + (at + i) * out_.step();
        wide_ ? StoreElement(target, place) : StoreElement(target, static_cast<int32_t>(place));
      }
    }
  }

  int64_t Find(const T* ordered, T value) const {
    return FirstReached(sequence_.length(), right_, value,
                        [&](int64_t place) { return ordered[place]; });
  }

  const Rows sequence_, self_, sorter_, out_;
  const aclDataType types_[2];
  const bool sorted_by_, wide_, right_;
  WorkspaceSlot<T> ordered_;
};

// One number, for which few elements are looked at.
template <class T>
class SearchOnePlan final : public Plan {
 public:
  SearchOnePlan(const TensorView& sequence, T value, const TensorView& sorter,
                const TensorView& out, bool right)
      : sequence_(sequence), value_(value), sorter_(sorter), out_(out), right_(right) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t length = sequence_.sizes[0];
    int64_t wrong = -1;
    const int64_t place = FirstReached(length, right_, value_, [&](int64_t at) {
      if (sorter_.given()) {
        at = LoadElement<int64_t>(sorter_.Address(bindings) + at * sorter_.strides[0] * 8);
        if (at < 0 || at >= length) wrong = at, at = 0;
      }
      const char* const from =
          sequence_.Address(bindings) + at * sequence_.strides[0] * BytesOf(sequence_);
      T number = 0;
      blocks::ConvertElements(sequence_.dtype, from, 0, kTypeOf<T>,
                              reinterpret_cast<char*>(&number), sizeof(T), 1);
      return number;
    });
    if (wrong >= 0) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "sorter has an index {}, expected 0 to {}", wrong,
                  length - 1);
    }
    char* const to = out_.Address(bindings);
    out_.dtype == ACL_INT64 ? StoreElement(to, place)
                            : StoreElement(to, static_cast<int32_t>(place));
    return {};
  }

 private:
  const TensorView sequence_;
  const T value_;
  const TensorView sorter_, out_;
  const bool right_;
};

// Whether elements equal a number.
class IsInPlan final : public Plan {
 public:
  IsInPlan(const TensorView& self, const TensorView& out, aclDataType via,
           const std::array<char, 16>& test, bool invert)
      : self_(self, self.rank - 1),
        out_(out, out.rank - 1),
        dtype_(self.dtype),
        via_(via),
        test_(test),
        invert_(invert) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t row = self_.length();
    ParallelFor(self_.count() * row, 8 * kSearchBlock, [&](int64_t begin, int64_t end) {
      alignas(16) char block[kSearchBlock * 16];
      const int64_t bytes = BitsOf(via_) / 8;
      while (begin < end) {
        const int64_t at = begin % row;
        const int64_t n = std::min({end - begin, row - at, kSearchBlock});
        const char* const from = self_.Row(bindings, begin / row) + at * self_.step();
        char* const to = out_.Row(bindings, begin / row) + at * out_.step();
        blocks::ConvertElements(dtype_, from, self_.step(), via_, block, bytes, n);
        for (int64_t i = 0; i < n; ++i) {
          const bool equal = Equals(block + i * bytes);
          to[i * out_.step()] = static_cast<char>(equal != invert_);
        }
        begin += n;
      }
    });
    return {};
  }

 private:
  bool Equals(const char* element) const {
    switch (via_) {
      case ACL_INT64:
        return std::memcmp(element, test_.data(), sizeof(int64_t)) == 0;
      case ACL_DOUBLE:
        return LoadElement<double>(element) == LoadElement<double>(test_.data());
      default: {
        const char* const imaginary = test_.data() + sizeof(double);
        return LoadElement<double>(element) == LoadElement<double>(test_.data()) &&
               LoadElement<double>(element + sizeof(double)) == LoadElement<double>(imaginary);
      }
    }
  }

  const Rows self_, out_;
  const aclDataType dtype_, via_;
  const std::array<char, 16> test_;
  const bool invert_;
};

// A scalar as `via`, in the type of a comparison with elements of `dtype`: 0.1 is the fp32 number
// nearest to it for an fp32 tensor.
std::array<char, 16> ElementOf(const Scalar& scalar, aclDataType dtype, aclDataType via) {
  std::array<char, 16> element{};
  const char* const bytes = reinterpret_cast<const char*>(scalar.bytes.data());
  aclDataType common = PromoteScalar(dtype, scalar.dtype);
  if (common == ACL_DT_UNDEFINED) common = ACL_FLOAT;  // UINT16 and fractions
  alignas(16) char rounded[16] = {};
  blocks::ConvertElements(scalar.dtype, bytes, 0, common, rounded, 0, 1);
  blocks::ConvertElements(common, rounded, 0, via, element.data(), 0, 1);
  return element;
}

Status CheckPlaceType(const Operands& operands) {
  const aclDataType expected = operands.Flag(kOutInt32) ? ACL_INT32 : ACL_INT64;
  if (operands[kOut].dtype() == expected) return {};
  return Fail(operands.spec().codes.dtype, "out.dtype = {}, expected {}: outInt32 = {}",
              NameOf(operands[kOut].dtype()), NameOf(expected), operands.Flag(kOutInt32));
}

}  // namespace

Status PrepareSearchSorted(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const CheckCodes& codes = operands.spec().codes;
  if (Status s = CheckPlaceType(operands); !s.ok()) return s;
  const Dims& sequence = operands[kSequence].shape();
  const Dims& self = operands[kSelf].shape();
  bool fits = sequence.rank() > 0;
  if (sequence.rank() > 1) {
    fits = sequence.rank() == self.rank();
    for (size_t i = 0; fits && i + 1 < self.rank(); ++i) fits = sequence[i] == self[i];
  }
  if (!fits) {
    return Fail(codes.shape,
                "sortedSequence.shape = {}, expected a vector, or self.shape = {} but for the last "
                "size",
                sequence.ToString(), self.ToString());
  }
  TensorView sorter;
  if (operands.Given(kSorter)) {
    if (Status s = CheckShapeIs(operands, kSorter, sequence); !s.ok()) return s;
    sorter = ViewOf(operands, kSorter);
  }
  if (operands[kOut].IsEmpty()) return {};
  const TensorView ordered = ViewOf(operands, kSequence);
  const TensorView values = AtLeastVector(ViewOf(operands, kSelf));
  const TensorView out = AtLeastVector(ViewOf(operands, kOut));
  if (Status s = CheckLength(operands, Rows(ordered, ordered.rank - 1)); !s.ok()) return s;
  const bool real = CategoryOf(ordered.dtype) == Category::kFloating ||
                    CategoryOf(values.dtype) == Category::kFloating;
  const bool right = operands.Flag(kRight);
  if (real) {
    call->plan = std::make_shared<SearchPlan<double>>(ordered, values, sorter, out, right);
  } else {
    call->plan = std::make_shared<SearchPlan<int64_t>>(ordered, values, sorter, out, right);
  }
  return {};
}

Status PrepareSearchOne(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckPlaceType(operands); !s.ok()) return s;
  ScalarValue value;
  if (Status s = ReadScalar(operands, kSelf, &value); !s.ok()) return s;
  const TensorView sequence = ViewOf(operands, kSequence), out = ViewOf(operands, kOut);
  if (out.elements() != 1) {
    return Fail(operands.spec().codes.shape, "out.shape = {}, expected one element",
                operands[kOut].shape().ToString());
  }
  const TensorView sorter = ViewOf(operands, kSorter);
  const bool right = operands.Flag(kRight);
  const Scalar& scalar = *operands.ScalarAt(kSelf);
  if (CategoryOf(sequence.dtype) == Category::kFloating ||
      CategoryOf(scalar.dtype) == Category::kFloating) {
    const auto number = LoadElement<double>(ElementOf(scalar, sequence.dtype, ACL_DOUBLE).data());
    call->plan = std::make_shared<SearchOnePlan<double>>(sequence, number, sorter, out, right);
  } else {
    const auto number = LoadElement<int64_t>(ElementOf(scalar, sequence.dtype, ACL_INT64).data());
    call->plan = std::make_shared<SearchOnePlan<int64_t>>(sequence, number, sorter, out, right);
  }
  return {};
}

Status PrepareIsIn(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = AtLeastVector(ViewOf(operands, kSelf));
  ScalarValue test;
  if (Status s = ReadComplexScalar(operands, kTest, &test); !s.ok()) return s;
  const Category highest = std::max(CategoryOf(self.dtype), CategoryOf(test.dtype));
  const aclDataType via = highest == Category::kComplex    ? ACL_COMPLEX128
                          : highest == Category::kFloating ? ACL_DOUBLE
                                                           : ACL_INT64;
  const std::array<char, 16> element = ElementOf(*operands.ScalarAt(kTest), self.dtype, via);
  if (operands[kOut].IsEmpty()) return {};
  const TensorView out = AtLeastVector(ViewOf(operands, kOut));
  call->plan = std::make_shared<IsInPlan>(self, out, via, element, operands.Flag(kInvert));
  return {};
}

}  // namespace anyacl::sorting
