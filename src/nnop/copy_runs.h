// SPDX-License-Identifier: Apache-2.0
// The innermost loops of copies: runs of bytes, elements at steps, tiles that change rows and
// columns. They move 16 bytes at a time, which every machine can: faster ones wait for memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/ask_for_run.h"
#include "base/element_width.h"
#include "base/past_caches.h"
#include "base/turned_rows.h"

namespace anyacl {

// memcpy, for short runs without a call: 64 x 64 heads of 16 bits, runs of 128 bytes, took 4.7 ms
// instead of 5.9 in 64 MiB, and of 32 bits 11.0 instead of 12.4. Beyond 256 bytes its vectors of 32
// or 64 bytes pay for the call.
constexpr int64_t kInlineRunBytes = 256;
inline void CopyRun(char* to, const char* from, int64_t bytes) {
  if (to == from) return;
  if (bytes > kInlineRunBytes) {
    std::memcpy(to, from, static_cast<size_t>(bytes));
    return;
  }
  for (; bytes >= 64; bytes -= 64, to += 64, from += 64) {
    const auto a = LoadElement<SixteenBytes>(from), b = LoadElement<SixteenBytes>(from + 16);
    const auto c = LoadElement<SixteenBytes>(from + 32), d = LoadElement<SixteenBytes>(from + 48);
    StoreElement(to, a);
    StoreElement(to + 16, b);
    StoreElement(to + 32, c);
    StoreElement(to + 48, d);
  }
  for (; bytes >= 16; bytes -= 16, to += 16, from += 16) {
    StoreElement(to, LoadElement<SixteenBytes>(from));
  }
  if (bytes >= 8) {
    StoreElement(to, LoadElement<uint64_t>(from));
    bytes -= 8, to += 8, from += 8;
  }
  if (bytes >= 4) {
    StoreElement(to, LoadElement<uint32_t>(from));
    bytes -= 4, to += 4, from += 4;
  }
  for (; bytes > 0; --bytes) *to++ = *from++;
}

// The lines that the run shares with others are left to the caches, unless it is a whole number of
// 16 bytes in their place: then its neighbours complete them.
inline void CopyRunPastCaches(char* to, const char* from, int64_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(to);
  if (bytes % 16 != 0 || address % 16 != 0) {
    const auto head = static_cast<int64_t>(-address & 63);
    if (bytes < head + 64) return CopyRun(to, from, bytes);
    CopyRun(to, from, head);
    to += head, from += head, bytes -= head;
  }
  for (; bytes >= 64; bytes -= 64, to += 64, from += 64) {
    for (int i = 0; i < 64; i += 16) Copy16PastCaches(to + i, from + i);
  }
  for (; bytes >= 16; bytes -= 16, to += 16, from += 16) Copy16PastCaches(to, from);
  CopyRun(to, from, bytes);
}

// Whether rows that begin at `to`, and every `step` bytes, can go past the caches: short ones must
// be whole lines together with their neighbours.
inline bool CanGoPastCaches(const char* to, int64_t step, int64_t bytes) {
  const bool aligned = (reinterpret_cast<uintptr_t>(to) | static_cast<uintptr_t>(step)) % 16 == 0;
  return aligned && (bytes >= 1024 || (bytes >= 64 && bytes % 16 == 0));
}

// One element, `count` times.
template <class T>
void RepeatElement(char* to, T value, int64_t count, bool past_caches) {
  constexpr int64_t kSize = sizeof(T);
  const int64_t bytes = count * kSize;
  int64_t done = 0;
  if (bytes >= 16) {
    SixteenBytes block;
    if constexpr (kSize == 16) {
      block = value;
    } else {
      typedef T Vector __attribute__((vector_size(16)));
      const Vector all = Vector{} + value;
      block = LoadElement<SixteenBytes>(reinterpret_cast<const char*>(&all));
    }
    if (past_caches && reinterpret_cast<uintptr_t>(to) % 16 == 0) {
      const char* const pattern = reinterpret_cast<const char*>(&block);
      for (; done + 16 <= bytes; done += 16) Copy16PastCaches(to + done, pattern);
    }
    for (; done + 16 <= bytes; done += 16) StoreElement(to + done, block);
  }
  for (; done < bytes; done += kSize) StoreElement(to + done, value);
}

// Element i of `to` is element -i of `from`.
template <class T>
void ReverseRun(char* to, const char* from, int64_t count) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kLanes = 16 / kSize;
  int64_t i = 0;
  if constexpr (kSize < 8) {
    typedef T Vector __attribute__((vector_size(16)));
    for (; i + kLanes <= count; i += kLanes) {
      Vector v = LoadElement<Vector>(from - (i + kLanes - 1) * kSize);
      if constexpr (kLanes == 4) {
        v = __builtin_shufflevector(v, v, 3, 2, 1, 0);
      } else if constexpr (kLanes == 8) {
        v = __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0);
      } else {
        v = __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
      }
      StoreElement(to + i * kSize, v);
    }
  }
  for (; i < count; ++i) StoreElement(to + i * kSize, LoadElement<T>(from - i * kSize));
}

template <class T>
void StridedRun(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    StoreElement(to + i * to_step, LoadElement<T>(from + i * from_step));
  }
}

// How rows are written. Those of a tile that lie otherwise in lines of memory than the tile's first
// are cut at lines, not at columns: `lead` columns of them, a line, belong to the tile before as
// far as they do not begin the line of the column after them; if `cut`, likewise at their end.
struct Writing {
  bool past_caches = false;
  int64_t lead = 0;
  bool cut = false;
};

// Beyond the caches. 32 columns are as many runs of memory as the hardware reads ahead of: a matrix
// of 128 MiB is transposed in 9 ms, with 64 columns in 17. Those of bytes are whole lines where
// they are written.
constexpr int64_t TransposedColumns(int64_t element_bytes) { return element_bytes == 1 ? 128 : 32; }
constexpr int64_t kTransposedRows = 128;

// A tile written by rows, read by columns: element (r, c) is at to + r * to_step + c * sizeof(T)
// and at from + c * from_step + r * sizeof(T).
template <class T>
void TransposeTile(char* to, const char* from, int64_t rows, int64_t columns, int64_t to_step,
                   int64_t from_step, const Writing& writing) {
  constexpr int64_t kSize = sizeof(T);
  // 16 KiB or more, which tiles within the caches have.
  alignas(64) char stage[kTransposedRows * (TransposedColumns(kSize) * kSize + 64)];
  const int64_t step = (columns * kSize + 15) / 16 * 16;  // up to which TurnRows writes
  TurnRows<sizeof(T)>(stage, step, from, from_step, rows, columns);
  const int64_t lead = writing.lead * kSize;
  const int64_t bytes = columns * kSize;
  const bool past_caches = writing.past_caches &&
                           (writing.lead > 0 || writing.cut || CanGoPastCaches(to, to_step, bytes));
  for (int64_t r = 0; r < rows; ++r) {
    char* row = to + r * to_step;
    const auto in_line = [row](int64_t at) {
      return static_cast<int64_t>(reinterpret_cast<uintptr_t>(row + at) & 63);
    };
    const int64_t begin = lead > 0 ? lead - in_line(lead) : 0;
    const int64_t end = writing.cut ? std::max(begin, bytes - in_line(bytes)) : bytes;
    past_caches ? CopyRunPastCaches(row + begin, stage + r * step + begin, end - begin)
                : CopyRun(row + begin, stage + r * step + begin, end - begin);
  }
}

}  // namespace anyacl
