// SPDX-License-Identifier: Apache-2.0
#include "dynamic_quant_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "device.h"
#include "dynamic_quant_shapes.h"
#include "operator_call.h"
#include "reference/dynamic_quant.h"
#include "support/fixed.h"
#include "support/half.h"

namespace anyacl::bench {
namespace {

struct FormTraits {
  const char* name;
  aclDataType y_type;
  bool asymmetric = false;
  bool smooth = false;
};

FormTraits TraitsOf(QuantForm form) {
  switch (form) {
    case QuantForm::kInt8:
      return {"int8", ACL_INT8};
    case QuantForm::kInt8Asym:
      return {"int8_asym", ACL_INT8, true};
    case QuantForm::kInt8Smooth:
      return {"int8_smooth", ACL_INT8, false, true};
    case QuantForm::kInt8Grouped:
      return {"int8_grouped", ACL_INT8, false, true};
    case QuantForm::kInt8AsymGrouped:
      return {"int8_asym_grouped", ACL_INT8, true, true};
    case QuantForm::kInt4:
      return {"int4", ACL_INT4};
    case QuantForm::kInt4Asym:
      return {"int4_asym", ACL_INT4, true};
    case QuantForm::kInt4Packed:
      return {"int4_packed", ACL_INT32};
  }
  return {};
}

std::string NameOf(const QuantCase& quant_case) {
  std::ostringstream name;
  name << quant_case.model << "/" << quant_case.rows << "x" << quant_case.cols
       << (quant_case.bfloat16 ? "/bf16/" : "/fp16/") << TraitsOf(quant_case.form).name;
  if (quant_case.experts > 0) name << "_" << quant_case.experts;
  return name.str();
}

// Numbers of both signs with magnitudes from 2^low to 2^(low+4), and a few sixteen times as large,
// as activations have.
std::vector<uint16_t> RandomHalves(size_t count, bool bfloat16, int low) {
  // Drawing costs more than copying, so the values repeat after a length that no row divides.
  constexpr size_t kDrawn = 1'000'003;
  const int bias = bfloat16 ? 127 : 15;
  const int mantissa_bits = bfloat16 ? 7 : 10;
  test::FixedSequence sequence;
  std::vector<uint16_t> drawn(std::min(count, kDrawn));
  for (uint16_t& half : drawn) {
    const uint32_t bits = sequence.Bits(32);
    const int outlier = (bits >> 20 & 1023) == 0 ? 4 : 0;
    const int exponent = bias + low + static_cast<int>(bits >> 18 & 3) + outlier;
    const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
    const uint32_t sign = bits >> 17 & 1;
    half = static_cast<uint16_t>(sign << 15 | exponent << mantissa_bits | mantissa);
  }
  std::vector<uint16_t> halves(count);
  for (size_t i = 0; i < count; i += drawn.size()) {
    const size_t part = std::min(drawn.size(), count - i);
    std::copy_n(drawn.begin(), part, halves.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return halves;
}

// Ends of groups of uneven sizes, some of them empty, as a router makes them.
std::vector<int32_t> RandomGroupEnds(int experts, int64_t rows) {
  test::FixedSequence sequence;
  std::vector<int32_t> ends(experts);
  for (int32_t& end : ends) end = static_cast<int32_t>(sequence.Bits(32) % (rows + 1));
  std::sort(ends.begin(), ends.end());
  if (experts > 0) ends.back() = static_cast<int32_t>(rows);
  return ends;
}

struct QuantProblem {
  int64_t rows = 0;
  int64_t cols = 0;
  bool bfloat16 = false;
  bool asymmetric = false;
  int bits = 8;  // 8 or 4; two values of 4 bits share a byte, the first in its low half.
  std::vector<uint16_t> x;
  std::vector<uint16_t> smooth;     // Empty, [cols], or [experts, cols].
  std::vector<int32_t> group_ends;  // Empty, or the row after the last one of each expert.
};

struct QuantResult {
  std::vector<uint8_t> y;
  std::vector<float> scale;
  std::vector<float> offset;  // Empty if symmetric.

  int At(int bits, int64_t element) const {
    if (bits == 8) return static_cast<int8_t>(y[element]);
    const int half = y[element / 2] >> (element % 2 * 4) & 15;
    return half < 8 ? half : half - 16;
  }
};

// Rows as the oracle takes them. It is slow to decode more than once what repeats.
class QuantRows {
 public:
  explicit QuantRows(const QuantProblem& problem) : problem_(problem), values_(65536) {
    for (uint32_t bits = 0; bits < values_.size(); ++bits) {
      const auto half = static_cast<uint16_t>(bits);
      values_[bits] = problem.bfloat16 ? test::DecodeBf16(half) : test::DecodeFp16(half);
    }
    for (uint16_t half : problem.smooth) smooth_.push_back(values_[half]);
  }

  test::DynamicQuantInput Take(int64_t first, int64_t count) const {
    test::DynamicQuantInput input;
    input.rows = count;
    input.cols = problem_.cols;
    input.smooth = smooth_;
    input.asymmetric = problem_.asymmetric;
    input.bits = problem_.bits;
    for (int64_t i = first * input.cols; i < (first + count) * input.cols; ++i) {
      input.x.push_back(values_[problem_.x[i]]);
    }
    for (int32_t end : problem_.group_ends) {
      input.group.push_back(end - static_cast<int32_t>(first));
    }
    return input;
  }

 private:
  const QuantProblem& problem_;
  std::vector<float> values_, smooth_;
};

std::string Describe(const char* what, int64_t row, double actual, double expected) {
  std::ostringstream text;
  text << what << " of row " << row << " is " << actual << ", expected " << expected;
  return text.str();
}

// The first difference between the result and the definition, in words; empty if there is none.
// Results are compared bit by bit.
std::string Difference(const QuantProblem& problem, const QuantResult& result) {
  constexpr int64_t kRows = 64;
  const QuantRows rows(problem);
  for (int64_t first = 0; first < problem.rows; first += kRows) {
    const int64_t count = std::min(kRows, problem.rows - first);
    const test::DynamicQuantOutput expected = test::DynamicQuant(rows.Take(first, count));
    for (int64_t r = 0; r < count; ++r) {
      const int64_t row = first + r;
      if (result.scale[row] != expected.scale[r]) {
        return Describe("scale", row, result.scale[row], expected.scale[r]);
      }
      if (problem.asymmetric && result.offset[row] != expected.offset[r]) {
        return Describe("offset", row, result.offset[row], expected.offset[r]);
      }
      for (int64_t j = 0; j < problem.cols; ++j) {
        const int actual = result.At(problem.bits, row * problem.cols + j);
        const int right = expected.y[r * problem.cols + j];
        if (actual != right) return Describe("a y", row, actual, right);
      }
    }
  }
  return {};
}

QuantProblem MakeProblem(const QuantCase& quant_case) {
  const FormTraits traits = TraitsOf(quant_case.form);
  QuantProblem problem;
  problem.rows = quant_case.rows;
  problem.cols = quant_case.cols;
  problem.bfloat16 = quant_case.bfloat16;
  problem.asymmetric = traits.asymmetric;
  problem.bits = traits.y_type == ACL_INT8 ? 8 : 4;
  problem.x = RandomHalves(quant_case.rows * quant_case.cols, quant_case.bfloat16, -2);
  if (traits.smooth) {
    const int64_t factor_rows = std::max(quant_case.experts, 1);
    problem.smooth = RandomHalves(factor_rows * quant_case.cols, quant_case.bfloat16, -1);
    problem.group_ends = RandomGroupEnds(quant_case.experts, quant_case.rows);
  }
  return problem;
}

// The tensors of one case, filled, and its calls.
class QuantCall : public OperatorCall {
 public:
  QuantCall(const QuantCase& quant_case, aclrtStream stream)
      : OperatorCall(stream, quant_case.rows * quant_case.cols),
        traits_(TraitsOf(quant_case.form)) {
    const QuantProblem problem = MakeProblem(quant_case);
    const aclDataType half = quant_case.bfloat16 ? ACL_BF16 : ACL_FLOAT16;
    const int64_t rows = quant_case.rows;
    const int64_t cols = quant_case.cols;
    x_ = std::make_unique<Tensor>(half, std::vector<int64_t>{rows, cols});
    x_->Upload(problem.x.data());
    const int64_t y_cols = traits_.y_type == ACL_INT32 ? cols / 8 : cols;
    y_ = std::make_unique<Tensor>(traits_.y_type, std::vector<int64_t>{rows, y_cols});
    scale_ = std::make_unique<Tensor>(ACL_FLOAT, std::vector<int64_t>{rows});
    if (traits_.asymmetric) {
      offset_ = std::make_unique<Tensor>(ACL_FLOAT, std::vector<int64_t>{rows});
    }
    if (traits_.smooth) {
      std::vector<int64_t> shape{cols};
      if (quant_case.experts > 0) shape.insert(shape.begin(), quant_case.experts);
      smooth_ = std::make_unique<Tensor>(half, shape);
      smooth_->Upload(problem.smooth.data());
    }
    if (quant_case.experts > 0) {
      group_ = std::make_unique<Tensor>(ACL_INT32, std::vector<int64_t>{quant_case.experts});
      group_->Upload(problem.group_ends.data());
    }
    Run();
    set_error(Difference(problem, Result()));
  }

  size_t bytes() const override {
    size_t sum = 0;
    for (const auto* tensor : {&x_, &smooth_, &group_, &y_, &scale_, &offset_}) {
      if (*tensor != nullptr) sum += (*tensor)->bytes();
    }
    return sum;
  }

  void Enqueue() override {
    const auto get = [](const std::unique_ptr<Tensor>& tensor) {
      return tensor != nullptr ? tensor->get() : nullptr;
    };
    uint64_t workspace_size = 0;
    aclOpExecutor* executor = nullptr;
    Check(aclnnDynamicQuantV2GetWorkspaceSize(get(x_), get(smooth_), get(group_), traits_.y_type,
                                              get(y_), get(scale_), get(offset_), &workspace_size,
                                              &executor),
          "aclnnDynamicQuantV2GetWorkspaceSize");
    // The workspace is small if there is one at all; it is kept for all calls.
    if (workspace_size > 0 && workspace_ == nullptr) {
      workspace_ =
          std::make_unique<Tensor>(ACL_INT8, std::vector<int64_t>{int64_t(workspace_size)});
    }
    void* workspace = workspace_ != nullptr ? workspace_->data() : nullptr;
    Check(aclnnDynamicQuantV2(workspace, workspace_size, executor, stream()),
          "aclnnDynamicQuantV2");
  }

 private:
  QuantResult Result() const {
    QuantResult result;
    result.y.resize(y_->bytes());
    y_->Download(result.y.data());
    result.scale.resize(scale_->bytes() / sizeof(float));
    scale_->Download(result.scale.data());
    if (offset_ != nullptr) {
      result.offset.resize(offset_->bytes() / sizeof(float));
      offset_->Download(result.offset.data());
    }
    return result;
  }

  FormTraits traits_;
  std::unique_ptr<Tensor> x_, smooth_, group_, y_, scale_, offset_, workspace_;
};

void Register(const std::string& group, const QuantCase& quant_case,
              const std::shared_ptr<CurrentCall>& current, Measure measure) {
  const auto make = [&quant_case, stream = current->stream()] {
    return std::make_unique<QuantCall>(quant_case, stream);
  };
  RegisterCall(group + "/" + NameOf(quant_case), current, make, measure);
}

}  // namespace

void RegisterDynamicQuant(aclrtStream stream) {
  const auto current = std::make_shared<CurrentCall>(stream);
  for (const QuantCase& quant_case : kQuantDecodeCases) {
    Register("DynamicQuantDecode", quant_case, current, MeasureLatency);
  }
  for (const QuantCase& quant_case : kQuantCases) {
    Register("DynamicQuant", quant_case, current, MeasureAgainstCopy);
  }
}

}  // namespace anyacl::bench
