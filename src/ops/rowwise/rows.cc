// SPDX-License-Identifier: Apache-2.0
#include "ops/rowwise/rows.h"

#include <algorithm>

#include "runtime/cache_share.h"

namespace anyacl::rowwise {
namespace {

// Of rows that lie one after the other: eight of 128.
constexpr int64_t kGroupElements = 1024;
// Of rows that threads share: 16 bytes of a line of memory.
constexpr int64_t kLeastGroup = 4;

int64_t LastStride(const TensorView& view) {
  return view.rank > 0 ? view.strides[view.rank - 1] : 1;
}

// All rows of the parts at once: dimensions merge only where they do in every part.
void CoalesceRows(std::vector<Part>& parts) {
  std::vector<TensorView> kept, row;
  for (Part& part : parts) {
    kept.push_back(part.kept);
    row.push_back(part.row);
  }
  Coalesce(kept);
  CoalesceInOrder(row);
  for (size_t i = 0; i < parts.size(); ++i) parts[i] = {kept[i], row[i]};
}

}  // namespace

Part RowsOf(const TensorView& view, int row_rank) {
  Part part = {view, view};
  if (!view.given()) return part;
  part.kept.rank = view.rank - row_rank;
  part.row.rank = row_rank;
  std::copy_n(view.sizes + part.kept.rank, row_rank, part.row.sizes);
  std::copy_n(view.strides + part.kept.rank, row_rank, part.row.strides);
  return part;
}

Part RowsAlong(const TensorView& view, int dim) {
  if (view.rank == 0) return RowsOf(view, 0);
  Part part = {WithoutDim(view, dim), view};
  part.row.rank = 1;
  part.row.sizes[0] = view.sizes[dim];
  part.row.strides[0] = view.strides[dim];
  return part;
}

Part PerRow(const TensorView& view, const TensorView& kept) {
  Part part = {view, view};
  part.row.rank = 0;
  part.row.slot = -1;
  if (!view.given() || kept.elements() == 0) return part;
  part.kept.rank = kept.rank;
  int from = 0;
  for (int i = 0; i < kept.rank; ++i) {
    part.kept.sizes[i] = kept.sizes[i];
    part.kept.strides[i] = 0;
    if (kept.sizes[i] == 1) continue;
    while (view.sizes[from] == 1) ++from;
    part.kept.strides[i] = view.strides[from++];
  }
  return part;
}

Rows::Rows(std::vector<Part> parts, Options options) : parts_(std::move(parts)) {
  n_ = parts_[0].row.elements();
  rows_ = parts_[0].kept.elements();
  int64_t bytes = 0;
  for (const Part& part : parts_) {
    if (part.row.given()) bytes += n_ * rows_ * blocks::BytesOf(part.kept.dtype);
  }
  past_caches_ = bytes / 4 * 5 > LastCacheShare();
  CoalesceRows(parts_);
  const Part& lead = parts_[0];
  if (lead.kept.rank > 0) {
    last_ = lead.kept.sizes[lead.kept.rank - 1];
    const bool across = LastStride(lead.row) != 1 || lead.row.rank > 1;
    if (across && lead.row.rank <= 1 && n_ > 0 && n_ <= kPiece) {
      group_ = std::clamp<int64_t>(kBuffer / n_, 1, kMaxBuffered);
    }
  }
  direct_ = !options.as_numbers && IsDirect();
  if (direct_) type_ = ElementOf(lead.kept.dtype);
  if (direct_ && options.in_groups && n_ > 0 && LieTogether()) {
    group_ = std::clamp<int64_t>(kGroupElements / n_, 1, kMaxBuffered);
  }
  across_ = options.across && LieAcross();
  // Two lines of memory of a page at a time: twice as fast as one where rows are 4 KB apart.
  if (across_) group_ = n_ <= kAcrossNumbers / kAcross ? kAcross : kStrip;
  // Rows have the same bits in groups of any size.
  while (!direct_ && group_ > kLeastGroup && rows_ < 2 * group_ * ThreadCount()) group_ /= 2;
  tiles_ = (last_ + group_ - 1) / group_;
}

bool Rows::LieTogether() const {
  const int rank = parts_[0].kept.rank;
  return rank > 0 && std::ranges::all_of(parts_, [&](const Part& part) {
           return !part.row.given() || (part.kept.rank == rank && LastStride(part.kept) == n_);
         });
}

bool Rows::LieAcross() const {
  if (direct_ || pieces() != 1 || n_ == 0 || last_ < kStrip / 2) return false;
  const aclDataType type = parts_[0].kept.dtype;
  return BitsOf(type) <= 32 && std::ranges::all_of(parts_, [&](const Part& part) {
           return !part.row.given() || (part.kept.dtype == type && part.row.rank == 1 &&
                                        part.kept.rank > 0 && LastStride(part.kept) == 1);
         });
}

Across Rows::AcrossAt(const Bindings& bindings, int part, const Group& group) const {
  return {Address(bindings, part, group, 0), parts_[static_cast<size_t>(part)].row.strides[0],
          group.rows};
}

bool Rows::IsDirect() const {
  if (group_ != 1) return false;
  for (const Part& part : parts_) {
    if (!part.row.given()) continue;
    if (!part.row.IsContiguous() || part.kept.dtype != parts_[0].kept.dtype) return false;
  }
  return true;
}

char* Rows::Address(const Bindings& bindings, int part, const Group& group, int64_t begin) const {
  const TensorView& kept = parts_[static_cast<size_t>(part)].kept;
  return kept.Address(bindings) + (group.offsets[part] + begin) * blocks::BytesOf(kept.dtype);
}

Group Rows::Locate(int64_t group, int64_t* offsets) const {
  const int64_t first = group % tiles_ * group_;
  for (size_t p = 0; p < parts_.size(); ++p) {
    const TensorView& kept = parts_[p].kept;
    offsets[p] = 0;
    if (!kept.given() || kept.rank == 0) continue;
    offsets[p] = first * kept.strides[kept.rank - 1] + kept.OffsetOf(group / tiles_, kept.rank - 1);
  }
  return {group / tiles_ * last_ + first, std::min(group_, last_ - first), offsets};
}

// visit(tile, elements before it): one tile, but for rows of several dimensions.
template <class Visit>
void Rows::ForTiles(const Bindings& bindings, const Part& part, int64_t offset, int64_t rows,
                    int64_t begin, int64_t count, const Visit& visit) const {
  const int64_t bytes = blocks::BytesOf(part.kept.dtype);
  char* base = part.kept.Address(bindings) + offset * bytes;
  const TensorView& row = part.row;
  if (row.rank <= 1) {
    const int64_t stride = LastStride(row);
    visit(blocks::Tile{base + begin * stride * bytes, rows, count, LastStride(part.kept), stride,
                       past_caches_},
          0);
    return;
  }
  anyacl::ForTiles(
      row, begin, begin + count,
      [&](int64_t place, int64_t lines, int64_t columns, int64_t before) {
        visit(blocks::Tile{base + place * bytes, lines, columns, row.strides[row.rank - 2],
                           row.strides[row.rank - 1], past_caches_},
              before);
      });
}

template <class T>
const T* Rows::Numbers(const Bindings& bindings, int part, const Group& group, int64_t begin,
                       int64_t count, T* buffer) const {
  const Part& p = parts_[static_cast<size_t>(part)];
  const int64_t offset = group.offsets[part];
  if (p.row.IsContiguous() && group.rows == 1 && ElementOf(p.kept.dtype) == kElementOf<T>) {
    return reinterpret_cast<const T*>(Address(bindings, part, group, begin));
  }
  const auto load = blocks::Loader(kElementOf<T>, p.kept.dtype);
  ForTiles(bindings, p, offset, group.rows, begin, count, [&](blocks::Tile tile, int64_t before) {
    tile.past_caches = false;  // the buffer stays in the caches
    load(tile, buffer + before);
  });
  return buffer;
}

template <class T>
void Rows::Write(const Bindings& bindings, int part, const Group& group, int64_t begin,
                 int64_t count, const T* values) const {
  const Part& p = parts_[static_cast<size_t>(part)];
  const auto store = blocks::Storer(kElementOf<T>, p.kept.dtype);
  ForTiles(bindings, p, group.offsets[part], group.rows, begin, count,
           [&](const blocks::Tile& tile, int64_t before) { store(values + before, tile); });
}

void Rows::Copy(const Bindings& bindings, int part, const Group& group, int64_t begin,
                int64_t count, const void* from) const {
  if (!direct_) {
    return Write(bindings, part, group, begin, count, static_cast<const float*>(from));
  }
  const int64_t bytes = blocks::BytesOf(parts_[static_cast<size_t>(part)].kept.dtype);
  const int64_t n = group.rows * count;
  const blocks::Tile source = {static_cast<char*>(const_cast<void*>(from)), 1, n, n, 1, false};
  blocks::Copier(bytes)(source, {Address(bindings, part, group, begin), 1, n, n, 1, past_caches_});
}

void Rows::WriteNumber(const Bindings& bindings, int part, const Group& group, int64_t row,
                       double value) const {
  const TensorView& kept = parts_[static_cast<size_t>(part)].kept;
  if (!kept.given()) return;
  const int64_t at = group.offsets[part] + (kept.rank > 0 ? row * LastStride(kept) : 0);
  char* to = kept.Address(bindings) + at * blocks::BytesOf(kept.dtype);
  if (kept.dtype == ACL_FLOAT) {
    *reinterpret_cast<float*>(to) = static_cast<float>(value);
  } else {
    blocks::StoreOne(value, kept.dtype, to);
  }
}

double Rows::ReadNumber(const Bindings& bindings, int part, const Group& group, int64_t row) const {
  const TensorView& kept = parts_[static_cast<size_t>(part)].kept;
  const int64_t at = group.offsets[part] + (kept.rank > 0 ? row * LastStride(kept) : 0);
  char* from = kept.Address(bindings) + at * blocks::BytesOf(kept.dtype);
  if (kept.dtype == ACL_FLOAT) return double{*reinterpret_cast<const float*>(from)};
  return blocks::LoadOne<double>(kept.dtype, from);
}

template const float* Rows::Numbers(const Bindings&, int, const Group&, int64_t, int64_t,
                                    float*) const;
template const double* Rows::Numbers(const Bindings&, int, const Group&, int64_t, int64_t,
                                     double*) const;
template void Rows::Write(const Bindings&, int, const Group&, int64_t, int64_t, const float*) const;
template void Rows::Write(const Bindings&, int, const Group&, int64_t, int64_t,
                          const double*) const;

}  // namespace anyacl::rowwise
