// SPDX-License-Identifier: Apache-2.0
#include "rowwise_bench.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_softmax.h"
#include "operator_call.h"
#include "reference/rowwise.h"
#include "typed_values.h"

namespace anyacl::bench {
namespace {

constexpr double kEps = 1e-5;

struct Arguments {
  const aclTensor* x;
  const aclTensor* gamma;
  const aclTensor* beta;
  const aclIntArray* row;
  aclTensor* out;
  aclTensor* rstd;
  uint64_t* size;
  aclOpExecutor** executor;
};

struct Operation {
  const char* name;
  int (*first)(const Arguments& a);
  aclnnStatus (*second)(void*, uint64_t, aclOpExecutor*, aclrtStream);
  test::Row (*oracle)(const test::Row& x, const test::Row& gamma, const test::Row& beta);
};

const Operation kOperations[] = {
    {"Softmax",
     [](const Arguments& a) {
       return aclnnSoftmaxGetWorkspaceSize(a.x, 1, a.out, a.size, a.executor);
     },
     aclnnSoftmax,
     [](const test::Row& x, const test::Row&, const test::Row&) { return test::Softmax(x); }},
    {"LogSoftmax",
     [](const Arguments& a) {
       return aclnnLogSoftmaxGetWorkspaceSize(a.x, 1, a.out, a.size, a.executor);
     },
     aclnnLogSoftmax,
     [](const test::Row& x, const test::Row&, const test::Row&) { return test::LogSoftmax(x); }},
    {"LayerNorm",
     [](const Arguments& a) {
       return aclnnLayerNormGetWorkspaceSize(a.x, a.row, a.gamma, a.beta, kEps, a.out, nullptr,
                                             nullptr, a.size, a.executor);
     },
     aclnnLayerNorm,
     [](const test::Row& x, const test::Row& gamma, const test::Row& beta) {
       return test::LayerNorm(x, gamma, beta, kEps).out;
     }},
    {"RmsNorm",
     [](const Arguments& a) {
       return aclnnRmsNormGetWorkspaceSize(a.x, a.gamma, kEps, a.out, a.rstd, a.size, a.executor);
     },
     aclnnRmsNorm,
     [](const test::Row& x, const test::Row& gamma, const test::Row&) {
       return test::RmsNorm(x, gamma, kEps).out;
     }},
};

struct Case {
  const Operation* operation;
  aclDataType type;
  int64_t rows, cols;
};

std::string NameOf(const Case& c) {
  return std::string("Rowwise/") + c.operation->name + "/" + TypeName(c.type) + "/" +
         std::to_string(c.rows) + "x" + std::to_string(c.cols);
}

// Multiples of 1/16 between -2 and 2, which all three types hold.
float ValueAt(int64_t i) { return static_cast<float>(i * 29 % 65 - 32) / 16.0f; }
float GammaAt(int64_t i) { return ValueAt(3 * i); }
float BetaAt(int64_t i) { return ValueAt(7 * i); }

test::Row RowOf(float (*value)(int64_t), int64_t first, int64_t count) {
  test::Row row;
  for (int64_t i = first; i < first + count; ++i) row.push_back(value(i));
  return row;
}

class RowwiseCall : public OperatorCall {
 public:
  RowwiseCall(const Case& c, aclrtStream stream)
      : OperatorCall(stream, c.rows * c.cols),
        case_(c),
        x_(c.type, {c.rows, c.cols}),
        gamma_(c.type, {c.cols}),
        beta_(c.type, {c.cols}),
        out_(c.type, {c.rows, c.cols}),
        rstd_(ACL_FLOAT, {c.rows, 1}),
        row_(aclCreateIntArray(&c.cols, 1)) {
    Fill(x_, c.type, ValueAt);
    Fill(gamma_, c.type, GammaAt);
    Fill(beta_, c.type, BetaAt);
    Run();
    set_error(FirstDifference());
  }
  ~RowwiseCall() override { aclDestroyIntArray(row_); }

  size_t bytes() const override { return x_.bytes() + out_.bytes(); }

  void Enqueue() override {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const auto out = [](const Tensor& tensor) { return const_cast<aclTensor*>(tensor.get()); };
    Check(case_.operation->first(
              {x_.get(), gamma_.get(), beta_.get(), row_, out(out_), out(rstd_), &size, &executor}),
          case_.operation->name);
    void* workspace = Workspace(size);
    Check(case_.operation->second(workspace, size, executor, stream()), case_.operation->name);
  }

 private:
  // Of the first row and the last.
  std::string FirstDifference() const {
    const std::vector<double> out = ReadAll(out_, case_.type);
    const int64_t n = case_.cols;
    const test::Row gamma = RowOf(GammaAt, 0, n), beta = RowOf(BetaAt, 0, n);
    for (int64_t row : {int64_t{0}, case_.rows - 1}) {
      const test::Row expected = case_.operation->oracle(RowOf(ValueAt, row * n, n), gamma, beta);
      for (int64_t i = 0; i < n; ++i) {
        const auto at = static_cast<size_t>(row * n + i);
        const std::string difference = Difference(
            "out", at, out[at], expected[static_cast<size_t>(i)], 2 * UnitOf(case_.type));
        if (!difference.empty()) return difference;
      }
    }
    return "";
  }

  const Case case_;
  Tensor x_, gamma_, beta_, out_, rstd_;
  aclIntArray* row_;
};

}  // namespace

void RegisterRowwise(aclrtStream stream) {
  const auto current = std::make_shared<CurrentCall>(stream);
  const std::pair<int64_t, int64_t> shapes[] = {
      {1024, 1024}, {4096, 4096}, {64, 128000}, {1, 1 << 24}};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const auto& [rows, cols] : shapes) {
      for (const Operation& operation : kOperations) {
        const Case c = {&operation, type, rows, cols};
        RegisterCall(
            NameOf(c), current, [=] { return std::make_unique<RowwiseCall>(c, stream); },
            MeasureAgainstCopy);
      }
    }
  }
}

}  // namespace anyacl::bench
