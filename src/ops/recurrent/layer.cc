// SPDX-License-Identifier: Apache-2.0
#include "ops/recurrent/layer.h"

#include <algorithm>
#include <string>

namespace anyacl::recurrent {

namespace {

Status CheckNumber(const Operands& operands, int id, bool right, const char* expected) {
  if (!operands.HasRow(id) || right) return {};
  return Fail(operands.spec().codes.shape, "{} has another value than {}, which alone is offered",
              operands.NameOf(id), expected);
}

Status CheckAttributes(const Operands& operands) {
  const struct {
    int id;
    const char* only;
  } kTexts[] = {{kCellType, "LSTM"},
                {kActivation, "tanh"},
                {kRecurrentActivation, "sigmoid"},
                {kMergeMode, "concat"}};
  for (const auto& text : kTexts) {
    if (Status s = operands.CheckText(text.id, {text.only}); !s.ok()) return s;
  }
  const auto integer = [&](int id) { return operands.HasRow(id) ? operands.Int(id) : 0; };
  const auto real = [&](int id) { return operands.HasRow(id) ? operands.Real(id) : 0; };
  const double keep = real(kKeepProb);
  // torch_npu calls gradients with a depth of 0 and a probability of -1, as the prototype has them.
  const struct {
    int id;
    bool right;
    const char* expected;
  } kNumbers[] = {{kDepth, integer(kDepth) <= 1, "0 or 1"},
                  {kPeephole, integer(kPeephole) == 0, "false"},
                  {kKeepProb, keep == 1 || keep < 0, "1 or -1"},
                  {kClip, real(kClip) < 0, "-1"},
                  {kProjection, integer(kProjection) == 0, "0"},
                  {kTimeMajor, integer(kTimeMajor) == 1, "true"},
                  {kStateful, integer(kStateful) == 0, "false"},
                  {kResetAfter, integer(kResetAfter) == 1, "true"}};
  for (const auto& number : kNumbers) {
    if (Status s = CheckNumber(operands, number.id, number.right, number.expected); !s.ok()) {
      return s;
    }
  }
  return {};
}

// A tensor without dimensions stands for an absent one, as torch_npu has it.
Status DropPlaceholders(Operands& operands) {
  for (int id : {kLengths, kWci, kWcf, kWco, kMask}) {
    if (!operands.Given(id)) continue;
    if (operands[id].shape().rank() == 0) {
      operands.Drop(id);
    } else if (id != kLengths) {
      return Fail(operands.spec().codes.shape, "{}.shape = {}, expected no tensor: not offered",
                  operands.NameOf(id), operands[id].shape().ToString());
    }
  }
  return {};
}

Status CheckCount(const Operands& operands, int id, int64_t count) {
  if (!operands.Given(id) || ElementCount(operands[id].shape()) == count) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {} elements",
              operands.NameOf(id), operands[id].shape().ToString(), count);
}

Status CheckLengths(const Operands& operands, const Sizes& sizes) {
  if (!operands.Given(kLengths)) return {};
  const Dims& shape = operands[kLengths].shape();
  const bool numbers = operands[kLengths].dtype() == ACL_INT32;
  const Dims expected = numbers ? Dims{sizes.batch} : Dims{sizes.steps, sizes.batch, sizes.hidden};
  if (shape == expected) return {};
  return Fail(operands.spec().codes.shape, "seq_length.shape = {}, expected {} of {}",
              shape.ToString(), expected.ToString(), NameOf(operands[kLengths].dtype()));
}

Status CheckLayer(Operands& operands, int64_t gates, Sizes* sizes, Order* order) {
  if (Status s = DropPlaceholders(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckAttributes(operands); !s.ok()) return s;
  size_t direction = 0;
  if (Status s = operands.CheckText(kDirection, {"UNIDIRECTIONAL", "REDIRECTIONAL"}, &direction);
      !s.ok()) {
    return s;
  }
  const Dims& y = operands[kY].shape();
  const Dims& x = operands[kX].shape();
  *sizes = {y[0], y[1], x[x.rank() - 1], y[2], gates * y[2]};
  *order = {direction == 1, sizes->steps};
  const int code = operands.spec().codes.shape;
  const Dims& weight = operands[kWeight].shape();
  if (weight[1] != sizes->gates) {
    return Fail(code, "{}.shape[1] = {}, expected {} * {}", operands.NameOf(kWeight), weight[1],
                gates, sizes->hidden);
  }
  if (!operands.HasRow(kHiddenWeight) && weight[0] != sizes->inputs + sizes->hidden) {
    return Fail(code, "{}.shape[0] = {}, expected {} + {}", operands.NameOf(kWeight), weight[0],
                sizes->inputs, sizes->hidden);
  }
  if (x.rank() == 2 && (sizes->steps != 1 || x[0] != sizes->batch)) {
    return Fail(code, "x.shape = {}, expected [{}, {}, {}]", x.ToString(), sizes->steps,
                sizes->batch, sizes->inputs);
  }
  const int64_t states = sizes->batch * sizes->hidden;
  for (int id : {kInitH, kInitC, kDh, kDc, kDhPrev, kDcPrev}) {
    if (!operands.HasRow(id)) continue;
    if (Status s = CheckCount(operands, id, states); !s.ok()) return s;
  }
  for (int id : {kH, kC}) {
    if (!operands.HasRow(id)) continue;
    if (Status s = CheckCount(operands, id, sizes->steps * states); !s.ok()) return s;
  }
  return CheckLengths(operands, *sizes);
}

}  // namespace

Status BuildLayer(Operands& operands, int64_t gates, Layer* layer) {
  Layer& p = *layer;
  if (Status s = CheckLayer(operands, gates, &p.sizes, &p.order); !s.ok()) return s;
  p.joined = !operands.HasRow(kHiddenWeight);
  p.x = ViewOf(operands, kX);
  p.weight = ViewOf(operands, kWeight);
  if (!p.joined) p.hidden_weight = ViewOf(operands, kHiddenWeight);
  if (operands.HasRow(kBias)) p.bias = ViewOf(operands, kBias);
  p.init_h = ViewOf(operands, kInitH);
  if (operands.Given(kLengths)) p.valid = Valid(ViewOf(operands, kLengths));
  p.y = ViewOf(operands, kY);
  p.h = ViewOf(operands, kH);
  return {};
}

const TensorView& HiddenWeight(const Layer& layer) {
  return layer.joined ? layer.weight : layer.hidden_weight;
}

const char* HiddenWeight(const Bindings& bindings, const Layer& layer) {
  const char* const first = AddressOf(bindings, HiddenWeight(layer));
  if (!layer.joined) return first;
  return first + layer.sizes.inputs * layer.sizes.gates * BytesOf(layer.weight);
}

void ReadRow(const Bindings& bindings, const TensorView& view, int64_t row, int64_t count,
             float* to) {
  if (!view.given()) return;
  char* from = view.Address(bindings) + row * count * blocks::BytesOf(view.dtype);
  blocks::LoadRow(view.dtype, from, 1, count, to);
}

void WriteRow(const Bindings& bindings, const TensorView& view, int64_t row, int64_t count,
              const float* from) {
  if (!view.given()) return;
  char* to = view.Address(bindings) + row * count * blocks::BytesOf(view.dtype);
  blocks::StoreRow(from, count, view.dtype, to, 1);
}

void ReadRows(const Bindings& bindings, int64_t row, int64_t count,
              std::initializer_list<RowOf<float>> rows) {
  for (const auto& r : rows) ReadRow(bindings, r.view, row, count, r.numbers);
}

void WriteRows(const Bindings& bindings, int64_t row, int64_t count,
               std::initializer_list<RowOf<const float>> rows) {
  for (const auto& r : rows) WriteRow(bindings, r.view, row, count, r.numbers);
}

Side SideOf(const TensorView& view, int64_t columns) { return {ElementOf(view.dtype), columns, 1}; }
Side Transposed(const Side& side) { return {side.type, side.column_step, side.row_step}; }

gemm::Problem ProductOf(int64_t rows, int64_t columns, int64_t depth, const Side& a, const Side& b,
                        const Side& c) {
  const auto matrix = [](const Side& side) {
    return gemm::Matrix{
        .type = side.type, .row_step = side.row_step, .column_step = side.column_step};
  };
  gemm::Problem p;
  p.rows = rows;
  p.columns = columns;
  p.depth = depth;
  p.a = matrix(a);
  p.b = matrix(b);
  p.c = matrix(c);
  return p;
}

gemm::Problem ProductOf(int64_t rows, int64_t columns, int64_t depth, const Side& a, const Side& b,
                        const Side& c, const Side& d) {
  gemm::Problem p = ProductOf(rows, columns, depth, a, b, c);
  p.has_d = true;
  p.d = {.type = d.type, .row_step = d.row_step, .column_step = d.column_step};
  return p;
}

gemm::Problem GatesOf(int64_t rows, int64_t columns, int64_t depth, const Side& a, const Side& b,
                      const TensorView& bias) {
  const Side c = {.row_step = columns};
  if (!bias.given()) return ProductOf(rows, columns, depth, a, b, c);
  return ProductOf(rows, columns, depth, a, b, c, {ElementOf(bias.dtype), 0, 1});
}

gemm::Problem InputGates(const Layer& layer) {
  const Sizes& s = layer.sizes;
  return GatesOf(s.rows(), s.gates, s.inputs, SideOf(layer.x, s.inputs),
                 SideOf(layer.weight, s.gates), layer.bias);
}

void Valid::Read(const Bindings& bindings, const Sizes& sizes, int64_t step, int64_t index,
                 float* to) const {
  if (view_.rank == 3) {
    return ReadRow(bindings, view_, step * sizes.batch + index, sizes.hidden, to);
  }
  const int32_t length = reinterpret_cast<const int32_t*>(view_.Address(bindings))[index];
  std::fill_n(to, sizes.hidden, step < length ? 1.0f : 0.0f);
}

}  // namespace anyacl::recurrent
