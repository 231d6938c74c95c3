// SPDX-License-Identifier: Apache-2.0
// The way back: elements of the small images go to their places in the large ones, an image by one
// thread, in their order. Gradients are summed up in fp32.
#include <atomic>
#include <cstring>

#include "base/division.h"
#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/max_pool/op.h"
#include "runtime/parallel.h"

namespace anyacl::max_pool {
namespace {

// Index and position of an image's element.
int64_t RowOffset(const TensorView& view, int64_t image, int64_t row) {
  return OffsetOf(view, image) + row / view.sizes[3] * view.strides[2] +
         row % view.sizes[3] * view.strides[3];
}

int64_t IndexAt(const TensorView& view, const char* data, int64_t offset) {
  return view.dtype == ACL_INT32 ? reinterpret_cast<const int32_t*>(data)[offset]
                                 : reinterpret_cast<const int64_t*>(data)[offset];
}

class ScatterPlan final : public BookedPlan {
 public:
  ScatterPlan(const Params& params, bool adds) : p_(params), adds_(adds), area_(AreaOf(p_.to)) {
    row_floats_ = p_.to.sizes[4];
    if (p_.kind == Places::kMask) {
      const Axis& width = p_.axes[2];
      phases_ = std::min(width.stride, width.in);
      // Vectors at its end reach into the next phase, whose numbers they leave as they are.
      pitch_ = CeilDivide(width.in, phases_);
      row_floats_ = phases_ * pitch_;
    }
    sums_floats_ = WholeVectors(p_.to.sizes[2] * p_.to.sizes[3] * row_floats_) + kVector;
    // Then a row of either image.
    const int64_t row = WholeVectors(std::max(p_.from.sizes[4], p_.to.sizes[4])) + kVector;
    scratch_floats_ = adds ? sums_floats_ + row : 0;
    scratch_ = book_.Book<float>(ThreadCount(), scratch_floats_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Addresses a{.from = Address(p_.from, bindings),
                .to = p_.to.Address(bindings),
                .places = Address(p_.places, bindings)};
    std::atomic<int64_t> bad{-1};
    ParallelFor(p_.images(), 1 + 4096 / area_, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const scratch = scratch_.In(bindings) + slot * scratch_floats_;
      for (int64_t i = begin; i < end; ++i) {
        const bool good = adds_ ? AddImage(a, i, scratch) : CopyImage(a, i);
        if (good) continue;
        // The first one of all, whoever finds one first.
        int64_t known = bad.load();
        while ((known < 0 || i < known) && !bad.compare_exchange_weak(known, i)) {
        }
      }
    });
    const int64_t image = bad.load();
    if (image < 0) return {};
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                "indices of image [{}, {}] name no element: expected 0 to {}",
                image / p_.to.sizes[1], image % p_.to.sizes[1], area_ - 1);
  }

 private:
  struct Addresses {
    const char* from;
    char* to;
    const char* places;
  };
  static const char* Address(const TensorView& view, const Bindings& bindings) {
    const char* const data = bindings.data[static_cast<size_t>(view.slot)];
    return data == nullptr ? nullptr : view.Address(bindings);
  }

  // Calls visit(index, row, column) for the elements of an image in their order; false if an index
  // is none.
  template <class Visit>
  bool ForPlaces(const Addresses& a, int64_t image, int64_t row, const Visit& visit) const {
    const int64_t width = p_.from.sizes[4];
    bool good = true;
    const int64_t offset = RowOffset(p_.places, image, row);
    for (int64_t j = 0; j < width; ++j) {
      const int64_t index = IndexAt(p_.places, a.places, offset + j * p_.places.strides[4]);
      if (index < 0 || index >= area_) {
        good = false;
      } else {
        visit(index, j);
      }
    }
    return good;
  }

  bool AddImage(const Addresses& a, int64_t image, float* sums) const {
    std::fill_n(sums, sums_floats_, 0.0f);
    float* const row = sums + sums_floats_;
    const int64_t width = p_.from.sizes[4];
    const int64_t rows = p_.from.sizes[2] * p_.from.sizes[3];
    bool good = true;
    for (int64_t i = 0; i < rows; ++i) {
      blocks::LoadRow(p_.from.dtype, a.from + RowOffset(p_.from, image, i) * BytesOf(p_.from),
                      p_.from.strides[4], width, row);
      if (p_.kind == Places::kMask) {
        AddByMask(a, image, i, row, sums);
      } else {
        good &= ForPlaces(a, image, i, [&](int64_t at, int64_t j) { sums[at] += row[j]; });
      }
    }
    const int64_t out_width = p_.to.sizes[4];
    for (int64_t i = 0; i < p_.to.sizes[2] * p_.to.sizes[3]; ++i) {
      const float* whole = sums + i * row_floats_;
      if (phases_ > 1) {
        Kernels().max_pool.interleave(whole, phases_, pitch_, out_width, row);
        whole = row;
      }
      blocks::StoreRow(whole, out_width, p_.to.dtype,
                       a.to + RowOffset(p_.to, image, i) * BytesOf(p_.to), p_.to.strides[4]);
    }
    return good;
  }

  // Of a row of windows. Those that one tap of theirs is the largest of go to places a stride
  // apart, which lie side by side in sums. Bits that name places in the padding are nobody's.
  void AddByMask(const Addresses& a, int64_t image, int64_t i, const float* row,
                 float* sums) const {
    const Axis& height = p_.axes[1];
    const Axis& width = p_.axes[2];
    const char* const mask = a.places + image * p_.places.sizes[2] * p_.places.sizes[3];
    for (int64_t th = 0; th < height.kernel; ++th) {
      const int64_t h = i * height.stride - height.padding + th * height.dilation;
      if (h < 0 || h >= height.in) continue;
      for (int64_t tw = 0; tw < width.kernel; ++tw) {
        const char* const bits = mask + (th * width.kernel + tw) * p_.places.sizes[3];
        const int64_t at = tw * width.dilation - width.padding;  // of the first window's
        const int64_t steps = at < 0 ? -CeilDivide(-at, width.stride) : at / width.stride;
        const int64_t phase = at - steps * width.stride;
        if (phase >= phases_) continue;
        const int64_t places = CeilDivide(width.in - phase, width.stride);
        const int64_t begin = std::max<int64_t>(0, -steps);
        const int64_t end = std::min(p_.from.sizes[4], places - steps);
        if (begin >= end) continue;
        Kernels().max_pool.add_marked(bits, i * p_.from.sizes[4] + begin, end - begin, row + begin,
                                      sums + h * row_floats_ + phase * pitch_ + steps + begin);
      }
    }
  }

  bool CopyImage(const Addresses& a, int64_t image) const {
    const int64_t bytes = BytesOf(p_.to);
    const auto size = static_cast<size_t>(bytes);
    const int64_t width = p_.to.sizes[4];
    for (int64_t i = 0; i < area_; ++i) {
      const int64_t offset = RowOffset(p_.to, image, i / width) + i % width * p_.to.strides[4];
      std::memset(a.to + offset * bytes, 0, size);
    }
    bool good = true;
    for (int64_t i = 0; i < p_.from.sizes[2] * p_.from.sizes[3]; ++i) {
      good &= ForPlaces(a, image, i, [&](int64_t at, int64_t j) {
        const int64_t to = RowOffset(p_.to, image, at / width) + at % width * p_.to.strides[4];
        const int64_t from = RowOffset(p_.from, image, i) + j * p_.from.strides[4];
        std::memcpy(a.to + to * bytes, a.from + from * bytes, size);
      });
    }
    return good;
  }

  const Params p_;
  const bool adds_;
  const int64_t area_;
  // Sums by mask: rows of columns 0, s, 2 s, ..., then of 1, 1 + s, ..., for a stride of s.
  int64_t phases_ = 1, pitch_ = 0;
  int64_t row_floats_, sums_floats_, scratch_floats_;
  WorkspaceSlot<float> scratch_;
};

}  // namespace

std::shared_ptr<const Plan> MakeScatter(const Params& params, bool adds) {
  return std::make_shared<ScatterPlan>(params, adds);
}

}  // namespace anyacl::max_pool
