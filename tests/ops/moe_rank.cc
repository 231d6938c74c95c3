// SPDX-License-Identifier: Apache-2.0
#include "ops/moe_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>

#include "support/expect.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

// Of a rounding to the type.
double Ulp(aclDataType dtype) { return dtype == ACL_BF16 ? 0x1p-8 : 0x1p-11; }

// What stands for the expert's network: powers of two, which round nothing.
double FactorOf(int64_t expert) { return std::exp2(static_cast<double>(expert % 5 - 2)); }

Layout Of(std::vector<int64_t> dims, aclDataType dtype, bool strided) {
  Layout layout{.dims = std::move(dims), .dtype = dtype};
  if (strided) {
    layout.strides = ContiguousStrides(layout.dims);
    for (int64_t& stride : layout.strides) stride *= 2;
  }
  return layout;
}

std::vector<int64_t> MaskDims(const MoeShape& shape, int64_t tokens) {
  if (shape.mask == MoeMask::kRows) return {tokens, shape.chosen};
  return {tokens};
}

}  // namespace

MoeRank::Tensors::Tensors(const MoeShape& s, int64_t rank)
    : x(Of({s.tokens[static_cast<size_t>(rank)], s.hidden}, s.dtype, s.strided)),
      expert_ids(Of({x.layout().dims[0], s.chosen}, ACL_INT32, s.strided)),
      scales(Of({s.routed + (s.shared_ranks > 0 ? s.shared : 0), s.hidden}, ACL_FLOAT, s.strided)),
      mask(Of(MaskDims(s, x.layout().dims[0]), ACL_BOOL, s.strided)),
      weights(Of({x.layout().dims[0], s.chosen}, ACL_FLOAT, s.strided)),
      no_weights(Of(s.copy > 0 ? std::vector<int64_t>{0, s.chosen} : std::vector<int64_t>{3, 0, 3},
                    ACL_FLOAT, false)),
      rows(Of({s.RowsOf(rank), s.hidden}, s.quant == 2 ? ACL_INT8 : s.dtype, s.strided)),
      row_scales(Of({s.RowsOf(rank)}, ACL_FLOAT, s.strided)),
      assist(Of({s.by_copy ? x.layout().dims[0] * s.chosen : s.RowsOf(rank) * 128}, ACL_INT32,
                s.strided)),
      expert_counts(Of({s.ExpertsOf(rank)}, ACL_INT64, s.strided)),
      counts(Of({s.ranks() * s.ExpertsOf(rank)}, ACL_INT32, s.strided)),
      row_weights(row_scales.layout()),
      back(Of({s.RowsOf(rank), s.hidden}, s.dtype, s.strided)),
      shared_x(Of({x.layout().dims[0], s.hidden}, s.dtype, s.strided)),
      out(s.norm ? Of({x.layout().dims[0], 1, s.hidden}, s.dtype, s.strided) : x.layout()),
      residual(Of({x.layout().dims[0], 1, s.hidden}, s.dtype, s.strided)),
      gamma(Of({s.hidden}, s.dtype, s.strided)),
      y(residual.layout()),
      rstd(Of({x.layout().dims[0], 1, 1}, ACL_FLOAT, s.strided)),
      alpha1(Of({s.constant, s.hidden}, s.dtype, s.strided)),
      alpha2(alpha1.layout()),
      constants(alpha1.layout()),
      performance(Of({s.ranks()}, ACL_INT64, s.strided)),
      elastic_info(Of({4 + 2 * s.ranks()}, ACL_INT32, s.strided)) {}

MoeRank::MoeRank(const MoeShape& shape, uint64_t seed, int64_t rank, std::string group)
    : arguments{.ranks = shape.ranks(),
                .rank = rank,
                .routed = shape.routed,
                .shared = shape.shared,
                .shared_ranks = shape.shared_ranks,
                .quant = shape.quant,
                .comm_quant = shape.comm_quant,
                .global = shape.max_tokens() * shape.ranks(),
                .counts_type = shape.prefix_sums ? 0 : 1,
                .zero = shape.zero,
                .copy = shape.copy,
                .constant = shape.constant,
                .group = std::move(group)},
      shape_(shape),
      seed_(seed),
      rank_(rank) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> uniform(0.5f, 2.0f);
  for (int64_t i = 0; i < (shape.routed + shape.shared) * shape.hidden; ++i) {
    scales_.push_back(uniform(random));
  }
}

MoeRank::~MoeRank() = default;

void MoeRank::Make(int64_t step) {
  all_.clear();
  most_.clear();
  for (int64_t r = 0; r < shape_.ranks(); ++r) all_.push_back(TokensOf(shape_, seed_, r, step));
  rows_ = RowsAt(shape_, all_, rank_);
  tensors_ = std::make_unique<Tensors>(shape_, rank_);
  const MoeTokens& own = all_[static_cast<size_t>(rank_)];
  tensors_->x.Write(own.x);
  tensors_->expert_ids.Write(own.expert_ids);
  tensors_->weights.Write(own.weights);
  tensors_->shared_x.Write(own.shared_x);
  if (shape_.norm) {
    tensors_->residual.Write(own.residual);
    std::vector<uint16_t> gamma;
    for (int64_t h = 0; h < shape_.hidden; ++h) gamma.push_back(Encode(shape_.dtype, Gamma(h)));
    tensors_->gamma.Write(gamma);
  }
  std::vector<uint8_t> mask = own.mask;
  tensors_->mask.Write(mask);
  tensors_->alpha1.Write(own.alpha1);
  tensors_->alpha2.Write(own.alpha2);
  tensors_->constants.Write(own.constants);
  tensors_->performance.Write(std::vector<int64_t>(static_cast<size_t>(shape_.ranks()), 1000));
  std::vector<float> scales = scales_;
  scales.resize(static_cast<size_t>(tensors_->scales.count()));
  tensors_->scales.Write(scales);
}

std::vector<uint16_t> MoeRank::Step(int64_t step, aclrtStream stream) {
  Make(step);
  EXPECT_OK(Dispatch(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  CheckDispatch();
  if (::testing::Test::HasFailure()) return {};
  Compute();
  EXPECT_OK(Combine(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  return CheckCombine();
}

void MoeRank::CheckDispatch() const {
  const Tensors& t = *tensors_;
  const auto counts = t.counts.Read<int32_t>();
  std::vector<int32_t> expected(counts.size(), 0);
  const int64_t first =
      rank_ < shape_.shared_ranks ? 0 : (rank_ - shape_.shared_ranks) * shape_.local();
  std::vector<int64_t> by_expert(static_cast<size_t>(shape_.ExpertsOf(rank_)), 0);
  for (const MoeRow& row : rows_) {
    const int64_t place = rank_ < shape_.shared_ranks ? 0 : row.expert - first;
    ++by_expert[static_cast<size_t>(place)];
    for (auto i = static_cast<size_t>(place * shape_.ranks() + row.source); i < expected.size();
         ++i) {
      ++expected[i];
    }
  }
  EXPECT_EQ(counts, expected);
  if (shape_.prefix_sums) {
    for (size_t e = 1; e < by_expert.size(); ++e) by_expert[e] += by_expert[e - 1];
  }
  EXPECT_EQ(t.expert_counts.Read<int64_t>(), by_expert);
  if (shape_.by_copy) CheckIndices();
  const auto assist = t.assist.Read<int32_t>();
  const auto weights = t.row_weights.Read<float>();
  Received received;
  if (shape_.quant == 0) {
    received.halves = t.rows.Read<uint16_t>();
  } else {
    received.bytes = t.rows.Read<int8_t>();
    received.scales = t.row_scales.Read<float>();
  }
  for (size_t i = 0; i < rows_.size(); ++i) {
    const MoeRow& row = rows_[i];
    if (!shape_.by_copy) {
      ASSERT_EQ(assist[3 * i], row.source) << "row " << i;
      ASSERT_EQ(assist[3 * i + 1], row.token) << "row " << i;
      ASSERT_EQ(assist[3 * i + 2], row.place) << "row " << i;
    }
    if (shape_.has_weights && row.place < shape_.chosen) {
      const MoeTokens& from = all_[static_cast<size_t>(row.source)];
      ASSERT_EQ(weights[i],
                from.weights[static_cast<size_t>(row.token * shape_.chosen + row.place)]);
    }
    CheckRow(row, i, received);
    if (::testing::Test::HasFatalFailure()) return;
  }
  for (const Tensor* tensor : {&t.rows, &t.row_scales, &t.assist, &t.expert_counts, &t.counts}) {
    EXPECT_TRUE(tensor->GuardsIntact());
  }
}

// How many rows of this rank an expert has before each of its tokens'.
void MoeRank::CheckIndices() const {
  std::vector<int32_t> expected;
  std::vector<int32_t> before(static_cast<size_t>(shape_.routed), 0);
  for (const int32_t id : all_[static_cast<size_t>(rank_)].expert_ids) {
    expected.push_back(before[static_cast<size_t>(id)]++);
  }
  EXPECT_EQ(tensors_->assist.Read<int32_t>(), expected);
}

double MoeRank::X(const MoeRow& row, int64_t column) const {
  return Decode(shape_.dtype, all_[static_cast<size_t>(row.source)]
                                  .x[static_cast<size_t>(row.token * shape_.hidden + column)]);
}

double MoeRank::Smooth(const MoeRow& row, int64_t column) const {
  if (!shape_.has_scales) return 1;
  const int64_t shared = shape_.shared_ranks > 0 ? shape_.shared : 0;
  const int64_t expert =
      row.expert < shape_.routed ? shared + row.expert : row.expert - shape_.routed;
  return scales_[static_cast<size_t>(expert * shape_.hidden + column)];
}

double MoeRank::Most(const MoeRow& row) const {
  const auto [at, is_new] = most_.try_emplace({row.source, row.token, row.expert}, 0.0);
  for (int64_t h = 0; is_new && h < shape_.hidden; ++h) {
    at->second = std::max(at->second, std::fabs(X(row, h) * Smooth(row, h)));
  }
  return at->second;
}

void MoeRank::CheckRow(const MoeRow& row, size_t index, const Received& received) const {
  const auto at = index * static_cast<size_t>(shape_.hidden);
  if (shape_.quant == 0) {
    const MoeTokens& from = all_[static_cast<size_t>(row.source)];
    for (int64_t h = 0; h < shape_.hidden; ++h) {
      ASSERT_EQ(received.halves[at + static_cast<size_t>(h)],
                from.x[static_cast<size_t>(row.token * shape_.hidden + h)])
          << "row " << index << ", column " << h;
    }
    return;
  }
  const double most = Most(row);
  ASSERT_NEAR(received.scales[index], most / 127, most / 127 * 0x1p-21) << "row " << index;
  for (int64_t h = 0; h < shape_.hidden; ++h) {
    // Half a step of rounding, and four roundings in fp32.
    ASSERT_NEAR(received.bytes[at + static_cast<size_t>(h)],
                127 / most * X(row, h) * Smooth(row, h), 0.5 + 127 * 0x1p-21)
        << "row " << index << ", column " << h;
  }
}

void MoeRank::Compute() {
  Tensors& t = *tensors_;
  std::vector<uint16_t> back(static_cast<size_t>(t.back.count()), 0x7e7e);
  const auto halves = shape_.quant == 0 ? t.rows.Read<uint16_t>() : std::vector<uint16_t>();
  const auto bytes = shape_.quant == 0 ? std::vector<int8_t>() : t.rows.Read<int8_t>();
  const auto scales = t.row_scales.Read<float>();
  for (size_t i = 0; i < rows_.size(); ++i) {
    for (size_t h = 0; h < static_cast<size_t>(shape_.hidden); ++h) {
      const size_t at = i * static_cast<size_t>(shape_.hidden) + h;
      const double value = shape_.quant == 0 ? Decode(shape_.dtype, halves[at])
                                             : static_cast<double>(bytes[at]) * scales[i];
      back[at] = Encode(shape_.dtype, value * FactorOf(rows_[i].expert));
    }
  }
  t.back.Write(back);
}

double MoeRank::Special(int64_t token, int64_t expert, int64_t column, double* tolerance) const {
  const MoeTokens& own = all_[static_cast<size_t>(rank_)];
  const auto value = [&](const std::vector<uint16_t>& rows, int64_t row, int64_t h) {
    return static_cast<double>(
        Decode(shape_.dtype, rows[static_cast<size_t>(row * shape_.hidden + h)]));
  };
  const int64_t copy = expert - shape_.routed - shape_.zero;
  if (copy < 0) return 0;
  if (copy < shape_.copy) return value(own.x, token, column);
  const int64_t constant = copy - shape_.copy;
  double products[2] = {};
  for (int64_t h = 0; h < shape_.hidden; ++h) {
    products[0] += value(own.alpha1, constant, h) * value(own.x, token, h);
    products[1] += value(own.alpha2, constant, h) * value(own.x, token, h);
  }
  const double a = std::exp(products[0]), b = std::exp(products[1]);
  const double of_token = a / (a + b) * value(own.x, token, column);
  const double of_constant = b / (a + b) * value(own.constants, constant, column);
  *tolerance += (std::fabs(of_token) + std::fabs(of_constant)) * 4 * 0x1p-24;
  return of_token + of_constant;
}

double MoeRank::Returned(const MoeRow& row, int64_t column, double* tolerance) const {
  const double factor = FactorOf(row.expert);
  const bool special = row.expert >= shape_.routed && row.place < shape_.chosen;
  *tolerance = 0;
  if (special) return Special(row.token, row.expert, column, tolerance);
  const auto value = [&](int64_t h) {
    return shape_.quant == 0 ? Decode(shape_.dtype, Encode(shape_.dtype, X(row, h) * factor))
                             : X(row, h) * Smooth(row, h) * factor;
  };
  if (shape_.quant == 2) {
    *tolerance += Most(row) * factor * (0.501 / 127 + Ulp(shape_.dtype));
  }
  if (shape_.comm_quant == 2) {
    double most = 0;
    const int64_t first = column / 8 * 8;
    for (int64_t h = first; h < std::min(first + 8, shape_.hidden); ++h) {
      most = std::max(most, std::fabs(value(h)) + *tolerance);
    }
    // Half a step, and the roundings of scale and product to the type.
    *tolerance += most * (0.501 / 127 + 2 * Ulp(shape_.dtype)) + 0x1p-24;
  }
  return value(column);
}

std::vector<uint16_t> MoeRank::CheckCombine() const {
  const auto out = tensors_->out.Read<uint16_t>();
  const MoeTokens& own = all_[static_cast<size_t>(rank_)];
  const int64_t shared = shape_.shared_ranks > 0 ? shape_.shared : 0;
  uint16_t untouched;
  std::memset(&untouched, Tensor::kCanary, sizeof(untouched));
  for (int64_t t = 0; t < shape_.tokens[static_cast<size_t>(rank_)]; ++t) {
    std::vector<double> sums;
    for (int64_t h = 0; h < shape_.hidden; ++h) {
      const auto at = static_cast<size_t>(t * shape_.hidden + h);
      if (!own.active[static_cast<size_t>(t)]) {
        EXPECT_EQ(out[at], untouched) << "token " << t << " takes no part";
        continue;
      }
      double sum = 0, size = 0, off = 0;
      const auto add = [&](double weight, int64_t place, int64_t expert) {
        double tolerance = 0;
        const double value = Returned({rank_, t, place, expert}, h, &tolerance);
        sum += weight * value;
        size += std::fabs(weight * value);
        off += std::fabs(weight) * tolerance;
      };
      for (int64_t k = 0; k < shape_.chosen; ++k) {
        const auto row = static_cast<size_t>(t * shape_.chosen + k);
        if (own.rows[row]) add(own.weights[row], k, own.expert_ids[row]);
      }
      for (int64_t j = 0; j < shared; ++j) add(1, shape_.chosen + j, shape_.routed + j);
      if (shape_.has_shared_x) {
        const double x = Decode(shape_.dtype, own.shared_x[at]);
        sum += x;
        size += std::fabs(x);
      }
      if (shape_.norm) {
        const double x = Decode(shape_.dtype, own.residual[at]);
        sum += x;
        size += std::fabs(x);
        sums.push_back(sum);
      }
      const double tolerance =
          off + std::fabs(sum) * Ulp(shape_.dtype) + (size + off) * 32 * 0x1p-24 + 0x1p-24;
      EXPECT_NEAR(Decode(shape_.dtype, out[at]), sum, tolerance)
          << "rank " << rank_ << ", token " << t << ", column " << h;
      if (::testing::Test::HasFailure()) return out;
    }
    if (shape_.norm) CheckNorm(t, sums);
  }
  EXPECT_TRUE(tensors_->out.GuardsIntact());
  return out;
}

double MoeRank::Gamma(int64_t column) const { return 0.5 + static_cast<double>(column % 7) / 4; }

void MoeRank::CheckNorm(int64_t token, const std::vector<double>& x) const {
  const auto y = tensors_->y.Read<uint16_t>();
  const float actual = tensors_->rstd.Read<float>()[static_cast<size_t>(token)];
  if (x.empty()) {
    float untouched;
    std::memset(&untouched, Tensor::kCanary, sizeof(untouched));
    EXPECT_EQ(actual, untouched) << "token " << token << " takes no part";
    for (int64_t h = 0; h < shape_.hidden; ++h) {
      const auto at = static_cast<size_t>(token * shape_.hidden + h);
      ASSERT_EQ(y[at], static_cast<uint16_t>(Tensor::kCanary * 0x101)) << "column " << h;
    }
    return;
  }
  double squares = 0;
  for (const double value : x) squares += value * value;
  const double rstd =
      1 / std::sqrt(squares / static_cast<double>(x.size()) + double{arguments.epsilon});
  ASSERT_NEAR(actual, rstd, rstd * 0x1p-18) << "token " << token;
  for (int64_t h = 0; h < shape_.hidden; ++h) {
    const double expected = x[static_cast<size_t>(h)] * rstd * Gamma(h);
    // Two roundings to the type, and what the sum is off where its terms cancel.
    ASSERT_NEAR(Decode(shape_.dtype, y[static_cast<size_t>(token * shape_.hidden + h)]), expected,
                std::fabs(expected) * 2.01 * Ulp(shape_.dtype) + 0x1p-16)
        << "rank " << rank_ << ", token " << token << ", column " << h;
  }
  EXPECT_TRUE(tensors_->y.GuardsIntact() && tensors_->rstd.GuardsIntact());
}

void MoeRank::Burst(int64_t steps, aclrtStream stream) {
  std::mt19937_64 random(seed_ + static_cast<uint64_t>(rank_));
  identity_ = true;
  std::vector<std::unique_ptr<Tensors>> kept;
  std::vector<std::vector<MoeTokens>> tokens;
  for (int64_t step = 0; step < steps; ++step) {
    Make(step);
    // Ranks get ahead of each other.
    if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
    ASSERT_OK(Dispatch(stream));
    ASSERT_OK(Combine(stream));
    kept.push_back(std::move(tensors_));
    tokens.push_back(all_);
  }
  ASSERT_OK(aclrtSynchronizeStream(stream));
  for (int64_t step = 0; step < steps; ++step) {
    const MoeTokens& own = tokens[static_cast<size_t>(step)][static_cast<size_t>(rank_)];
    const auto out = kept[static_cast<size_t>(step)]->out.Read<uint16_t>();
    for (size_t at = 0; at < out.size(); ++at) {
      const size_t t = at / static_cast<size_t>(shape_.hidden);
      if (!own.active[t]) continue;
      const double x = Decode(shape_.dtype, own.x[at]);
      double sum = shape_.shared_ranks > 0 ? static_cast<double>(shape_.shared) : 0;
      for (int64_t k = 0; k < shape_.chosen; ++k) {
        const size_t row = t * static_cast<size_t>(shape_.chosen) + static_cast<size_t>(k);
        if (own.rows[row]) sum += own.weights[row];
      }
      ASSERT_NEAR(Decode(shape_.dtype, out[at]), sum * x,
                  std::fabs(sum * x) * (Ulp(shape_.dtype) + 0x1p-19) + 0x1p-24)
          << "rank " << rank_ << ", step " << step << ", element " << at;
    }
  }
}

}  // namespace anyacl::test
