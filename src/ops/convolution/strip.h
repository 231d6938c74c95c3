// SPDX-License-Identifier: Apache-2.0
// The piece of an image that some positions meet with all taps: lines of numbers with the padding
// around them. Each number of it becomes one column's in as many rows as there are taps, so what is
// slow (zeros, strides, channels last, conversion) is done once for all of these.
#pragma once

#include "ops/convolution/op.h"

namespace anyacl::convolution {

class Strip {
 public:
  // Where the lines and the columns of these runs lie, in panels of so many columns. False: they
  // have no room here, or gathering tap by tap copies hardly more.
  bool Place(const Correlation& c, const Run* runs, int64_t run_count, int64_t panel_columns);

  // Bytes in which some channels are loaded, and what the loading needs besides.
  int64_t BytesFor(const Correlation& c, int64_t channels, StripRows rows) const;
  // Whole channels from `first` on; `scratch` has the bytes for them.
  void Load(const Correlation& c, const char* image, int64_t first, int64_t channels, char* scratch,
            StripRows rows) const;
  // Whether each of the panel's vectors lies in one line.
  bool IsWhole(int64_t panel) const;
  // One that is, of the channels that have been loaded as fp32.
  gemm::PanelLines LinesOf(int64_t panel, int64_t channels, const Correlation& c,
                           const char* scratch) const;
  // One of them, of the channels that have been loaded.
  void Pack(int64_t panel, const Correlation& c, int64_t channels, const char* scratch,
            StripRows rows, char* to) const;
  int64_t panels() const { return panel_count_; }

 private:
  static constexpr int64_t kMostLines = 256;
  static constexpr int64_t kMostPieces = 128;
  static constexpr int64_t kMostOffsets = 4096;

  bool PlaceLines(const Correlation& c, const Run* runs, int64_t run_count);
  int LineFor(int64_t offset, int64_t first, int64_t end);
  bool PlacePieces(const Correlation& c, const Run* runs, int64_t run_count, int64_t panel_columns);

  StripLine lines_[kMostLines];
  int line_count_;
  int line_of_[kMostOffsets];  // of each run and tap of the first two dimensions
  int64_t pitch_;              // from channel to channel, in numbers
  int64_t raw_pitch_;          // the same of lines as they come from the image
  int64_t columns_;
  int64_t panel_columns_;
  int piece_count_;
  int32_t piece_columns_[kMostPieces];  // where in its panel each begins
  int32_t panel_begin_[kMostPieces + 1];
  int panel_count_;
  int32_t offsets_[kMostOffsets];  // of each tap and piece, in numbers of a channel
};

}  // namespace anyacl::convolution
