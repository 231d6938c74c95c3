// SPDX-License-Identifier: Apache-2.0
#include "ops/convolution/weights.h"

#include <algorithm>
#include <vector>

#include "base/division.h"

namespace anyacl::convolution {
namespace {

// All taps of a channel, next to each other in memory and in their order.
bool TapsAreRuns(const Correlation& c) {
  int64_t step = 1;
  for (int i = kSpatial; i-- > 0;) {
    if (c.tap_steps[i] != step && c.taps[i].size() > 1) return false;
    for (size_t t = 0; t < c.taps[i].size(); ++t) {
      if (c.taps[i][t] != static_cast<int64_t>(t)) return false;
    }
    step *= static_cast<int64_t>(c.taps[i].size());
  }
  return true;
}

template <class T>
void GatherRuns(const Correlation& c, const T* from, int64_t rows, int64_t k, int64_t depth,
                T* to) {
  const int64_t taps = c.tap_count();
  for (int64_t i = 0; i < depth;) {
    const int64_t tap = (k + i) % taps;
    const int64_t count = std::min(taps - tap, depth - i);
    const T* at = from + (k + i) / taps * c.weight_channel + tap;
    for (int64_t row = 0; row < rows; ++row, at += c.row_step) {
      T* const line = to + row * depth + i;
      for (int64_t j = 0; j < count; ++j) line[j] = at[j];
    }
    i += count;
  }
}

// Of each tap, in elements of the weights.
std::vector<int64_t> TapOffsets(const Correlation& c) {
  std::vector<int64_t> offsets;
  for (int64_t d : c.taps[0]) {
    for (int64_t h : c.taps[1]) {
      for (int64_t w : c.taps[2]) {
        offsets.push_back(d * c.tap_steps[0] + h * c.tap_steps[1] + w * c.tap_steps[2]);
      }
    }
  }
  return offsets;
}

// What is closer together in memory, channels or rows, is gone through innermost.
template <class T>
void GatherAs(const Correlation& c, const T* from, int64_t rows, int64_t k, int64_t depth, T* to) {
  if (TapsAreRuns(c)) return GatherRuns(c, from, rows, k, depth, to);
  const std::vector<int64_t> offsets = TapOffsets(c);
  const auto taps = static_cast<int64_t>(offsets.size());
  // Of tap t, the channels first to end are in the block.
  const auto first = [&](int64_t t) { return std::max<int64_t>(0, CeilDivide(k - t, taps)); };
  const auto end = [&](int64_t t) { return std::max<int64_t>(0, CeilDivide(k + depth - t, taps)); };
  if (c.weight_channel <= c.row_step) {
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t t = 0; t < taps; ++t) {
        const T* const line = from + row * c.row_step + offsets[static_cast<size_t>(t)];
        T* const at = to + row * depth + t - k;
        for (int64_t i = first(t); i < end(t); ++i) at[i * taps] = line[i * c.weight_channel];
      }
    }
    return;
  }
  for (int64_t i = k / taps; i * taps < k + depth; ++i) {
    for (int64_t t = 0; t < taps; ++t) {
      if (i < first(t) || i >= end(t)) continue;
      const T* const line = from + i * c.weight_channel + offsets[static_cast<size_t>(t)];
      T* const at = to + i * taps + t - k;
      for (int64_t row = 0; row < rows; ++row) at[row * depth] = line[row * c.row_step];
    }
  }
}

}  // namespace

int64_t FirstTap(const Correlation& c) {
  int64_t offset = 0;
  for (int i = 0; i < kSpatial; ++i)
    offset += c.taps[i].empty() ? 0 : c.taps[i][0] * c.tap_steps[i];
  return offset;
}

int64_t DepthStep(const Correlation& c) {
  if (c.tap_count() == 1) return c.weight_channel;
  int64_t step = c.tap_steps[2];
  for (int i = kSpatial; i-- > 0;) {
    if (c.tap_steps[i] != step && c.taps[i].size() > 1) return 0;
    for (size_t t = 0; t < c.taps[i].size(); ++t) {
      if (c.taps[i][t] != static_cast<int64_t>(t)) return 0;
    }
    step *= static_cast<int64_t>(c.taps[i].size());
  }
  return c.weight_channel == step || c.channels == 1 ? c.tap_steps[2] : 0;
}

void GatherWeights(const Correlation& c, const char* from, int64_t element_bytes, int64_t rows,
                   int64_t k, int64_t depth, char* to) {
  element_bytes == 4 ? GatherAs(c, reinterpret_cast<const uint32_t*>(from), rows, k, depth,
                                reinterpret_cast<uint32_t*>(to))
                     : GatherAs(c, reinterpret_cast<const uint16_t*>(from), rows, k, depth,
                                reinterpret_cast<uint16_t*>(to));
}

}  // namespace anyacl::convolution
