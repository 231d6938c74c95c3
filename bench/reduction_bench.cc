// SPDX-License-Identifier: Apache-2.0
#include "reduction_bench.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "operator_call.h"
#include "reference/reduction.h"
#include "typed_values.h"

namespace anyacl::bench {
namespace {

struct Case {
  const char* name;  // of the oracle, too
  aclDataType type;
  int64_t rows, cols;
  std::vector<int64_t> dims;

  bool reduces(int64_t dim) const { return dims.size() == 2 || dims.front() == dim; }
  int64_t results() const { return (reduces(0) ? 1 : rows) * (reduces(1) ? 1 : cols); }
  bool finds_place() const { return std::string(name) == "ArgMax"; }
  aclDataType out_type() const { return finds_place() ? ACL_INT64 : type; }
};

std::string NameOf(const Case& c) {
  const char* over = c.dims.size() == 2 ? "all" : c.dims.front() == 1 ? "rows" : "columns";
  return std::string("Reduction/") + c.name + "/" + over + "/" + TypeName(c.type) + "/" +
         std::to_string(c.rows) + "x" + std::to_string(c.cols);
}

// Multiples of 1/16 between -2 and 2, the sums of which stay small.
float ValueAt(int64_t i) { return static_cast<float>(i * 29 % 65 - 32) / 16.0f; }

class ReductionCall : public OperatorCall {
 public:
  ReductionCall(const Case& c, aclrtStream stream)
      : OperatorCall(stream, c.rows * c.cols),
        case_(c),
        self_(c.type, {c.rows, c.cols}),
        out_(c.out_type(), c.dims.size() == 2 ? std::vector<int64_t>{} : std::vector{c.results()}),
        dims_(aclCreateIntArray(c.dims.data(), c.dims.size())) {
    Fill(self_, c.type, ValueAt);
    Run();
    set_error(FirstDifference());
  }
  ~ReductionCall() override { aclDestroyIntArray(dims_); }

  size_t bytes() const override { return self_.bytes(); }

  void Enqueue() override {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    auto* out = const_cast<aclTensor*>(out_.get());
    const bool place = case_.finds_place();
    Check(place ? aclnnArgMaxGetWorkspaceSize(self_.get(), case_.dims.front(), false, out, &size,
                                              &executor)
                : aclnnReduceSumGetWorkspaceSize(self_.get(), dims_, false, case_.type, out, &size,
                                                 &executor),
          case_.name);
    void* workspace = Workspace(size);
    Check(place ? aclnnArgMax(workspace, size, executor, stream())
                : aclnnReduceSum(workspace, size, executor, stream()),
          case_.name);
  }

 private:
  // Of every hundredth result.
  std::string FirstDifference() const {
    const std::vector<double> out = ReadAll(out_, case_.out_type());
    const auto oracle = test::OracleOf(case_.name);
    for (int64_t r = 0; r < case_.results(); r += 101) {
      std::vector<double> elements;
      for (int64_t i = 0; i < case_.rows; ++i) {
        if (!case_.reduces(0) && i != r) continue;
        for (int64_t j = 0; j < case_.cols; ++j) {
          if (case_.reduces(1) || j == r) elements.push_back(ValueAt(i * case_.cols + j));
        }
      }
      // Sums of multiples of 1/16 are exact but for the rounding to the type.
      const double unit = UnitOf(case_.out_type() == ACL_INT64 ? ACL_FLOAT : case_.type);
      const auto at = static_cast<size_t>(r);
      const std::string difference = Difference("out", at, out[at], oracle(elements), unit);
      if (!difference.empty()) return difference;
    }
    return "";
  }

  const Case case_;
  Tensor self_, out_;
  aclIntArray* dims_;
};

}  // namespace

void RegisterReductions(aclrtStream stream) {
  const auto current = std::make_shared<CurrentCall>(stream);
  const std::pair<int64_t, int64_t> shapes[] = {{1024, 1024}, {4096, 8192}, {1, 1 << 24}};
  const std::pair<const char*, std::vector<int64_t>> kinds[] = {
      {"ReduceSum", {1}}, {"ReduceSum", {0}}, {"ReduceSum", {0, 1}}, {"ArgMax", {1}}};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const auto& [rows, cols] : shapes) {
      for (const auto& [name, dims] : kinds) {
        if (rows == 1 && dims.front() == 0) continue;
        const Case c = {name, type, rows, cols, dims};
        RegisterCall(
            NameOf(c), current, [=] { return std::make_unique<ReductionCall>(c, stream); },
            MeasureAgainstRead);
      }
    }
  }
}

}  // namespace anyacl::bench
