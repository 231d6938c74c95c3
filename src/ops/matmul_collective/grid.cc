// SPDX-License-Identifier: Apache-2.0
// Products on a grid of ranks: one direction (groupEp) shares the experts, the other one (groupTp)
// what each of them computes. Tokens go to their experts before the product, or back behind it.
#include <string>
#include <utility>

#include "ops/matmul_collective/operators.h"
#include "ops/matmul_collective/plans.h"
#include "ops/ranks/windows.h"

namespace anyacl::matmul_collective {
namespace {

// The communicators of both directions and their ranks; how many experts a rank has; rows and
// columns of an expert's tokens as they travel, and whether groupTp shares the rows.
struct Grid {
  std::shared_ptr<RankGroup> experts, shares;
  int64_t ep = 0, tp = 0, own = 0, rows = 0, columns = 0;
  bool by_rows = false;
  Dims whole;  // [E / ep, ep * C, H]: the product's left, or its result
};

Status CheckGridBias(const Operands& operands) {
  if (!operands.Given(kBias)) return {};
  const aclDataType expected = operands[kX1].dtype() == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16;
  if (operands[kBias].dtype() == expected) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "biasOptional.dtype = {}, expected {} beside x of {}",
              NameOf(operands[kBias].dtype()), NameOf(expected), NameOf(operands[kX1].dtype()));
}

// `tokens`: the tensor [E, C, H] of which groupTp shares C or H; `width`: the size H, where it is
// whole.
Status CheckGrid(Operands& operands, int tokens, const char* width, Grid* grid) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckGridBias(operands); !s.ok()) return s;
  if (Status s = ranks::FindGroup(operands, kGroup, kWorldSize, &grid->experts); !s.ok()) return s;
  if (Status s = ranks::FindGroup(operands, kGroupTp, kWorldSizeTp, &grid->shares); !s.ok())
    return s;
  if (grid->experts == grid->shares) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "groupTp is \"{}\", expected another one than groupEp",
                operands.Text(kGroupTp));
  }
  const Dims& given = operands[tokens].shape();
  grid->ep = grid->experts->size();
  grid->tp = grid->shares->size();
  grid->own = operands.Size("E");
  grid->rows = given[1];
  grid->columns = given[2];
  grid->by_rows = operands.Int(kShardType) == 1;
  for (const int id : {tokens, int{kX2}}) {
    if (!operands[id].IsEmpty()) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected elements", operands.NameOf(id),
                operands[id].shape().ToString());
  }
  // Divided, as products of what a client says may overflow.
  const auto shares = [&](int64_t whole, int64_t ranks, int64_t part) {
    return whole % ranks == 0 && whole / ranks == part;
  };
  grid->whole = {grid->own, operands.Size("R"), operands.Size(width)};
  const Dims& whole = grid->whole;
  const int64_t by_rank = whole[1] / grid->ep;
  const bool fits = shares(given[0], grid->ep, grid->own) && whole[1] % grid->ep == 0 &&
                    shares(by_rank, grid->by_rows ? grid->tp : 1, given[1]) &&
                    shares(whole[2], grid->by_rows ? 1 : grid->tp, given[2]);
  if (!fits) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "{}.shape = {}, expected the tokens of {} by {} ranks, of which groupTp shares "
                "the {}, with {} experts, {} rows and {} columns on each",
                operands.NameOf(tokens), given.ToString(), grid->ep, grid->tp,
                grid->by_rows ? "rows" : "columns", whole[0], whole[1], whole[2]);
  }
  if (ElementCount(whole)) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected fewer elements",
              operands.NameOf(tokens), given.ToString());
}

std::string AlikeTokens(const Operands& operands, int tokens) {
  return Format("{}, {} {}", Alike(operands, tokens), operands.NameOf(kShardType),
                operands.Int(kShardType));
}

Status Finish(Steps& steps, const Grid& grid, std::string alike, PreparedCall* call) {
  if (Status s = steps.Finish(grid.experts, std::move(alike), call); !s.ok()) return s;
  call->beside = grid.shares;
  return {};
}

// out = left @ weight + bias, by expert.
Status AddBatchProduct(const Operands& operands, Steps& steps, const InnerTensor& left,
                       const InnerTensor& bias, const InnerTensor& out) {
  const InnerTensor weight = TensorOf(operands, kX2);
  if (!bias.given()) return steps.Call("aclnnBatchMatMul", {left, weight, out, int64_t{0}});
  return steps.Call("aclnnBaddbmm", {bias, left, weight, 1.0f, 1.0f, out, int64_t{0}});
}

// [experts, 1, columns], however it was given.
Status ReadBias(const Operands& operands, Steps& steps, InnerTensor* bias) {
  *bias = InnerTensor();
  if (!operands.Given(kBias)) return {};
  const Dims& shape = operands[kBias].shape();
  return steps.Contiguous(kBias, {shape[0], 1, shape.back()}, bias);
}

Status AddActivation(Steps& steps, int64_t kind, const InnerTensor& from, const InnerTensor& to) {
  switch (kind) {
    case 1:
      return steps.Call("aclnnGeluV2", {from, int64_t{1}, to});
    case 2:
      return steps.Call("aclnnSilu", {from, to});
    case 3:
      return steps.Call("aclnnRelu", {from, to});
    default:
      return steps.Call("aclnnFastGelu", {from, to});
  }
}

// What has come from the ranks of groupTp, by rank [tp, ep, experts, rows, columns], as the
// product's left.
Status AddTokensTogether(Steps& steps, const Grid& g, const InnerTensor& gathered,
                         const InnerTensor& left) {
  const int64_t expert = g.rows * g.columns, rank = g.own * expert, share = g.ep * rank;
  if (g.by_rows) {
    const Dims shape = {g.own, g.ep, g.tp, g.rows, g.columns};
    return steps.Copy(left.As(shape), gathered.As(shape, {expert, rank, share, g.columns, 1}));
  }
  const Dims shape = {g.own, g.ep, g.rows, g.tp, g.columns};
  return steps.Copy(left.As(shape), gathered.As(shape, {expert, rank, g.columns, share, 1}));
}

}  // namespace

Status PrepareGridGather(Operands& operands, PreparedCall* call) {
  Grid g;
  if (Status s = CheckGrid(operands, kX1, "K", &g); !s.ok()) return s;
  const int64_t activation = operands.Int(kActivation);
  if (activation == 0 && operands.Given(kBeforeActivation)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "y3OutOptional is given, expected null as actType is 0");
  }
  Steps steps(operands, g.experts->size());
  const aclDataType type = operands[kX1].dtype();
  const Dims travelling = {g.ep, g.own, g.rows, g.columns};
  InnerTensor x, bias;
  if (Status s = steps.Contiguous(kX1, travelling, &x); !s.ok()) return s;
  const InnerTensor received = steps.Piece("x of groupEp", type, travelling);
  steps.AllToAll(x, received);
  const InnerTensor gathered =
      steps.Piece("x of groupTp", type, {g.tp, g.ep, g.own, g.rows, g.columns});
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) {
    return bindings.ranks->Beside().AllGather(received.Address(bindings),
                                              gathered.Address(bindings), received.bytes());
  });
  const InnerTensor left = operands.Given(kGatherOut) ? steps.Result(kGatherOut, g.whole)
                                                      : steps.Piece("y2", type, g.whole);
  if (Status s = AddTokensTogether(steps, g, gathered, left); !s.ok()) return s;
  const Dims out_shape = operands[kOutput].shape();
  const InnerTensor out = steps.Result(kOutput, out_shape);
  const InnerTensor product = activation == 0 ? out
                              : operands.Given(kBeforeActivation)
                                  ? steps.Result(kBeforeActivation, out_shape)
                                  : steps.Piece("y3", type, out_shape);
  if (Status s = ReadBias(operands, steps, &bias); !s.ok()) return s;
  if (Status s = AddBatchProduct(operands, steps, left, bias, product); !s.ok()) return s;
  if (activation != 0) {
    if (Status s = AddActivation(steps, activation, product, out); !s.ok()) return s;
  }
  return Finish(steps, g, AlikeTokens(operands, kX1), call);
}

Status PrepareGridScatter(Operands& operands, PreparedCall* call) {
  Grid g;
  if (Status s = CheckGrid(operands, kOutput, "N", &g); !s.ok()) return s;
  if (operands.Given(kBias) && operands[kBias].shape().back() != g.columns) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "biasOptional.shape = {}, expected the {} columns of out",
                operands[kBias].shape().ToString(), g.columns);
  }
  Steps steps(operands, g.experts->size());
  const aclDataType type = operands[kX1].dtype();
  InnerTensor x, bias;
  if (Status s = steps.Contiguous(kX1, operands[kX1].shape(), &x); !s.ok()) return s;
  const InnerTensor product = steps.Piece("x @ weight", type, g.whole);
  if (Status s = AddBatchProduct(operands, steps, x, InnerTensor(), product); !s.ok()) return s;
  const Dims parts = {g.tp, g.own, g.ep, g.rows, g.columns};
  const int64_t width = g.whole[2], expert = g.whole[1] * width;
  const InnerTensor shares = steps.Piece("x @ weight by rank of groupTp", type, parts);
  const InnerTensor seen =
      g.by_rows ? product.As(parts, {g.rows * width, expert, g.tp * g.rows * width, width, 1})
                : product.As(parts, {g.columns, expert, g.rows * width, width, 1});
  if (Status s = steps.Copy(shares, seen); !s.ok()) return s;
  const InnerTensor own = steps.Piece("sum over groupTp", type, {g.own, g.ep * g.rows, g.columns});
  steps.Add([=, count = g.own * g.ep * g.rows * g.columns](const Bindings& bindings, char*,
                                                           const StopToken&) {
    return bindings.ranks->Beside().ReduceScatter(shares.Address(bindings), own.Address(bindings),
                                                  static_cast<uint64_t>(count), type);
  });
  if (Status s = ReadBias(operands, steps, &bias); !s.ok()) return s;
  if (bias.given()) {
    if (Status s = steps.Call("aclnnInplaceAdd", {own, bias, 1.0f}); !s.ok()) return s;
  }
  const int64_t rank = g.rows * g.columns;
  const Dims travelling = {g.ep, g.own, g.rows, g.columns};
  const InnerTensor sent = steps.Piece("sum over groupTp by rank of groupEp", type, travelling);
  if (Status s = steps.Copy(sent, own.As(travelling, {rank, g.ep * rank, g.columns, 1})); !s.ok())
    return s;
  steps.AllToAll(sent, steps.Result(kOutput, travelling));
  return Finish(steps, g, AlikeTokens(operands, kOutput), call);
}

}  // namespace anyacl::matmul_collective
