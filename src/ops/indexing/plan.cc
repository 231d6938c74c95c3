// SPDX-License-Identifier: Apache-2.0
#include "ops/indexing/plan.h"

#include <algorithm>

#include "nnop/scalar.h"
#include "ops/blocks/convert.h"
#include "ops/indexing/scatter_buckets.h"
#include "ops/indexing/scatter_singles.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

bool IsIndexType(aclDataType dtype) { return dtype == ACL_INT64 || dtype == ACL_INT32; }

// The elements in row-major order, as int64.
void Widen(const TensorView& view, const char* from, int64_t* to) {
  const int64_t bytes = BytesOf(view);
  const int64_t row = view.rank == 0 ? 1 : view.sizes[view.rank - 1];
  const int64_t step = view.rank == 0 ? 0 : view.strides[view.rank - 1];
  ParallelFor(view.elements() / std::max<int64_t>(row, 1), 1024, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const int64_t offset = view.OffsetOf(r, view.rank - 1);
      blocks::ConvertElements(view.dtype, from + offset * bytes, step * bytes, ACL_INT64,
                              reinterpret_cast<char*>(to + r * row), sizeof(int64_t), row);
    }
  });
}

}  // namespace

Status CheckDimOf(const Operands& operands, const TensorView& self, int* dim) {
  return CheckDim(operands, "dim", operands.Int(kDim), static_cast<size_t>(self.rank), dim);
}

Status CheckTableSize(const Operands& operands, int64_t count) {
  constexpr int64_t kMost = int64_t{1} << 48;
  if (count < kMost) return {};
  return Fail(operands.spec().codes.shape, "there are {} indices, expected fewer than {}", count,
              kMost);
}

Status ReadElement(const Operands& operands, int id, aclDataType dtype,
                   std::array<char, 16>* element) {
  const Scalar& scalar = *operands.ScalarAt(id);
  if (!blocks::CanConvert(scalar.dtype, dtype)) {
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected a number that {} can hold",
                operands.NameOf(id), NameOf(scalar.dtype), NameOf(dtype));
  }
  blocks::ConvertElements(scalar.dtype, reinterpret_cast<const char*>(scalar.bytes.data()), 0,
                          dtype, element->data(), 0, 1);
  return {};
}

void IndexedPlan::AddIndex(const TensorView& index, int64_t limit, int64_t target_stride) {
  index_views.push_back(index);
  access.indices.push_back({.wide = index.dtype != ACL_INT32,
                            .limit = limit,
                            .step = limit > 1 ? target_stride * access.element_bytes : 0});
}

void IndexedPlan::CopyFirst(const TensorView& source) {
  source_ = source;
  first_.Add(LoopsOf(target, source), target.slot, source.slot);
}

void IndexedPlan::ZeroFirst() { first_.Add(FillLoopsOf(target), target.slot, -1); }

void IndexedPlan::Finish() {
  for (const TensorView& view : index_views) {
    const int64_t count = IsIndexType(view.dtype) ? 0 : view.elements();
    widened_.push_back(book_.Book<int64_t>(static_cast<size_t>(count)));
  }
  if (gathers) return;
  const auto count = static_cast<size_t>(CountOf(access.positions));
  // Long boxes are cut into more positions, never into more than their bytes / 256 KiB.
  size_t more = 1;
  for (int i = 0; i + 1 < access.inner.count; ++i) {
    more *= static_cast<size_t>(std::max<int64_t>(access.inner[i].size, 1));
  }
  const int64_t box = CountOf(access.inner) * access.element_bytes;
  if (box <= (256 << 10)) more = 1;
  const auto words = static_cast<size_t>(WordsFor(CountOf(access.positions), access.element_bytes));
  table_ = book_.Book<int64_t>(IsOfSingles(access, scattering) ? words : count * more);
  // All elements of dense tensors have a position apart.
  int64_t apart = 1;
  for (const Axis& axis : access.positions) apart *= axis.apart ? axis.size : 1;
  copies_itself_ = source_.given() && access.indices.count == 1 && target.IsContiguous() &&
                   source_.IsContiguous() && apart * access.indices[0].limit == target.elements() &&
                   CopiesItself(access, scattering);
  if (Grouped(scattering.dtype, scattering.reduce, scattering.by_frequency)) {
    entries_ = book_.Book<Entry>(2 * count * more);
  }
}

bool IndexedPlan::IsSame(const Bindings& bindings) const {
  if (!source_.given() || source_.Address(bindings) != target.Address(bindings)) return false;
  return std::equal(target.strides, target.strides + target.rank, source_.strides);
}

Status IndexedPlan::Run(const Bindings& bindings, const StopToken&) const {
  Access x = access;
  if (target.elements() > 0) x.target = target.Address(bindings);
  x.plain =
      plain.given() ? plain.Address(bindings) : const_cast<char*>(constant.data());  // read only
  for (int k = 0; k < index_views.count; ++k) {
    const TensorView& view = index_views[k];
    if (view.elements() == 0) continue;
    x.indices[k].data =
        view.given() ? view.Address(bindings) : reinterpret_cast<const char*>(list->data());
    if (IsIndexType(view.dtype)) continue;
    int64_t* const wide = widened_[k].In(bindings);
    Widen(view, x.indices[k].data, wide);
    x.indices[k].data = reinterpret_cast<const char*>(wide);
  }
  if (gathers) return indexing::Gather(x, names);
  Scattering how = scattering;
  if (!IsSame(bindings)) {
    const std::array<char, 16> zero{};
    how.may_spoil = source_.given();
    if (copies_itself_) {
      how.source = source_.Address(bindings);
    } else {
      first_.Run(bindings, zero.data());
    }
  }
  how.table = table_.In(bindings);
  how.entries = entries_.In(bindings);
  return indexing::Scatter(x, how, names);
}

}  // namespace anyacl::indexing
