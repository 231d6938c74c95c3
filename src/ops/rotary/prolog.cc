// SPDX-License-Identifier: Apache-2.0
// aclnnMlaProlog: products of other operators, and between them rows of this folder.
#include "ops/rotary/prolog.h"

#include "ops/rotary/operators.h"
#include "ops/rotary/prolog_rows.h"
#include "ops/steps.h"

namespace anyacl::rotary {
namespace {

constexpr int8_t kKeepTypes = 0;  // cubeMathType

// The steps of a call that was checked.
class Prolog {
 public:
  Prolog(Operands& operands, const PrologCall& call)
      : operands_(operands),
        sizes_(call.sizes),
        q_(call.quantised),
        mode_(call.mode),
        steps_(operands) {}

  Status Copy(int to, int from) {
    if (operands_[from].IsEmpty()) return {};
    return steps_.Copy(TensorOf(operands_, to), TensorOf(operands_, from));
  }

  // `kv` and `kr`: the rows of the caches.
  Status Make(int kv, int kr, PreparedCall* call) {
    const Sizes& z = sizes_;
    if (z.tokens == 0) return steps_.Finish(call);
    Status s = Read(kTokenX, {z.tokens, z.width}, &x_);
    if (s.ok()) s = Read(kRopeCos, {z.tokens, z.turned}, &cos_);
    if (s.ok()) s = Read(kRopeSin, {z.tokens, z.turned}, &sin_);
    if (s.ok()) s = Read(kFactorsX, {z.tokens}, &factors_x_);
    if (s.ok()) s = MakeQueries();
    if (s.ok() && !operands_[kv].IsEmpty()) s = MakeKeys(kv, kr);
    return s.ok() ? steps_.Finish(call) : s;
  }

 private:
  // Not given where the row's tensor is not.
  Status Read(int id, const Dims& shape, InnerTensor* tensor) {
    if (!operands_.Given(id)) return {};
    return steps_.Contiguous(id, shape, tensor);
  }

  int64_t CountOf(int id) const {
    return operands_.Given(id) ? *ElementCount(operands_[id].shape()) : 0;
  }
  float Factor(int id) const {
    return operands_.HasRow(id) ? static_cast<float>(operands_.Real(id)) : 1;
  }
  // [T, 1, D] as one block.
  InnerTensor Cache(int id) const {
    const InnerTensor cache = TensorOf(operands_, id);
    const Dims &shape = cache.layout.shape, &strides = cache.layout.strides;
    if (shape.rank() == 4) return cache;
    return cache.As({1, shape[0], shape[1], shape[2]}, {0, strides[0], strides[1], strides[2]});
  }

  // [rows, columns], whose storage may be called by its panels.
  InnerTensor Weight(int id, int64_t rows, int64_t columns) {
    InnerTensor weight = steps_.Weight(id);
    if (weight.layout.shape.rank() == 2) return weight;
    const Dims panels = weight.layout.shape;
    weight = weight.As({rows, columns});
    weight.layout.format = ACL_FORMAT_FRACTAL_NZ;
    weight.layout.storage_shape = panels;
    return weight;
  }

  // a @ weight: of integers the sums, whose factors are for who reads them.
  Status Multiply(const InnerTensor& a, const InnerTensor& weight, const InnerTensor& factors,
                  InnerTensor* product) {
    const bool sums = weight.layout.dtype == ACL_INT8;
    const int64_t columns = weight.layout.shape[1];
    *product = steps_.Piece(weight.name, sums ? ACL_INT32 : ACL_BF16, {a.layout.shape[0], columns});
    if (!sums) return steps_.Call("aclnnMatmul", {a, weight, *product, int64_t{kKeepTypes}});
    const InnerTensor none;
    return steps_.Call("aclnnQuantMatmulV4", {a, weight, factors.As({columns}), none, none, none,
                                              int64_t{0}, int64_t{0}, *product});
  }

  // Rows of numbers for the product with the queries' weight, and factors of rows.
  Status MakeRanks(InnerTensor* ranks, InnerTensor* steps) {
    const Sizes& z = sizes_;
    InnerTensor factors, smooth, product;
    Status s = Read(kFactorsDq, {z.query_rank}, &factors);
    if (s.ok()) s = Read(kSmooth, {z.query_rank}, &smooth);
    if (s.ok()) {
      s = Multiply(x_, Weight(kWeightDq, z.width, z.query_rank), factors, &product);
    }
    if (!s.ok()) return s;
    const bool wanted = operands_.Given(kQueryNormOut);
    const Dims shape = {z.tokens, z.query_rank};
    *ranks = wanted ? steps_.Result(kQueryNormOut, shape)
                    : steps_.Piece("rmsnormGammaCq", q_.queries ? ACL_INT8 : ACL_BF16, shape);
    if (q_.queries) {
      *steps = wanted ? steps_.Result(kQueryStepsOut, {z.tokens})
                      : steps_.Piece("rmsnormGammaCq", ACL_FLOAT, {z.tokens});
    }
    PlanStep step;
    step.AddTo(steps_, MakeNormRowsPlan({.x = step.View(product),
                                         .factors = {step.View(factors_x_), step.View(factors)},
                                         .gamma = step.View(TensorOf(operands_, kGammaCq)),
                                         .smooth = step.View(smooth),
                                         .eps = operands_.Real(kEpsilonCq),
                                         .factor = Factor(kQueryFactor),
                                         .out = step.View(*ranks),
                                         .steps = step.View(*steps)}));
    return {};
  }

  Status MakeQueries() {
    const Sizes& z = sizes_;
    const int64_t columns = z.heads * z.head();
    InnerTensor ranks, steps, factors, product;
    Status s = MakeRanks(&ranks, &steps);
    if (s.ok()) s = Read(kFactorsUqQr, {columns}, &factors);
    if (s.ok()) {
      s = Multiply(ranks, Weight(kWeightUqQr, z.query_rank, columns), factors, &product);
    }
    if (!s.ok()) return s;
    // [heads, tokens, D] for the product of each head.
    InnerTensor plain;
    const Dims by_head = {z.heads, z.tokens, z.plain};
    const InnerTensor turned = steps_.Result(kQueryRopeOut, {z.tokens, z.heads, z.turned});
    const InnerTensor heads = product.As({z.tokens, z.heads, z.head()});
    if (q_.queries) plain = steps_.Piece("weightUqQr", ACL_BF16, {z.tokens, z.heads, z.plain});
    PlanStep step;
    step.AddTo(steps_, MakeHeadRowsPlan({.x = step.View(heads),
                                         .factors = {step.View(steps), step.View(factors)},
                                         .cos = step.View(cos_),
                                         .sin = step.View(sin_),
                                         .plain = step.View(plain),
                                         .turned = step.View(turned)}));
    const InnerTensor left = q_.queries ? plain.As(by_head, {z.plain, z.heads * z.plain, 1})
                                        : product.As(by_head, {z.head(), z.heads * z.head(), 1});
    const Dims shape = {z.tokens, z.heads, z.key_rank};
    const InnerTensor out = steps_.Result(kQueryOut, shape);
    const InnerTensor numbers = q_.results() ? steps_.Piece("queryOut", ACL_BF16, shape) : out;
    const InnerTensor result =
        numbers.As({z.heads, z.tokens, z.key_rank}, {z.key_rank, z.heads * z.key_rank, 1});
    s = steps_.Call("aclnnBatchMatMul",
                    {left, TensorOf(operands_, kWeightUk), result, int64_t{kKeepTypes}});
    return s.ok() && q_.results() ? QuantiseQueries(numbers, out, turned) : s;
  }

  // Each head of a token by its largest magnitude; its rope is for the same factor, and for that of
  // the keys beside it.
  Status QuantiseQueries(const InnerTensor& numbers, const InnerTensor& out,
                         const InnerTensor& turned) {
    const Dims rows = {sizes_.tokens, sizes_.heads};
    const InnerTensor none;
    const InnerTensor factors = steps_.Result(kQueryFactorsOut, rows);
    const InnerTensor of_ropes = steps_.Piece("queryRopeOut", ACL_FLOAT, rows);
    InnerTensor scale;
    Status s = Read(kScaleCkv, {CountOf(kScaleCkv)}, &scale);
    if (s.ok()) s = steps_.Call("aclnnDynamicQuant", {numbers, none, out, factors});
    if (s.ok()) s = steps_.Call("aclnnDiv", {scale.Rows(0, 1), factors, of_ropes});
    if (!s.ok()) return s;
    return steps_.Call("aclnnMul", {turned, of_ropes.As({rows[0], rows[1], 1}), turned});
  }

  Status MakeKeys(int kv, int kr) {
    const Sizes& z = sizes_;
    const int64_t columns = z.key_rank + z.turned;
    InnerTensor factors, product, index, kv_scale, kr_scale;
    Status s = Read(kFactorsDkvKr, {columns}, &factors);
    if (s.ok()) s = Read(kScaleCkv, {CountOf(kScaleCkv)}, &kv_scale);
    if (s.ok()) s = Read(kScaleCkr, {z.turned}, &kr_scale);
    if (s.ok()) s = Read(kCacheIndex, {CountOf(kCacheIndex)}, &index);
    if (s.ok()) s = Multiply(x_, Weight(kWeightDkvKr, z.width, columns), factors, &product);
    if (!s.ok()) return s;
    if (q_.tokens && kv_scale.given()) kv_scale = kv_scale.Rows(0, 1);  // one for all columns
    // Blocks are of a sequence.
    const Dims& x = operands_[kTokenX].shape();
    const bool blocks = mode_.index == Index::kBlockNumber, apart = blocks && x.rank() == 3;
    InnerTensor ends;
    if (blocks && !apart) ends = TensorOf(operands_, kEnds);
    const int64_t batch = apart ? x[0] : 1, length = apart ? x[1] : z.tokens;
    const Dims angles = {batch, 1, length, z.turned};
    PlanStep step;
    step.AddTo(steps_, MakeKvCachePlan(
                           {.kv = step.View(product.As({batch, 1, length, columns})),
                            .factors = {step.View(factors_x_), step.View(factors)},
                            .gamma = step.View(TensorOf(operands_, kGammaCkv)),
                            .cos = step.View(cos_.As(angles)),
                            .sin = step.View(sin_.As(angles)),
                            .index = step.View(index),
                            .ends = step.View(ends),
                            .rope = {.cache = step.View(Cache(kr)), .scale = step.View(kr_scale)},
                            .norm = {.cache = step.View(Cache(kv)), .scale = step.View(kv_scale)},
                            .mode = mode_,
                            .eps = operands_.Real(kEpsilonCkv),
                            .factor = Factor(kKeyFactor),
                            .index_name = operands_.NameOf(kCacheIndex)}));
    return {};
  }

  Operands& operands_;
  const Sizes sizes_;
  const Quantised q_;
  const CacheMode mode_;
  Steps steps_;
  InnerTensor x_, cos_, sin_, factors_x_;
};

}  // namespace

Status PrepareProlog(Operands& operands, PreparedCall* call) {
  PrologCall checked;
  if (Status s = CheckProlog(operands, &checked); !s.ok()) return s;
  if (checked.sizes.tokens == 0) return {};
  return Prolog(operands, checked).Make(kKvCache, kKrCache, call);
}

Status PreparePrologNode(Operands& operands, PreparedCall* call) {
  PrologCall checked;
  if (Status s = CheckProlog(operands, &checked); !s.ok()) return s;
  Prolog prolog(operands, checked);
  if (Status s = prolog.Copy(kKvCacheOut, kKvCache); !s.ok()) return s;
  if (Status s = prolog.Copy(kKrCacheOut, kKrCache); !s.ok()) return s;
  return prolog.Make(kKvCacheOut, kKrCacheOut, call);
}

}  // namespace anyacl::rotary
