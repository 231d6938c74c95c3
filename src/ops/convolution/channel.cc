// SPDX-License-Identifier: Apache-2.0
#include "ops/convolution/channel.h"

#include <algorithm>

#include "base/division.h"
#include "kernels.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::convolution {
namespace {

constexpr int64_t kVector = 16;
// A band of 64 KiB, more only where one row of positions needs it.
constexpr int64_t kBandFloats = 16384;
constexpr int64_t kMostFloats = 131072;
// Channels of Y per group that share a loaded band; more are the matrix engine's.
constexpr int64_t kMostRows = 8;
constexpr int64_t kPiece = 1024;

// Of weights[row], in the order of the taps.
void LoadWeights(const Correlation& c, const char* row, float* to) {
  const int64_t bytes = BytesOf(c.weight);
  for (int64_t d : c.taps[0]) {
    for (int64_t h : c.taps[1]) {
      for (int64_t w : c.taps[2]) {
        const int64_t offset = d * c.tap_steps[0] + h * c.tap_steps[1] + w * c.tap_steps[2];
        *to++ = blocks::LoadOne<float>(c.weight.dtype, row + offset * bytes);
      }
    }
  }
}

char* AddressOf(const TensorView& view, const Bindings& bindings) {
  char* const data = bindings.data[static_cast<size_t>(view.slot)];
  return data == nullptr ? nullptr : view.Address(bindings);
}

}  // namespace

Band::Band(const Correlation& c) : c_(c) {
  for (int i = 0; i < kSpatial; ++i) {
    least_[i] = Least(c.shifts[i]);
    most_[i] = Most(c.shifts[i]);
  }
  planes_ = most_[0] - least_[0] + 1;
  const int64_t tap_rows = most_[1] - least_[1] + 1;
  phases_ = std::min(c.stride[2], most_[2] - least_[2] + 1);
  pitch_ = RoundUp(c.out.sizes[2], 4 * kVector) + (most_[2] - least_[2]) / c.stride[2] + kVector;
  const int64_t row = planes_ * phases_ * pitch_;
  out_rows_ = std::max<int64_t>(1, (kBandFloats / row - tap_rows) / c.stride[1] + 1);
  out_rows_ = std::max<int64_t>(1, std::min(out_rows_, c.out.sizes[1]));
  rows_ = (out_rows_ - 1) * c.stride[1] + tap_rows;
  for (int64_t d : c.shifts[0]) {
    for (int64_t h : c.shifts[1]) {
      for (int64_t w : c.shifts[2]) {
        const int64_t at = w - least_[2];
        offsets_.push_back(
            (((d - least_[0]) * rows_ + h - least_[1]) * phases_ + at % c.stride[2]) * pitch_ +
            at / c.stride[2]);
      }
    }
  }
}

bool Band::Suits(const Correlation& c) {
  if (c.channels != 1 || c.rows > kMostRows) return false;
  double floats = static_cast<double>(RoundUp(c.out.sizes[2], 4 * kVector) + kVector +
                                      (Most(c.shifts[2]) - Least(c.shifts[2])) / c.stride[2]);
  for (int i = 0; i < 2; ++i) {
    floats *= static_cast<double>(Most(c.shifts[i]) - Least(c.shifts[i]) + 1);
  }
  floats *= static_cast<double>(std::min(c.stride[2], Most(c.shifts[2]) - Least(c.shifts[2]) + 1));
  return floats <= kMostFloats;
}

int64_t Band::bands() const { return c_.out.sizes[0] * CeilDivide(c_.out.sizes[1], out_rows_); }

Band::Place Band::PlaceOf(int64_t band) const {
  const int64_t per_plane = CeilDivide(c_.out.sizes[1], out_rows_);
  const int64_t row = band % per_plane * out_rows_;
  return {band / per_plane, row, std::min(out_rows_, c_.out.sizes[1] - row)};
}

void Band::Load(const char* channel, const Place& place, float* to) const {
  const int64_t rows = (place.rows - 1) * c_.stride[1] + most_[1] - least_[1] + 1;
  for (int64_t p = 0; p < planes_; ++p) {
    const int64_t d = place.depth * c_.stride[0] + least_[0] + p;
    float* row = to + p * rows_ * phases_ * pitch_;
    for (int64_t r = 0; r < rows; ++r, row += phases_ * pitch_) {
      LoadRow(channel, d, place.row * c_.stride[1] + least_[1] + r, row);
    }
  }
}

// Number q of phase f is at coordinate least + f + q * stride of the image.
void Band::LoadRow(const char* channel, int64_t d, int64_t h, float* to) const {
  const Image& image = c_.image;
  if (d < 0 || d >= image.sizes[0] || h < 0 || h >= image.sizes[1]) {
    std::fill_n(to, phases_ * pitch_, 0.0f);
    return;
  }
  const int64_t stride = c_.stride[2];
  for (int64_t f = 0; f < phases_; ++f, to += pitch_) {
    const int64_t at = least_[2] + f;
    const int64_t begin = std::min(pitch_, at < 0 ? CeilDivide(-at, stride) : 0);
    const int64_t inside = at >= image.sizes[2] ? 0 : CeilDivide(image.sizes[2] - at, stride);
    const int64_t end = std::max(begin, std::min(pitch_, inside));
    std::fill_n(to, begin, 0.0f);
    if (end > begin) {
      const int64_t offset =
          d * image.steps[0] + h * image.steps[1] + (at + begin * stride) * image.steps[2];
      blocks::LoadRow(image.view.dtype, channel + offset * BytesOf(image.view),
                      stride * image.steps[2], end - begin, to + begin);
    }
    std::fill_n(to + end, pitch_ - end, 0.0f);
  }
}

ChannelProduct::ChannelProduct(const Correlation& c, WorkspaceBook& book) {
  const Band band(c);
  scratch_floats_ = RoundUp(
      band.floats() + c.tap_count() * c.rows + RoundUp(c.out.sizes[2], 4 * kVector), kVector);
  scratch_ = book.Book<float>(ThreadCount(), scratch_floats_);
}

void ChannelProduct::Run(const Correlation& c, const Bindings& bindings) const {
  const Band band(c);
  const char* const image = AddressOf(c.image.view, bindings);
  const char* const weight = AddressOf(c.weight, bindings);
  const char* const bias = c.bias.given() ? AddressOf(c.bias, bindings) : nullptr;
  char* const out = AddressOf(c.out.view, bindings);
  const int64_t out_bytes = BytesOf(c.out.view);
  const int64_t taps = c.tap_count();
  const auto compute = [&](int64_t item, float* scratch) {
    const int64_t group = item / band.bands() % c.groups;
    const int64_t n = item / band.bands() / c.groups;
    const Band::Place place = band.PlaceOf(item % band.bands());
    float* const weights = scratch + band.floats();
    float* const results = weights + taps * c.rows;
    const int64_t from = n * c.image.outer_step + group * c.image_group;
    band.Load(image + from * BytesOf(c.image.view), place, scratch);
    for (int64_t row = 0; row < c.rows; ++row) {
      const int64_t at = group * c.weight_group + row * c.row_step;
      LoadWeights(c, weight + at * BytesOf(c.weight), weights + row * taps);
      float start = 0;
      if (bias != nullptr) {
        const int64_t offset = (group * c.rows + row) * c.bias.strides[0];
        start = blocks::LoadOne<float>(c.bias.dtype, bias + offset * BytesOf(c.bias));
      }
      for (int64_t r = 0; r < place.rows; ++r) {
        Kernels().convolution.correlate({.from = scratch + r * band.row_step(),
                                         .offsets = band.offsets().data(),
                                         .weights = weights + row * taps,
                                         .taps = taps,
                                         .bias = start,
                                         .count = c.out.sizes[2],
                                         .to = results});
        const int64_t to = n * c.out.outer_step + group * c.out_group + row * c.out.channel_step +
                           place.depth * c.out.steps[0] + (place.row + r) * c.out.steps[1];
        blocks::StoreRow(results, c.out.sizes[2], c.out.view.dtype, out + to * out_bytes,
                         c.out.steps[2]);
      }
    }
  };
  const int64_t items = c.batch * c.groups * band.bands();
  const int64_t cost = c.rows * (taps + 8) * c.area() / std::max<int64_t>(1, band.bands()) + 256;
  ParallelFor(items, 1 + 40000 / cost, [&](int64_t begin, int64_t end, int64_t slot) {
    float* const scratch = scratch_.In(bindings) + slot * scratch_floats_;
    for (int64_t i = begin; i < end; ++i) compute(i, scratch);
  });
}

ChannelGradient::ChannelGradient(const Relation& relation, const Image& gradient,
                                 WorkspaceBook& book)
    : c_(Forwards(relation)), gradient_(gradient) {
  band_floats_ = Band(c_).floats();
  row_floats_ = RoundUp(c_.out.sizes[2], kVector);
  scratch_floats_ =
      RoundUp(band_floats_ + row_floats_ + c_.rows * c_.tap_count() * kVector, kVector);
  scratch_ = book.Book<float>(ThreadCount(), scratch_floats_);
}

void ChannelGradient::Run(const Bindings& bindings) const {
  const Band band(c_);
  ParallelFor(c_.groups, 1, [&](int64_t begin, int64_t end, int64_t slot) {
    float* const scratch = scratch_.In(bindings) + slot * scratch_floats_;
    for (int64_t i = begin; i < end; ++i) AddGroup(band, bindings, i, scratch);
  });
}

void ChannelGradient::AddGroup(const Band& band, const Bindings& bindings, int64_t group,
                               float* scratch) const {
  const char* const image = AddressOf(c_.image.view, bindings);
  const char* const y = AddressOf(c_.out.view, bindings);
  const int64_t taps = c_.tap_count();
  float* const row = scratch + band_floats_;
  float* const sums = row + row_floats_;
  std::fill_n(sums, c_.rows * taps * kVector, 0.0f);
  for (int64_t item = 0; item < c_.batch * band.bands(); ++item) {
    const int64_t n = item / band.bands();
    const Band::Place place = band.PlaceOf(item % band.bands());
    const int64_t from = n * c_.image.outer_step + group * c_.image_group;
    band.Load(image + from * BytesOf(c_.image.view), place, scratch);
    for (int64_t m = 0; m < c_.rows; ++m) {
      for (int64_t r = 0; r < place.rows; ++r) {
        const int64_t at = n * c_.out.outer_step + group * c_.out_group + m * c_.out.channel_step +
                           place.depth * c_.out.steps[0] + (place.row + r) * c_.out.steps[1];
        blocks::LoadRow(c_.out.view.dtype, y + at * BytesOf(c_.out.view), c_.out.steps[2],
                        c_.out.sizes[2], row);
        Kernels().convolution.dot({.from = scratch + r * band.row_step(),
                                   .offsets = band.offsets().data(),
                                   .taps = taps,
                                   .y = row,
                                   .count = c_.out.sizes[2],
                                   .sums = sums + m * taps * kVector});
      }
    }
  }
  char* const out = gradient_.view.Address(bindings);
  for (int64_t i = 0; i < c_.rows * taps; ++i) {
    const int64_t w = i % gradient_.sizes[2];
    const int64_t h = i / gradient_.sizes[2] % gradient_.sizes[1];
    const int64_t d = i / gradient_.sizes[2] / gradient_.sizes[1] % gradient_.sizes[0];
    const int64_t to = (group * c_.rows + i / taps) * gradient_.outer_step +
                       d * gradient_.steps[0] + h * gradient_.steps[1] + w * gradient_.steps[2];
    const float sum = Kernels().convolution.sum(sums + i * kVector, kVector);
    blocks::StoreOne(sum, gradient_.view.dtype, out + to * BytesOf(gradient_.view));
  }
}

ChannelSums::ChannelSums(const Image& image, int64_t batch, int64_t channels, const TensorView& out)
    : image_(image), batch_(batch), channels_(channels), out_(out) {}

void ChannelSums::Run(const Bindings& bindings) const {
  const char* const image = AddressOf(image_.view, bindings);
  char* const out = out_.Address(bindings);
  ParallelFor(channels_, 1, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      const float sum = SumOf(image, c * image_.channel_step);
      blocks::StoreOne(sum, out_.dtype, out + c * out_.strides[0] * BytesOf(out_));
    }
  });
}

// Pieces of rows in fp32, their sums in fp64. Images without elements have no address.
float ChannelSums::SumOf(const char* image, int64_t channel) const {
  const int64_t* const sizes = image_.sizes;
  const int64_t* const steps = image_.steps;
  const bool plane = steps[1] == sizes[2] * steps[2];
  const int64_t rows = plane ? sizes[0] : sizes[0] * sizes[1];
  const int64_t length = plane ? sizes[1] * sizes[2] : sizes[2];
  float piece[kPiece];
  double total = 0;
  for (int64_t i = 0; i < batch_ * rows; ++i) {
    const int64_t row = i % rows;
    const int64_t offset =
        channel + i / rows * image_.outer_step +
        (plane ? row * steps[0] : row / sizes[1] * steps[0] + row % sizes[1] * steps[1]);
    for (int64_t at = 0; at < length; at += kPiece) {
      const int64_t count = std::min(kPiece, length - at);
      blocks::LoadRow(image_.view.dtype, image + (offset + at * steps[2]) * BytesOf(image_.view),
                      steps[2], count, piece);
      total += Kernels().convolution.sum(piece, count);
    }
  }
  return static_cast<float>(total);
}

}  // namespace anyacl::convolution
