// SPDX-License-Identifier: Apache-2.0
#include "ops/block_sparse_attention/problem.h"

#include "attention/kernel.h"
#include "base/division.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::block_sparse_attention {
namespace {

constexpr int64_t kDimStep = 16, kMostDim = 128;
constexpr int64_t kMostListed = INT32_MAX;  // lists of keys are INT32

Status CheckLayouts(const Operands& operands, Problem* p) {
  constexpr attention::Axes kAxes[] = {{.batch = -1, .row = 0, .head = 1},
                                       {.batch = 0, .row = 2, .head = 1},
                                       {.batch = 0, .row = 1, .head = 2}};
  size_t layout = 0;
  if (Status s = operands.CheckText(kQueryLayout, {"TND", "BNSD", "BSND"}, &layout); !s.ok()) {
    return s;
  }
  p->axes = kAxes[layout];
  p->ragged = layout == 0;
  return operands.CheckText(kKeyLayout, {operands.Text(kQueryLayout)});
}

int64_t SizeAt(const Dims& shape, int axis) {
  return axis < 0 ? 1 : shape[static_cast<size_t>(axis)];
}

Status CheckQuery(const Operands& operands, Problem* p) {
  const int code = operands.spec().codes.shape;
  const Dims& query = operands[kQuery].shape();
  const size_t rank = p->ragged ? 3 : 4;
  if (query.rank() != rank || operands[kQuery].IsEmpty()) {
    return Fail(code, "query.shape = {}, expected {} dimensions of 1 or more as qInputLayout = {}",
                query.ToString(), rank, operands.Text(kQueryLayout));
  }
  p->dim = query.back();
  p->heads = SizeAt(query, p->axes.head);
  p->batch = SizeAt(query, p->axes.batch);
  p->row_size = SizeAt(query, p->axes.row);
  if (p->dim % kDimStep != 0 || p->dim > kMostDim) {
    return Fail(code, "query.shape = {}, expected D a multiple of {} up to {}", query.ToString(),
                kDimStep, kMostDim);
  }
  if (p->row_size > kMostListed) {
    return Fail(code, "query.shape = {}, expected at most {} rows", query.ToString(), kMostListed);
  }
  for (int id : {kOut, kDOut, kDQuery}) {
    if (!operands.HasRow(id)) continue;
    if (Status s = CheckShapeIs(operands, id, query); !s.ok()) return s;
  }
  return {};
}

Status CheckKey(const Operands& operands, Problem* p) {
  const int code = operands.spec().codes.shape;
  const Dims& key = operands[kKey].shape();
  const Dims& query = operands[kQuery].shape();
  const bool fits = key.rank() == query.rank() && key.back() == p->dim &&
                    SizeAt(key, p->axes.batch) == p->batch && !operands[kKey].IsEmpty();
  if (!fits) {
    return Fail(code, "key.shape = {}, expected sequences and D of query.shape = {}",
                key.ToString(), query.ToString());
  }
  p->key_heads = SizeAt(key, p->axes.head);
  p->key_size = SizeAt(key, p->axes.row);
  if (operands.Int(kKeyHeads) != p->key_heads || p->heads % p->key_heads != 0) {
    return Fail(code,
                "numKeyValueHeads = {}, expected {} as key.shape = {}, of which query's {} heads "
                "are a multiple",
                operands.Int(kKeyHeads), p->key_heads, key.ToString(), p->heads);
  }
  if (p->key_size > kMostListed) {
    return Fail(code, "key.shape = {}, expected at most {} rows", key.ToString(), kMostListed);
  }
  for (int id : {kValue, kDKey, kDValue}) {
    if (!operands.HasRow(id)) continue;
    if (Status s = CheckShapeIs(operands, id, key); !s.ok()) return s;
  }
  return {};
}

// Lengths of one array, of which there are `size` tokens in all, or of each sequence.
Status ReadLengths(const Operands& operands, int id, int64_t size, Problem* p,
                   int64_t Sequence::*first, int64_t Sequence::*count) {
  const auto lengths = operands.Ints(id);
  int64_t sum = 0;
  for (size_t b = 0; b < p->sequences.size(); ++b) {
    const int64_t most = size - sum;
    const int64_t length = lengths.empty() ? size : lengths[b];
    if (length < 0 || length > most) {
      return Fail(operands.spec().codes.shape, "{}[{}] = {}, expected 0 to {}", operands.NameOf(id),
                  b, length, most);
    }
    p->sequences[b].*first = sum;
    p->sequences[b].*count = length;
    if (p->ragged) sum += length;
  }
  return {};
}

Status CheckLengths(const Operands& operands, Problem* p) {
  const CheckCodes& codes = operands.spec().codes;
  const size_t rows = operands.Ints(kQueryLengths).size();
  const size_t keys = operands.Ints(kKeyLengths).size();
  if (p->ragged) {
    for (const auto& [id, count] : {std::pair{kQueryLengths, rows}, {kKeyLengths, keys}}) {
      if (count > 0) continue;
      return Fail(codes.null, "{} is null or empty, expected lengths as qInputLayout is TND",
                  operands.NameOf(id));
    }
    p->batch = static_cast<int64_t>(rows);
  }
  const auto batch = static_cast<size_t>(p->batch);
  if (rows != keys || (rows != 0 && rows != batch)) {
    return Fail(codes.shape, "{} has size {} and {} has {}, expected {} both, or none",
                operands.NameOf(kQueryLengths), rows, operands.NameOf(kKeyLengths), keys, batch);
  }
  // Without lengths the batch may be one of stride 0 that no host has memory for.
  p->sequences.resize(rows == 0 ? 1 : batch);
  if (Status s = ReadLengths(operands, kQueryLengths, p->row_size, p, &Sequence::first_row,
                             &Sequence::rows);
      !s.ok()) {
    return s;
  }
  return ReadLengths(operands, kKeyLengths, p->key_size, p, &Sequence::first_key, &Sequence::keys);
}

// Of padded layouts the mask is for all rows that there may be.
Status CheckBlocks(const Operands& operands, Problem* p) {
  const int code = operands.spec().codes.shape;
  if (!operands.Given(kBlockMask)) return {};
  if (operands.Given(kBlockShape)) {
    const auto shape = operands.Ints(kBlockShape);
    if (shape.size() < 2 || shape[0] < 1 || shape[1] < 1) {
      return Fail(code, "blockShapeOptional = {}, expected two numbers of 1 or more",
                  Dims(shape.data(), std::min<size_t>(shape.size(), 2)).ToString());
    }
    p->block_rows = std::min(shape[0], kMostListed);
    p->block_keys = std::min(shape[1], kMostListed);
  }
  const int64_t rows = p->ragged ? p->most_rows() : p->row_size;
  const int64_t keys = p->ragged ? p->most_keys() : p->key_size;
  return CheckShapeIs(
      operands, kBlockMask,
      {p->batch, p->heads, CeilDivide(rows, p->block_rows), CeilDivide(keys, p->block_keys)});
}

Status CheckUnsupported(const Operands& operands) {
  for (int id : {kMask, kTable}) {
    if (!operands.HasRow(id) || !operands.Given(id) || operands[id].IsEmpty()) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected null or no elements",
                operands.NameOf(id), operands[id].shape().ToString());
  }
  if (!operands.HasRow(kPrecision)) return {};
  const int64_t precision = operands.Int(kPrecision);
  const bool half = operands[kQuery].dtype() == ACL_FLOAT16;
  if (precision == 0 || precision == 4 || (precision == 1 && half)) return {};
  return Fail(operands.spec().codes.shape, "innerPrecise = {}, expected 0, 4, or 1 with FLOAT16",
              precision);
}

}  // namespace

Status CheckProblem(Operands& operands, Problem* p) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = operands.CheckValues(); !s.ok()) return s;
  if (Status s = CheckLayouts(operands, p); !s.ok()) return s;
  if (Status s = CheckUnsupported(operands); !s.ok()) return s;
  if (Status s = CheckQuery(operands, p); !s.ok()) return s;
  if (Status s = CheckKey(operands, p); !s.ok()) return s;
  if (Status s = CheckLengths(operands, p); !s.ok()) return s;
  if (Status s = CheckBlocks(operands, p); !s.ok()) return s;
  if (operands.Given(kLse)) {
    Dims lse = operands[kQuery].shape();
    lse[lse.rank() - 1] = 1;
    if (Status s = CheckShapeIs(operands, kLse, lse); !s.ok()) return s;
  }
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  p->mask = ViewOf(operands, kBlockMask);
  p->scale = static_cast<float>(operands.Real(kScale));
  return {};
}

void Problem::FillUnused(const Bindings& bindings, const TensorView& view, int64_t Sequence::*first,
                         int64_t Sequence::*count, float number) const {
  constexpr int64_t kGrain = 256;  // rows: 5 us
  float numbers[attention::kMaxDim];
  std::fill_n(numbers, view.sizes[3], number);
  const auto store = blocks::Storer(Element::kFp32, view.dtype);
  char* const data = bindings.data[static_cast<size_t>(view.slot)];
  const auto fill = [&](int64_t b, int64_t begin) {
    const int64_t rows = view.sizes[2] - begin;
    ParallelFor(rows * view.sizes[1], kGrain, [&](int64_t from, int64_t to) {
      int64_t head = from / rows, row = begin + from % rows;
      for (int64_t i = from; i < to; ++i) {
        const int64_t at = attention::RowAt(view, b, head, row) * BytesOf(view);
        store(numbers, {data + at, 1, view.sizes[3], 0, view.strides[3], false});
        if (++row < view.sizes[2]) continue;
        row = begin;
        ++head;
      }
    });
  };
  if (ragged) return fill(0, sequences.back().*first + sequences.back().*count);
  for (int64_t b = 0; b < batch; ++b) fill(b, SequenceOf(b).*count);
}

TensorView ViewByHead(const Operands& operands, const Problem& p, int id) {
  const TensorView view = ViewOf(operands, id);
  return view.given() ? attention::ByHead(view, p.axes, view.sizes[view.rank - 1]) : view;
}

}  // namespace anyacl::block_sparse_attention
