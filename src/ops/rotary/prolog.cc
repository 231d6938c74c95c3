// SPDX-License-Identifier: Apache-2.0
// aclnnMlaProlog: products of other operators, and between them rows of this folder.
#include <algorithm>
#include <string_view>
#include <vector>

#include "ops/rotary/kv_cache.h"
#include "ops/rotary/operators.h"
#include "ops/rotary/prolog_rows.h"
#include "ops/steps.h"

namespace anyacl::rotary {
namespace {

constexpr int8_t kKeepTypes = 0;  // cubeMathType

// The views of a plan that is a step: its slots are tensors of the call and pieces.
class Viewed {
 public:
  TensorView Of(const InnerTensor& tensor) {
    TensorView view;
    if (!tensor.given()) return view;
    view.slot = static_cast<int>(tensors_.size());
    view.dtype = tensor.layout.dtype;
    view.rank = static_cast<int>(tensor.layout.shape.rank());
    for (int i = 0; i < view.rank; ++i) {
      view.sizes[i] = tensor.layout.shape[static_cast<size_t>(i)];
      view.strides[i] = tensor.layout.strides[static_cast<size_t>(i)];
    }
    tensors_.push_back(tensor);
    return view;
  }
  void Add(Steps& steps, std::shared_ptr<const Plan> plan) const {
    const auto bytes = static_cast<int64_t>(plan->workspace_size());
    const InnerTensor room = steps.Piece("workspace", ACL_INT8, {bytes});
    steps.Add([plan = std::move(plan), room, tensors = tensors_](const Bindings& bindings, char*,
                                                                 const StopToken& stop) {
      std::vector<char*> data;
      data.reserve(tensors.size());
      for (const InnerTensor& tensor : tensors) data.push_back(tensor.Address(bindings));
      return plan->Run({data, room.Address(bindings)}, stop);
    });
  }

 private:
  std::vector<InnerTensor> tensors_;
};

// Which of a call's numbers are integers.
struct Quantised {
  bool tokens = false, queries = false;  // tokenX, weightUqQr
  bool keys = false, ropes = false;      // the caches
  bool results() const { return tokens && keys; }
};

struct Sizes {
  int64_t tokens = 0, width = 0, query_rank = 0, heads = 0, plain = 0, key_rank = 0, turned = 0;
  int64_t head() const { return plain + turned; }
};

Status CheckType(const Operands& operands, int id, bool integers, const char* because) {
  const aclDataType type = operands[id].dtype(), expected = integers ? ACL_INT8 : ACL_BF16;
  if (type == expected) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} {}", operands.NameOf(id),
              NameOf(type), NameOf(expected), because);
}

Status CheckGiven(const Operands& operands, int id, bool needed, const char* because) {
  if (operands.Given(id) == needed) return {};
  const char* const name = operands.NameOf(id);
  if (needed)
    return Fail(operands.spec().codes.null, "{} is null, expected a tensor {}", name, because);
  return Fail(operands.spec().codes.shape, "{} is given, expected null {}", name, because);
}

bool HasRow(const Operands& operands, int id) {
  return std::ranges::any_of(operands.spec().params,
                             [&](const ParamSpec& row) { return row.id == id; });
}

// The document's list of what goes together.
Status ReadTypes(const Operands& operands, Quantised* quantised) {
  Quantised& q = *quantised;
  q.tokens = operands[kTokenX].dtype() == ACL_INT8;
  q.queries = operands[kWeightUqQr].dtype() == ACL_INT8;
  q.keys = operands[kKvCache].dtype() == ACL_INT8;
  q.ropes = q.keys && !q.tokens;
  const char* const of_tokens = q.tokens ? "as tokenX.dtype is INT8" : "as tokenX.dtype is BF16";
  const char* const of_queries =
      q.queries ? "as weightUqQr.dtype is INT8" : "as weightUqQr.dtype is BF16";
  const char* const of_keys =
      q.keys ? "as kvCacheRef.dtype is INT8" : "as kvCacheRef.dtype is BF16";
  const char* const of_both = q.keys && q.tokens ? "as tokenX and kvCacheRef are INT8"
                              : q.keys           ? "as kvCacheRef is INT8 and tokenX is BF16"
                                                 : of_keys;
  if (q.tokens && !HasRow(operands, kQueryFactorsOut)) {
    if (Status s = CheckType(operands, kKvCache, false, of_tokens); !s.ok()) return s;
  }
  for (int id : {kWeightDq, kWeightDkvKr}) {
    if (Status s = CheckType(operands, id, q.tokens, of_tokens); !s.ok()) return s;
  }
  if (q.tokens) {
    if (Status s = CheckType(operands, kWeightUqQr, true, of_tokens); !s.ok()) return s;
  }
  if (!q.queries) {
    if (Status s = CheckType(operands, kKvCache, false, of_queries); !s.ok()) return s;
  }
  if (Status s = CheckType(operands, kKrCache, q.ropes, of_both); !s.ok()) return s;
  if (Status s = CheckType(operands, kQueryOut, q.results(), of_both); !s.ok()) return s;
  for (int id : {kFactorsX, kFactorsDq, kFactorsDkvKr}) {
    if (Status s = CheckGiven(operands, id, q.tokens, of_tokens); !s.ok()) return s;
  }
  if (Status s = CheckGiven(operands, kFactorsUqQr, q.queries, of_queries); !s.ok()) return s;
  if (Status s = CheckGiven(operands, kScaleCkv, q.keys, of_keys); !s.ok()) return s;
  if (Status s = CheckGiven(operands, kScaleCkr, q.ropes, of_both); !s.ok()) return s;
  if (!q.queries && operands.Given(kSmooth))
    return CheckGiven(operands, kSmooth, false, of_queries);
  return {};
}

// [rows, columns], or the panels of such a matrix.
Status CheckWeight(const Operands& operands, int id, int64_t rows, int64_t columns) {
  const TensorLayout& layout = *operands[id].layout;
  const int64_t group = layout.dtype == ACL_INT8 ? 32 : 16;
  const Dims plain = {rows, columns};
  const Dims panels = {columns / group, rows / 16, 16, group};
  if (layout.shape == plain) return {};
  const bool whole = columns % group == 0 && rows % 16 == 0;
  if (whole && layout.shape == panels && layout.format == ACL_FORMAT_FRACTAL_NZ) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}{}", operands.NameOf(id),
              layout.shape.ToString(), plain.ToString(),
              whole ? ", or " + panels.ToString() + " in FRACTAL_NZ" : "");
}

Status ReadSizes(const Operands& operands, Sizes* sizes) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kTokenX].shape();
  const Dims& up = operands[kWeightUk].shape();
  Sizes& s = *sizes;
  s.tokens = x.rank() == 2 ? x[0] : x[0] * x[1];
  s.width = x.back();
  s.query_rank = operands[kGammaCq].shape()[0];
  s.heads = up[0];
  s.plain = up[1];
  s.key_rank = up[2];
  s.turned = operands[kRopeCos].shape().back();
  for (int id : {kRopeSin, kRopeCos, kCacheIndex, kQueryOut, kQueryRopeOut}) {
    const size_t rank = id == kCacheIndex                        ? x.rank() - 1
                        : id == kQueryOut || id == kQueryRopeOut ? x.rank() + 1
                                                                 : x.rank();
    if (operands[id].shape().rank() == rank) continue;
    return Fail(code, "{}.shape = {}, expected {} dimensions: {}.shape = {}", operands.NameOf(id),
                operands[id].shape().ToString(), rank, operands.NameOf(kTokenX), x.ToString());
  }
  for (int id : {kWeightDq, kWeightUqQr, kWeightUk, kWeightDkvKr, kGammaCq, kGammaCkv}) {
    if (!operands[id].IsEmpty()) continue;
    return Fail(code, "{}.shape = {}, expected some elements", operands.NameOf(id),
                operands[id].shape().ToString());
  }
  if (s.turned < 2 || s.turned % 2 != 0) {
    return Fail(code, "{}.shape = {}, expected an even number of columns, 2 or more",
                operands.NameOf(kRopeCos), operands[kRopeCos].shape().ToString());
  }
  return {};
}

Status CheckSizes(const Operands& operands, const Sizes& sizes) {
  const struct {
    int id;
    int64_t rows, columns;
  } kWeights[] = {{kWeightDq, sizes.width, sizes.query_rank},
                  {kWeightUqQr, sizes.query_rank, sizes.heads * sizes.head()},
                  {kWeightDkvKr, sizes.width, sizes.key_rank + sizes.turned}};
  for (const auto& weight : kWeights) {
    if (Status s = CheckWeight(operands, weight.id, weight.rows, weight.columns); !s.ok()) return s;
  }
  const struct {
    int id;
    Dims shape;
  } kFactors[] = {{kFactorsX, {sizes.tokens, 1}},
                  {kFactorsUqQr, {1, sizes.heads * sizes.head()}},
                  {kFactorsDkvKr, {1, sizes.key_rank + sizes.turned}}};
  for (const auto& factors : kFactors) {
    if (!operands.Given(factors.id)) continue;
    if (Status s = CheckShapeIs(operands, factors.id, factors.shape); !s.ok()) return s;
  }
  return {};
}

Status CheckEpsilons(const Operands& operands) {
  for (int id : {kEpsilonCq, kEpsilonCkv}) {
    const double eps = operands.Real(id);
    if (eps >= 0) continue;
    return Fail(operands.spec().codes.shape, "{} = {}, expected 0 or more", operands.NameOf(id),
                eps);
  }
  return {};
}

Status ReadMode(const Operands& operands, const Quantised& q, const Sizes& sizes, CacheMode* mode) {
  const int code = operands.spec().codes.shape;
  const char* const text = operands.Text(kPrologMode);
  const std::string_view name = text == nullptr ? "PA_BSND" : text;
  if (name != "PA_BSND" && name != "PA_NZ") {
    return Fail(code, "{} is \"{}\", expected PA_BSND or PA_NZ", operands.NameOf(kPrologMode),
                name);
  }
  *mode = {Index::kOfToken, true, name == "PA_NZ"};
  if (!mode->fractal) return {};
  const struct {
    int id;
    bool integers;
    int64_t columns;
  } kCaches[] = {{kKvCache, q.keys, sizes.key_rank}, {kKrCache, q.ropes, sizes.turned}};
  for (const auto& cache : kCaches) {
    const int64_t group = cache.integers ? 32 : 16;
    const char* const of = operands.NameOf(cache.id);
    if (cache.columns % group != 0) {
      return Fail(code, "{}.shape[3] = {}, expected a multiple of {} in FRACTAL_NZ of {}", of,
                  cache.columns, group, NameOf(operands[cache.id].dtype()));
    }
    if (operands[cache.id].IsContiguous()) continue;
    return Fail(code, "{}.strides = {}, expected contiguous blocks in FRACTAL_NZ", of,
                operands[cache.id].strides().ToString());
  }
  return {};
}

// The steps of a call that was checked.
class Prolog {
 public:
  Prolog(Operands& operands, const Sizes& sizes, const Quantised& quantised)
      : operands_(operands), sizes_(sizes), q_(quantised), steps_(operands) {}

  Status Copy(int to, int from) {
    if (operands_[from].IsEmpty()) return {};
    return steps_.Copy(TensorOf(operands_, to), TensorOf(operands_, from));
  }

  // `kv` and `kr`: the rows of the caches.
  Status Make(const CacheMode& mode, int kv, int kr, PreparedCall* call) {
    const Sizes& z = sizes_;
    if (z.tokens == 0) return steps_.Finish(call);
    Status s = Read(kTokenX, {z.tokens, z.width}, &x_);
    if (s.ok()) s = Read(kRopeCos, {z.tokens, z.turned}, &cos_);
    if (s.ok()) s = Read(kRopeSin, {z.tokens, z.turned}, &sin_);
    if (s.ok()) s = Read(kFactorsX, {z.tokens}, &factors_x_);
    if (s.ok()) s = MakeQueries();
    if (s.ok() && !operands_[kv].IsEmpty()) s = MakeKeys(mode, kv, kr);
    return s.ok() ? steps_.Finish(call) : s;
  }

 private:
  // Not given where the row's tensor is not.
  Status Read(int id, const Dims& shape, InnerTensor* tensor) {
    if (!operands_.Given(id)) return {};
    return steps_.Contiguous(id, shape, tensor);
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
    *ranks =
        steps_.Piece("rmsnormGammaCq", q_.queries ? ACL_INT8 : ACL_BF16, {z.tokens, z.query_rank});
    if (q_.queries) *steps = steps_.Piece("rmsnormGammaCq", ACL_FLOAT, {z.tokens});
    Viewed viewed;
    viewed.Add(steps_, MakeNormRowsPlan({.x = viewed.Of(product),
                                         .factors = {viewed.Of(factors_x_), viewed.Of(factors)},
                                         .gamma = viewed.Of(TensorOf(operands_, kGammaCq)),
                                         .smooth = viewed.Of(smooth),
                                         .eps = operands_.Real(kEpsilonCq),
                                         .out = viewed.Of(*ranks),
                                         .steps = viewed.Of(*steps)}));
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
    Viewed viewed;
    viewed.Add(steps_, MakeHeadRowsPlan({.x = viewed.Of(heads),
                                         .factors = {viewed.Of(steps), viewed.Of(factors)},
                                         .cos = viewed.Of(cos_),
                                         .sin = viewed.Of(sin_),
                                         .plain = viewed.Of(plain),
                                         .turned = viewed.Of(turned)}));
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
    Status s = Read(kScaleCkv, {sizes_.key_rank}, &scale);
    if (s.ok()) s = steps_.Call("aclnnDynamicQuant", {numbers, none, out, factors});
    if (s.ok()) s = steps_.Call("aclnnDiv", {scale.Rows(0, 1), factors, of_ropes});
    if (!s.ok()) return s;
    return steps_.Call("aclnnMul", {turned, of_ropes.As({rows[0], rows[1], 1}), turned});
  }

  Status MakeKeys(const CacheMode& mode, int kv, int kr) {
    const Sizes& z = sizes_;
    const int64_t columns = z.key_rank + z.turned;
    InnerTensor factors, product, index, kv_scale, kr_scale;
    Status s = Read(kFactorsDkvKr, {columns}, &factors);
    if (s.ok()) s = Read(kScaleCkv, {z.key_rank}, &kv_scale);
    if (s.ok()) s = Read(kScaleCkr, {z.turned}, &kr_scale);
    if (s.ok()) s = Read(kCacheIndex, {z.tokens}, &index);
    if (s.ok()) s = Multiply(x_, Weight(kWeightDkvKr, z.width, columns), factors, &product);
    if (!s.ok()) return s;
    if (q_.tokens && kv_scale.given()) kv_scale = kv_scale.Rows(0, 1);  // one for all columns
    const Dims angles = {1, 1, z.tokens, z.turned};
    Viewed viewed;
    viewed.Add(
        steps_,
        MakeKvCachePlan(
            {.kv = viewed.Of(product.As({1, 1, z.tokens, columns})),
             .factors = {viewed.Of(factors_x_), viewed.Of(factors)},
             .gamma = viewed.Of(TensorOf(operands_, kGammaCkv)),
             .cos = viewed.Of(cos_.As(angles)),
             .sin = viewed.Of(sin_.As(angles)),
             .index = viewed.Of(index),
             .rope = {.cache = viewed.Of(TensorOf(operands_, kr)), .scale = viewed.Of(kr_scale)},
             .norm = {.cache = viewed.Of(TensorOf(operands_, kv)), .scale = viewed.Of(kv_scale)},
             .mode = mode,
             .eps = operands_.Real(kEpsilonCkv),
             .index_name = operands_.NameOf(kCacheIndex)}));
    return {};
  }

  Operands& operands_;
  const Sizes sizes_;
  const Quantised q_;
  Steps steps_;
  InnerTensor x_, cos_, sin_, factors_x_;
};

Status Check(Operands& operands, Sizes* sizes, Quantised* quantised, CacheMode* mode) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = ReadTypes(operands, quantised); !s.ok()) return s;
  if (Status s = ReadSizes(operands, sizes); !s.ok()) return s;
  if (Status s = CheckSizes(operands, *sizes); !s.ok()) return s;
  if (quantised->results()) {
    if (Status s = CheckGiven(operands, kQueryFactorsOut, true, "as queryOut.dtype is INT8");
        !s.ok()) {
      return s;
    }
    const Dims expected = {sizes->tokens, sizes->heads, 1};
    if (Status s = CheckShapeIs(operands, kQueryFactorsOut, expected); !s.ok()) return s;
  }
  if (Status s = CheckEpsilons(operands); !s.ok()) return s;
  return ReadMode(operands, *quantised, *sizes, mode);
}

}  // namespace

Status PrepareProlog(Operands& operands, PreparedCall* call) {
  Sizes sizes;
  Quantised quantised;
  CacheMode mode{};
  if (Status s = Check(operands, &sizes, &quantised, &mode); !s.ok()) return s;
  if (sizes.tokens == 0) return {};
  return Prolog(operands, sizes, quantised).Make(mode, kKvCache, kKrCache, call);
}

Status PreparePrologNode(Operands& operands, PreparedCall* call) {
  Sizes sizes;
  Quantised quantised;
  CacheMode mode{};
  if (Status s = Check(operands, &sizes, &quantised, &mode); !s.ok()) return s;
  Prolog prolog(operands, sizes, quantised);
  if (Status s = prolog.Copy(kKvCacheOut, kKvCache); !s.ok()) return s;
  if (Status s = prolog.Copy(kKrCacheOut, kKrCache); !s.ok()) return s;
  return prolog.Make(mode, kKvCacheOut, kKrCacheOut, call);
}

}  // namespace anyacl::rotary
