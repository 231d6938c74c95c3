// SPDX-License-Identifier: Apache-2.0
// Nonzero and NonzeroV2.
#include "ops/indexing/nonzero.h"

#include "nnop/copy_runs.h"
#include "nnop/dynamic_shape.h"
#include "nnop/promotion.h"
#include "ops/indexing/plan.h"

namespace anyacl::indexing {
namespace {

// All bits but the sign of floating-point numbers, of which -0 is 0 too.
template <class T>
T ValueBits(aclDataType dtype) {
  const bool floating = CategoryOf(dtype) == Category::kFloating;
  return static_cast<T>(floating ? static_cast<T>(~T{0}) >> 1 : static_cast<T>(~T{0}));
}

template <class T>
int64_t FindIn(const char* data, int64_t step, int64_t count, T mask, int64_t first,
               int64_t* places, int64_t found) {
  for (int64_t i = 0; i < count; ++i) {
    places[found] = first + i;  // found <= i: never beyond the block
    found += (LoadElement<T>(data + i * step) & mask) != 0;
  }
  return found;
}

// Positions first to first + count - 1 of a view, in rows of the last dimension:
// body(offset in elements, position, elements).
template <class Body>
void ForRows(const TensorView& view, int64_t first, int64_t count, const Body& body) {
  const int64_t size = view.rank == 0 ? 1 : view.sizes[view.rank - 1];
  const int64_t step = view.rank == 0 ? 0 : view.strides[view.rank - 1];
  while (count > 0) {
    const int64_t in_row = first % size;
    const int64_t offset = view.OffsetOf(first / size, view.rank - 1) + in_row * step;
    const int64_t n = std::min(count, size - in_row);
    body(offset, first, n, step);
    first += n;
    count -= n;
  }
}

// out[n, d] or out[d, n] = coordinate d of the n-th element that is not 0.
class NonzeroPlan final : public BookedPlan {
 public:
  NonzeroPlan(const TensorView& self, const TensorView& out, std::shared_ptr<Tensor> tensor,
              bool columns)
      : self_(self),
        out_(out),
        tensor_(std::move(tensor)),
        room_(out.sizes[columns ? 1 : 0]),
        columns_(columns),
        nonzero_(self) {
    starts_ = book_.Book<int64_t>(static_cast<size_t>(nonzero_.chunks()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const starts = starts_.In(bindings);
    const int64_t all = nonzero_.Count(bindings, starts);
    const int64_t rank = self_.rank;
    if (all > room_ && rank > 0) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "out has room for {} places, expected {}: as many elements are not 0", room_,
                  all);
    }
    if (all > 0 && rank > 0) {
      auto* const out = reinterpret_cast<int64_t*>(out_.Address(bindings));
      nonzero_.ForEach(bindings, starts, [&](int64_t first, const int64_t* places, int64_t n) {
        Coordinates at(self_);
        for (int64_t i = 0; i < n; ++i) {
          at.MoveTo(places[i]);
          for (int d = 0; d < self_.rank; ++d) {
            out[columns_ ? d * all + first + i : (first + i) * rank + d] = at[d];
          }
        }
      });
    }
    SetShape(*tensor_, columns_ ? Dims{rank, all} : Dims{all, rank});
    return {};
  }

 private:
  const TensorView self_, out_;
  const std::shared_ptr<Tensor> tensor_;
  const int64_t room_;  // for places
  const bool columns_;
  const Nonzero nonzero_;
  WorkspaceSlot<int64_t> starts_;
};

Status Prepare(Operands& operands, PreparedCall* call, bool columns) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = ViewOf(operands, kSelf);
  const Dims& out = operands[kOut].shape();
  const Dims expected =
      columns ? Dims{self.rank, self.elements()} : Dims{self.elements(), self.rank};
  // Places in a scalar have no coordinates: torch_npu brings [0, 0] for them.
  const bool none = self.rank == 0 && out == Dims{0, 0};
  // Who knows how many there are brings no more room, as the document's example does.
  const size_t places = columns ? 1 : 0;
  const bool less =
      out.rank() == 2 && out[1 - places] == self.rank && out[places] <= expected[places];
  if (!none && !less) {
    if (Status s = CheckShapeIs(operands, kOut, expected); !s.ok()) return s;
  }
  call->plan =
      std::make_shared<NonzeroPlan>(self, ViewOf(operands, kOut), operands[kOut].tensor, columns);
  return {};
}

}  // namespace

Nonzero::Nonzero(const TensorView& view) : view_(view), count_(view.elements()) {
  CoalesceInOrder(std::span(&view_, 1));
}

int64_t Nonzero::Find(const char* data, int64_t at, int64_t count, int64_t* places) const {
  int64_t found = 0;
  WithBytes(BytesOf(view_), [&]<class T>(T) {
    if constexpr (sizeof(T) <= 8) {
      const T mask = ValueBits<T>(view_.dtype);
      ForRows(view_, at, count, [&](int64_t offset, int64_t first, int64_t n, int64_t step) {
        constexpr int64_t kBytes = sizeof(T);
        const char* const from = data + offset * kBytes;
        found = step == 1 ? FindIn<T>(from, kBytes, n, mask, first, places, found)
                          : FindIn<T>(from, step * kBytes, n, mask, first, places, found);
      });
    }
  });
  return found;
}

int64_t Nonzero::Count(const Bindings& bindings, int64_t* starts) const {
  const char* const data = count_ == 0 ? nullptr : view_.Address(bindings);
  ParallelFor(chunks(), 1, [&](int64_t begin, int64_t end) {
    int64_t places[kBlock];
    for (int64_t chunk = begin; chunk < end; ++chunk) {
      const int64_t last = std::min(count_, (chunk + 1) * kChunk);
      starts[chunk] = 0;
      for (int64_t at = chunk * kChunk; at < last; at += kBlock) {
        starts[chunk] += Find(data, at, std::min(kBlock, last - at), places);
      }
    }
  });
  int64_t all = 0;
  for (int64_t chunk = 0; chunk < chunks(); ++chunk) {
    const int64_t here = starts[chunk];
    starts[chunk] = all;
    all += here;
  }
  return all;
}

Status PrepareNonzero(Operands& operands, PreparedCall* call) {
  return Prepare(operands, call, false);
}
Status PrepareNonzeroV2(Operands& operands, PreparedCall* call) {
  return Prepare(operands, call, true);
}

}  // namespace anyacl::indexing
