// SPDX-License-Identifier: Apache-2.0
// A row of the result is compared tap by tap: by the vector where all windows are alike, from rows
// that have been brought into fp32 with -inf around them; else window by window.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/max_pool/op.h"
#include "runtime/parallel.h"

namespace anyacl::max_pool {
namespace {

// Numbers of the rows that one row of results needs: 256 KiB.
constexpr int64_t kMostNumbers = 65536;
constexpr int64_t kNowhere = -1;

// How rows lie in scratch memory: elements of one residue of the stride beside each other.
struct Rows {
  explicit Rows(const Params& p) {
    const Axis& w = p.axes[2];
    reach[0] = (p.axes[0].kernel - 1) * p.axes[0].dilation + 1;
    reach[1] = (p.axes[1].kernel - 1) * p.axes[1].dilation + 1;
    phases = std::min(w.stride, (w.kernel - 1) * w.dilation + 1);
    pitch = WholeVectors(w.out) + (w.kernel - 1) * w.dilation / w.stride + kVector;
    step = phases * pitch;
    const bool small =
        static_cast<double>(reach[0]) * static_cast<double>(reach[1]) * static_cast<double>(step) <=
        kMostNumbers;
    suits = small && p.from.dtype != ACL_DOUBLE;
    for (const Axis& axis : p.axes) suits &= !axis.adaptive;
    count = suits ? reach[0] * reach[1] : 0;
  }
  int64_t reach[2];
  int64_t phases, pitch, step;
  int64_t count = 0;  // of rows that are kept
  bool suits;
};

// One run of some rows of results, by one thread.
class Worker {
 public:
  Worker(const Params& p, const Rows& rows, const Bindings& bindings, char* scratch)
      : p_(p), rows_(rows) {
    from_ = p.from.Address(bindings);
    to_ = p.to.Address(bindings);
    if (p.kind != Places::kNone) places_ = p.places.Address(bindings);
    const auto width = static_cast<size_t>(WholeVectors(p.to.sizes[4]));
    at_ = reinterpret_cast<int64_t*>(scratch);
    taps_ = reinterpret_cast<int32_t*>(at_ + width);
    numbers_ = reinterpret_cast<char*>(taps_ + width);
    kept_.assign(static_cast<size_t>(rows.count), kNowhere);
    if (rows.suits) return;
    for (int64_t j = 0; j < p.to.sizes[4]; ++j) windows_.push_back(p.axes[2].WindowOf(j));
  }
  static int64_t ScratchBytes(const Params& p, const Rows& rows) {
    const int64_t width = WholeVectors(p.to.sizes[4]);
    const int64_t numbers =
        std::max(width + rows.count * rows.step, 2 * (width + WholeVectors(p.from.sizes[4])));
    return WholeVectors(12 * width + 4 * numbers);
  }

  void Row(int64_t row) {
    h_ = row % p_.to.sizes[3];
    d_ = row / p_.to.sizes[3] % p_.to.sizes[2];
    image_ = row / p_.to.sizes[3] / p_.to.sizes[2];
    if (p_.kind == Places::kMask && h_ == 0) ClearMask();
    if (rows_.suits) {
      auto* const values = reinterpret_cast<float*>(numbers_);
      ByVectors(values, values + WholeVectors(p_.to.sizes[4]));
      Write(values);
    } else if (p_.from.dtype == ACL_DOUBLE) {
      ByWindows<double>();
    } else {
      ByWindows<float>();
    }
    WritePlaces();
  }

 private:
  template <class Number>
  void Write(const Number* values) {
    const int64_t offset = OffsetOf(p_.to, image_) + d_ * p_.to.strides[2] + h_ * p_.to.strides[3];
    blocks::StoreRow(values, p_.to.sizes[4], p_.to.dtype, to_ + offset * (BitsOf(p_.to.dtype) / 8),
                     p_.to.strides[4]);
  }

  const char* RowAddress(int64_t d, int64_t h) const {
    const int64_t offset =
        OffsetOf(p_.from, image_) + d * p_.from.strides[2] + h * p_.from.strides[3];
    return from_ + offset * (BitsOf(p_.from.dtype) / 8);
  }

  // Where row (d, h) is kept: rows of one window have places of their own.
  int64_t Keep(int64_t d, int64_t h, float* rows) {
    const int64_t place = d % rows_.reach[0] * rows_.reach[1] + h % rows_.reach[1];
    const int64_t row = (image_ * p_.from.sizes[2] + d) * p_.from.sizes[3] + h;
    if (kept_[static_cast<size_t>(place)] == row) return place * rows_.step;
    kept_[static_cast<size_t>(place)] = row;
    const Axis& w = p_.axes[2];
    float* to = rows + place * rows_.step;
    for (int64_t f = 0; f < rows_.phases; ++f, to += rows_.pitch) {
      const int64_t at = f - w.padding;
      const int64_t begin = std::min(rows_.pitch, at < 0 ? (-at + w.stride - 1) / w.stride : 0);
      const int64_t inside = at >= w.in ? 0 : (w.in - at + w.stride - 1) / w.stride;
      const int64_t end = std::max(begin, std::min(rows_.pitch, inside));
      std::fill_n(to, begin, -std::numeric_limits<float>::infinity());
      if (end > begin) {
        const int64_t first = (at + begin * w.stride) * p_.from.strides[4];
        blocks::LoadRow(p_.from.dtype, RowAddress(d, h) + first * BytesOf(p_.from),
                        w.stride * p_.from.strides[4], end - begin, to + begin);
      }
      std::fill_n(to + end, rows_.pitch - end, -std::numeric_limits<float>::infinity());
    }
    return place * rows_.step;
  }

  void ByVectors(float* values, float* rows) {
    const Window depth = p_.axes[0].WindowOf(d_), height = p_.axes[1].WindowOf(h_);
    const Axis& w = p_.axes[2];
    offsets_.clear();
    starts_.clear();
    for (int64_t i = 0; i < depth.count; ++i) {
      const int64_t d = depth.first + i * p_.axes[0].dilation;
      for (int64_t j = 0; j < height.count; ++j) {
        const int64_t h = height.first + j * p_.axes[1].dilation;
        const int64_t row = Keep(d, h, rows);
        for (int64_t t = 0; t < w.kernel; ++t) {
          const int64_t at = t * w.dilation;
          offsets_.push_back(row + at % w.stride * rows_.pitch + at / w.stride);
        }
        starts_.push_back((d * p_.from.sizes[3] + h) * w.in);
      }
    }
    if (offsets_.empty()) {
      std::fill_n(values, p_.to.sizes[4], -std::numeric_limits<float>::infinity());
      std::fill_n(at_, p_.to.sizes[4], int64_t{0});
      return;
    }
    Kernels().max_pool.largest({.from = rows,
                                .offsets = offsets_.data(),
                                .taps = static_cast<int64_t>(offsets_.size()),
                                .count = p_.to.sizes[4],
                                .values = values,
                                .largest = taps_});
    for (int64_t j = 0; j < p_.to.sizes[4]; ++j) {
      const int64_t tap = taps_[j];
      int64_t column = j * w.stride - w.padding + tap % w.kernel * w.dilation;
      // Nothing is larger than the padding: the first element of all.
      if (column < 0) column += (-column + w.dilation - 1) / w.dilation * w.dilation;
      at_[j] = starts_[static_cast<size_t>(tap / w.kernel)] + column;
    }
  }

  template <class Number>
  void ByWindows() {
    auto* const values = reinterpret_cast<Number*>(numbers_);
    Number* const row = values + WholeVectors(p_.to.sizes[4]);
    std::fill_n(values, p_.to.sizes[4], -std::numeric_limits<Number>::infinity());
    std::fill_n(at_, p_.to.sizes[4], kNowhere);
    const Window depth = p_.axes[0].WindowOf(d_), height = p_.axes[1].WindowOf(h_);
    for (int64_t i = 0; i < depth.count; ++i) {
      const int64_t d = depth.first + i * p_.axes[0].dilation;
      for (int64_t j = 0; j < height.count; ++j) {
        const int64_t h = height.first + j * p_.axes[1].dilation;
        blocks::LoadRow(p_.from.dtype, RowAddress(d, h), p_.from.strides[4], p_.from.sizes[4], row);
        CompareRow(row, (d * p_.from.sizes[3] + h) * p_.from.sizes[4], values);
      }
    }
    for (int64_t j = 0; j < p_.to.sizes[4]; ++j) at_[j] = std::max<int64_t>(at_[j], 0);
    Write(values);
  }

  template <class Number>
  void CompareRow(const Number* row, int64_t start, Number* values) {
    const Axis& axis = p_.axes[2];
    for (int64_t j = 0; j < p_.to.sizes[4]; ++j) {
      const Window window = windows_[static_cast<size_t>(j)];
      if constexpr (std::is_same_v<Number, float>) {
        const bool dense = axis.dilation == 1 && at_[j] != kNowhere;
        if (dense && !Kernels().max_pool.exceeds(row + window.first, window.count, values[j])) {
          continue;
        }
      }
      for (int64_t t = 0; t < window.count; ++t) {
        const int64_t w = window.first + t * axis.dilation;
        if (at_[j] == kNowhere) at_[j] = start + w;
        if (row[w] > values[j] || std::isnan(row[w])) {
          values[j] = row[w];
          at_[j] = start + w;
        }
      }
    }
  }

  char* MaskOf() const { return places_ + image_ * p_.places.sizes[2] * p_.places.sizes[3]; }
  void ClearMask() {
    std::memset(MaskOf(), 0, static_cast<size_t>(p_.places.sizes[2] * p_.places.sizes[3]));
  }

  void WritePlaces() {
    if (p_.kind == Places::kMask) return SetBits();
    if (p_.kind == Places::kNone) return;
    const int64_t offset =
        OffsetOf(p_.places, image_) + d_ * p_.places.strides[2] + h_ * p_.places.strides[3];
    const int64_t step = p_.places.strides[4];
    if (p_.places.dtype == ACL_INT32) {
      auto* const to = reinterpret_cast<int32_t*>(places_) + offset;
      for (int64_t j = 0; j < p_.to.sizes[4]; ++j) to[j * step] = static_cast<int32_t>(at_[j]);
    } else {
      auto* const to = reinterpret_cast<int64_t*>(places_) + offset;
      for (int64_t j = 0; j < p_.to.sizes[4]; ++j) to[j * step] = at_[j];
    }
  }

  // Bit p of the row of a tap: the largest element of window p is there.
  void SetBits() {
    const Axis& height = p_.axes[1];
    const Axis& width = p_.axes[2];
    for (int64_t j = 0; j < p_.to.sizes[4]; ++j) {
      const int64_t h = at_[j] / width.in - (h_ * height.stride - height.padding);
      const int64_t w = at_[j] % width.in - (j * width.stride - width.padding);
      const int64_t tap = h / height.dilation * width.kernel + w / width.dilation;
      const int64_t position = h_ * p_.to.sizes[4] + j;
      char* const byte = MaskOf() + tap * p_.places.sizes[3] + position / 8;
      *byte = static_cast<char>(*byte | (1 << (position % 8)));
    }
  }

  const Params& p_;
  const Rows& rows_;
  const char* from_;
  char* to_;
  char* places_ = nullptr;
  int64_t* at_;  // of the row's largest elements, in their image
  int32_t* taps_;
  char* numbers_;
  std::vector<int64_t> kept_, offsets_, starts_;
  std::vector<Window> windows_;  // along the last axis, if they are looked at one by one
  int64_t image_ = 0, d_ = 0, h_ = 0;
};

class ForwardPlan final : public BookedPlan {
 public:
  explicit ForwardPlan(const Params& params)
      : p_(params), rows_(p_), bytes_(Worker::ScratchBytes(p_, rows_)) {
    if (!owns_) scratch_ = book_.Book<char>(ThreadCount(), bytes_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t per_image = p_.to.sizes[2] * p_.to.sizes[3];
    const int64_t rows = p_.images() * per_image;
    int64_t taps = 1;
    for (const Axis& axis : p_.axes) {
      taps *= axis.adaptive ? std::max<int64_t>(1, axis.in / axis.out) : axis.kernel;
    }
    int64_t grain = 1 + 16384 / (p_.to.sizes[4] * std::max<int64_t>(1, taps));
    // Rows of an image share bytes of its mask.
    if (p_.kind == Places::kMask) grain = (grain + per_image - 1) / per_image * per_image;
    std::vector<char> own(owns_ ? static_cast<size_t>(ThreadCount() * bytes_) : 0);
    char* const scratch = owns_ ? own.data() : scratch_.In(bindings);
    ParallelFor(rows, grain, [&](int64_t begin, int64_t end, int64_t slot) {
      Worker worker(p_, rows_, bindings, scratch + slot * bytes_);
      for (int64_t i = begin; i < end; ++i) worker.Row(i);
    });
    return {};
  }

 private:
  const Params p_;
  const Rows rows_;
  int64_t bytes_;
  // MaxPool asks for no workspace: ggml has its padded image begin in memory that is too short, and
  // a workspace would lie over the image's end.
  const bool owns_ = p_.kind == Places::kNone;
  WorkspaceSlot<char> scratch_;
};

}  // namespace

std::shared_ptr<const Plan> MakeForward(const Params& params) {
  return std::make_shared<ForwardPlan>(params);
}

}  // namespace anyacl::max_pool
