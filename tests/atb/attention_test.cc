// SPDX-License-Identifier: Apache-2.0
// PagedAttention and SelfAttention against the formula in double.
#include <cmath>
#include <numeric>

#include "atb/atb_case.h"

namespace anyacl::test {
namespace {

using atb::infer::PagedAttentionParam;
using atb::infer::SelfAttentionParam;

constexpr double kTolerance = 4e-3;  // probabilities of 16 bits

// Sequences whose keys lie one after the other: keys[s] of head g is row starts[s] + j.
struct Problem {
  int64_t heads = 1, kv_heads = 1, dim = 1, value_dim = 1;
  double scale = 1;
  std::vector<int32_t> rows, columns;
  Numbers query = {}, keys = {}, values = {};  // [T, N, D], [S, Nk, D], [S, Nk, Dv]
  // Added to the score of sequence s, head n, its row r and column c; -inf hides.
  std::function<double(size_t s, int64_t n, int64_t r, int64_t c)> bias = {};

  Numbers Expected() const {
    Numbers out;
    int64_t row = 0, column = 0;
    for (size_t s = 0; s < rows.size(); ++s) {
      for (int64_t r = 0; r < rows[s]; ++r, ++row) {
        for (int64_t n = 0; n < heads; ++n) Row(s, n, r, row, column, &out);
      }
      column += columns[s];
    }
    return out;
  }

 private:
  void Row(size_t s, int64_t n, int64_t r, int64_t row, int64_t column, Numbers* out) const {
    const int64_t g = n / (heads / kv_heads);
    Numbers scores;
    double most = -INFINITY;
    for (int64_t c = 0; c < columns[s]; ++c) {
      double score = 0;
      for (int64_t d = 0; d < dim; ++d) {
        score += query[static_cast<size_t>((row * heads + n) * dim + d)] *
                 keys[static_cast<size_t>(((column + c) * kv_heads + g) * dim + d)];
      }
      scores.push_back(score * scale + (bias ? bias(s, n, r, c) : 0));
      most = std::max(most, scores.back());
    }
    double sum = 0;
    Numbers result(static_cast<size_t>(value_dim));
    for (int64_t c = 0; c < columns[s]; ++c) {
      const double weight = std::exp(scores[static_cast<size_t>(c)] - most);
      sum += weight;
      for (int64_t d = 0; d < value_dim; ++d) {
        result[static_cast<size_t>(d)] +=
            weight * values[static_cast<size_t>(((column + c) * kv_heads + g) * value_dim + d)];
      }
    }
    for (double value : result) out->push_back(sum == 0 ? 0 : value / sum);
  }
};

class AtbAttentionTest : public AtbTest {
 protected:
  // A cache of blocks in which `numbers`, [S, Nk, dim], lie as `table` says; the rest is noise.
  static Tensor CacheOf(aclDataType type, const Problem& p, const Numbers& numbers, int64_t dim,
                        const std::vector<int32_t>& table, int64_t table_width, int64_t blocks,
                        int64_t block_size) {
    Tensor cache({.dims = {blocks, block_size, p.kv_heads, dim}, .dtype = type});
    Numbers all(static_cast<size_t>(blocks * block_size * p.kv_heads * dim), 77);
    size_t at = 0;
    for (size_t s = 0; s < p.columns.size(); ++s) {
      for (int64_t c = 0; c < p.columns[s]; ++c) {
        const auto entry =
            static_cast<size_t>(static_cast<int64_t>(s) * table_width + c / block_size);
        const int64_t row = table[entry] * block_size + c % block_size;
        for (int64_t i = 0; i < p.kv_heads * dim; ++i) {
          all[static_cast<size_t>(row * p.kv_heads * dim + i)] = numbers[at++];
        }
      }
    }
    WriteAs(cache, all);
    return cache;
  }

  Numbers Random(aclDataType type, int64_t count) {
    Numbers numbers;
    for (int64_t i = 0; i < count; ++i) numbers.push_back(AsHeld(type, random().Uniform(-1, 1)));
    return numbers;
  }

  void FillProblem(aclDataType type, Problem* p) {
    const int64_t rows = std::accumulate(p->rows.begin(), p->rows.end(), 0);
    const int64_t columns = std::accumulate(p->columns.begin(), p->columns.end(), 0);
    p->scale = 1 / std::sqrt(static_cast<double>(p->dim));
    p->query = Random(type, rows * p->heads * p->dim);
    p->keys = Random(type, columns * p->kv_heads * p->dim);
    p->values = Random(type, columns * p->kv_heads * p->value_dim);
  }

  // What of a paged call the cases vary.
  struct Paged {
    PagedAttentionParam::MaskType mask = PagedAttentionParam::UNDEFINED;
    bool latent = false;
    bool joined = false;  // heads side by side in the last dimension
    bool flat = false;    // MASK_TYPE_NORM of two dimensions
    int64_t block_size = 16;
  };

  void RunPaged(aclDataType type, Problem p, const Paged& how) {
    FillProblem(type, &p);
    const auto sequences = static_cast<int64_t>(p.columns.size());
    const int64_t rows = std::accumulate(p.rows.begin(), p.rows.end(), 0);
    const int64_t most = *std::max_element(p.columns.begin(), p.columns.end());
    const int64_t width = most / how.block_size + 2;
    std::vector<int32_t> table(static_cast<size_t>(sequences * width));
    std::iota(table.begin(), table.end(), 1);
    std::reverse(table.begin(), table.end());
    const auto blocks = static_cast<int64_t>(table.size()) + 1;
    if (how.latent) {
      p.values.clear();
      for (size_t at = 0; at < p.keys.size(); at += static_cast<size_t>(p.dim)) {
        p.values.insert(p.values.end(), p.keys.begin() + static_cast<std::ptrdiff_t>(at),
                        p.keys.begin() + static_cast<std::ptrdiff_t>(at) + p.value_dim);
      }
    }
    const bool joined = how.joined;
    Tensor query({.dims = joined ? Shape{rows, p.heads * p.dim} : Shape{rows, p.heads, p.dim},
                  .dtype = type});
    WriteAs(query, p.query);
    const Tensor keys = CacheOf(type, p, p.keys, p.dim, table, width, blocks, how.block_size);
    const Tensor values =
        CacheOf(type, p, p.values, p.value_dim, table, width, blocks, how.block_size);
    Tensor block_table({.dims = {sequences, width}, .dtype = ACL_INT32});
    block_table.Write(table);
    Tensor out(
        {.dims = joined ? Shape{rows, p.heads * p.value_dim} : Shape{rows, p.heads, p.value_dim},
         .dtype = type});
    PagedAttentionParam param;
    param.headNum = static_cast<int32_t>(p.heads);
    param.kvHeadNum = static_cast<int32_t>(p.kv_heads);
    param.qkScale = static_cast<float>(p.scale);
    param.maskType = how.mask;
    if (how.latent) param.mlaVHeadSize = static_cast<uint32_t>(p.value_dim);
    const bool speculative = how.mask == PagedAttentionParam::MASK_TYPE_SPEC;
    if (speculative) param.calcType = PagedAttentionParam::CALC_TYPE_SPEC;

    atb::VariantPack pack;
    pack.inTensors = {OnDevice(query), OnDevice(keys)};
    if (!how.latent) pack.inTensors.push_back(OnDevice(values));
    pack.inTensors.push_back(OnDevice(block_table));
    pack.inTensors.push_back(InHost(p.columns));
    Tensor mask({.dims = speculative ? Shape{rows, most + 3}
                         : how.mask == PagedAttentionParam::MASK_TYPE_ALIBI
                             ? Shape{sequences, p.heads, 1, most + 3}
                         : how.flat ? Shape{sequences, most + 3}
                                    : Shape{sequences, 1, most + 3},
                 .dtype = type});
    if (how.mask != PagedAttentionParam::UNDEFINED) {
      const Numbers added = Fill(mask, -3, 3);
      pack.inTensors.push_back(OnDevice(mask));
      const auto columns = static_cast<size_t>(most + 3);
      std::vector<size_t> starts(p.rows.size());
      std::exclusive_scan(p.rows.begin(), p.rows.end(), starts.begin(), size_t{0});
      p.bias = [=, heads = static_cast<size_t>(p.heads)](size_t s, int64_t n, int64_t r,
                                                         int64_t c) {
        const size_t line = speculative ? starts[s] + static_cast<size_t>(r)
                            : how.mask == PagedAttentionParam::MASK_TYPE_ALIBI
                                ? s * heads + static_cast<size_t>(n)
                                : s;
        return added[line * columns + static_cast<size_t>(c)];
      };
    }
    if (speculative) pack.inTensors.push_back(InHost(p.rows));
    pack.outTensors = {OnDevice(out)};
    const auto operation = Make(param);
    ASSERT_EQ(operation->GetInputNum(), pack.inTensors.size());
    atb::SVector<atb::TensorDesc> descs, inferred;
    for (const atb::Tensor& tensor : pack.inTensors) descs.push_back(tensor.desc);
    ASSERT_EQ(operation->InferShape(descs, inferred), 0);
    ASSERT_EQ(inferred.size(), 1U);
    for (size_t i = 0; i < out.layout().dims.size(); ++i) {
      EXPECT_EQ(inferred[0].shape.dims[i], out.layout().dims[i]);
    }
    Run(*operation, pack);
    ExpectClose(out, p.Expected(), kTolerance);
  }
};

TEST_F(AtbAttentionTest, OneQueryOfEachSequence) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    RunPaged(type,
             {.heads = 4,
              .kv_heads = 2,
              .dim = 32,
              .value_dim = 32,
              .rows = {1, 1, 1},
              .columns = {5, 40, 17}},
             {});
    RunPaged(
        type,
        {.heads = 6, .kv_heads = 6, .dim = 48, .value_dim = 16, .rows = {1, 1}, .columns = {33, 1}},
        {.block_size = 8});
    RunPaged(
        type,
        {.heads = 3, .kv_heads = 1, .dim = 20, .value_dim = 7, .rows = {1, 1}, .columns = {9, 12}},
        {.joined = true});
  }
}

// A sequence without keys has no answer: zeros.
TEST_F(AtbAttentionTest, ASequenceWithoutKeys) {
  RunPaged(ACL_FLOAT16,
           {.heads = 2,
            .kv_heads = 1,
            .dim = 16,
            .value_dim = 16,
            .rows = {1, 1, 1},
            .columns = {3, 0, 4}},
           {});
}

TEST_F(AtbAttentionTest, LatentKeysHoldTheValues) {
  RunPaged(
      ACL_BF16,
      {.heads = 8, .kv_heads = 1, .dim = 96, .value_dim = 64, .rows = {1, 1}, .columns = {70, 21}},
      {.latent = true});
}

TEST_F(AtbAttentionTest, MasksOfPagedCalls) {
  const Problem one = {
      .heads = 4, .kv_heads = 2, .dim = 16, .value_dim = 16, .rows = {1, 1}, .columns = {20, 7}};
  RunPaged(ACL_FLOAT16, one, {.mask = PagedAttentionParam::MASK_TYPE_NORM});
  RunPaged(ACL_FLOAT16, one, {.mask = PagedAttentionParam::MASK_TYPE_NORM, .flat = true});
  RunPaged(ACL_FLOAT16, one, {.mask = PagedAttentionParam::MASK_TYPE_ALIBI});
  RunPaged(ACL_BF16,
           {.heads = 4,
            .kv_heads = 2,
            .dim = 32,
            .value_dim = 32,
            .rows = {3, 1, 20},
            .columns = {20, 7, 90}},
           {.mask = PagedAttentionParam::MASK_TYPE_SPEC});
}

class AtbSequencesTest : public AtbAttentionTest {
 protected:
  // `behind`: rows of the tensors that belong to no sequence, which become zeros.
  void RunSelf(aclDataType type, Problem p, SelfAttentionParam::MaskType kind, Shape mask_shape,
               bool joined = false, int64_t behind = 0) {
    FillProblem(type, &p);
    for (auto [numbers, width] : {std::pair{&p.query, p.heads * p.dim},
                                  {&p.keys, p.kv_heads * p.dim},
                                  {&p.values, p.kv_heads * p.value_dim}}) {
      numbers->resize(numbers->size() + static_cast<size_t>(behind * width), 5);
    }
    const int64_t rows = std::accumulate(p.rows.begin(), p.rows.end(), 0) + behind;
    const auto shape = [&](int64_t heads, int64_t dim) {
      return joined ? Shape{rows, heads * dim} : Shape{rows, heads, dim};
    };
    Tensor query({.dims = shape(p.heads, p.dim), .dtype = type});
    Tensor keys({.dims = shape(p.kv_heads, p.dim), .dtype = type});
    Tensor values({.dims = shape(p.kv_heads, p.value_dim), .dtype = type});
    Tensor out({.dims = shape(p.heads, p.value_dim), .dtype = type});
    WriteAs(query, p.query);
    WriteAs(keys, p.keys);
    WriteAs(values, p.values);
    SelfAttentionParam param;
    param.calcType = SelfAttentionParam::PA_ENCODER;
    param.maskType = kind;
    param.headNum = static_cast<int32_t>(p.heads);
    param.kvHeadNum = static_cast<int32_t>(p.kv_heads);
    param.qkScale = static_cast<float>(p.scale);
    atb::VariantPack pack;
    pack.inTensors = {OnDevice(query), OnDevice(keys), OnDevice(values)};
    Tensor mask({.dims = mask_shape.empty() ? Shape{1} : mask_shape, .dtype = type});
    const Numbers added = Fill(mask, -3, 3);
    if (kind != SelfAttentionParam::MASK_TYPE_UNDEFINED) pack.inTensors.push_back(OnDevice(mask));
    if (kind == SelfAttentionParam::MASK_TYPE_NORM_COMPRESS) {
      p.bias = [](size_t, int64_t, int64_t r, int64_t c) { return c <= r ? 0.0 : -INFINITY; };
    } else if (kind != SelfAttentionParam::MASK_TYPE_UNDEFINED) {
      p.bias = [=, heads = p.heads](size_t s, int64_t n, int64_t r, int64_t c) {
        const size_t rank = mask_shape.size();
        int64_t plane = 0;
        if (rank == 4) plane = static_cast<int64_t>(s) * heads + n;
        if (rank == 3)
          plane = kind == SelfAttentionParam::MASK_TYPE_ALIBI ? n : static_cast<int64_t>(s);
        const int64_t line = plane * mask_shape[rank - 2] + r;
        return added[static_cast<size_t>(line * mask_shape[rank - 1] + c)];
      };
    }
    pack.inTensors.push_back(InHost(p.rows));
    pack.outTensors = {OnDevice(out)};
    const auto operation = Make(param);
    Run(*operation, pack);
    Numbers expected = p.Expected();
    expected.resize(static_cast<size_t>(out.count()));
    ExpectClose(out, expected, kTolerance);
  }
};

TEST_F(AtbSequencesTest, SequencesOfAllMasks) {
  const Problem p = {.heads = 4,
                     .kv_heads = 2,
                     .dim = 32,
                     .value_dim = 24,
                     .rows = {5, 0, 30, 1},
                     .columns = {5, 0, 30, 1}};
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    RunSelf(type, p, SelfAttentionParam::MASK_TYPE_UNDEFINED, {});
    RunSelf(type, p, SelfAttentionParam::MASK_TYPE_UNDEFINED, {}, true);
    RunSelf(type, p, SelfAttentionParam::MASK_TYPE_NORM, {30, 30});
    RunSelf(type, p, SelfAttentionParam::MASK_TYPE_NORM, {4, 32, 33});
    RunSelf(type, p, SelfAttentionParam::MASK_TYPE_ALIBI, {4, 30, 30});
    RunSelf(type, p, SelfAttentionParam::MASK_TYPE_ALIBI, {4, 4, 30, 30});
    RunSelf(type, p, SelfAttentionParam::MASK_TYPE_NORM_COMPRESS, {128, 128});
    RunSelf(type, p, SelfAttentionParam::MASK_TYPE_UNDEFINED, {}, false, 3);
    RunSelf(type, p, SelfAttentionParam::MASK_TYPE_NORM, {30, 30}, false, 3);
  }
}

// Queries see the keys of the cache up to their own place, the last one the last key.
TEST_F(AtbSequencesTest, PrefixesInACache) {
  Problem p = {
      .heads = 4, .kv_heads = 2, .dim = 32, .value_dim = 32, .rows = {3, 20}, .columns = {40, 20}};
  const aclDataType type = ACL_BF16;
  FillProblem(type, &p);
  std::vector<int32_t> table = {4, 2, 1, 3, 0, 5};
  Tensor query({.dims = {23, 4, 32}, .dtype = type}), out({.dims = {23, 4, 32}, .dtype = type});
  WriteAs(query, p.query);
  const Tensor keys = CacheOf(type, p, p.keys, 32, table, 3, 6, 16);
  const Tensor values = CacheOf(type, p, p.values, 32, table, 3, 6, 16);
  Tensor block_table({.dims = {2, 3}, .dtype = ACL_INT32});
  block_table.Write(table);
  Tensor mask({.dims = {128, 128}, .dtype = type});
  SelfAttentionParam param;
  param.calcType = SelfAttentionParam::PREFIX_ENCODER;
  param.maskType = SelfAttentionParam::MASK_TYPE_NORM_COMPRESS;
  param.headNum = 4;
  param.kvHeadNum = 2;
  param.qkScale = static_cast<float>(p.scale);
  atb::VariantPack pack;
  pack.inTensors = {OnDevice(query), OnDevice(keys), OnDevice(values), OnDevice(block_table),
                    OnDevice(mask),  InHost(p.rows), InHost(p.columns)};
  pack.outTensors = {OnDevice(out)};
  const auto operation = Make(param);
  Run(*operation, pack);
  p.bias = [&](size_t s, int64_t, int64_t r, int64_t c) {
    return c <= r + p.columns[s] - p.rows[s] ? 0.0 : -INFINITY;
  };
  ExpectClose(out, p.Expected(), kTolerance);
}

// Tensors may lie elsewhere in Execute than in Setup, and a Setup that nobody runs is dropped.
TEST_F(AtbSequencesTest, TensorsThatMoveAfterSetup) {
  Problem p = {.heads = 2, .kv_heads = 2, .dim = 16, .value_dim = 16, .rows = {3}, .columns = {3}};
  FillProblem(ACL_FLOAT16, &p);
  SelfAttentionParam param;
  param.calcType = SelfAttentionParam::PA_ENCODER;
  param.headNum = param.kvHeadNum = 2;
  param.qkScale = static_cast<float>(p.scale);
  const auto operation = Make(param);
  std::vector<Tensor> tensors;
  for (int i = 0; i < 8; ++i)
    tensors.emplace_back(Layout{.dims = {3, 2, 16}, .dtype = ACL_FLOAT16});
  const auto pack_of = [&](size_t first) {
    atb::VariantPack pack;
    for (size_t i = first; i < first + 3; ++i) pack.inTensors.push_back(OnDevice(tensors[i]));
    pack.inTensors.push_back(InHost(p.rows));
    pack.outTensors = {OnDevice(tensors[first + 3])};
    return pack;
  };
  WriteAs(tensors[4], p.query);
  WriteAs(tensors[5], p.keys);
  WriteAs(tensors[6], p.values);
  uint64_t bytes = 0;
  ASSERT_EQ(operation->Setup(pack_of(0), bytes, context()), 0);
  ASSERT_EQ(operation->Setup(pack_of(0), bytes, context()), 0);
  const DeviceBuffer workspace(bytes);
  ASSERT_EQ(operation->Execute(pack_of(4), workspace.data(), bytes, context()), 0);
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  ExpectClose(tensors[7], p.Expected(), kTolerance);
}

}  // namespace
}  // namespace anyacl::test
