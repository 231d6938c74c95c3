// SPDX-License-Identifier: Apache-2.0
// Regions of images, cut into bins whose samples are averaged, or of which the largest is taken.
// The average of a bin is a sum over rows of sums over columns, as linear interpolation is.
#include <algorithm>
#include <cmath>
#include <vector>

#include "acl/error_codes/rt_error_codes.h"
#include "ops/detection/nodes.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::detection {
namespace {

// Along one axis of a region; more are none, as of coordinates that are no finite numbers.
constexpr double kMostSamples = INT32_MAX;
constexpr int64_t kChannels = 16;  // of a unit of work, for which weights are made once

struct RegionParams {
  int64_t images, channels, height, width;  // of the data
  int64_t regions, rows, columns;           // bins
  float scale;
  int64_t ratio;
  bool aligned = false;
  bool inclusive = false;  // the last corner is an element within
  InnerTensor boxes = {};  // FLOAT [regions, pitch], the last four of each row its corners
  InnerTensor image = {};  // INT64 [regions]
  int64_t pitch = 0;
};

// The samples of the bins along one axis of a region.
class Axis {
 public:
  // Coordinates are computed in fp32 as torchvision does: how many samples there are is their
  // rounding up.
  Axis(const RegionParams& p, float from, float to, int64_t bins, int64_t size)
      : size_(static_cast<double>(size)) {
    const float half = p.aligned ? 0.5F : 0.0F;
    const float start = from * p.scale - half;
    float end = to * p.scale - half;
    if (p.inclusive) end += p.scale;
    float extent = end - start;
    if (!p.aligned) extent = std::max(extent, 1.0F);
    const float bin = extent / static_cast<float>(bins);
    start_ = static_cast<double>(start);
    bin_ = static_cast<double>(bin);
    const double samples = p.ratio > 0 ? static_cast<double>(p.ratio) : std::ceil(bin_);
    const bool any = std::isfinite(start_) && std::isfinite(bin_) && samples >= 1;
    samples_ = any && samples <= kMostSamples ? samples : 0;
  }

  // Of a bin, those outside the image, too.
  double samples() const { return samples_; }

  // Calls visit(element, fraction) for the samples of a bin within the image: each lies `fraction`
  // behind an element, on the way to the next one, which there is if it is not 0.
  template <class Visit>
  void ForSamples(int64_t index, const Visit& visit) const {
    const double base = start_ + static_cast<double>(index) * bin_, step = bin_ / samples_;
    double first = 0, end = samples_;
    if (step > 0) {  // of large regions only those near the image
      first = std::max(first, std::floor((-1 - base) / step) - 1);
      end = std::min(end, std::ceil((size_ - base) / step) + 1);
    }
    for (double i = first; i < end; ++i) {
      const double at = base + (i + 0.5) * step;
      if (at < -1 || at > size_) continue;
      const double inside = std::clamp(at, 0.0, size_ - 1), element = std::floor(inside);
      visit(static_cast<int64_t>(element), inside - element);
    }
  }

 private:
  const double size_;
  double start_, bin_, samples_;
};

// What each element of an axis counts for in the average of each bin.
class Weights {
 public:
  struct Bin {
    int64_t first, end;     // elements
    const double* weights;  // of element `first`
  };

  void Set(const Axis& axis, int64_t bins) {
    weights_.clear();
    bins_.clear();
    first_ = INT64_MAX;
    end_ = 0;
    for (int64_t i = 0; i < bins; ++i) {
      int64_t first = INT64_MAX, end = 0;
      axis.ForSamples(i, [&](int64_t at, double fraction) {
        first = std::min(first, at);
        end = std::max(end, at + (fraction > 0 ? 2 : 1));
      });
      first = std::min(first, end);
      const size_t begin = weights_.size();
      bins_.push_back({first, end, begin});
      weights_.resize(begin + static_cast<size_t>(end - first));
      double* const to = weights_.data() + begin;
      axis.ForSamples(i, [&](int64_t at, double fraction) {
        to[at - first] += (1 - fraction) / axis.samples();
        if (fraction > 0) to[at - first + 1] += fraction / axis.samples();
      });
      if (first < end) {
        first_ = std::min(first_, first);
        end_ = std::max(end_, end);
      }
    }
    first_ = std::min(first_, end_);
  }

  // The elements of all bins.
  int64_t first() const { return first_; }
  int64_t end() const { return end_; }
  Bin operator[](int64_t i) const {
    const Range& range = bins_[static_cast<size_t>(i)];
    return {range.first, range.end, weights_.data() + range.begin};
  }

 private:
  struct Range {
    int64_t first, end;
    size_t begin;
  };
  std::vector<double> weights_;
  std::vector<Range> bins_;
  int64_t first_ = 0, end_ = 0;
};

// One run.
struct Regions {
  Regions(const RegionParams& params, const Bindings& bindings)
      : p(params),
        boxes(reinterpret_cast<const float*>(params.boxes.Address(bindings))),
        image(reinterpret_cast<const int64_t*>(params.image.Address(bindings))) {}

  const float* Corners(int64_t k) const { return boxes + (k + 1) * p.pitch - 4; }
  Axis Rows(int64_t k) const { return {p, Corners(k)[1], Corners(k)[3], p.rows, p.height}; }
  Axis Columns(int64_t k) const { return {p, Corners(k)[0], Corners(k)[2], p.columns, p.width}; }

  const RegionParams& p;
  const float* const boxes;
  const int64_t* const image;
};

// The averages of all bins of one channel. `line` has the image's width.
void Average(const RegionParams& p, const Weights& rows, const Weights& columns, const float* plane,
             double* line, float* out) {
  for (int64_t i = 0; i < p.rows; ++i) {
    const Weights::Bin row = rows[i];
    std::fill(line + columns.first(), line + columns.end(), 0.0);
    for (int64_t y = row.first; y < row.end; ++y) {
      const double weight = row.weights[y - row.first];
      if (weight == 0) continue;
      const float* const from = plane + y * p.width;
      for (int64_t x = columns.first(); x < columns.end(); ++x) {
        line[x] += weight * static_cast<double>(from[x]);
      }
    }
    for (int64_t j = 0; j < p.columns; ++j) {
      const Weights::Bin column = columns[j];
      double sum = 0;
      for (int64_t x = column.first; x < column.end; ++x) {
        const double weight = column.weights[x - column.first];
        if (weight != 0) sum += weight * line[x];
      }
      out[i * p.columns + j] = static_cast<float>(sum);
    }
  }
}

// The largest sample of each bin of one channel; those outside the image are 0.
void Largest(const RegionParams& p, const Axis& rows, const Axis& columns, const float* plane,
             float* out) {
  const double samples = rows.samples() * columns.samples();
  for (int64_t bin = 0; bin < p.rows * p.columns; ++bin) {
    double largest = -INFINITY, inside = 0;
    rows.ForSamples(bin / p.columns, [&](int64_t y, double down) {
      columns.ForSamples(bin % p.columns, [&](int64_t x, double across) {
        const float* const at = plane + y * p.width + x;
        const auto along = [&](const float* row) {
          const auto left = static_cast<double>(row[0]);
          return across > 0 ? (1 - across) * left + across * static_cast<double>(row[1]) : left;
        };
        const double value =
            down > 0 ? (1 - down) * along(at) + down * along(at + p.width) : along(at);
        if (value > largest || value != value) largest = value;
        ++inside;
      });
    });
    if (inside < samples || inside == 0) largest = std::max(largest, 0.0);  // NaN stays
    out[bin] = static_cast<float>(largest);
  }
}

// The gradient of one channel from all bins of a region.
void AddGradient(const RegionParams& p, const Weights& rows, const Weights& columns,
                 const float* gradient, double* line, float* plane) {
  for (int64_t i = 0; i < p.rows; ++i) {
    std::fill(line + columns.first(), line + columns.end(), 0.0);
    for (int64_t j = 0; j < p.columns; ++j) {
      const Weights::Bin column = columns[j];
      const auto g = static_cast<double>(gradient[i * p.columns + j]);
      for (int64_t x = column.first; x < column.end; ++x) {
        const double weight = column.weights[x - column.first];
        if (weight != 0) line[x] += weight * g;
      }
    }
    const Weights::Bin row = rows[i];
    for (int64_t y = row.first; y < row.end; ++y) {
      const double weight = row.weights[y - row.first];
      if (weight == 0) continue;
      float* const to = plane + y * p.width;
      for (int64_t x = columns.first(); x < columns.end(); ++x) {
        to[x] += static_cast<float>(weight * line[x]);
      }
    }
  }
}

// For each region and some channels each.
void Pool(const RegionParams& p, const Regions& regions, bool largest, const float* data,
          float* out) {
  const int64_t parts = (p.channels + kChannels - 1) / kChannels;
  const int64_t plane = p.height * p.width, bins = p.rows * p.columns;
  ParallelFor(p.regions * parts, 1, [&](int64_t begin, int64_t end) {
    Weights rows, columns;
    std::vector<double> line(static_cast<size_t>(p.width));
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t k = unit / parts, first = unit % parts * kChannels;
      const Axis down = regions.Rows(k), across = regions.Columns(k);
      if (!largest) {
        rows.Set(down, p.rows);
        columns.Set(across, p.columns);
      }
      for (int64_t c = first; c < std::min(first + kChannels, p.channels); ++c) {
        const float* const from = data + (regions.image[k] * p.channels + c) * plane;
        float* const to = out + (k * p.channels + c) * bins;
        if (largest) {
          Largest(p, down, across, from, to);
        } else {
          Average(p, rows, columns, from, line.data(), to);
        }
      }
    }
  });
}

// Some channels of an image take their parts from all regions in their order.
void Spread(const RegionParams& p, const Regions& regions, const float* gradient, float* out) {
  const int64_t parts = (p.channels + kChannels - 1) / kChannels;
  const int64_t plane = p.height * p.width, bins = p.rows * p.columns;
  ParallelFor(p.images * parts, 1, [&](int64_t begin, int64_t end) {
    Weights rows, columns;
    std::vector<double> line(static_cast<size_t>(p.width));
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t image = unit / parts, first = unit % parts * kChannels;
      const int64_t last = std::min(first + kChannels, p.channels);
      float* const to = out + image * p.channels * plane;
      std::fill(to + first * plane, to + last * plane, 0.0F);
      for (int64_t k = 0; k < p.regions; ++k) {
        if (regions.image[k] != image) continue;
        rows.Set(regions.Rows(k), p.rows);
        columns.Set(regions.Columns(k), p.columns);
        for (int64_t c = first; c < last; ++c) {
          AddGradient(p, rows, columns, gradient + (k * p.channels + c) * bins, line.data(),
                      to + c * plane);
        }
      }
    }
  });
}

// `name`: of the tensor that says it.
Status CheckImage(const char* name, int64_t k, double image, int64_t images) {
  if (image >= 0 && image < static_cast<double>(images)) return {};
  return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{} of region {} = {}, expected 0 to {}, an image",
              name, k, image, images - 1);
}

// Copies boxes and images, which are read again after results were stored, and checks the latter.
Status AddRegions(Steps& steps, const Operands& operands, RegionParams* p) {
  const InnerTensor given = TensorOf(operands, kBoxes);
  p->pitch = given.layout.shape[1];
  p->boxes = steps.Piece(given.name, ACL_FLOAT, given.layout.shape);
  if (Status s = steps.Copy(p->boxes, given); !s.ok()) return s;
  const bool apart = operands.HasRow(kImages);
  p->image = steps.Piece("images", ACL_INT64, {p->regions});
  if (apart) {
    if (Status s = steps.Copy(p->image, TensorOf(operands, kImages)); !s.ok()) return s;
  }
  steps.Add([p = *p, apart](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* boxes = reinterpret_cast<const float*>(p.boxes.Address(bindings));
    auto* images = reinterpret_cast<int64_t*>(p.image.Address(bindings));
    for (int64_t k = 0; k < p.regions; ++k) {
      const double image = apart ? static_cast<double>(images[k])
                                 : std::floor(static_cast<double>(boxes[k * p.pitch]));
      if (Status s = CheckImage(apart ? "batchIndices" : "boxes[0]", k, image, p.images); !s.ok()) {
        return s;
      }
      images[k] = static_cast<int64_t>(image);
    }
    return {};
  });
  return {};
}

// The checks that all have, and what they are about: `data` has the images' shape, `bins` that of
// the regions.
Status ReadRegions(Operands& operands, int data, int bins, RegionParams* p) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool named = operands.HasRow(kRoiEnd);  // whose tensors are all ND
  if (!named) {
    if (Status s = CheckFormatIs(operands, {data, bins}, ACL_FORMAT_NCHW); !s.ok()) return s;
    if (Status s = CheckFormatIs(operands, {kBoxes, kImages}, ACL_FORMAT_ND); !s.ok()) return s;
  }
  const int64_t end_mode = named ? operands.Int(kRoiEnd) : 0;
  const double scale = operands.Real(kSpatialScale);
  if (!(scale > 0)) {
    return Fail(operands.spec().codes.shape, "spatialScale = {}, expected more than 0", scale);
  }
  const Dims &images = operands[data].shape(), &regions = operands[bins].shape();
  *p = {.images = images[0],
        .channels = images[1],
        .height = images[2],
        .width = images[3],
        .regions = regions[0],
        .rows = regions[2],
        .columns = regions[3],
        .scale = static_cast<float>(scale),
        .ratio = operands.Int(kSamplingRatio),
        .aligned = end_mode >= 2 || (operands.HasRow(kAligned) && operands.Flag(kAligned)),
        .inclusive = end_mode == 1};
  return {};
}

Status FinishForward(Operands& operands, RegionParams p, bool largest, PreparedCall* call) {
  if (operands[kOut].IsEmpty()) return {};
  Steps steps(operands);
  if (operands[kSelf].IsEmpty()) {
    if (Status s = steps.Call("aclnnInplaceZero", {TensorOf(operands, kOut)}); !s.ok()) return s;
    return steps.Finish(call);
  }
  InnerTensor data;
  if (Status s = AddRegions(steps, operands, &p); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kSelf, ACL_FLOAT, &data); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    Pool(p, Regions(p, bindings), largest, reinterpret_cast<const float*>(data.Address(bindings)),
         reinterpret_cast<float*>(out.Address(bindings)));
    return {};
  });
  return steps.Finish(call);
}

}  // namespace

Status PrepareRoiAlign(Operands& operands, PreparedCall* call) {
  RegionParams p;
  size_t mode = 0;
  if (Status s = ReadRegions(operands, kSelf, kOut, &p); !s.ok()) return s;
  if (Status s = operands.CheckText(kMode, {"avg", "max"}, &mode); !s.ok()) return s;
  return FinishForward(operands, p, mode == 1, call);
}

Status PrepareRoiAlignV2(Operands& operands, PreparedCall* call) {
  RegionParams p;
  if (Status s = ReadRegions(operands, kSelf, kOut, &p); !s.ok()) return s;
  if (p.images == 0 || p.height == 0 || p.width == 0) {
    return Fail(operands.spec().codes.shape, "self.shape = {}, expected images with elements",
                operands[kSelf].shape().ToString());
  }
  return FinishForward(operands, p, false, call);
}

Status PrepareRoiAlignV2Backward(Operands& operands, PreparedCall* call) {
  RegionParams p;
  if (Status s = ReadRegions(operands, kOut, kGradOutput, &p); !s.ok()) return s;
  const std::span<const int64_t> shape = operands.Ints(kInputShape);
  if (Dims(shape.data(), std::min<size_t>(shape.size(), 4)) != operands[kOut].shape() ||
      shape.size() != 4) {
    return Fail(operands.spec().codes.shape, "inputShape = [{}], expected {} as of gradInput",
                Joined(shape), operands[kOut].shape().ToString());
  }
  if (operands[kOut].IsEmpty()) return {};
  Steps steps(operands);
  if (operands[kGradOutput].IsEmpty()) {
    if (Status s = steps.Call("aclnnInplaceZero", {TensorOf(operands, kOut)}); !s.ok()) return s;
    return steps.Finish(call);
  }
  InnerTensor gradient;
  if (Status s = AddRegions(steps, operands, &p); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kGradOutput, ACL_FLOAT, &gradient); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    Spread(p, Regions(p, bindings), reinterpret_cast<const float*>(gradient.Address(bindings)),
           reinterpret_cast<float*>(out.Address(bindings)));
    return {};
  });
  return steps.Finish(call);
}

}  // namespace anyacl::detection
