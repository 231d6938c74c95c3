// SPDX-License-Identifier: Apache-2.0
// Suppression of boxes that overlap better ones, called by name. Numbers are fp32, what is made of
// them double.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "acl/error_codes/rt_error_codes.h"
#include "ops/detection/nodes.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::detection {
namespace {

// Candidates whose overlaps with all that were kept before are looked at together.
constexpr int64_t kBlock = 256;
constexpr int64_t kMostPicked = 1000;  // of the operator of classes
constexpr double kLeastUnion = 1e-12;

struct Rectangle {
  double from[2], to[2], area;
};

Rectangle RectangleAt(const float* corners, int64_t step = 1) {
  Rectangle r;
  for (int axis : {0, 1}) {
    r.from[axis] = static_cast<double>(corners[axis * step]);
    r.to[axis] = static_cast<double>(corners[(axis + 2) * step]);
  }
  r.area = (r.to[0] - r.from[0]) * (r.to[1] - r.from[1]);
  return r;
}

double SharedOf(const Rectangle& a, const Rectangle& b) {
  double shared = 1;
  for (int axis : {0, 1}) {
    shared *=
        std::max(std::min(a.to[axis], b.to[axis]) - std::max(a.from[axis], b.from[axis]), 0.0);
  }
  return shared;
}

// Of `count` candidates, the best first, those that no kept one before suppresses, `most` at most.
// suppresses(i, j): i, which comes first, is kept.
template <class Suppresses>
std::vector<int64_t> Keep(int64_t count, int64_t most, const Suppresses& suppresses) {
  std::vector<int64_t> kept;
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t end = std::min(first + kBlock, count);
    const size_t before = kept.size();
    char gone[kBlock] = {};
    const auto cost = static_cast<int64_t>(before) + 1;
    ParallelFor(end - first, 1 + 1024 / cost, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        for (size_t k = 0; k < before && gone[i] == 0; ++k) {
          gone[i] = suppresses(kept[k], first + i) ? 1 : 0;
        }
      }
    });
    for (int64_t i = first; i < end; ++i) {
      if (static_cast<int64_t>(kept.size()) >= most) return kept;
      bool stays = gone[i - first] == 0;
      for (size_t k = before; k < kept.size() && stays; ++k) stays = !suppresses(kept[k], i);
      if (stays) kept.push_back(i);
    }
  }
  return kept;
}

// The indices of the scores above a threshold, the largest first; of equal ones the first.
template <class Score>
std::vector<int64_t> BestFirst(int64_t count, double above, const Score& score) {
  std::vector<int64_t> order;
  for (int64_t i = 0; i < count; ++i) {
    if (score(i) > above) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return score(a) > score(b); });
  return order;
}

}  // namespace

Status CheckOne(const Operands& operands, std::initializer_list<int> ids) {
  for (int id : ids) {
    if (ElementCount(operands[id].shape()) == 1) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one number",
                operands.NameOf(id), operands[id].shape().ToString());
  }
  return {};
}

Status PrepareSuppression(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckOne(operands, {kMost, kThreshold, kScoreThreshold, kNumber}); !s.ok()) {
    return s;
  }
  const int64_t count = operands.Size("N"), room = operands.Size("M");
  Steps steps(operands);
  InnerTensor boxes, scores, most, threshold, least;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &boxes); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kScores, ACL_FLOAT, &scores); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kMost, ACL_INT32, &most); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kThreshold, ACL_FLOAT, &threshold); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kScoreThreshold, ACL_FLOAT, &least); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_INT32);
  const InnerTensor valid = steps.ContiguousResultAs(kNumber, ACL_INT32);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto floats = [&](const InnerTensor& tensor) {
      return reinterpret_cast<const float*>(tensor.Address(bindings));
    };
    const int64_t wanted = *reinterpret_cast<const int32_t*>(most.Address(bindings));
    if (wanted < 0 || wanted > room) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "max_output_size = {}, expected 0 to {}, the size of selected_indices", wanted,
                  room);
    }
    const auto limit = static_cast<double>(floats(threshold)[0]);
    const float* const score = floats(scores);
    const std::vector<int64_t> order =
        BestFirst(count, static_cast<double>(floats(least)[0]),
                  [&](int64_t i) { return static_cast<double>(score[i]); });
    std::vector<Rectangle> rectangles;
    for (int64_t i : order) {
      const float* const at = floats(boxes) + 4 * i;
      const float sorted[4] = {std::min(at[0], at[2]), std::min(at[1], at[3]),
                               std::max(at[0], at[2]), std::max(at[1], at[3])};
      rectangles.push_back(RectangleAt(sorted));
    }
    const std::vector<int64_t> kept =
        Keep(static_cast<int64_t>(order.size()), wanted, [&](int64_t i, int64_t j) {
          const Rectangle &a = rectangles[static_cast<size_t>(i)],
                          &b = rectangles[static_cast<size_t>(j)];
          if (!(a.area > 0 && b.area > 0)) return false;
          const double shared = SharedOf(a, b);
          return shared / (a.area + b.area - shared) > limit;
        });
    auto* to = reinterpret_cast<int32_t*>(out.Address(bindings));
    for (size_t k = 0; k < static_cast<size_t>(room); ++k) {
      to[k] = k < kept.size() ? static_cast<int32_t>(order[static_cast<size_t>(kept[k])]) : 0;
    }
    *reinterpret_cast<int32_t*>(valid.Address(bindings)) = static_cast<int32_t>(kept.size());
    return {};
  });
  return steps.Finish(call);
}

Status PrepareSuppressionMask(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t count = operands.Size("N");
  if (count == 0) return {};
  const double threshold = operands.Real(kThreshold);
  Steps steps(operands);
  // A copy, as the result may be the input.
  const InnerTensor boxes = steps.Piece("box_scores", ACL_FLOAT, {count, 5});
  if (Status s = steps.Copy(boxes, TensorOf(operands, kBoxes)); !s.ok()) return s;
  if (Status s = steps.Copy(TensorOf(operands, kOut), TensorOf(operands, kBoxes)); !s.ok())
    return s;
  const InnerTensor index = steps.ContiguousResultAs(kNumber, ACL_INT32);
  const InnerTensor mask = steps.ContiguousResultAs(kMask, ACL_UINT8);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* corners = reinterpret_cast<const float*>(boxes.Address(bindings));
    auto* indices = reinterpret_cast<int32_t*>(index.Address(bindings));
    auto* stays = reinterpret_cast<uint8_t*>(mask.Address(bindings));
    std::vector<Rectangle> rectangles;
    for (int64_t i = 0; i < count; ++i) rectangles.push_back(RectangleAt(corners + 5 * i));
    const std::vector<int64_t> kept = Keep(count, count, [&](int64_t i, int64_t j) {
      const Rectangle &a = rectangles[static_cast<size_t>(i)],
                      &b = rectangles[static_cast<size_t>(j)];
      const double shared = SharedOf(a, b);
      return shared > threshold * (a.area + b.area - shared);
    });
    std::fill(stays, stays + count, uint8_t{0});
    for (int64_t i : kept) stays[i] = 1;
    std::iota(indices, indices + count, 0);
    return {};
  });
  return steps.Finish(call);
}

Status PrepareClassSuppression(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims &shape = operands[kBoxes].shape(), &scored = operands[kScores].shape();
  const bool turned = operands.Flag(kCentred);
  const int64_t images = scored[0], count = scored[1], classes = scored[2];
  const int64_t boxes_each = shape[turned ? 1 : 2];
  const Dims expected =
      turned ? Dims{images, boxes_each, 4, count} : Dims{images, count, boxes_each, 4};
  if (!(shape == expected) || (boxes_each != 1 && boxes_each != classes) ||
      ElementCount(scored) == 0) {
    return Fail(code,
                "boxes.shape = {}, scores.shape = {}: expected {} images of {} boxes, for each of "
                "{} classes or all",
                shape.ToString(), scored.ToString(), images, count, classes);
  }
  const int64_t each = operands.Int(kCount), total = operands.Int(kMost);
  if (std::min(each, total) < 1 || std::max(each, total) > kMostPicked ||
      total != operands.Size("M")) {
    return Fail(code,
                "max_size_per_class = {}, max_total_size = {}, nmsed_scores.shape = {}: expected 1 "
                "to {}, and as many scores",
                each, total, operands[kSampled].shape().ToString(), kMostPicked);
  }
  const double threshold = operands.Real(kThreshold), above = operands.Real(kScoreThreshold);
  if (!(threshold >= 0 && threshold <= 1) || !std::isfinite(above)) {
    return Fail(code, "iou_threshold = {}, score_threshold = {}, expected 0 to 1 and a number",
                threshold, above);
  }
  Steps steps(operands);
  InnerTensor boxes, scores;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &boxes); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kScores, ACL_FLOAT, &scores); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  const InnerTensor out_scores = steps.ContiguousResultAs(kSampled, ACL_FLOAT);
  const InnerTensor out_classes = steps.ContiguousResultAs(kMask, ACL_FLOAT);
  const InnerTensor number = steps.ContiguousResultAs(kNumber, ACL_INT32);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* corners = reinterpret_cast<const float*>(boxes.Address(bindings));
    const auto* score = reinterpret_cast<const float*>(scores.Address(bindings));
    const int64_t step = turned ? count : 1;
    const auto corners_of = [&](int64_t n, int64_t box, int64_t c) {
      const int64_t q = boxes_each == 1 ? 0 : c;
      return corners + (turned ? (n * boxes_each + q) * 4 * count + box
                               : ((n * count + box) * boxes_each + q) * 4);
    };
    std::vector<std::vector<int64_t>> picked(static_cast<size_t>(images * classes));
    ParallelFor(images * classes, 1, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t n = unit / classes, c = unit % classes;
        const std::vector<int64_t> order = BestFirst(count, above, [&](int64_t i) {
          return static_cast<double>(score[(n * count + i) * classes + c]);
        });
        std::vector<Rectangle> rectangles;
        for (int64_t i : order) rectangles.push_back(RectangleAt(corners_of(n, i, c), step));
        const auto kept = Keep(static_cast<int64_t>(order.size()), each, [&](int64_t i, int64_t j) {
          const Rectangle &a = rectangles[static_cast<size_t>(i)],
                          &b = rectangles[static_cast<size_t>(j)];
          const double shared = SharedOf(a, b);
          return shared / std::max(a.area + b.area - shared, kLeastUnion) > threshold;
        });
        for (int64_t i : kept) {
          picked[static_cast<size_t>(unit)].push_back(order[static_cast<size_t>(i)]);
        }
      }
    });
    auto* to = reinterpret_cast<float*>(out.Address(bindings));
    auto* to_score = reinterpret_cast<float*>(out_scores.Address(bindings));
    auto* to_class = reinterpret_cast<float*>(out_classes.Address(bindings));
    auto* to_number = reinterpret_cast<int32_t*>(number.Address(bindings));
    for (int64_t n = 0; n < images; ++n) {
      struct Found {
        int64_t box, in_class;
        float score;
      };
      std::vector<Found> found;
      for (int64_t c = 0; c < classes; ++c) {
        for (int64_t box : picked[static_cast<size_t>(n * classes + c)]) {
          found.push_back({box, c, score[(n * count + box) * classes + c]});
        }
      }
      std::stable_sort(found.begin(), found.end(),
                       [](const Found& a, const Found& b) { return a.score > b.score; });
      const int64_t valid = std::min<int64_t>(total, static_cast<int64_t>(found.size()));
      for (int64_t k = 0; k < total; ++k) {
        const int64_t at = n * total + k;
        const Found* best = k < valid ? &found[static_cast<size_t>(k)] : nullptr;
        to_score[at] = best != nullptr ? best->score : 0;
        to_class[at] = best != nullptr ? static_cast<float>(best->in_class) : 0;
        for (int64_t corner = 0; corner < 4; ++corner) {
          to[4 * at + corner] =
              best != nullptr ? corners_of(n, best->box, best->in_class)[corner * step] : 0;
        }
      }
      to_number[n] = static_cast<int32_t>(valid);
    }
    return {};
  });
  return steps.Finish(call);
}

}  // namespace anyacl::detection
