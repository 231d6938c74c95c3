// SPDX-License-Identifier: Apache-2.0
// The way back: elements of the small images go to their places in the large ones, an image by one
// thread, in their order. Gradients are summed up in fp32.
#include <atomic>
#include <bit>
#include <cstring>

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
    const int64_t width = p_.from.sizes[4];
    scratch_floats_ = adds ? (area_ + width + 15) / 16 * 16 : 0;
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
    std::fill_n(sums, area_, 0.0f);
    float* const row = sums + area_;
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
      blocks::StoreRow(sums + i * out_width, out_width, p_.to.dtype,
                       a.to + RowOffset(p_.to, image, i) * BytesOf(p_.to), p_.to.strides[4]);
    }
    return good;
  }

  // Bits that name places in the padding are nobody's.
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
        float* const to = sums + h * width.in;
        ForBits(bits, i * p_.from.sizes[4], p_.from.sizes[4], [&](int64_t j) {
          const int64_t w = j * width.stride - width.padding + tw * width.dilation;
          if (w >= 0 && w < width.in) to[w] += row[j];
        });
      }
    }
  }

  // Calls visit(j) for those of `count` bits from bit `first` on that are set. One window in as
  // many as there are taps has its bit set in a tap's row: looked at one by one they took four
  // times as long. Behind the last window a row has 32 bytes or more.
  template <class Visit>
  static void ForBits(const char* bits, int64_t first, int64_t count, const Visit& visit) {
    constexpr int64_t kStep = 56;  // whatever bit of its byte the first one is
    for (int64_t j = 0; j < count; j += kStep) {
      uint64_t word = 0;
      std::memcpy(&word, bits + (first + j) / 8, sizeof word);
      const uint64_t wanted = (uint64_t{1} << std::min(kStep, count - j)) - 1;
      word = word >> (first + j) % 8 & wanted;
      for (; word != 0; word &= word - 1) visit(j + std::countr_zero(word));
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
  int64_t scratch_floats_;
  WorkspaceSlot<float> scratch_;
};

}  // namespace

std::shared_ptr<const Plan> MakeScatter(const Params& params, bool adds) {
  return std::make_shared<ScatterPlan>(params, adds);
}

}  // namespace anyacl::max_pool
