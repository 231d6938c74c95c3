// SPDX-License-Identifier: Apache-2.0
#include "ops/convolution/strip.h"

#include <algorithm>

#include "base/division.h"
#include "kernels.h"

namespace anyacl::convolution {
namespace {

constexpr int64_t kStripVector = 16;

int64_t Count(const std::vector<int64_t>& shifts) { return static_cast<int64_t>(shifts.size()); }

}  // namespace

bool Strip::Place(const Correlation& c, const Run* runs, int64_t run_count, int64_t panel_columns) {
  if (c.tap_count() <= 1 || !PlaceLines(c, runs, run_count)) return false;
  columns_ = 0;
  for (int64_t r = 0; r < run_count; ++r) columns_ += runs[r].count;
  return 4 * pitch_ <= 3 * c.tap_count() * columns_ &&
         PlacePieces(c, runs, run_count, panel_columns);
}

// The line of the image at `offset`, of numbers first to end. One that is there grows, unless what
// lies between were more than it has.
int Strip::LineFor(int64_t offset, int64_t first, int64_t end) {
  for (int i = line_count_; i-- > 0;) {
    StripLine& line = lines_[i];
    if (line.offset != offset) continue;
    const int64_t least = std::min(line.first, first);
    const int64_t most = std::max(line.first + line.length, end);
    if (most - least > line.length + end - first) continue;
    line.first = least;
    line.length = most - least;
    return i;
  }
  if (line_count_ == kMostLines) return -1;
  lines_[line_count_] = {.offset = offset, .first = first, .length = end - first, .at = 0};
  return line_count_++;
}

bool Strip::PlaceLines(const Correlation& c, const Run* runs, int64_t run_count) {
  const Image& image = c.image;
  const int64_t rows = Count(c.shifts[0]) * Count(c.shifts[1]);
  if (run_count * rows > kMostOffsets) return false;
  line_count_ = 0;
  int* line = line_of_;
  const int64_t least = Least(c.shifts[2]), most = Most(c.shifts[2]);
  for (int64_t r = 0; r < run_count; ++r) {
    const Run& run = runs[r];
    const int64_t first = run.begin[2] + least;
    const int64_t end = run.begin[2] + (run.count - 1) * c.stride[2] + most + 1;
    for (int64_t shift_d : c.shifts[0]) {
      for (int64_t shift_h : c.shifts[1]) {
        const int64_t d = run.begin[0] + shift_d, h = run.begin[1] + shift_h;
        const bool inside = d >= 0 && d < image.sizes[0] && h >= 0 && h < image.sizes[1];
        const int64_t offset =
            inside ? run.offset + d * image.steps[0] + h * image.steps[1] : kOutside;
        *line = LineFor(offset, first, end);
        if (*line++ < 0) return false;
      }
    }
  }
  pitch_ = raw_pitch_ = 0;
  const int64_t stride = c.stride[2];
  for (int i = 0; i < line_count_; ++i) {
    if (RoundUp(lines_[i].length, stride) > kStripLength) return false;
    lines_[i].at = pitch_;
    pitch_ += RoundUp(lines_[i].length, stride);
    raw_pitch_ += RoundUp(lines_[i].length, kStripVector);
  }
  return true;
}

bool Strip::PlacePieces(const Correlation& c, const Run* runs, int64_t run_count,
                        int64_t panel_columns) {
  panel_columns_ = panel_columns;
  panel_count_ = 0;
  piece_count_ = 0;
  struct Begin {
    int64_t run, position;
  };
  Begin begins[kMostPieces];
  int64_t column = 0;
  for (int64_t r = 0; r < run_count; ++r) {
    for (int64_t position = 0; position < runs[r].count;) {
      if (piece_count_ == kMostPieces) return false;
      const int64_t in_panel = column % panel_columns;
      if (in_panel == 0) panel_begin_[panel_count_++] = piece_count_;
      piece_columns_[piece_count_] = static_cast<int32_t>(in_panel);
      begins[piece_count_++] = {r, position};
      const int64_t count =
          std::min({runs[r].count - position, panel_columns - in_panel, kStripVector});
      position += count;
      column += count;
    }
  }
  panel_begin_[panel_count_] = piece_count_;
  if (c.tap_count() * piece_count_ > kMostOffsets) return false;
  const int64_t rows = Count(c.shifts[0]) * Count(c.shifts[1]);
  const int64_t stride = c.stride[2];
  int32_t* offset = offsets_;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t shift : c.shifts[2]) {
      for (int i = 0; i < piece_count_; ++i) {
        const Begin& begin = begins[i];
        const StripLine& line = lines_[line_of_[begin.run * rows + row]];
        const int64_t x = runs[begin.run].begin[2] + begin.position * stride + shift - line.first;
        *offset++ = static_cast<int32_t>(line.at + (stride == 1 ? x : line.PlaceOf(x, stride)));
      }
    }
  }
  return true;
}

int64_t Strip::BytesFor(const Correlation& c, int64_t channels, StripRows rows) const {
  const int64_t numbers = (channels * pitch_ + kStripVector) * NumberBytes(rows);
  const int64_t raw = c.image.steps[2] == 1 ? 0 : channels * raw_pitch_ * BytesOf(c.image.view);
  return numbers + raw;
}

void Strip::Load(const Correlation& c, const char* image, int64_t first, int64_t channels,
                 char* scratch, StripRows rows) const {
  Kernels().convolution.load_strip(
      {.type = ElementOf(c.image.view.dtype),
       .rows = rows,
       .image = image + first * c.image.channel_step * BytesOf(c.image.view),
       .channel_step = c.image.channel_step,
       .channels = channels,
       .step = c.image.steps[2],
       .size = c.image.sizes[2],
       .stride = c.stride[2],
       .lines = lines_,
       .line_count = line_count_,
       .to = scratch,
       .to_step = pitch_,
       .raw = scratch + (channels * pitch_ + kStripVector) * NumberBytes(rows),
       .raw_step = raw_pitch_});
}

bool Strip::IsWhole(int64_t panel) const {
  const int64_t vectors = panel_columns_ / kStripVector;
  return columns_ - panel * panel_columns_ >= panel_columns_ &&
         panel_begin_[panel + 1] - panel_begin_[panel] == vectors;
}

gemm::PanelLines Strip::LinesOf(int64_t panel, int64_t channels, const Correlation& c,
                                const char* scratch) const {
  return {.from = reinterpret_cast<const float*>(scratch),
          .channels = channels,
          .channel_step = pitch_,
          .taps = c.tap_count(),
          .offsets = offsets_ + panel_begin_[panel],
          .offset_step = piece_count_};
}

void Strip::Pack(int64_t panel, const Correlation& c, int64_t channels, const char* scratch,
                 StripRows rows, char* to) const {
  const int32_t first = panel_begin_[panel];
  Kernels().convolution.pack_strip[rows]({.from = scratch,
                                          .channel_step = pitch_,
                                          .channels = channels,
                                          .taps = c.tap_count(),
                                          .offsets = offsets_ + first,
                                          .offset_step = piece_count_,
                                          .piece_columns = piece_columns_ + first,
                                          .pieces = panel_begin_[panel + 1] - first,
                                          .panel_columns = panel_columns_,
                                          .columns = columns_ - panel * panel_columns_,
                                          .to = to});
}

}  // namespace anyacl::convolution
