// SPDX-License-Identifier: Apache-2.0
// Attention to some points of each level of a pyramid of images, and its gradients.
#include <algorithm>
#include <array>

#include "acl/error_codes/rt_error_codes.h"
#include "ops/detection/corners.h"
#include "ops/detection/operators.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::detection {
namespace {

constexpr int64_t kMostQueries = 499999, kFewestQueries = 32;
constexpr int64_t kMostChannels = 256, kChannelStep = 8;
constexpr int64_t kMostParts = 16;  // heads, levels, points
constexpr int64_t kMostLevel = INT32_MAX;

struct AttentionParams {
  int64_t batch, keys, heads, channels, queries, levels, points;
  InnerTensor shapes = {}, starts = {};                // INT64 [levels, 2] and [levels]
  InnerTensor value = {}, location = {}, weight = {};  // FLOAT

  int64_t row() const { return heads * channels; }  // numbers of a key, or of a query
};

struct Level {
  int64_t start, height, width;
  bool whole;  // all its elements are keys
};
using Levels = std::array<Level, kMostParts>;

// Read once: what was checked is what is used.
Status ReadLevels(const AttentionParams& p, const Bindings& bindings, Levels* levels) {
  const auto* shapes = reinterpret_cast<const int64_t*>(p.shapes.Address(bindings));
  const auto* starts = reinterpret_cast<const int64_t*>(p.starts.Address(bindings));
  for (int64_t l = 0; l < p.levels; ++l) {
    Level level = {starts[l], shapes[2 * l], shapes[2 * l + 1], false};
    for (int64_t size : {level.height, level.width}) {
      if (size >= 0 && size <= kMostLevel) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "spatialShape[{}] = [{}, {}], expected 0 to {}", l,
                  level.height, level.width, kMostLevel);
    }
    if (level.start < 0 || level.start > p.keys) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "levelStartIndex[{}] = {}, expected 0 to {}, the keys of value", l, level.start,
                  p.keys);
    }
    level.whole = level.height * level.width <= p.keys - level.start;
    (*levels)[static_cast<size_t>(l)] = level;
  }
  return {};
}

// One run.
class Sampler {
 public:
  Sampler(const AttentionParams& p, const Bindings& bindings, const Levels& levels)
      : p_(p),
        levels_(levels),
        value_(reinterpret_cast<const float*>(p.value.Address(bindings))),
        location_(reinterpret_cast<const float*>(p.location.Address(bindings))),
        weight_(reinterpret_cast<const float*>(p.weight.Address(bindings))) {}

  // Of all points of a head of a query: visit(point, weight, level, corners).
  template <class Visit>
  void ForPoints(int64_t query, int64_t head, const Visit& visit) const {
    const int64_t first = (query * p_.heads + head) * p_.levels * p_.points;
    for (int64_t i = first; i < first + p_.levels * p_.points; ++i) {
      const Level& level = levels_[static_cast<size_t>((i - first) / p_.points)];
      Corners corners = CornersOf(i, level);
      if (!level.whole) DropForeign(level, &corners);
      visit(i, static_cast<double>(weight_[i]), level, corners);
    }
  }

  // A level may be larger than the keys that it has, as long as no point meets what is missing.
  Status Check() const {
    if (std::all_of(levels_.begin(), levels_.begin() + p_.levels,
                    [](const Level& level) { return level.whole; })) {
      return {};
    }
    const int64_t points = p_.batch * p_.queries * p_.heads * p_.levels * p_.points;
    for (int64_t i = 0; i < points; ++i) {
      const int64_t l = i / p_.points % p_.levels;
      const Level& level = levels_[static_cast<size_t>(l)];
      if (level.whole) continue;
      Corners corners = CornersOf(i, level);
      const int64_t key = DropForeign(level, &corners);
      if (key < 0) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "point {} of location meets key {}, expected 0 to {}: spatialShape[{}] = [{}, "
                  "{}], levelStartIndex[{}] = {}",
                  i, key, p_.keys - 1, l, level.height, level.width, l, level.start);
    }
    return {};
  }

  // Of the first channel of a head, where the value lies.
  int64_t OffsetOf(int64_t batch, int64_t key, int64_t head) const {
    return (batch * p_.keys + key) * p_.row() + head * p_.channels;
  }

  // `query` counts those of all batches; `to` has the channels.
  void Attend(int64_t query, int64_t head, float* to) const {
    const int64_t batch = query / p_.queries;
    std::fill_n(to, p_.channels, 0.0F);
    ForPoints(query, head, [&](int64_t, double weight, const Level& level, const Corners& corners) {
      for (int k = 0; k < corners.count; ++k) {
        const auto factor = static_cast<float>(weight * corners.weights[k]);
        if (factor == 0) continue;
        const float* const from = value_ + OffsetOf(batch, level.start + corners.at[k], head);
        for (int64_t c = 0; c < p_.channels; ++c) to[c] += factor * from[c];
      }
    });
  }

  // All gradients of one head of a batch, that by the value in the order of queries and points.
  void AddGradients(int64_t batch, int64_t head, const float* gradient, float* by_value,
                    float* by_location, float* by_weight) const {
    for (int64_t key = 0; key < p_.keys; ++key) {
      std::fill_n(by_value + OffsetOf(batch, key, head), p_.channels, 0.0F);
    }
    for (int64_t q = 0; q < p_.queries; ++q) {
      const int64_t query = batch * p_.queries + q;
      const float* const g = gradient + query * p_.row() + head * p_.channels;
      ForPoints(query, head,
                [&](int64_t point, double weight, const Level& level, const Corners& corners) {
                  double value = 0, by_x = 0, by_y = 0;
                  for (int k = 0; k < corners.count; ++k) {
                    const int64_t at = OffsetOf(batch, level.start + corners.at[k], head);
                    double product = 0;
                    for (int64_t c = 0; c < p_.channels; ++c) {
                      product += static_cast<double>(g[c]) * static_cast<double>(value_[at + c]);
                    }
                    value += corners.weights[k] * product;
                    by_x += corners.by_x[k] * product;
                    by_y += corners.by_y[k] * product;
                    const auto factor = static_cast<float>(weight * corners.weights[k]);
                    if (factor == 0) continue;
                    for (int64_t c = 0; c < p_.channels; ++c) by_value[at + c] += factor * g[c];
                  }
                  by_weight[point] = static_cast<float>(value);
                  by_location[2 * point] =
                      static_cast<float>(weight * by_x * static_cast<double>(level.width));
                  by_location[2 * point + 1] =
                      static_cast<float>(weight * by_y * static_cast<double>(level.height));
                });
    }
  }

 private:
  Corners CornersOf(int64_t point, const Level& level) const {
    const auto at = [&](int64_t axis, int64_t size) {
      return static_cast<double>(location_[2 * point + axis]) * static_cast<double>(size) - 0.5;
    };
    return CornersAt(at(1, level.height), at(0, level.width), level.height, level.width);
  }

  // Corners that are no keys go; the largest of them, as a key, or -1.
  int64_t DropForeign(const Level& level, Corners* corners) const {
    int64_t foreign = -1;
    for (int k = corners->count; k-- > 0;) {
      if (level.start + corners->at[k] < p_.keys) continue;
      foreign = std::max(foreign, level.start + corners->at[k]);
      const int last = --corners->count;
      corners->at[k] = corners->at[last];
      corners->weights[k] = corners->weights[last];
      corners->by_y[k] = corners->by_y[last];
      corners->by_x[k] = corners->by_x[last];
    }
    return foreign;
  }

  const AttentionParams& p_;
  const Levels& levels_;
  const float* const value_;
  const float* const location_;
  const float* const weight_;
};

// What the document allows, with its code for all.
Status CheckLimits(const Operands& operands, int64_t fewest_queries) {
  const auto check = [&](const char* symbol, const char* what, int64_t least, int64_t most) {
    const int64_t size = operands.Size(symbol);
    if (size >= least && size <= most) return Status{};
    return Fail(operands.spec().codes.shape, "location and value are of {} {}, expected {} to {}",
                size, what, least, most);
  };
  if (Status s = check("Q", "queries", fewest_queries, kMostQueries); !s.ok()) return s;
  if (Status s = check("M", "heads", 0, kMostParts); !s.ok()) return s;
  if (Status s = check("L", "levels", 0, kMostParts); !s.ok()) return s;
  if (Status s = check("P", "points", 0, kMostParts); !s.ok()) return s;
  if (Status s = check("D", "channels", 0, kMostChannels); !s.ok()) return s;
  if (operands.Size("D") % kChannelStep == 0) return {};
  return Fail(operands.spec().codes.shape, "value.shape[3] = {}, expected a multiple of {}",
              operands.Size("D"), kChannelStep);
}

// `rows`: the tensor [B, Q, M * D].
Status ReadAttention(Operands& operands, int rows, int64_t fewest_queries, AttentionParams* p) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckLimits(operands, fewest_queries); !s.ok()) return s;
  *p = {.batch = operands.Size("B"),
        .keys = operands.Size("S"),
        .heads = operands.Size("M"),
        .channels = operands.Size("D"),
        .queries = operands.Size("Q"),
        .levels = operands.Size("L"),
        .points = operands.Size("P")};
  return CheckShapeIs(operands, rows, {p->batch, p->queries, p->row()});
}

Status AddInputs(Steps& steps, AttentionParams* p) {
  if (Status s = steps.ContiguousAs(kSpatialShape, ACL_INT64, &p->shapes); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kLevelStart, ACL_INT64, &p->starts); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kValue, ACL_FLOAT, &p->value); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kLocation, ACL_FLOAT, &p->location); !s.ok()) return s;
  return steps.ContiguousAs(kWeight, ACL_FLOAT, &p->weight);
}

float* FloatsAt(const InnerTensor& tensor, const Bindings& bindings) {
  return reinterpret_cast<float*>(tensor.Address(bindings));
}

}  // namespace

Status PrepareAttention(Operands& operands, PreparedCall* call) {
  AttentionParams p;
  if (Status s = ReadAttention(operands, kOut, kFewestQueries, &p); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Steps steps(operands);
  if (Status s = AddInputs(steps, &p); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    Levels levels;
    if (Status s = ReadLevels(p, bindings, &levels); !s.ok()) return s;
    const Sampler sampler(p, bindings, levels);
    if (Status s = sampler.Check(); !s.ok()) return s;
    float* const to = FloatsAt(out, bindings);
    const int64_t cost = p.levels * p.points * p.channels;  // of a head
    ParallelFor(p.batch * p.queries * p.heads, 1 + 2048 / (1 + cost),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    sampler.Attend(i / p.heads, i % p.heads, to + i * p.channels);
                  }
                });
    return {};
  });
  return steps.Finish(call);
}

Status PrepareAttentionGrad(Operands& operands, PreparedCall* call) {
  AttentionParams p;
  if (Status s = ReadAttention(operands, kGradOutput, 0, &p); !s.ok()) return s;
  if (operands[kGradValue].IsEmpty() && operands[kGradLocation].IsEmpty()) return {};
  Steps steps(operands);
  InnerTensor gradient;
  if (Status s = AddInputs(steps, &p); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kGradOutput, ACL_FLOAT, &gradient); !s.ok()) return s;
  const InnerTensor by_value = steps.ContiguousResultAs(kGradValue, ACL_FLOAT);
  const InnerTensor by_location = steps.ContiguousResultAs(kGradLocation, ACL_FLOAT);
  const InnerTensor by_weight = steps.ContiguousResultAs(kGradWeight, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    Levels levels;
    if (Status s = ReadLevels(p, bindings, &levels); !s.ok()) return s;
    const Sampler sampler(p, bindings, levels);
    if (Status s = sampler.Check(); !s.ok()) return s;
    ParallelFor(p.batch * p.heads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        sampler.AddGradients(i / p.heads, i % p.heads, FloatsAt(gradient, bindings),
                             FloatsAt(by_value, bindings), FloatsAt(by_location, bindings),
                             FloatsAt(by_weight, bindings));
      }
    });
    return {};
  });
  return steps.Finish(call);
}

}  // namespace anyacl::detection
