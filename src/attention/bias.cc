// SPDX-License-Identifier: Apache-2.0
#include "attention/bias.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "kernels.h"

namespace anyacl::attention {
namespace {

// Eight bits as eight bytes, which are 0 or not.
uint64_t SpreadBits(uint64_t bits) { return (bits * 0x0101010101010101u) & 0x8040201008040201u; }

}  // namespace

void Bias::CopyMask(const TileRows& rows, int i, int64_t from, int count, int8_t* to) const {
  const TensorView& mask = bound_.params.mask;
  const int64_t step = ColumnStep(mask);
  const char* at =
      bound_.At(mask.slot) + RowAt(mask, rows.batch, rows.head[i], rows.row[i]) + from * step;
  if (step == 1) {
    std::memcpy(to, at, static_cast<size_t>(count));
  } else {
    for (int j = 0; j < count; ++j) to[j] = static_cast<int8_t>(at[j * step]);
  }
}

void Bias::CopyTreeMask(const TileRows& rows, int i, int64_t from, int count, int8_t* to) const {
  const Params& p = bound_.params;
  const auto batch = static_cast<size_t>(rows.batch);
  const int64_t row = rows.row[i] - bound_.FirstQueryRow(rows.batch);
  const int64_t size = p.QueryLength(rows.batch);
  const char* at = bound_.At(p.mask.slot);
  const int64_t step = ColumnStep(p.mask);
  at += p.mask_starts.empty() ? RowAt(p.mask, rows.batch, 0, row)
                              : p.mask.offset + (p.mask_starts[batch] + row * size) * step;
  const int64_t first = p.Columns(rows.batch) - size;
  for (int j = 0; j < count; ++j) {
    const int64_t column = from + j - first;
    to[j] = column < 0 ? int8_t{0} : static_cast<int8_t>(at[column * step]);
  }
}

// Behind a row's last byte it is repeated, as look_at_bytes asks for.
Masked Bias::PlaceMask(const TileRows& rows, int64_t from, int count, Form form,
                       int8_t* out) const {
  const bool tree = bound_.params.tree_mask;
  const int64_t first = tree ? std::max<int64_t>(0, bound_.FirstToken(rows.batch)) : 0;
  for (int i = 0; i < rows.count; ++i) {
    int8_t* to = buffers_.bytes + i * kTile;
    if (tree) {
      CopyTreeMask(rows, i, from - first, count, to);
    } else {
      CopyMask(rows, i, from, count, to);
    }
    std::memset(to + count, to[count - 1], static_cast<size_t>(kTile - count));
  }
  const Masked masked = Kernels().attention.look_at_bytes(buffers_.bytes, rows.count, count);
  if (masked != Masked::kNone) Place(rows, count, form, out);
  return masked;
}

void Bias::Place(const TileRows& rows, int count, Form form, int8_t* out) const {
  const size_t bytes = static_cast<size_t>(rows.count) * kTile;
  if (form == Form::kDecode) {
    std::memcpy(out, buffers_.bytes, bytes);
    return;
  }
  const int vectors = (rows.count + 15) / 16;
  std::memset(buffers_.bytes + bytes, 0, static_cast<size_t>(vectors * 16) * kTile - bytes);
  Kernels().attention.place_bytes(buffers_.bytes, vectors, count, out);
}

void Bias::PlaceKept(const TileRows& rows, int64_t from, int count, int8_t* out) const {
  const Params& p = bound_.params;
  const auto* bits = reinterpret_cast<const uint8_t*>(bound_.At(p.drop.slot)) + p.drop.offset;
  const int64_t step = p.drop.strides[0];
  for (int i = 0; i < rows.count; ++i) {
    const int64_t first =
        p.drop_start +
        ((rows.batch * p.heads() + rows.head[i]) * p.query_size + rows.row[i]) * p.kv_size + from;
    for (int j = 0; j < count; j += 8) {
      const int64_t byte = (first + j) / 8;
      uint64_t word = bits[byte * step];
      const int shift = static_cast<int>((first + j) % 8);
      // The second byte is there whenever one of its bits is.
      const bool both = (first + std::min(j + 8, count) - 1) / 8 > byte;
      if (both) word |= uint64_t{bits[(byte + 1) * step]} << 8;
      const uint64_t spread = SpreadBits(word >> shift & 0xff);
      std::memcpy(buffers_.bytes + i * kTile + j, &spread, sizeof(spread));
    }
  }
  Place(rows, count, Form::kPrefill, out);
}

void Bias::PlaceSlopes(const TileRows& rows, int64_t from, int count, Form form, float* out) const {
  const Params& p = bound_.params;
  const auto* const data = reinterpret_cast<const float*>(bound_.At(p.slopes.slot));
  alignas(64) float slope[kPrefillRows] = {};
  alignas(64) int32_t place[kPrefillRows] = {};
  for (int i = 0; i < rows.count; ++i) {
    slope[i] = data[RowAt(p.slopes, rows.batch, rows.head[i], 0)];
    place[i] = static_cast<int32_t>(rows.row[i] + p.slope_shift - from);
  }
  if (form == Form::kPrefill) {
    Kernels().attention.place_slopes(
        {(rows.count + 15) / 16, count, slope, place, p.slope_roots, out});
    return;
  }
  for (int i = 0; i < rows.count; ++i) {
    for (int j = 0; j < count; ++j) {
      const auto distance = static_cast<float>(std::abs(place[i] - j));
      out[i * kTile + j] = -slope[i] * (p.slope_roots ? std::sqrt(distance) : distance);
    }
  }
}

void Bias::PlacePse(const TileRows& rows, int64_t from, int count, Form form, float* out) const {
  const Params& p = bound_.params;
  if (p.slopes.given()) return PlaceSlopes(rows, from, count, form, out);
  const char* data = bound_.At(p.pse.slot);
  const int64_t bytes = BytesOf(p.pse_type), step = ColumnStep(p.pse);
  const KernelSet& kernels = Kernels().attention;
  for (int first = 0; first < rows.count; first += 16) {
    const int lanes = std::min(16, rows.count - first);
    float* const to = form == Form::kDecode ? out + first * kTile : buffers_.floats;
    for (int i = 0; i < lanes; ++i) {
      const int64_t row = RowAt(p.pse, rows.batch, rows.head[first + i], rows.row[first + i]);
      const char* at = data + bytes * (row + from * step);
      if (step != 1) {
        for (int j = 0; j < count; ++j) {
          std::memcpy(buffers_.gathered + j * bytes, at + j * step * bytes,
                      static_cast<size_t>(bytes));
        }
        at = buffers_.gathered;
      }
      kernels.to_float(p.pse_type, at, count, to + i * kTile);
      for (int j = 0; j < count; ++j) to[i * kTile + j] *= p.pse_scale;
    }
    if (form == Form::kDecode) continue;
    std::memset(to + lanes * kTile, 0, sizeof(float) * static_cast<size_t>((16 - lanes) * kTile));
    kernels.place_lanes(to, kTile, count, kPrefillRows, out + first);
  }
}

}  // namespace anyacl::attention
