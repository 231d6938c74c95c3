// SPDX-License-Identifier: Apache-2.0
// Convolutions of one channel of X per group (depthwise), which would leave the matrix engine idle:
// each image is brought into rows of fp32 with its padding around it, and sums over taps are taken
// from there.
#pragma once

#include "nnop/executor.h"
#include "nnop/workspace.h"
#include "ops/convolution/op.h"

namespace anyacl::convolution {

// How a band of the image lies in scratch memory: rows of `pitch` numbers, those of a stride's
// residues beside each other, so that neighbouring positions read neighbouring numbers.
class Band {
 public:
  explicit Band(const Correlation& correlation);

  // Whether a band fits into the second cache and there is little else to do.
  static bool Suits(const Correlation& correlation);

  int64_t bands() const;  // of one image
  int64_t floats() const { return planes_ * rows_ * phases_ * pitch_; }
  const std::vector<int64_t>& offsets() const { return offsets_; }  // of the taps
  int64_t row_step() const { return c_.stride[1] * phases_ * pitch_; }

  struct Place {
    int64_t depth;  // of the output positions
    int64_t row, rows;
  };
  Place PlaceOf(int64_t band) const;
  void Load(const char* channel, const Place& place, float* to) const;

 private:
  void LoadRow(const char* channel, int64_t d, int64_t h, float* to) const;

  const Correlation& c_;
  int64_t least_[kSpatial], most_[kSpatial];  // shifts
  int64_t out_rows_ = 1;                      // of positions
  int64_t planes_ = 1;
  int64_t rows_ = 1;
  int64_t phases_ = 1;
  int64_t pitch_ = 0;
  std::vector<int64_t> offsets_;
};

// out = bias + sums over taps.
class ChannelProduct {
 public:
  ChannelProduct(const Correlation& correlation, WorkspaceBook& book);
  void Run(const Correlation& correlation, const Bindings& bindings) const;

 private:
  int64_t scratch_floats_;
  WorkspaceSlot<float> scratch_;
};

// The gradient of the weights.
class ChannelGradient {
 public:
  ChannelGradient(const Relation& relation, const Image& gradient, WorkspaceBook& book);
  void Run(const Bindings& bindings) const;

 private:
  void AddGroup(const Band& band, const Bindings& bindings, int64_t group, float* scratch) const;

  const Correlation c_;
  const Image gradient_;
  int64_t band_floats_;
  int64_t row_floats_;
  int64_t scratch_floats_;
  WorkspaceSlot<float> scratch_;
};

// The sums of all elements of each channel.
class ChannelSums {
 public:
  ChannelSums(const Image& image, int64_t batch, int64_t channels, const TensorView& out);
  void Run(const Bindings& bindings) const;

 private:
  float SumOf(const char* image, int64_t channel) const;

  const Image image_;
  const int64_t batch_;
  const int64_t channels_;
  const TensorView out_;
};

}  // namespace anyacl::convolution
