// SPDX-License-Identifier: Apache-2.0
#include "elementwise_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_silu.h"
#include "device.h"
#include "operator_call.h"
#include "reference/elementwise.h"
#include "support/element.h"
#include "support/fixed.h"

namespace anyacl::bench {
namespace {

// What reads the second input: as the first one, a number per column, a number per row, or, as the
// first input itself, transposed or every other element.
enum class Second { kNone, kSame, kRow, kColumn };
enum class First { kDense, kTransposed, kEveryOther };

struct Arguments {
  const aclTensor* self;
  const aclTensor* other;
  aclScalar* scalar;
  aclTensor* out;
  uint64_t* size;
  aclOpExecutor** executor;
};

struct Operation {
  const char* name;
  int inputs;
  int (*first)(const Arguments& a);
  aclnnStatus (*second)(void*, uint64_t, aclOpExecutor*, aclrtStream);
};

const Operation kAdd = {"Add", 2,
                        [](const Arguments& a) {
                          return aclnnAddGetWorkspaceSize(a.self, a.other, a.scalar, a.out, a.size,
                                                          a.executor);
                        },
                        aclnnAdd};
const Operation kMul = {"Mul", 2,
                        [](const Arguments& a) {
                          return aclnnMulGetWorkspaceSize(a.self, a.other, a.out, a.size,
                                                          a.executor);
                        },
                        aclnnMul};
const Operation kMuls = {"Muls", 1,
                         [](const Arguments& a) {
                           return aclnnMulsGetWorkspaceSize(a.self, a.scalar, a.out, a.size,
                                                            a.executor);
                         },
                         aclnnMuls};
const Operation kExp = {
    "Exp", 1,
    [](const Arguments& a) { return aclnnExpGetWorkspaceSize(a.self, a.out, a.size, a.executor); },
    aclnnExp};
const Operation kSilu = {
    "Silu", 1,
    [](const Arguments& a) { return aclnnSiluGetWorkspaceSize(a.self, a.out, a.size, a.executor); },
    aclnnSilu};

struct Case {
  const Operation* operation;
  aclDataType type;
  int64_t rows, cols;
  First first = First::kDense;
  Second second = Second::kSame;

  int64_t count() const { return rows * cols; }
};

const char* NameOf(aclDataType type) {
  return type == ACL_FLOAT ? "fp32" : type == ACL_FLOAT16 ? "fp16" : "bf16";
}

std::string NameOf(const Case& c) {
  const char* first[] = {"", "_transposed", "_every_other"};
  const char* second[] = {"", "", "_by_row", "_by_column"};
  return std::string("Elementwise/") + c.operation->name + first[static_cast<int>(c.first)] +
         second[static_cast<int>(c.second)] + "/" + NameOf(c.type) + "/" + std::to_string(c.rows) +
         "x" + std::to_string(c.cols);
}

class ElementwiseCall : public OperatorCall {
 public:
  // An executor that is run again measures the engine alone: the first phase costs a third as much
  // as an operator within L2. The benchmark of latency has both.
  ElementwiseCall(const Case& c, aclrtStream stream, bool repeats)
      : OperatorCall(stream, c.count()),
        case_(c),
        repeats_(repeats),
        self_(c.type, {c.count() * (c.first == First::kEveryOther ? 2 : 1)}),
        other_(c.type, {std::max<int64_t>(OtherCount(), 1)}),
        out_(c.type, {c.rows, c.cols}) {
    Fill(self_);
    Fill(other_);
    float one = 1;
    scalar_ = aclCreateScalar(&one, ACL_FLOAT);
    const int64_t gap = c.first == First::kEveryOther ? 2 : 1;
    self_view_ =
        c.first == First::kTransposed ? View(self_, {1, c.rows}) : View(self_, {c.cols * gap, gap});
    other_view_ = View(other_, c.second == Second::kSame  ? std::vector<int64_t>{c.cols, 1}
                               : c.second == Second::kRow ? std::vector<int64_t>{0, 1}
                                                          : std::vector<int64_t>{1, 0});
    Run();
    CheckResult();
  }
  ~ElementwiseCall() override {
    if (executor_ != nullptr) aclDestroyAclOpExecutor(executor_);
    aclDestroyTensor(self_view_);
    aclDestroyTensor(other_view_);
    aclDestroyScalar(scalar_);
  }

  void Enqueue() override {
    aclOpExecutor* executor = executor_;
    uint64_t size = 0;
    if (executor == nullptr) {
      Check(case_.operation->first({self_view_, other_view_, scalar_,
                                    const_cast<aclTensor*>(out_.get()), &size, &executor}),
            case_.operation->name);
    }
    if (repeats_ && executor_ == nullptr) {
      executor_ = executor;
      Check(aclSetAclOpExecutorRepeatable(executor), "aclSetAclOpExecutorRepeatable");
    }
    Check(case_.operation->second(nullptr, size, executor, stream()), case_.operation->name);
  }
  size_t bytes() const override {
    const int64_t other = case_.operation->inputs > 1 ? OtherCount() : 0;
    return static_cast<size_t>(2 * case_.count() + other) * (case_.type == ACL_FLOAT ? 4 : 2);
  }

 private:
  int64_t OtherCount() const {
    return case_.second == Second::kSame   ? case_.count()
           : case_.second == Second::kRow  ? case_.cols
           : case_.second == Second::kNone ? 0
                                           : case_.rows;
  }

  void Fill(const Tensor& tensor) const {
    std::vector<char> bytes(tensor.bytes());
    const auto count = static_cast<int64_t>(bytes.size()) * 8 / test::BitsOf(case_.type);
    for (int64_t i = 0; i < count; ++i) {
      test::StoreElement(case_.type, ValueAt(i), bytes.data(), i);
    }
    tensor.Upload(bytes.data());
  }
  static float ValueAt(int64_t i) { return test::FixedValue(static_cast<uint64_t>(i)); }

  aclTensor* View(const Tensor& tensor, const std::vector<int64_t>& strides) const {
    const int64_t sizes[] = {case_.rows, case_.cols};
    const int64_t storage[] = {static_cast<int64_t>(tensor.bytes())};
    return aclCreateTensor(sizes, 2, case_.type, strides.data(), 0, ACL_FORMAT_ND, storage, 1,
                           tensor.data());
  }

  void CheckResult() {
    std::vector<char> bytes(out_.bytes());
    out_.Download(bytes.data());
    const auto of = test::ReferenceOf(case_.operation->name).of;
    const double scalars[] = {1};
    const double unit = case_.type == ACL_FLOAT ? 1e-6 : case_.type == ACL_FLOAT16 ? 1e-3 : 8e-3;
    for (int64_t i = 0; i < case_.count(); i += 101) {
      const int64_t row = i / case_.cols, col = i % case_.cols;
      const int64_t a = case_.first == First::kTransposed   ? col * case_.rows + row
                        : case_.first == First::kEveryOther ? 2 * i
                                                            : i;
      const int64_t b = case_.second == Second::kRow      ? col
                        : case_.second == Second::kColumn ? row
                                                          : i;
      const double x[] = {ValueAt(a), ValueAt(b)};
      const double right = of(x, scalars);
      const double actual = test::LoadElement(case_.type, bytes.data(), i);
      if (std::fabs(actual - right) <= unit * (1 + std::fabs(right))) continue;
      set_error("out[" + std::to_string(i) + "] = " + std::to_string(actual) + ", expected " +
                std::to_string(right));
      return;
    }
  }

  const Case case_;
  const bool repeats_;
  aclOpExecutor* executor_ = nullptr;
  Tensor self_, other_, out_;
  aclTensor* self_view_ = nullptr;
  aclTensor* other_view_ = nullptr;
  aclScalar* scalar_ = nullptr;
};

}  // namespace

void RegisterElementwise(aclrtStream stream) {
  const auto current = std::make_shared<CurrentCall>(stream);
  const auto add = [&](const Case& c) {
    const bool streams = c.operation->inputs > 1 && c.second == Second::kSame;
    RegisterCall(
        NameOf(c), current, [=] { return std::make_unique<ElementwiseCall>(c, stream, true); },
        streams ? MeasureAgainstTriad : MeasureAgainstCopy);
  };
  // In the second level, in the last one, in memory.
  const std::pair<int64_t, int64_t> shapes[] = {{256, 256}, {1024, 1024}, {4096, 8192}};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const auto& [rows, cols] : shapes) {
      for (const Operation* operation : {&kAdd, &kMul}) add({operation, type, rows, cols});
      for (const Operation* operation : {&kMuls, &kExp, &kSilu}) {
        add({operation, type, rows, cols, First::kDense, Second::kNone});
      }
      add({&kAdd, type, rows, cols, First::kTransposed});
      add({&kAdd, type, rows, cols, First::kEveryOther});
      add({&kAdd, type, rows, cols, First::kDense, Second::kRow});
      add({&kAdd, type, rows, cols, First::kDense, Second::kColumn});
    }
  }
  RegisterCall(
      "Elementwise/latency/Add/fp32/1x16", current,
      [=] {
        return std::make_unique<ElementwiseCall>(Case{&kAdd, ACL_FLOAT, 1, 16}, stream, false);
      },
      MeasureLatency);
}

}  // namespace anyacl::bench
