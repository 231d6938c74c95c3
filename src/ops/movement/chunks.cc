// SPDX-License-Identifier: Apache-2.0
// ChunkCat: chunks of tensors side by side, with zeros for what the last ones lack.
#include <algorithm>
#include <initializer_list>

#include "base/wide.h"
#include "ops/movement/move.h"

namespace anyacl::movement {
namespace {

// A tensor as rows, of which a chunk has `per`.
struct ChunkedRows {
  TensorView row{};  // the first one, in as few dimensions as it lies in
  int64_t row_step = 0, rows = 0, per = 0, columns = 0;

  // What it takes of a row of out; no product overflows that a tensor with elements has.
  Int128 width() const { return static_cast<Int128>(per) * columns; }
};

ChunkedRows ChunksOf(const TensorView& tensor, int64_t chunks) {
  ChunkedRows c = {.row_step = tensor.strides[0], .rows = tensor.sizes[0]};
  if (tensor.elements() == 0) return c;
  c.columns = tensor.elements() / c.rows;
  c.per = (c.rows - 1) / chunks + 1;
  c.row = WithoutDim(tensor, 0);
  CoalesceInOrder({&c.row, 1});
  return c;
}

// Columns of out's first row from `begin` on, of the sizes of `like`.
TensorView Unfolded(const TensorView& out, int64_t begin, const TensorView& like) {
  TensorView to = like;
  to.slot = out.slot;
  to.dtype = out.dtype;
  to.offset = out.offset + begin * out.strides[1];
  int64_t step = out.strides[1];
  for (int i = like.rank - 1; i >= 0; --i) {
    to.strides[i] = step;
    step = StepsOf(like.sizes[i], step);
  }
  return to;
}

// A dimension over rows.
struct Outer {
  int64_t size, to_step, from_step;
};

void MoveRows(MovePlan& plan, TensorView to, TensorView from, std::initializer_list<Outer> outer) {
  if (from.rank + static_cast<int>(outer.size()) > TensorView::kMaxRank) {
    // More than views have. The shortest of a row's seven dimensions has 2^8 entries at most.
    const auto dim =
        static_cast<int>(std::min_element(from.sizes, from.sizes + from.rank) - from.sizes);
    for (int64_t i = 0; i < from.sizes[dim]; ++i) {
      MoveRows(plan, WithoutDim(Sliced(to, dim, i, 1), dim),
               WithoutDim(Sliced(from, dim, i, 1), dim), outer);
    }
    return;
  }
  int at = 0;
  for (const Outer& rows : outer) {
    to = WithDim(to, at);
    from = WithDim(from, at);
    to.sizes[at] = from.sizes[at] = rows.size;
    to.strides[at] = rows.to_step;
    from.strides[at] = rows.from_step;
    ++at;
  }
  to.dtype == from.dtype ? plan.Copy(to, from) : plan.Convert(to, from, ACL_FLOAT);
}

// Whole chunks, the rest of the rows in the next one, and zeros behind it.
void AddChunks(MovePlan& plan, const TensorView& out, int64_t begin, const ChunkedRows& c) {
  const int64_t whole = c.rows / c.per, rest = c.rows % c.per, chunks = out.sizes[0];
  const int64_t step = StepsOf(c.columns, out.strides[1]);
  if (whole > 0) {
    MoveRows(plan, Unfolded(out, begin, c.row), c.row,
             {{whole, out.strides[0], StepsOf(c.per, c.row_step)}, {c.per, step, c.row_step}});
  }
  if (rest > 0) {
    const TensorView last = Sliced(out, 0, whole, 1);
    TensorView from = c.row;
    from.offset += whole * c.per * c.row_step;
    MoveRows(plan, Unfolded(last, begin, c.row), from, {{rest, step, c.row_step}});
    plan.Fill(Sliced(last, 1, begin + rest * c.columns, (c.per - rest) * c.columns));
  }
  const int64_t used = whole + (rest > 0 ? 1 : 0);
  if (used == chunks) return;
  plan.Fill(Sliced(Sliced(out, 0, used, chunks - used), 1, begin, c.per * c.columns));
}

Status CheckChunkTypes(const Operands& operands) {
  const int code = operands.spec().codes.dtype;
  const aclDataType first = operands[kTensors].dtype(), out = operands[kOut].dtype();
  for (const Operand& tensor : operands.List(kTensors)) {
    if (tensor.dtype() == first) continue;
    return Fail(code, "{}.dtype = {}, expected {} as tensors[0].dtype", tensor.Name(),
                NameOf(tensor.dtype()), NameOf(first));
  }
  if (first != ACL_FLOAT || out == ACL_FLOAT) return {};
  return Fail(code, "out.dtype = {}, expected FLOAT as tensors[0].dtype", NameOf(out));
}

}  // namespace

Status PrepareChunkCat(Operands& operands, PreparedCall* call) {
  const int code = operands.spec().codes.shape;
  if (!operands[kTensors].given()) {
    return Fail(code, "tensors is empty, expected at least one tensor");
  }
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckChunkTypes(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t chunks = operands.Int(kChunks);
  std::vector<ChunkedRows> parts;
  Int128 width = 0;
  for (size_t i = 0; i < operands.List(kTensors).size(); ++i) {
    parts.push_back(ChunksOf(ViewOf(operands, kTensors, i), chunks));
    width += parts.back().width();
  }
  const auto columns = width > INT64_MAX ? INT64_MAX : static_cast<int64_t>(width);
  if (Status s = CheckShapeIs(operands, kOut, {chunks, columns}); !s.ok()) return s;
  auto plan = std::make_shared<MovePlan>();
  int64_t begin = 0;
  for (const ChunkedRows& part : parts) {
    if (part.width() == 0) continue;
    AddChunks(*plan, ViewOf(operands, kOut), begin, part);
    begin += part.per * part.columns;
  }
  call->plan = std::move(plan);
  return {};
}

}  // namespace anyacl::movement
