// SPDX-License-Identifier: Apache-2.0
// Tril and Triu: of every row of the last two dimensions a part is copied and the rest zeroed.
#include <algorithm>
#include <utility>

#include "nnop/copy_runs.h"
#include "ops/movement/move.h"
#include "runtime/parallel.h"

namespace anyacl::movement {
namespace {

constexpr int64_t kTriangleBytes = 64 << 10;

class TrianglePlan final : public Plan {
 public:
  // keep column <= row + diagonal if `lower`, else column >= row + diagonal
  TrianglePlan(const TensorView& to, const TensorView& from, bool lower, int64_t diagonal)
      : to_(to), from_(from), lower_(lower), diagonal_(diagonal) {
    const int rows = to.rank - 2;
    const int columns = to.rank - 1;
    if (std::abs(to.strides[rows]) >= std::abs(to.strides[columns])) return;
    // Columns are dense where rows are not: column - row = diagonal is row - column = -diagonal.
    for (TensorView* view : {&to_, &from_}) {
      std::swap(view->sizes[rows], view->sizes[columns]);
      std::swap(view->strides[rows], view->strides[columns]);
    }
    lower_ = !lower_;
    diagonal_ = diagonal_ == INT64_MIN ? INT64_MAX : -diagonal_;
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    return WithBytes(BytesOf(to_), [&]<class T>(T) { return RunOf<T>(bindings); });
  }

 private:
  // The first column of a row that is not like its first one.
  int64_t Border(int64_t row) const {
    const int64_t columns = to_.sizes[to_.rank - 1];
    int64_t border = 0;
    if (__builtin_add_overflow(row + (lower_ ? 1 : 0), diagonal_, &border)) return columns;
    return std::clamp<int64_t>(border, 0, columns);
  }

  template <class T>
  Status RunOf(const Bindings& bindings) const {
    constexpr int64_t kSize = sizeof(T);
    const int64_t columns = to_.sizes[to_.rank - 1];
    const int64_t rows = to_.elements() / columns;
    const int64_t to_step = to_.strides[to_.rank - 1] * kSize;
    const int64_t from_step = from_.strides[to_.rank - 1] * kSize;
    const bool dense = (to_step == kSize && from_step == kSize) || columns == 1;
    char* const to_begin = to_.Address(bindings);
    const char* const from_begin = from_.Address(bindings);
    ParallelFor(rows, std::max<int64_t>(1, kTriangleBytes / (columns * kSize)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t r = begin; r < end; ++r) {
                    char* to = to_begin + to_.OffsetOf(r, to_.rank - 1) * kSize;
                    const char* from = from_begin + from_.OffsetOf(r, to_.rank - 1) * kSize;
                    const int64_t border = Border(r % to_.sizes[to_.rank - 2]);
                    const int64_t kept = lower_ ? 0 : border;
                    const int64_t count = lower_ ? border : columns - border;
                    const int64_t zeroed = lower_ ? border : 0;
                    if (to != from) CopyPart<T>(to, to_step, from, from_step, kept, count, dense);
                    ZeroPart<T>(to + zeroed * to_step, to_step, columns - count, dense);
                  }
                });
    return {};
  }

  template <class T>
  static void CopyPart(char* to, int64_t to_step, const char* from, int64_t from_step,
                       int64_t first, int64_t count, bool dense) {
    if (count == 0) return;
    to += first * to_step;
    from += first * from_step;
    dense ? CopyRun(to, from, count * static_cast<int64_t>(sizeof(T)))
          : StridedRun<T>(to, to_step, from, from_step, count);
  }
  template <class T>
  static void ZeroPart(char* to, int64_t to_step, int64_t count, bool dense) {
    if (dense) {
      std::memset(to, 0, static_cast<size_t>(count) * sizeof(T));
      return;
    }
    for (int64_t i = 0; i < count; ++i) StoreElement(to + i * to_step, T{});
  }

  TensorView to_, from_;
  bool lower_;
  int64_t diagonal_;
};

Status PrepareTriangle(Operands& operands, PreparedCall* call, bool lower) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Operand& out = operands[kOut];
  if (const aclFormat format = operands[kSelf].layout->format;
      out.given() && out.layout->format != format) {
    return Fail(operands.spec().codes.format, "out.format = {}, expected {} as self.format",
                NameOf(out.layout->format), NameOf(format));
  }
  if (out.given()) {
    if (Status s = CheckShapeIs(operands, kOut, operands[kSelf].shape()); !s.ok()) return s;
  }
  if (operands[kSelf].IsEmpty()) return {};
  const TensorView self = ViewOf(operands, kSelf);
  const TensorView to = out.given() ? ViewOf(operands, kOut) : self;
  call->plan = std::make_shared<TrianglePlan>(to, self, lower, operands.Int(kDiagonal));
  return {};
}

}  // namespace

Status PrepareTril(Operands& operands, PreparedCall* call) {
  return PrepareTriangle(operands, call, true);
}
Status PrepareTriu(Operands& operands, PreparedCall* call) {
  return PrepareTriangle(operands, call, false);
}

}  // namespace anyacl::movement
