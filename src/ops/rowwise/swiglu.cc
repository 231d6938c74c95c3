// SPDX-License-Identifier: Apache-2.0
#include "ops/rowwise/operators.h"
#include "ops/rowwise/rows.h"

namespace anyacl::rowwise {
namespace {

class SwiGluPlan final : public Plan {
 public:
  explicit SwiGluPlan(Rows rows) : rows_(std::move(rows)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    rows_.ForPieces([&](const Group& group, int64_t piece) {
      alignas(64) float a_buffer[kBuffer];
      alignas(64) float b_buffer[kBuffer];
      alignas(64) float out[kBuffer];
      const int64_t at = piece * kPiece;
      const int64_t count = std::min(kPiece, rows_.n() - at);
      const void* a = rows_.Read(bindings, 0, group, at, count, a_buffer);
      const void* b = rows_.Read(bindings, 1, group, at, count, b_buffer);
      rows_.kernels().swiglu(a, b, group.rows * count, rows_.To(bindings, 2, group, at, out));
      rows_.Written(bindings, 2, group, at, count, out);
    });
    return {};
  }

 private:
  const Rows rows_;
};

}  // namespace

Status PrepareSwiGlu(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& shape = operands[kX].shape();
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), shape.rank(), &dim); !s.ok()) {
    return s;
  }
  const auto axis = static_cast<size_t>(dim);
  if (shape[axis] % 2 != 0) {
    return Fail(operands.spec().codes.shape, "x.shape[{}] = {}, expected an even number", dim,
                shape[axis]);
  }
  Dims half = shape;
  half[axis] /= 2;
  if (Status s = CheckShapeIs(operands, kOut, half); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView x = ViewOf(operands, kX);
  TensorView views[] = {Sliced(x, dim, 0, half[axis]), Sliced(x, dim, half[axis], half[axis]),
                        ViewOf(operands, kOut)};
  // Element by element, so that any dimension may be the rows'.
  Coalesce(views);
  std::vector<Part> parts;
  for (const TensorView& view : views) parts.push_back(RowsOf(view, view.rank > 0 ? 1 : 0));
  call->plan = std::make_shared<SwiGluPlan>(Rows(std::move(parts)));
  return {};
}

}  // namespace anyacl::rowwise
