// SPDX-License-Identifier: Apache-2.0
// Products between ranks: a case, its numbers, the call and what double arithmetic makes of the
// document's formula.
#pragma once

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <functional>

#include "aclnnop/aclnn_all_gather_matmul.h"
#include "aclnnop/aclnn_all_gather_matmul_v2.h"
#include "aclnnop/aclnn_matmul_all_reduce.h"
#include "aclnnop/aclnn_matmul_all_reduce_v2.h"
#include "aclnnop/aclnn_matmul_all_reduce_v3.h"
#include "aclnnop/aclnn_matmul_reduce_scatter.h"
#include "aclnnop/aclnn_matmul_reduce_scatter_v2.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_v2.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_v3.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_v4.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_v5.h"
#include "aclnnop/aclnn_weight_quant_matmul_all_reduce.h"
#include "aclnnop/aclnn_weight_quant_matmul_all_reduce_v2.h"
#include "hccl/hccl_comm.h"
#include "matrix.h"
#include "ranks.h"
#include "support/expect.h"
#include "support/fixed.h"

namespace anyacl::test::hccl {

enum Role : uint32_t { kLeft, kRight, kBias, kSummand, kRowScale, kColumnScale, kOffset };

// Numbers of a rank's tensor, the same for whoever asks.
inline Numbers NumbersOf(Role role, uint32_t rank, int64_t count, bool whole) {
  Numbers numbers;
  FixedSequence sequence(role * 7919 + rank * 104729 + 1);
  for (int64_t i = 0; i < count; ++i) {
    const auto bits = static_cast<int64_t>(sequence.Bits(24)) % 1024;
    if (role == kRowScale || role == kColumnScale) {
      numbers.push_back(whole ? std::exp2(bits % 3 - 1) : 0.01 + double(bits) / 4096);
    } else {
      numbers.push_back(whole ? double(bits % 5 - 2) : double(bits - 512) / 512);
    }
  }
  return numbers;
}

// What is called, and with what.
struct Case {
  enum Kind { kAllReduce, kAllGather, kReduceScatter } kind = kAllReduce;
  int version = 1;
  std::vector<int64_t> rows = {6};  // of x1 without K
  int64_t k = 16, n = 10;
  aclDataType x1 = ACL_FLOAT16, x2 = ACL_FLOAT16, output = ACL_FLOAT16;
  aclDataType scale = ACL_DT_UNDEFINED;  // of integers
  bool bias = false, summand = false, row_scale = false;
  bool weights = false;  // of integers, x1 of floating point
  bool offset = false;
  bool whole = true, strided = false;
  bool gathers_out = true;

  int64_t m() const {
    int64_t count = 1;
    for (int64_t size : rows) count *= size;
    return count;
  }
  bool quantised() const { return scale != ACL_DT_UNDEFINED && !weights; }
  aclDataType bias_type() const {
    return !quantised() ? output : kind == kReduceScatter ? ACL_FLOAT : ACL_INT32;
  }
};

// x1 @ x2 with its factors and what is added to it, as one rank computes it.
struct Product {
  Numbers exact;    // never rounded
  Numbers rounded;  // to the output's type, before and after the summand
};

inline Product ProductOf(const Case& c, uint32_t left, uint32_t right) {
  const int64_t m = c.m(), n = c.n;
  const auto get = [&](Role role, uint32_t rank, aclDataType type, int64_t count) {
    return Rounded(type,
                   NumbersOf(role, rank, count,
                             c.whole || type == ACL_INT8 || type == ACL_INT4 || type == ACL_INT32));
  };
  const Numbers a = get(kLeft, left, c.x1, m * c.k);
  const Numbers b = get(kRight, right, c.x2, c.k * n);
  const Numbers row = get(kRowScale, left, ACL_FLOAT, m);
  const aclDataType scale_type = c.scale == ACL_INT64 ? ACL_FLOAT : c.scale;
  const Numbers column = get(kColumnScale, right, scale_type, n);
  const Numbers shift = get(kOffset, right, c.output, n);
  const Numbers bias = get(kBias, right, c.bias_type(), n);
  const Numbers summand = get(kSummand, right, c.output, m * n);
  Product result;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < c.k; ++l) {
        double weight = b[static_cast<size_t>(l * n + j)];
        if (c.weights) {
          if (c.offset) weight += shift[static_cast<size_t>(j)];
          weight *= column[static_cast<size_t>(j)];
        }
        sum += a[static_cast<size_t>(i * c.k + l)] * weight;
      }
      const bool before = c.quantised() && c.bias_type() == ACL_INT32;
      if (c.bias && before) sum += bias[static_cast<size_t>(j)];
      if (c.quantised()) sum *= column[static_cast<size_t>(j)];
      if (c.quantised() && c.row_scale) sum *= row[static_cast<size_t>(i)];
      if (c.bias && !before) sum += bias[static_cast<size_t>(j)];
      const auto rounded = [&](double x) {
        return DecodeElement(c.output, EncodeElement(c.output, x));
      };
      double held = rounded(sum);
      if (c.summand) {
        sum += summand[static_cast<size_t>(i * n + j)];
        held = rounded(held + summand[static_cast<size_t>(i * n + j)]);
      }
      result.exact.push_back(sum);
      result.rounded.push_back(held);
    }
  }
  return result;
}

struct Expected {
  Numbers output;
  Numbers magnitude;  // of what was rounded on the way
};

inline Expected ExpectedOf(const Case& c, uint32_t rank, uint32_t ranks) {
  Expected e;
  if (c.kind == Case::kAllGather) {
    for (uint32_t left = 0; left < ranks; ++left) {
      const Product product = ProductOf(c, left, rank);
      e.output.insert(e.output.end(), product.rounded.begin(), product.rounded.end());
    }
    e.magnitude.resize(e.output.size());
    return e;
  }
  for (uint32_t other = 0; other < ranks; ++other) {
    const Product product = ProductOf(c, other, other);
    e.output.resize(product.rounded.size());
    e.magnitude.resize(product.rounded.size());
    for (size_t i = 0; i < e.output.size(); ++i) {
      e.output[i] += product.rounded[i];
      e.magnitude[i] += std::abs(product.rounded[i]);
    }
  }
  for (double& x : e.output) x = DecodeElement(c.output, EncodeElement(c.output, x));
  if (c.kind == Case::kReduceScatter) {
    const auto part = [&](Numbers& all) {
      const auto each = static_cast<ptrdiff_t>(all.size() / ranks);
      all = Numbers(all.begin() + rank * each, all.begin() + (rank + 1) * each);
    };
    part(e.output);
    part(e.magnitude);
  }
  return e;
}

inline void ExpectNear(const Case& c, const Numbers& actual, const Expected& expected) {
  ASSERT_EQ(actual.size(), expected.output.size());
  // A rank's product may round the other way, and the summand after it, and the sum.
  const double unit = c.output == ACL_BF16 ? 0x1p-7 : 0x1p-10;
  for (size_t i = 0; i < actual.size(); ++i) {
    const double slack =
        c.whole ? 0 : unit * (2 * expected.magnitude[i] + std::abs(expected.output[i])) + 0x1p-12;
    ASSERT_NEAR(actual[i], expected.output[i], slack) << "element " << i;
  }
}

// The arguments of a call on one rank.
class Work {
 public:
  Work(const Case& c, const Rank& rank) : Work(c, rank, NameOf(rank.comm)) {}
  Work(const Case& c, const Rank& rank, std::string group)
      : c_(c), rank_(rank), group_(std::move(group)) {
    const int64_t m = c.m(), ranks = rank.ranks;
    std::vector<int64_t> left = c.rows, out = c.rows, gathered;
    if (c.kind == Case::kAllGather) out[0] *= ranks;
    if (c.kind == Case::kReduceScatter) out[0] /= ranks;
    gathered = out;
    left.push_back(c.k);
    gathered.push_back(c.k);
    out.push_back(c.n);
    Make(kLeft, c.x1, left, c.strided);
    // The transpose of what lies in memory.
    Make(kRight, c.x2, {c.k, c.n}, c.strided);
    if (c.bias) Make(kBias, c.bias_type(), {c.n}, false);
    if (c.summand) Make(kSummand, c.output, out, c.strided);
    if (c.row_scale) Make(kRowScale, ACL_FLOAT, {m}, false);
    if (c.scale != ACL_DT_UNDEFINED) Make(kColumnScale, c.scale, {c.n}, false);
    if (c.offset) Make(kOffset, c.output, {c.n}, false);
    output_ = std::make_unique<Matrix>(c.output, out, c.strided);
    gathered_ = std::make_unique<Matrix>(c.x1, gathered, c.strided);
  }

  int PhaseOne() {
    const Case& c = c_;
    uint64_t* size = &size_;
    aclOpExecutor** executor = &executor_;
    const aclTensor *x1 = At(kLeft), *x2 = At(kRight), *bias = At(kBias), *x3 = At(kSummand),
                    *rows = At(kRowScale), *columns = At(kColumnScale);
    const char *group = group_.c_str(), *op = reduce_op.c_str();
    aclTensor* out = output_->handle();
    if (c.kind == Case::kAllGather) {
      aclTensor* gathered = c.gathers_out ? gathered_->handle() : nullptr;
      return c.version == 1 ? aclnnAllGatherMatmulGetWorkspaceSize(
                                  x1, x2, bias, group, 0, turn, mode, out, gathered, size, executor)
                            : aclnnAllGatherMatmulV2GetWorkspaceSize(
                                  x1, x2, bias, rows, columns, nullptr, 0, group, 0, turn, mode, 0,
                                  "aiv", out, gathered, nullptr, size, executor);
    }
    if (c.kind == Case::kReduceScatter) {
      return c.version == 1 ? aclnnMatmulReduceScatterGetWorkspaceSize(
                                  x1, x2, bias, group, op, turn, mode, out, size, executor)
                            : aclnnMatmulReduceScatterV2GetWorkspaceSize(
                                  x1, x2, bias, rows, columns, nullptr, 0, group, op, turn, mode, 0,
                                  "aiv", out, nullptr, size, executor);
    }
    if (c.weights) {
      return c.version == 1 ? aclnnWeightQuantMatmulAllReduceGetWorkspaceSize(
                                  x1, x2, bias, columns, At(kOffset), x3, group, op, turn, mode, 0,
                                  out, size, executor)
                            : aclnnWeightQuantMatmulAllReduceV2GetWorkspaceSize(
                                  x1, x2, bias, columns, At(kOffset), x3, group, op, "ai_cpu", turn,
                                  mode, 0, out, size, executor);
    }
    if (c.quantised()) {
      switch (c.version) {
        case 1:
          return aclnnQuantMatmulAllReduceGetWorkspaceSize(x1, x2, bias, x3, columns, group, op,
                                                           turn, mode, out, size, executor);
        case 2:
          return aclnnQuantMatmulAllReduceV2GetWorkspaceSize(x1, x2, bias, x3, columns, rows, group,
                                                             op, turn, mode, out, size, executor);
        case 3:
          return aclnnQuantMatmulAllReduceV3GetWorkspaceSize(x1, x2, bias, x3, columns, rows,
                                                             nullptr, nullptr, group, op, turn,
                                                             mode, out, size, executor);
        case 4:
          return aclnnQuantMatmulAllReduceV4GetWorkspaceSize(x1, x2, bias, x3, rows, columns,
                                                             nullptr, nullptr, group, op, turn,
                                                             mode, 0, 0, out, size, executor);
        default:
          return aclnnQuantMatmulAllReduceV5GetWorkspaceSize(x1, x2, bias, x3, rows, columns,
                                                             nullptr, nullptr, group, op, "ai_cpu",
                                                             turn, mode, 0, 0, out, size, executor);
      }
    }
    switch (c.version) {
      case 1:
        return aclnnMatmulAllReduceGetWorkspaceSize(x1, x2, bias, group, op, turn, mode, out, size,
                                                    executor);
      case 2:
        return aclnnMatmulAllReduceV2GetWorkspaceSize(x1, x2, bias, x3, group, op, turn, mode, out,
                                                      size, executor);
      default:
        return aclnnMatmulAllReduceV3GetWorkspaceSize(x1, x2, bias, x3, group, op, "ai_cpu", turn,
                                                      mode, out, size, executor);
    }
  }

  int PhaseTwo(aclrtStream stream) {
    workspace_ = std::make_unique<DeviceBuffer>(std::max<uint64_t>(size_, 1));
    void* w = workspace_->data();
    const Case& c = c_;
    if (c.kind == Case::kAllGather) {
      return c.version == 1 ? aclnnAllGatherMatmul(w, size_, executor_, stream)
                            : aclnnAllGatherMatmulV2(w, size_, executor_, stream);
    }
    if (c.kind == Case::kReduceScatter) {
      return c.version == 1 ? aclnnMatmulReduceScatter(w, size_, executor_, stream)
                            : aclnnMatmulReduceScatterV2(w, size_, executor_, stream);
    }
    if (c.weights) {
      return c.version == 1 ? aclnnWeightQuantMatmulAllReduce(w, size_, executor_, stream)
                            : aclnnWeightQuantMatmulAllReduceV2(w, size_, executor_, stream);
    }
    const auto run =
        c.quantised()
            ? std::vector{aclnnQuantMatmulAllReduce, aclnnQuantMatmulAllReduceV2,
                          aclnnQuantMatmulAllReduceV3, aclnnQuantMatmulAllReduceV4,
                          aclnnQuantMatmulAllReduceV5}
            : std::vector{aclnnMatmulAllReduce, aclnnMatmulAllReduceV2, aclnnMatmulAllReduceV3};
    return run[static_cast<size_t>(c.version - 1)](w, size_, executor_, stream);
  }

  int Launch(aclrtStream stream) {
    const int code = PhaseOne();
    return code != 0 ? code : PhaseTwo(stream);
  }

  void Check() const {
    ExpectNear(c_, output_->Read(), ExpectedOf(c_, rank_.rank, rank_.ranks));
    EXPECT_TRUE(output_->GuardsIntact());
    if (c_.kind != Case::kAllGather || !c_.gathers_out) return;
    Numbers all;
    for (uint32_t rank = 0; rank < rank_.ranks; ++rank) {
      const Numbers part = ValuesOf(kLeft, rank, c_.x1, c_.m() * c_.k);
      all.insert(all.end(), part.begin(), part.end());
    }
    EXPECT_EQ(gathered_->Read(), all);
    EXPECT_TRUE(gathered_->GuardsIntact());
  }

  std::string reduce_op = "sum";
  int64_t turn = 0, mode = 1;

 private:
  Numbers ValuesOf(Role role, uint32_t rank, aclDataType type, int64_t count) const {
    const bool integers = type == ACL_INT8 || type == ACL_INT4 || type == ACL_INT32;
    return Rounded(type, NumbersOf(role, rank, count, c_.whole || integers));
  }
  void Make(Role role, aclDataType type, std::vector<int64_t> dims, bool strided) {
    int64_t count = 1;
    for (int64_t size : dims) count *= size;
    const Numbers numbers = ValuesOf(role, rank_.rank, type == ACL_INT64 ? ACL_FLOAT : type, count);
    tensors_[role] = std::make_unique<Matrix>(type, std::move(dims), numbers, strided);
  }
  const aclTensor* At(Role role) const {
    return tensors_[role] == nullptr ? nullptr : tensors_[role]->handle();
  }

  const Case c_;
  const Rank& rank_;
  const std::string group_;
  std::unique_ptr<Matrix> tensors_[kOffset + 1];
  std::unique_ptr<Matrix> output_, gathered_;
  uint64_t size_ = 0;
  aclOpExecutor* executor_ = nullptr;
  std::unique_ptr<DeviceBuffer> workspace_;
};

inline void RunCase(const Case& c, Rank& rank) {
  Work work(c, rank);
  ASSERT_EQ(work.Launch(rank.stream), 0) << Rank::Message();
  ASSERT_EQ(aclrtSynchronizeStream(rank.stream), 0) << Rank::Message();
  work.Check();
}

inline std::vector<Case> Cases(uint32_t ranks) {
  const auto rows = static_cast<int64_t>(ranks) * 3;
  std::vector<Case> cases;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    Case c = {.rows = {rows}, .x1 = type, .x2 = type, .output = type};
    for (const bool whole : {true, false}) {
      c.whole = whole;
      for (const auto kind : {Case::kAllReduce, Case::kAllGather, Case::kReduceScatter}) {
        c.kind = kind;
        c.version = 1;
        c.bias = false;
        cases.push_back(c);
        c.strided = true;
        c.bias = true;
        cases.push_back(c);
        c.strided = false;
      }
      c.version = 2;
      c.bias = c.kind == Case::kReduceScatter;
      cases.push_back(c);  // aclnnMatmulReduceScatterV2
      c.kind = Case::kAllGather;
      c.bias = false;
      cases.push_back(c);
    }
    Case sums = {.version = 2,
                 .rows = {2, rows},
                 .x1 = type,
                 .x2 = type,
                 .output = type,
                 .bias = true,
                 .summand = true,
                 .whole = false};
    cases.push_back(sums);
    sums.version = 3;
    sums.strided = true;
    cases.push_back(sums);
    // Long enough for pieces.
    cases.push_back({.rows = {128}, .k = 8, .n = 512, .x1 = type, .x2 = type, .output = type});
    Case weights = {.rows = {rows},
                    .x1 = type,
                    .x2 = ACL_INT8,
                    .output = type,
                    .scale = type,
                    .bias = true,
                    .summand = true,
                    .weights = true,
                    .offset = true,
                    .whole = false};
    cases.push_back(weights);
    weights.version = 2;
    weights.rows = {2, rows};
    weights.whole = true;
    cases.push_back(weights);
  }
  for (int version = 1; version <= 5; ++version) {
    Case c = {.version = version,
              .rows = {2, rows},
              .x1 = ACL_INT8,
              .x2 = ACL_INT8,
              .scale = ACL_INT64,
              .bias = true,
              .summand = version % 2 == 1,
              .whole = false};
    cases.push_back(c);
    c.scale = c.output = ACL_BF16;
    c.strided = true;
    cases.push_back(c);
    if (version == 1) continue;
    c.scale = ACL_FLOAT;
    c.output = ACL_FLOAT16;
    c.row_scale = true;
    cases.push_back(c);
  }
  for (const aclDataType scale : {ACL_FLOAT, ACL_INT64}) {
    Case c = {.kind = Case::kAllGather,
              .version = 2,
              .rows = {rows},
              .x1 = ACL_INT8,
              .x2 = ACL_INT8,
              .scale = scale,
              .row_scale = true,
              .whole = false};
    cases.push_back(c);
    c.gathers_out = false;
    c.x1 = c.x2 = ACL_INT4;
    cases.push_back(c);
    c.kind = Case::kReduceScatter;
    c.x1 = c.x2 = ACL_INT8;
    c.bias = true;
    cases.push_back(c);
  }
  return cases;
}

}  // namespace anyacl::test::hccl
