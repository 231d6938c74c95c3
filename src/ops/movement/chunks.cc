// SPDX-License-Identifier: Apache-2.0
// ChunkCat: chunks of tensors side by side, with zeros for what the last ones lack.
#include <algorithm>
#include <initializer_list>

#include "base/wide.h"
#include "ops/movement/move.h"

namespace anyacl::movement {
namespace {

// A stride of some steps. One that does not fit is that of a single entry, which nothing follows.
int64_t StepsOf(int64_t count, int64_t step) {
  return static_cast<int64_t>(static_cast<uint64_t>(count) * static_cast<uint64_t>(step));
}

// A tensor as [rows, ...], of which a chunk has `per` rows.
struct ChunkedRows {
  TensorView from{};
  int64_t rows = 0, per = 0, columns = 0;

  // What it takes of a row of out; no product overflows that a tensor with elements has.
  Int128 width() const { return static_cast<Int128>(per) * columns; }
};

ChunkedRows ChunksOf(const TensorView& tensor, int64_t chunks) {
  ChunkedRows c = {.from = tensor, .rows = tensor.sizes[0]};
  if (tensor.elements() == 0) return c;
  c.columns = tensor.elements() / c.rows;
  c.per = (c.rows - 1) / chunks + 1;
  // What follows the first dimension, in as few dimensions as it lies in.
  TensorView row = WithoutDim(tensor, 0);
  CoalesceInOrder({&row, 1});
  c.from.rank = row.rank + 1;
  std::copy_n(row.sizes, row.rank, c.from.sizes + 1);
  std::copy_n(row.strides, row.rank, c.from.strides + 1);
  return c;
}

// Columns of out from `begin` on as the view's dimensions behind its first `leading` ones, whose
// sizes are the last ones of `like`.
TensorView Unfolded(const TensorView& out, int64_t begin, const TensorView& like, int leading,
                    std::initializer_list<int64_t> sizes, std::initializer_list<int64_t> strides) {
  TensorView to = out;
  to.offset += begin * out.strides[1];
  std::copy(sizes.begin(), sizes.end(), to.sizes);
  std::copy(strides.begin(), strides.end(), to.strides);
  to.rank = leading + like.rank - 1;
  int64_t step = out.strides[1];
  for (int i = like.rank - 1; i > 0; --i) {
    to.sizes[leading + i - 1] = like.sizes[i];
    to.strides[leading + i - 1] = step;
    step = StepsOf(like.sizes[i], step);
  }
  return to;
}

void Move(MovePlan& plan, const TensorView& to, const TensorView& from) {
  to.dtype == from.dtype ? plan.Copy(to, from) : plan.Convert(to, from, ACL_FLOAT);
}

// Whole chunks, the rest of the rows in the next one, and zeros behind it.
void AddChunks(MovePlan& plan, const TensorView& out, int64_t begin, const ChunkedRows& c) {
  const int64_t whole = c.rows / c.per, rest = c.rows % c.per, chunks = out.sizes[0];
  const int64_t row_step = out.strides[0], step = StepsOf(c.columns, out.strides[1]);
  if (whole > 0) {
    TensorView from = WithDim(c.from, 0);
    from.sizes[0] = whole;
    from.strides[0] = StepsOf(c.per, c.from.strides[0]);
    from.sizes[1] = c.per;
    Move(plan, Unfolded(out, begin, c.from, 2, {whole, c.per}, {row_step, step}), from);
  }
  if (rest > 0) {
    const TensorView row = Sliced(out, 0, whole, 1);
    Move(plan, Unfolded(row, begin, c.from, 1, {rest}, {step}),
         Sliced(c.from, 0, whole * c.per, rest));
    plan.Fill(Sliced(row, 1, begin + rest * c.columns, (c.per - rest) * c.columns));
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
    if (parts.back().from.rank < TensorView::kMaxRank) continue;
    return Fail(code,
                "tensors[{}] has 7 dimensions behind its first one of which none is a step of "
                "another, expected at most 6",
                i);
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
