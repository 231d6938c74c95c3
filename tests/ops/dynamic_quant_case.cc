// SPDX-License-Identifier: Apache-2.0
#include "ops/dynamic_quant_case.h"

#include <bit>
#include <cmath>

#include "support/half.h"

namespace anyacl::test {
namespace {

int BitsOfForm(aclDataType y_type) { return y_type == ACL_INT8 ? 8 : 4; }

std::vector<uint16_t> Encode(aclDataType dtype, const std::vector<float>& values) {
  std::vector<uint16_t> bits;
  bits.reserve(values.size());
  for (float value : values) {
    bits.push_back(dtype == ACL_BF16 ? EncodeBf16(value) : EncodeFp16(value));
  }
  return bits;
}

std::vector<float> Rounded(aclDataType dtype, const std::vector<float>& values) {
  std::vector<float> rounded;
  rounded.reserve(values.size());
  for (uint16_t bits : Encode(dtype, values)) {
    rounded.push_back(dtype == ACL_BF16 ? DecodeBf16(bits) : DecodeFp16(bits));
  }
  return rounded;
}

const aclTensor* HandleOf(const std::optional<Tensor>& tensor) {
  return tensor ? tensor->handle() : nullptr;
}

bool Same(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

void ExpectSameFloats(const char* name, const std::vector<float>& actual,
                      const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size()) << name;
  for (size_t i = 0; i < actual.size(); ++i) {
    ASSERT_TRUE(Same(actual[i], expected[i]))
        << name << "[" << i << "] = " << ::testing::PrintToString(actual[i]) << ", expected "
        << ::testing::PrintToString(expected[i]);
  }
}

}  // namespace

int64_t QuantProblem::rows() const {
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < dims.size(); ++i) rows *= dims[i];
  return rows;
}

std::vector<QuantForm> AllForms() {
  std::vector<QuantForm> forms;
  for (aclDataType x_type : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType y_type : {ACL_INT8, ACL_INT4, ACL_INT32}) {
      for (bool asymmetric : {false, true}) {
        for (Smooth smooth : {Smooth::kNone, Smooth::kRow, Smooth::kPerExpert}) {
          forms.push_back({x_type, y_type, asymmetric, smooth});
        }
      }
    }
  }
  return forms;
}

std::string NameOf(const QuantForm& form) {
  std::string name = form.x_type == ACL_BF16 ? "bf16" : "fp16";
  name += form.y_type == ACL_INT8 ? "_int8" : form.y_type == ACL_INT4 ? "_int4" : "_int32";
  name += form.asymmetric ? "_asymmetric" : "_symmetric";
  if (form.smooth == Smooth::kRow) name += "_smooth";
  if (form.smooth == Smooth::kPerExpert) name += "_experts";
  return name;
}

bool TakesCols(aclDataType y_type, int64_t cols) {
  return cols % (y_type == ACL_INT8 ? 1 : y_type == ACL_INT4 ? 2 : 8) == 0;
}

QuantProblem RandomProblem(const QuantForm& form, const std::vector<int64_t>& dims,
                           Random& random) {
  QuantProblem problem{
      .dims = dims, .x_type = form.x_type, .y_type = form.y_type, .asymmetric = form.asymmetric};
  const double mean = random.Uniform(-1, 1);
  problem.x.resize(static_cast<size_t>(problem.rows() * problem.cols()));
  for (float& value : problem.x) value = static_cast<float>(random.Normal(mean, 2));
  if (form.smooth == Smooth::kPerExpert) {
    const auto first = static_cast<int32_t>(random.Int(0, problem.rows()));
    problem.group = {first, first, static_cast<int32_t>(problem.rows())};
  }
  if (form.smooth != Smooth::kNone) {
    const int64_t experts = form.smooth == Smooth::kRow ? 1 : 3;
    problem.smooth.resize(static_cast<size_t>(experts * problem.cols()));
    for (float& value : problem.smooth) value = static_cast<float>(random.Uniform(0.25, 4));
  }
  return problem;
}

QuantLayouts LayoutsOf(const QuantProblem& problem) {
  const std::vector<int64_t> rows_dims(problem.dims.begin(), problem.dims.end() - 1);
  const auto experts = static_cast<int64_t>(problem.group.size());
  QuantLayouts layouts;
  layouts.x = {.dims = problem.dims, .dtype = problem.x_type};
  layouts.smooth = {.dims = {problem.cols()}, .dtype = problem.x_type};
  if (experts > 0) layouts.smooth.dims = {experts, problem.cols()};
  layouts.group = {.dims = {experts}, .dtype = ACL_INT32};
  layouts.y = {.dims = problem.dims, .dtype = problem.y_type};
  if (problem.y_type == ACL_INT32) layouts.y.dims.back() /= 8;
  layouts.scale = {.dims = rows_dims, .dtype = ACL_FLOAT};
  layouts.offset = layouts.scale;
  return layouts;
}

QuantTensors MakeTensors(const QuantProblem& problem, const QuantLayouts& layouts) {
  QuantTensors tensors{.x = Tensor(layouts.x),
                       .smooth = std::nullopt,
                       .group = std::nullopt,
                       .y = Tensor(layouts.y),
                       .scale = Tensor(layouts.scale),
                       .offset = std::nullopt,
                       .dst_type = problem.y_type};
  WriteX(problem, tensors.x);
  if (!problem.smooth.empty()) {
    tensors.smooth.emplace(layouts.smooth).Write(Encode(problem.x_type, problem.smooth));
  }
  if (!problem.group.empty()) tensors.group.emplace(layouts.group).Write(problem.group);
  if (problem.asymmetric) tensors.offset.emplace(layouts.offset);
  return tensors;
}

void WriteX(const QuantProblem& problem, Tensor& x) { x.Write(Encode(problem.x_type, problem.x)); }

void WriteX(const QuantProblem& problem, const Tensor& x, const DeviceBuffer& buffer) {
  x.Write(Encode(problem.x_type, problem.x), buffer);
}

Phase1 QuantTensors::V2() const {
  return [this](uint64_t* workspace_size, aclOpExecutor** executor) {
    return aclnnDynamicQuantV2GetWorkspaceSize(x.handle(), HandleOf(smooth), HandleOf(group),
                                               dst_type, y.handle(), scale.handle(),
                                               HandleOf(offset), workspace_size, executor);
  };
}

Phase1 QuantTensors::V1() const {
  return [this](uint64_t* workspace_size, aclOpExecutor** executor) {
    return aclnnDynamicQuantGetWorkspaceSize(x.handle(), HandleOf(smooth), y.handle(),
                                             scale.handle(), workspace_size, executor);
  };
}

bool QuantTensors::GuardsIntact() const {
  return x.GuardsIntact() && (!smooth || smooth->GuardsIntact()) &&
         (!group || group->GuardsIntact()) && y.GuardsIntact() && scale.GuardsIntact() &&
         (!offset || offset->GuardsIntact());
}

std::vector<uint8_t> QuantTensors::OutputBytes() const {
  std::vector<uint8_t> bytes = y.Bytes();
  for (const Tensor* tensor : {&scale, offset ? &*offset : nullptr}) {
    if (tensor == nullptr) continue;
    const std::vector<uint8_t> more = tensor->Bytes();
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

std::vector<int8_t> ReadYOut(const Tensor& y) {
  if (y.layout().dtype != ACL_INT32) return y.Read<int8_t>();
  std::vector<int8_t> values;
  for (int32_t word : y.Read<int32_t>()) {
    for (int i = 0; i < 8; ++i) {
      const int nibble = static_cast<int>(static_cast<uint32_t>(word) >> (4 * i)) & 15;
      values.push_back(static_cast<int8_t>(nibble >= 8 ? nibble - 16 : nibble));
    }
  }
  return values;
}

DynamicQuantOutput ReadOutput(const QuantTensors& tensors) {
  DynamicQuantOutput output;
  output.y = ReadYOut(tensors.y);
  output.scale = tensors.scale.Read<float>();
  if (tensors.offset) output.offset = tensors.offset->Read<float>();
  return output;
}

DynamicQuantInput InputOf(const QuantProblem& problem) {
  return {.rows = problem.rows(),
          .cols = problem.cols(),
          .x = Rounded(problem.x_type, problem.x),
          .smooth = Rounded(problem.x_type, problem.smooth),
          .group = problem.group,
          .asymmetric = problem.asymmetric,
          .bits = BitsOfForm(problem.y_type)};
}

DynamicQuantOutput ReferenceOf(const QuantProblem& problem) {
  return DynamicQuant(InputOf(problem));
}

void ExpectSameOutput(const DynamicQuantOutput& actual, const DynamicQuantOutput& expected,
                      int64_t cols) {
  ExpectSameFloats("scaleOut", actual.scale, expected.scale);
  ExpectSameFloats("offsetOut", actual.offset, expected.offset);
  ASSERT_EQ(actual.y.size(), expected.y.size());
  for (size_t i = 0; i < actual.y.size(); ++i) {
    ASSERT_EQ(actual.y[i], expected.y[i]) << "yOut row " << i / cols << " column " << i % cols;
  }
}

DynamicQuantOutput DynamicQuantTest::Run(const QuantProblem& problem, const QuantLayouts& layouts) {
  const QuantTensors tensors = MakeTensors(problem, layouts);
  RunTwoPhase(tensors.V2(), &aclnnDynamicQuantV2);
  EXPECT_TRUE(tensors.GuardsIntact()) << "bytes between or around the elements were written";
  return ReadOutput(tensors);
}

void DynamicQuantTest::ExpectMatchesReference(const QuantProblem& problem,
                                              const QuantLayouts& layouts) {
  ExpectSameOutput(Run(problem, layouts), ReferenceOf(problem), problem.cols());
}

}  // namespace anyacl::test
