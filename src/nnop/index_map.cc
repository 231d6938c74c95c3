// SPDX-License-Identifier: Apache-2.0
#include "nnop/index_map.h"

#include <algorithm>

namespace anyacl {
namespace {

// Calls visit(offset, step, count) for the runs along the last dimension that make up the elements.
template <class Visit>
void ForEachRun(const IndexMap& map, int64_t first, int64_t count, Visit visit) {
  if (map.rank == 0) {
    if (count > 0) visit(map.base, int64_t{1}, int64_t{1});
    return;
  }
  const int last = map.rank - 1;
  while (count > 0) {
    const int64_t run = std::min(count, map.sizes[last] - first % map.sizes[last]);
    visit(map.At(first), map.strides[last], run);
    first += run;
    count -= run;
  }
}

template <class T>
void GatherOf(const IndexMap& map, const T* tensor, int64_t first, int64_t count, T* out) {
  ForEachRun(map, first, count, [&](int64_t offset, int64_t step, int64_t run) {
    const T* from = tensor + offset;
    for (int64_t i = 0; i < run; ++i) *out++ = from[i * step];
  });
}

template <class T>
void ScatterOf(const IndexMap& map, T* tensor, int64_t first, int64_t count, const T* in) {
  ForEachRun(map, first, count, [&](int64_t offset, int64_t step, int64_t run) {
    T* to = tensor + offset;
    for (int64_t i = 0; i < run; ++i) to[i * step] = *in++;
  });
}

}  // namespace

IndexMap MapLeading(const Operand& operand, size_t dims) {
  IndexMap map;
  map.base = operand.layout->offset;
  for (size_t i = 0; i < dims; ++i) {
    const int64_t size = operand.shape()[i];
    const int64_t stride = operand.strides()[i];
    if (size == 1) continue;
    if (map.rank > 0 && map.strides[map.rank - 1] == size * stride) {
      map.sizes[map.rank - 1] *= size;
      map.strides[map.rank - 1] = stride;
    } else {
      map.sizes[map.rank] = size;
      map.strides[map.rank] = stride;
      ++map.rank;
    }
  }
  return map;
}

void Gather(const IndexMap& map, const char* tensor, size_t element_bytes, int64_t first,
            int64_t count, void* out) {
  if (element_bytes == 2) {
    GatherOf(map, reinterpret_cast<const uint16_t*>(tensor), first, count,
             static_cast<uint16_t*>(out));
  } else {
    GatherOf(map, reinterpret_cast<const uint32_t*>(tensor), first, count,
             static_cast<uint32_t*>(out));
  }
}

void Scatter(const IndexMap& map, char* tensor, size_t element_bytes, int64_t first, int64_t count,
             const void* in) {
  if (element_bytes == 2) {
    ScatterOf(map, reinterpret_cast<uint16_t*>(tensor), first, count,
              static_cast<const uint16_t*>(in));
  } else {
    ScatterOf(map, reinterpret_cast<uint32_t*>(tensor), first, count,
              static_cast<const uint32_t*>(in));
  }
}

}  // namespace anyacl
