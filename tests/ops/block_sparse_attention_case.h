// SPDX-License-Identifier: Apache-2.0
// Cases of attention over blocks of keys and its gradients, and the documents' formulas for them.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include "aclnnop/aclnn_block_sparse_attention.h"
#include "aclnnop/aclnn_block_sparse_attention_grad.h"
#include "ops/moe_case.h"
#include "support/near.h"

namespace anyacl::test::block_sparse_attention {

using moe::Numbers;
using moe::Shape;
using Lengths = std::vector<int64_t>;

struct Case {
  std::string layout = "BNSD";
  Lengths rows = {5, 9}, keys = {40, 33};
  int64_t row_size = 9, key_size = 40, spare = 0;  // S, or so many rows behind all
  int64_t heads = 2, key_heads = 2, dim = 64;
  int64_t block_rows = 4, block_keys = 16;
  aclDataType type = ACL_FLOAT16, mask_type = ACL_INT8;
  bool given = true, masked = true, strided = false;
  double chance = 0.6;

  bool ragged() const { return layout == "TND"; }
  int64_t batch() const { return static_cast<int64_t>(rows.size()); }
  int64_t Rows(int64_t b) const {
    return given || ragged() ? rows[static_cast<size_t>(b)] : row_size;
  }
  int64_t Keys(int64_t b) const {
    return given || ragged() ? keys[static_cast<size_t>(b)] : key_size;
  }
  int64_t QueryBlocks() const {
    return ((ragged() ? std::ranges::max(rows) : row_size) + block_rows - 1) / block_rows;
  }
  int64_t KeyBlocks() const {
    return ((ragged() ? std::ranges::max(keys) : key_size) + block_keys - 1) / block_keys;
  }
  Shape ShapeOf(const Lengths& lengths, int64_t size, int64_t n, int64_t inner) const {
    if (ragged()) return {std::accumulate(lengths.begin(), lengths.end(), spare), n, inner};
    if (layout == "BNSD") return {batch(), n, size, inner};
    return {batch(), size, n, inner};
  }
  Shape QueryShape(int64_t inner) const { return ShapeOf(rows, row_size, heads, inner); }
  Shape KeyShape() const { return ShapeOf(keys, key_size, key_heads, dim); }
  // Number of a row of a head among all.
  size_t At(const Lengths& lengths, int64_t size, int64_t n, int64_t b, int64_t head,
            int64_t i) const {
    int64_t at = (b * size + i) * n + head;
    if (ragged()) at = (std::accumulate(lengths.begin(), lengths.begin() + b, i)) * n + head;
    if (layout == "BNSD") at = (b * n + head) * size + i;
    return static_cast<size_t>(at);
  }
  auto QueryRow(int64_t b, int64_t n, int64_t i) const {
    return At(rows, row_size, heads, b, n, i);
  }
  size_t KeyRow(int64_t b, int64_t head, int64_t j) const {
    return At(keys, key_size, key_heads, b, head / (heads / key_heads), j);
  }
};

struct Data {
  Numbers query, key, value, dout, mask;
};

class BlockSparseAttentionTest : public moe::MoeTest {
 protected:
  using Held = std::unique_ptr<Tensor>;
  static constexpr double kScale = 0.2;

  struct Call {
    Held query, key, value, dout, mask, out, lse, dq, dk, dv;
    Lengths rows, keys, shape;
    std::string query_layout, key_layout;
    int64_t key_heads, precision = 0, flag = 1, mask_type = 0, pages = 0, before = INT32_MAX;
    Held other = nullptr;  // where null is expected

    static const aclTensor* Handle(const Held& held) {
      return held == nullptr ? nullptr : held->handle();
    }
    template <class F>
    aclnnStatus WithArrays(const F& call) {
      aclIntArray* arrays[] = {aclCreateIntArray(rows.data(), rows.size()),
                               aclCreateIntArray(keys.data(), keys.size()),
                               aclCreateIntArray(shape.data(), shape.size())};
      const aclnnStatus status =
          call(rows.empty() ? nullptr : arrays[0], keys.empty() ? nullptr : arrays[1], arrays[2]);
      for (aclIntArray* array : arrays) aclDestroyIntArray(array);
      return status;
    }
    Phase1 Forward() {
      return [this](uint64_t* s, aclOpExecutor** e) {
        return WithArrays([&](aclIntArray* queries, aclIntArray* keyss, aclIntArray* blocks) {
          return aclnnBlockSparseAttentionGetWorkspaceSize(
              Handle(query), Handle(key), Handle(value), Handle(mask), nullptr, blocks, queries,
              keyss, Handle(other), query_layout.data(), key_layout.data(), key_heads, mask_type,
              kScale, precision, pages, before, INT32_MAX, flag, out->handle(),
              const_cast<aclTensor*>(Handle(lse)), s, e);
        });
      };
    }
    Phase1 Backward() {
      return [this](uint64_t* s, aclOpExecutor** e) {
        return WithArrays([&](aclIntArray* queries, aclIntArray* keyss, aclIntArray* blocks) {
          return aclnnBlockSparseAttentionGradGetWorkspaceSize(
              Handle(dout), Handle(query), Handle(key), Handle(value), Handle(out), Handle(lse),
              Handle(mask), Handle(other), blocks, queries, keyss, query_layout.data(),
              key_layout.data(), key_heads, mask_type, kScale, before, INT32_MAX, dq->handle(),
              dk->handle(), dv->handle(), s, e);
        });
      };
    }
  };

  Held Filled(const Case& c, const Shape& shape, Numbers* numbers) {
    *numbers = Drawn(c.type, Count(shape), -1, 1);
    return std::make_unique<Tensor>(Holding(shape, c.type, *numbers, c.strided));
  }
  static size_t Count(const Shape& shape) {
    return static_cast<size_t>(
        std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()));
  }

  Call Prepared(const Case& c, Data* d) {
    const Shape mask = {c.batch(), c.heads, c.QueryBlocks(), c.KeyBlocks()};
    for (size_t i = 0; i < Count(mask); ++i) d->mask.push_back(random().Chance(c.chance));
    const auto made = [&](const Shape& shape, aclDataType type) {
      return std::make_unique<Tensor>(Made(shape, type, c.strided));
    };
    return {.query = Filled(c, c.QueryShape(c.dim), &d->query),
            .key = Filled(c, c.KeyShape(), &d->key),
            .value = Filled(c, c.KeyShape(), &d->value),
            .dout = Filled(c, c.QueryShape(c.dim), &d->dout),
            .mask = c.masked
                        ? std::make_unique<Tensor>(Holding(mask, c.mask_type, d->mask, c.strided))
                        : nullptr,
            .out = made(c.QueryShape(c.dim), c.type),
            .lse = made(c.QueryShape(1), ACL_FLOAT),
            .dq = made(c.QueryShape(c.dim), c.type),
            .dk = made(c.KeyShape(), c.type),
            .dv = made(c.KeyShape(), c.type),
            .rows = c.given || c.ragged() ? c.rows : Lengths{},
            .keys = c.given || c.ragged() ? c.keys : Lengths{},
            .shape = {c.block_rows, c.block_keys},
            .query_layout = c.layout,
            .key_layout = c.layout,
            .key_heads = c.key_heads};
  }

  // Calls visit(row, rows of the keys that it sees).
  template <class Visit>
  static void ForRows(const Case& c, const Data& d, const Visit& visit) {
    for (int64_t b = 0; b < c.batch(); ++b) {
      for (int64_t head = 0; head < c.heads; ++head) {
        for (int64_t i = 0; i < c.Rows(b); ++i) {
          std::vector<size_t> keys;
          const int64_t row =
              ((b * c.heads + head) * c.QueryBlocks() + i / c.block_rows) * c.KeyBlocks();
          for (int64_t j = 0; j < c.Keys(b); ++j) {
            const bool seen = !c.masked || d.mask[static_cast<size_t>(row + j / c.block_keys)] != 0;
            if (seen) keys.push_back(c.KeyRow(b, head, j));
          }
          visit(c.QueryRow(b, head, i), keys);
        }
      }
    }
  }
  static double Dot(const Case& c, const Numbers& a, size_t row, const Numbers& b, size_t other) {
    const auto dim = static_cast<size_t>(c.dim);
    double sum = 0;
    for (size_t x = 0; x < dim; ++x) sum += a[row * dim + x] * b[other * dim + x];
    return sum;
  }
  // The probabilities of a row's keys; the logarithm of their sum.
  static Numbers Softmax(const Case& c, const Data& d, size_t row, const std::vector<size_t>& keys,
                         double* lse) {
    Numbers p;
    double sum = 0;
    for (size_t key : keys) p.push_back(std::exp(kScale * Dot(c, d.query, row, d.key, key)));
    for (double x : p) sum += x;
    for (double& x : p) x /= sum;
    *lse = keys.empty() ? INFINITY : std::log(sum);
    return p;
  }

  // What came out was rounded before the gradients were made of it.
  static double UnitOf(const Case& c) { return c.type == ACL_BF16 ? 0x1p-7 : 0x1p-10; }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.layout << " type " << c.type << " heads " << c.heads << "," << c.key_heads
                 << " blocks " << c.block_rows << " x " << c.block_keys << " given " << c.given
                 << " masked " << c.masked << " strided " << c.strided);
    Data d;
    Call call = Prepared(c, &d);
    RunTwoPhase(call.Forward(), aclnnBlockSparseAttention);
    const auto dim = static_cast<size_t>(c.dim);
    Summed out(d.query.size()), dq(d.query.size()), dk(d.key.size()), dv(d.key.size());
    Numbers lses(d.query.size() / dim, INFINITY);
    ForRows(c, d, [&](size_t row, const std::vector<size_t>& keys) {
      const Numbers p = Softmax(c, d, row, keys, &lses[row]);
      double delta = 0;
      for (size_t k = 0; k < keys.size(); ++k) {
        delta += p[k] * Dot(c, d.dout, row, d.value, keys[k]);
        for (size_t x = 0; x < dim; ++x) {
          const double term = p[k] * d.value[keys[k] * dim + x];
          out.Add(row * dim + x, term, term);
        }
      }
      for (size_t k = 0; k < keys.size(); ++k) {
        const double dp = Dot(c, d.dout, row, d.value, keys[k]);
        const double ds = p[k] * (dp - delta) * kScale;
        const double size = p[k] * (std::abs(dp) + std::abs(delta) + 1) * kScale;
        for (size_t x = 0; x < dim; ++x) {
          const double q = d.query[row * dim + x], key = d.key[keys[k] * dim + x];
          const double dy = d.dout[row * dim + x];
          dq.Add(row * dim + x, ds * key, size * key);
          dk.Add(keys[k] * dim + x, ds * q, size * q);
          dv.Add(keys[k] * dim + x, p[k] * dy, p[k] * dy);
        }
      }
    });
    ExpectNear(*call.out, out, UnitOf(c), "out");
    const Numbers lse = ReadAs(*call.lse);
    for (size_t i = 0; i < lse.size(); ++i) {
      if (std::isinf(lses[i])) {
        ASSERT_EQ(lse[i], lses[i]) << i;
      } else {
        ASSERT_NEAR(lse[i], lses[i], 1e-4) << i;
      }
    }
    EXPECT_TRUE(call.lse->GuardsIntact());
    RunTwoPhase(call.Backward(), aclnnBlockSparseAttentionGrad);
    ExpectNear(*call.dq, dq, UnitOf(c), "dq");
    ExpectNear(*call.dk, dk, UnitOf(c), "dk");
    ExpectNear(*call.dv, dv, UnitOf(c), "dv");
  }
};

}  // namespace anyacl::test::block_sparse_attention
