// SPDX-License-Identifier: Apache-2.0
// Two steps, each the products of all groups of rows; what they make between them waits in the
// workspace. Without experts all rows are one group.
#include "ops/matmul/feed_forward.h"

#include "ops/steps.h"

namespace anyacl::matmul::feed_forward {
namespace {

// Products of groups of rows as a step: what they are made of is in tensors of the call and of the
// workspace, which their views number.
class Layer {
 public:
  explicit Layer(const Params& p) {
    params.form = p.form;
    params.axis = Axis::kRows;
    params.groups = p.ends.size();
    params.ends = p.ends;
    params.size = p.rows;
    params.panels.resize(1);
  }

  TensorView Bind(const InnerTensor& tensor) { return step_.View(tensor); }
  void Bind(Stack* stack, const InnerTensor& tensor, bool stacked) {
    stack->stacked = stacked;
    if (tensor.given()) stack->views = {Bind(tensor)};
  }

  void AddTo(Steps& steps) const { step_.AddTo(steps, MakeGroupedPlan(params)); }

  GroupedParams params;

 private:
  PlanStep step_;
};

// The arguments of one of the two products.
struct Arguments {
  int weight, bias, dequant, factor, summand;
};
constexpr Arguments kFirstArguments = {kFirst, kFirstBias, kFirstDequant, kFirstFactor,
                                       kFirstSummand};
constexpr Arguments kSecondArguments = {kSecond, kSecondBias, kSecondDequant, kSecondFactor,
                                        kSecondSummand};

Layer LayerOf(const Operands& operands, const Params& p, const Arguments& a, const InnerTensor& x,
              const InnerTensor& y) {
  Layer layer(p);
  GroupedParams& g = layer.params;
  const bool factors = p.form == GroupedForm::kFactors;
  const InnerTensor scale = TensorOf(operands, factors ? a.factor : a.dequant);
  layer.Bind(&g.x, x, false);
  layer.Bind(&g.weight, TensorOf(operands, a.weight), p.experts);
  layer.Bind(&g.bias, TensorOf(operands, a.bias), p.experts);
  layer.Bind(&g.scale, scale, p.experts);
  if (factors) {
    layer.Bind(&g.offset, TensorOf(operands, a.summand), p.experts);
    const size_t of_columns = p.experts ? 2 : 1;
    if (scale.layout.shape.rank() > of_columns)
      g.factor_groups = scale.layout.shape[of_columns - 1];
  }
  layer.Bind(&g.y, y, false);
  if (p.listed) {
    g.groups = static_cast<size_t>(operands[kTokens].shape()[0]);
    g.list = layer.Bind(TensorOf(operands, kTokens));
    g.list_name = operands.NameOf(kTokens);
    g.listing = operands.Flag(kEnds) ? Listing::kEnds : Listing::kSizes;
  }
  return layer;
}

// Rows as they lie; those of several dimensions as rows that follow each other.
Status RowsOf(Steps& steps, const Operands& operands, int id, const Dims& shape,
              InnerTensor* rows) {
  *rows = TensorOf(operands, id);
  return rows->layout.shape.rank() == 2 ? Status() : steps.Contiguous(id, shape, rows);
}

}  // namespace

Status Prepare(Operands& operands, PreparedCall* call) {
  Params p;
  if (Status s = Check(operands, &p); !s.ok()) return s;
  const int64_t k1 = operands.Size("K1"), k2 = operands.Size("K2");
  if (operands[kY].IsEmpty()) return {};
  Steps steps(operands);
  const InnerTensor given = TensorOf(operands, kY);
  InnerTensor x, y = given;
  if (Status s = RowsOf(steps, operands, kX, {p.rows, k1}, &x); !s.ok()) return s;
  if (given.layout.shape.rank() != 2) {
    y = steps.Result(kY, {p.rows, k1});
    if (p.listed && !given.IsContiguous()) {  // rows of no expert stay what they are
      if (Status s = steps.Copy(y.As(given.layout.shape), given); !s.ok()) return s;
    }
  }
  const InnerTensor between =
      steps.Piece("what activation makes", operands[kX].dtype(), {p.rows, k2});

  if (k2 > 0) {
    Layer first = LayerOf(operands, p, kFirstArguments, x, between);
    first.params.activation = p.activation;
    first.params.gated = p.gated;
    first.Bind(&first.params.quant_scale, TensorOf(operands, kScale), p.experts);
    first.Bind(&first.params.quant_offset, TensorOf(operands, kOffset), p.experts);
    if (between.layout.dtype == ACL_INT8 && given.layout.dtype == ACL_FLOAT16) {
      first.params.steps = ACL_FLOAT16;
    }
    first.AddTo(steps);
  }
  LayerOf(operands, p, kSecondArguments, between, y).AddTo(steps);
  return steps.Finish(call);
}

}  // namespace anyacl::matmul::feed_forward
