// SPDX-License-Identifier: Apache-2.0
// Boxes as differences from others, and which boxes are responsible for objects, called by name.
// Numbers are fp32, what is made of them double.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "acl/error_codes/rt_error_codes.h"
#include "ops/detection/nodes.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::detection {
namespace {

constexpr double kLeast = 1e-6;  // of a ratio, and of a distance from a cell's edge

struct Placed {
  double centre[2], size[2];
};

// `step` numbers apart: x0, y0, x1, y1. `one`: corners are elements of an image.
Placed PlacedAt(const float* corners, int64_t step, double one) {
  Placed placed;
  for (int axis : {0, 1}) {
    const auto from = static_cast<double>(corners[axis * step]);
    const auto to = static_cast<double>(corners[(axis + 2) * step]);
    placed.centre[axis] = (from + to) / 2;
    placed.size[axis] = to - from + one;
  }
  return placed;
}

// For each of `count` boxes code(i, x, y, out), on contiguous fp32 numbers.
template <class Code>
Status PrepareCode(Operands& operands, int64_t count, const Code& code, PreparedCall* call) {
  if (operands[kOut].IsEmpty()) return {};
  Steps steps(operands);
  InnerTensor boxes, other;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &boxes); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kTruth, ACL_FLOAT, &other); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* x = reinterpret_cast<const float*>(boxes.Address(bindings));
    const auto* y = reinterpret_cast<const float*>(other.Address(bindings));
    auto* to = reinterpret_cast<float*>(out.Address(bindings));
    ParallelFor(count, 512, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) code(i, x, y, to);
    });
    return {};
  });
  return steps.Finish(call);
}

struct Scaling {
  double means[4], deviations[4];
};
Status ReadScaling(const Operands& operands, Scaling* scaling) {
  const int code = operands.spec().codes.shape;
  const std::span<const float> means = operands.Floats(kMeans);
  const std::span<const float> deviations = operands.Floats(kDeviations);
  if (means.size() != 4 || deviations.size() != 4) {
    return Fail(code, "means has {} numbers and stds {}, expected 4 each", means.size(),
                deviations.size());
  }
  for (size_t i = 0; i < 4; ++i) {
    if (deviations[i] == 0) return Fail(code, "stds[{}] = 0, expected another number", i);
    scaling->means[i] = static_cast<double>(means[i]);
    scaling->deviations[i] = static_cast<double>(deviations[i]);
  }
  return {};
}

// What other weights would do is not documented.
Status CheckWeights(const Operands& operands) {
  const std::span<const float> weights = operands.Floats(kWeight);
  const auto one = [](float weight) { return weight == 1; };
  if (weights.size() == 5 && std::all_of(weights.begin(), weights.end(), one)) return {};
  return Fail(operands.spec().codes.shape, "weight is expected to be 1, 1, 1, 1, 1");
}

}  // namespace

Status PrepareBoxEncode(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Scaling scaling;
  if (Status s = ReadScaling(operands, &scaling); !s.ok()) return s;
  const auto code = [scaling](int64_t i, const float* boxes, const float* truth, float* out) {
    const Placed box = PlacedAt(boxes + 4 * i, 1, 1), other = PlacedAt(truth + 4 * i, 1, 1);
    for (int k = 0; k < 4; ++k) {
      const int axis = k % 2;
      const double raw = k < 2 ? (other.centre[axis] - box.centre[axis]) / box.size[axis]
                               : std::log(other.size[axis] / box.size[axis]);
      out[4 * i + k] = static_cast<float>((raw - scaling.means[k]) / scaling.deviations[k]);
    }
  };
  return PrepareCode(operands, operands.Size("N"), code, call);
}

Status PrepareBoxDecode(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Scaling scaling;
  if (Status s = ReadScaling(operands, &scaling); !s.ok()) return s;
  const std::span<const int64_t> shape = operands.Ints(kMaxShape);
  const double clip = operands.Real(kRatioClip);
  if (shape.size() != 2 || !(clip > 0)) {
    return Fail(operands.spec().codes.shape,
                "max_shape = [{}] and wh_ratio_clip = {}, expected two numbers and one above 0",
                Joined(shape), clip);
  }
  const double most = std::fabs(std::log(clip));
  const double last[2] = {static_cast<double>(shape[1]) - 1, static_cast<double>(shape[0]) - 1};
  const auto code = [=](int64_t i, const float* boxes, const float* deltas, float* out) {
    const Placed box = PlacedAt(boxes + 4 * i, 1, 1);
    double raw[4];
    for (int k = 0; k < 4; ++k) {
      raw[k] = static_cast<double>(deltas[4 * i + k]) * scaling.deviations[k] + scaling.means[k];
    }
    for (int axis : {0, 1}) {
      const double centre = box.centre[axis] + box.size[axis] * raw[axis];
      const double size = box.size[axis] * std::exp(std::clamp(raw[axis + 2], -most, most));
      const auto limited = [&](double corner) {
        return static_cast<float>(std::min(std::max(corner, 0.0), last[axis]));
      };
      out[4 * i + axis] = limited(centre - size / 2 + 0.5);
      out[4 * i + axis + 2] = limited(centre + size / 2 - 0.5);
    }
  };
  return PrepareCode(operands, operands.Size("N"), code, call);
}

Status PrepareRotatedEncode(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckWeights(operands); !s.ok()) return s;
  const int64_t n = operands.Size("N");
  const auto code = [n](int64_t i, const float* boxes, const float* truth, float* out) {
    const int64_t at = i / n * 5 * n + i % n;
    const Placed box = PlacedAt(boxes + at, n, 0), other = PlacedAt(truth + at, n, 0);
    for (int axis : {0, 1}) {
      out[at + axis * n] =
          static_cast<float>((other.centre[axis] - box.centre[axis]) / box.size[axis]);
      out[at + (axis + 2) * n] = static_cast<float>(std::log(other.size[axis] / box.size[axis]));
    }
    const auto tangent = [&](const float* from) {
      return std::tan(static_cast<double>(from[at + 4 * n]) * kDegree);
    };
    out[at + 4 * n] = static_cast<float>(tangent(truth) - tangent(boxes));
  };
  return PrepareCode(operands, operands.Size("B") * n, code, call);
}

Status PrepareRotatedDecode(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckWeights(operands); !s.ok()) return s;
  const int64_t n = operands.Size("N");
  const auto code = [n](int64_t i, const float* boxes, const float* deltas, float* out) {
    const int64_t at = i / n * 5 * n + i % n;
    const auto delta = [&](int k) { return static_cast<double>(deltas[at + k * n]); };
    const Placed box = PlacedAt(boxes + at, n, 0);
    for (int axis : {0, 1}) {
      const double centre = box.centre[axis] + delta(axis) * box.size[axis];
      const double half = box.size[axis] * std::exp(delta(axis + 2)) / 2;
      out[at + axis * n] = static_cast<float>(centre - half);
      out[at + (axis + 2) * n] = static_cast<float>(centre + half);
    }
    const double tangent = std::tan(static_cast<double>(boxes[at + 4 * n]) * kDegree);
    out[at + 4 * n] = static_cast<float>(std::atan(tangent + delta(4)) / kDegree);
  };
  return PrepareCode(operands, operands.Size("B") * n, code, call);
}

Status PrepareYoloEncode(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const int64_t count = operands.Size("N");
  Steps steps(operands);
  InnerTensor boxes, truth, strides;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &boxes); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kTruth, ACL_FLOAT, &truth); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kStride, ACL_INT32, &strides); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* a = reinterpret_cast<const float*>(boxes.Address(bindings));
    const auto* b = reinterpret_cast<const float*>(truth.Address(bindings));
    const auto* stride = reinterpret_cast<const int32_t*>(strides.Address(bindings));
    auto* to = reinterpret_cast<float*>(out.Address(bindings));
    ParallelFor(count, 512, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Placed box = PlacedAt(a + 4 * i, 1, 0), other = PlacedAt(b + 4 * i, 1, 0);
        for (int axis : {0, 1}) {
          const double cells = (other.centre[axis] - box.centre[axis]) / stride[i];
          const double ratio = other.size[axis] / box.size[axis];
          to[4 * i + axis] = static_cast<float>(std::clamp(cells + 0.5, kLeast, 1 - kLeast));
          to[4 * i + axis + 2] = static_cast<float>(std::log(std::max(ratio, kLeast)));
        }
      }
    });
    return {};
  });
  return steps.Finish(call);
}

Status PrepareResponsible(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const std::span<const int64_t> map = operands.Ints(kMaxShape), strides = operands.Ints(kStride);
  const int64_t copies = operands.Int(kCount);
  const auto right = [](std::span<const int64_t> values, int64_t least) {
    return values.size() == 2 && std::min(values[0], values[1]) >= least &&
           std::max(values[0], values[1]) <= INT32_MAX;
  };
  if (!right(map, 0) || !right(strides, 1)) {
    return Fail(operands.spec().codes.shape,
                "featmap_size = [{}] and strides = [{}], expected two numbers of 0, and 1, or more",
                Joined(map), Joined(strides));
  }
  if (ElementCount({map[0], map[1], copies}) != operands[kOut].shape()[0]) {
    return Fail(operands.spec().codes.shape, "flags.shape = {}, expected {} * {} * {}",
                operands[kOut].shape().ToString(), map[0], map[1], copies);
  }
  if (operands[kOut].IsEmpty()) return {};
  const int64_t count = operands.Size("N");
  const int64_t sizes[2] = {map[1], map[0]}, steps_of[2] = {strides[0], strides[1]};
  Steps steps(operands);
  InnerTensor boxes;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &boxes); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_UINT8);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* corners = reinterpret_cast<const float*>(boxes.Address(bindings));
    auto* flags = reinterpret_cast<uint8_t*>(out.Address(bindings));
    std::fill(flags, flags + sizes[0] * sizes[1] * copies, uint8_t{0});
    for (int64_t i = 0; i < count; ++i) {
      int64_t cell[2];
      for (int axis : {0, 1}) {  // in fp32, whose rounding decides on the cell
        const float centre = (corners[4 * i + axis] + corners[4 * i + axis + 2]) * 0.5F;
        const float at = std::floor(centre / static_cast<float>(steps_of[axis]));
        const auto last = static_cast<double>(sizes[axis] - 1);
        const bool finite = std::isfinite(centre);
        cell[axis] =
            finite ? static_cast<int64_t>(std::clamp(static_cast<double>(at), 0.0, last)) : 0;
      }
      uint8_t* const to = flags + (cell[1] * sizes[0] + cell[0]) * copies;
      std::fill(to, to + copies, uint8_t{1});
    }
    return {};
  });
  return steps.Finish(call);
}

Status PrepareGridAssign(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckOne(operands, {kCount}); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const int64_t count = operands.Size("N"), truths = operands.Size("K");
  const double above = operands.Real(kThreshold), least = operands.Real(kScoreThreshold);
  const bool all = operands.Flag(kMost);
  Steps steps(operands);
  InnerTensor given, overlaps, flags, best, best_truth, best_of_truth, best_box, number;
  for (const auto& [id, type, tensor] : {std::tuple{static_cast<int>(kSelf), ACL_FLOAT, &given},
                                         {static_cast<int>(kBoxes), ACL_FLOAT, &overlaps},
                                         {static_cast<int>(kMask), ACL_UINT8, &flags},
                                         {static_cast<int>(kScores), ACL_FLOAT, &best},
                                         {static_cast<int>(kImages), ACL_INT32, &best_truth},
                                         {static_cast<int>(kTruth), ACL_FLOAT, &best_of_truth},
                                         {static_cast<int>(kNumber), ACL_INT32, &best_box},
                                         {static_cast<int>(kCount), ACL_INT32, &number}}) {
    if (Status s = steps.ContiguousAs(id, type, tensor); !s.ok()) return s;
  }
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto floats = [&](const InnerTensor& tensor) {
      return reinterpret_cast<const float*>(tensor.Address(bindings));
    };
    const auto ints = [&](const InnerTensor& tensor) {
      return reinterpret_cast<const int32_t*>(tensor.Address(bindings));
    };
    const auto* responsible = reinterpret_cast<const uint8_t*>(flags.Address(bindings));
    auto* to = reinterpret_cast<float*>(out.Address(bindings));
    const int64_t rows = std::min<int64_t>(ints(number)[0], truths);
    // Copies: a result may be any of the inputs.
    std::vector<int64_t> one_box;
    for (int64_t k = 0; k < rows && !all; ++k) {
      const int64_t box = ints(best_box)[k];
      if (box < 0 || box >= count) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "gt_argmax_overlaps[{}] = {}, expected 0 to {}, a box", k, box, count - 1);
      }
      one_box.push_back(box);
    }
    std::vector<float> assigned(static_cast<size_t>(count));
    ParallelFor(count, 4096, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        float value = floats(given)[i];
        if (responsible[i] != 0) {
          if (static_cast<double>(floats(best)[i]) > above) {
            value = static_cast<float>(int64_t{ints(best_truth)[i]} + 1);
          }
          for (int64_t k = 0; k < rows; ++k) {  // the last one stays
            const float most = floats(best_of_truth)[k];
            const bool chosen = all ? floats(overlaps)[k * count + i] == most
                                    : one_box[static_cast<size_t>(k)] == i;
            if (chosen && static_cast<double>(most) > least) value = static_cast<float>(k + 1);
          }
        }
        assigned[static_cast<size_t>(i)] = value;
      }
    });
    std::copy(assigned.begin(), assigned.end(), to);
    return {};
  });
  return steps.Finish(call);
}

}  // namespace anyacl::detection
