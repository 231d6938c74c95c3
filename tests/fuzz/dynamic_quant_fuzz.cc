// SPDX-License-Identifier: Apache-2.0
#include "fuzz/dynamic_quant_fuzz.h"

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "ops/dynamic_quant_case.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

enum { kX, kSmooth, kGroup, kY, kScale, kOffset, kParameters };
constexpr std::array<const char*, kParameters> kNames = {
    "x", "smoothScalesOptional", "groupIndexOptional", "yOut", "scaleOut", "offsetOut"};

constexpr int64_t kMaxBytes = 1 << 20;

struct Argument {
  bool given = false;
  Layout layout;
  const aclTensor* foreign = nullptr;  // A handle that is none, in the tensor's place.
};

struct Call {
  bool v1 = false;
  int64_t dst_type = 2;
  std::array<Argument, kParameters> arguments;
};

const std::vector<int64_t> kNumbers = {
    0,         1,         -1,        2,         3,         5,         7,        8,
    9,         16,        64,        -8,        1024,      1025,      INT_MAX,  INT_MIN,
    1LL << 31, 1LL << 32, 1LL << 40, 1LL << 58, 1LL << 62, LLONG_MAX, LLONG_MIN};

// Clients in C can put any number into an enum. In C++ that is undefined beyond the bits that the
// enumerators need, and sanitizers say so.
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__)
constexpr int kLowest = -64;
constexpr int kHighest = 63;
#else
constexpr int kLowest = INT_MIN;
constexpr int kHighest = INT_MAX;
#endif

const std::vector<int> kTypes = {
    ACL_FLOAT,  ACL_FLOAT16, ACL_INT8,         ACL_INT32,       ACL_UINT8, ACL_INT16, ACL_INT64,
    ACL_DOUBLE, ACL_BOOL,    ACL_STRING,       ACL_BF16,        ACL_INT4,  ACL_UINT1, 5,
    63,         -2,          ACL_DT_UNDEFINED, ACL_FLOAT8_E5M2, kLowest,   kHighest};

const std::vector<int> kFormats = {ACL_FORMAT_ND,
                                   ACL_FORMAT_NCHW,
                                   ACL_FORMAT_NHWC,
                                   ACL_FORMAT_NCL,
                                   ACL_FORMAT_FRACTAL_NZ,
                                   ACL_FORMAT_NC1HWC0,
                                   ACL_FORMAT_UNDEFINED,
                                   ACL_FORMAT_FRACTAL_Z,
                                   60,
                                   -2,
                                   kLowest,
                                   kHighest};

int64_t AnyNumber(Choices& choices) {
  return choices.OneIn(3) ? choices.Int(-3, 40) : choices.Pick(kNumbers);
}

// Another order in memory and gaps, for tensors that may have them.
void MakeView(Choices& choices, Layout& layout) {
  std::vector<size_t> order(layout.dims.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1],
              order[static_cast<size_t>(choices.Int(0, static_cast<int64_t>(i) - 1))]);
  }
  layout.strides.assign(layout.dims.size(), 0);
  int64_t stride = choices.Int(1, 3);
  for (size_t axis : order) {
    layout.strides[axis] = stride;
    stride *= std::max<int64_t>(layout.dims[axis], 1) + choices.Int(0, 2);
    if (choices.OneIn(4)) {
      layout.offset += (layout.dims[axis] - 1) * layout.strides[axis];
      layout.strides[axis] = -layout.strides[axis];
    }
  }
  layout.offset = std::max<int64_t>(layout.offset, 0) + choices.Int(0, 4);
}

Call RightCall(Choices& choices) {
  QuantProblem problem;
  problem.x_type = choices.OneIn(2) ? ACL_FLOAT16 : ACL_BF16;
  problem.y_type = choices.Pick(std::vector<aclDataType>{ACL_INT8, ACL_INT4, ACL_INT32});
  problem.asymmetric = choices.OneIn(2);
  const int64_t rank = choices.OneIn(3) ? choices.Int(2, 8) : 2;
  for (int64_t i = 1; i < rank; ++i) problem.dims.push_back(choices.Int(rank > 4 ? 1 : 0, 4));
  const int64_t unit = problem.y_type == ACL_INT8 ? 1 : problem.y_type == ACL_INT4 ? 2 : 8;
  problem.dims.push_back(unit * choices.Int(choices.OneIn(20) ? 0 : 1, 40 / unit));
  const int64_t smooth = choices.Int(0, 2);
  if (smooth == 2) problem.group.resize(static_cast<size_t>(choices.Int(1, 5)));

  Call call;
  call.v1 = choices.OneIn(4);
  call.dst_type = problem.y_type;
  if (call.v1) {
    problem.asymmetric = false;
    problem.group.clear();
  }
  const QuantLayouts layouts = LayoutsOf(problem);
  call.arguments[kX] = {true, layouts.x};
  call.arguments[kSmooth] = {smooth > 0, layouts.smooth};
  call.arguments[kGroup] = {!problem.group.empty(), layouts.group};
  call.arguments[kY] = {true, layouts.y};
  call.arguments[kScale] = {true, layouts.scale};
  call.arguments[kOffset] = {problem.asymmetric, layouts.offset};
  for (Argument& argument : call.arguments) {
    if (argument.layout.dtype != ACL_INT4 && choices.OneIn(3)) MakeView(choices, argument.layout);
  }
  return call;
}

void ChangeRank(Choices& choices, Layout& layout) {
  const auto rank = static_cast<size_t>(choices.Int(0, choices.OneIn(4) ? 25 : 9));
  layout.dims.resize(rank, choices.Int(0, 3));
  if (!layout.strides.empty()) layout.strides.resize(rank, 1);
}

void Break(Choices& choices, Call& call) {
  static int64_t no_tensor[8] = {};
  Argument& argument = call.arguments[static_cast<size_t>(choices.Int(0, kParameters - 1))];
  Layout& layout = argument.layout;
  const auto axis = static_cast<size_t>(
      choices.Int(0, std::max<int64_t>(static_cast<int64_t>(layout.dims.size()) - 1, 0)));
  switch (choices.Int(0, 9)) {
    case 0:
      layout.dtype = static_cast<aclDataType>(choices.Pick(kTypes));
      break;
    case 1:
      layout.format = static_cast<aclFormat>(choices.Pick(kFormats));
      break;
    case 2:
      ChangeRank(choices, layout);
      break;
    case 3:
      if (axis < layout.dims.size()) layout.dims[axis] = AnyNumber(choices);
      break;
    case 4:
      if (layout.strides.empty()) layout.strides = ContiguousStrides(layout.dims);
      if (axis < layout.dims.size()) layout.strides[axis] = AnyNumber(choices);
      break;
    case 5:
      layout.offset = AnyNumber(choices);
      break;
    case 6:
      layout.storage.assign(static_cast<size_t>(choices.Int(1, 5)), AnyNumber(choices));
      break;
    case 7:
      argument.given = !argument.given;
      break;
    case 8:
      argument.given = true;
      argument.foreign = choices.Pick(std::vector<const aclTensor*>{
          reinterpret_cast<const aclTensor*>(no_tensor), reinterpret_cast<const aclTensor*>(1),
          reinterpret_cast<const aclTensor*>(uintptr_t{0xdeadbeefdeadbeef}),
          reinterpret_cast<const aclTensor*>(~uintptr_t{0})});
      break;
    default:
      call.dst_type = AnyNumber(choices);
  }
}

bool IsEmpty(const Argument& argument) {
  return std::count(argument.layout.dims.begin(), argument.layout.dims.end(), 0) != 0;
}

using Tensors = std::array<std::optional<Tensor>, kParameters>;

aclnnStatus PhaseOne(const Call& call, const Tensors& tensors, uint64_t* workspace_size,
                     aclOpExecutor** executor) {
  std::array<const aclTensor*, kParameters> h{};
  for (size_t i = 0; i < kParameters; ++i) {
    const Argument& argument = call.arguments[i];
    if (argument.given)
      h[i] = argument.foreign != nullptr ? argument.foreign : tensors[i]->handle();
  }
  if (call.v1) {
    return aclnnDynamicQuantGetWorkspaceSize(h[kX], h[kSmooth], h[kY], h[kScale], workspace_size,
                                             executor);
  }
  return aclnnDynamicQuantV2GetWorkspaceSize(h[kX], h[kSmooth], h[kGroup], call.dst_type, h[kY],
                                             h[kScale], h[kOffset], workspace_size, executor);
}

std::string CheckRefusal(const Call& call, const Prepared& prepared) {
  static const std::set<int> kCodesV1 = {161001, 161002};
  static const std::set<int> kCodesV2 = {161001, 161002, 561002, 561003};
  EXPECT_TRUE((call.v1 ? kCodesV1 : kCodesV2).count(prepared.code) == 1) << prepared.code;
  EXPECT_EQ(prepared.executor, nullptr);
  EXPECT_EQ(prepared.workspace_size, 0u);
  const std::string message = TakeMessages();
  const bool names_parameter = std::any_of(
      kNames.begin(), kNames.end(), [&](const char* name) { return HasWord(message, name); });
  EXPECT_TRUE(names_parameter) << "message: " << message;
  return message;
}

std::vector<float> Decoded(const Tensor& tensor) {
  std::vector<float> values;
  for (uint16_t bits : tensor.Read<uint16_t>()) {
    values.push_back(tensor.layout().dtype == ACL_BF16 ? DecodeBf16(bits) : DecodeFp16(bits));
  }
  return values;
}

// Mostly ordinary numbers, some of any bits.
void FillHalves(Choices& choices, Tensor& tensor) {
  const bool wild = choices.OneIn(4);
  std::vector<uint16_t> bits(static_cast<size_t>(tensor.count()));
  for (uint16_t& half : bits) {
    half = static_cast<uint16_t>(wild ? choices.Int(0, 0xffff) : choices.Int(0x3800, 0x4300));
    if (choices.OneIn(2)) half ^= 0x8000;
  }
  tensor.Write(bits);
}

void CheckResults(const Call& call, const Tensors& tensors) {
  QuantProblem problem{.dims = call.arguments[kX].layout.dims,
                       .x_type = call.arguments[kX].layout.dtype,
                       .y_type = call.arguments[kY].layout.dtype,
                       .asymmetric = call.arguments[kOffset].given,
                       .x = Decoded(*tensors[kX])};
  if (tensors[kSmooth]) problem.smooth = Decoded(*tensors[kSmooth]);
  if (tensors[kGroup]) problem.group = tensors[kGroup]->Read<int32_t>();
  DynamicQuantOutput output;
  output.y = ReadYOut(*tensors[kY]);
  output.scale = tensors[kScale]->Read<float>();
  if (problem.asymmetric) output.offset = tensors[kOffset]->Read<float>();
  ExpectSameOutput(output, ReferenceOf(problem), problem.cols());
}

void Run(const Call& call, Tensors& tensors, const Prepared& prepared, aclrtStream stream,
         Choices& choices) {
  ASSERT_LE(prepared.workspace_size, uint64_t{1} << 24);
  const bool empty =
      IsEmpty(call.arguments[kX]) || IsEmpty(call.arguments[kY]) || IsEmpty(call.arguments[kScale]);
  bool fits = true;
  for (const auto& tensor : tensors) fits = fits && (!tensor || tensor->fits());
  if (fits && !empty) {
    FillHalves(choices, *tensors[kX]);
    if (tensors[kSmooth]) FillHalves(choices, *tensors[kSmooth]);
    if (tensors[kGroup]) {
      std::vector<int32_t> ends(static_cast<size_t>(tensors[kGroup]->count()));
      for (int32_t& end : ends) end = static_cast<int32_t>(AnyNumber(choices));
      tensors[kGroup]->Write(ends);
    }
  }
  std::vector<std::vector<uint8_t>> before;
  for (const auto& tensor : tensors) {
    before.push_back(tensor ? tensor->Bytes() : std::vector<uint8_t>());
  }
  const Tensor workspace(
      {.dims = {static_cast<int64_t>(prepared.workspace_size)}, .dtype = ACL_UINT8});
  const int code = (call.v1 ? aclnnDynamicQuant : aclnnDynamicQuantV2)(
      workspace.data(), prepared.workspace_size, prepared.executor, stream);
  const std::string message = TakeMessages();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  // Experts with one row of smooth scales are refused here by documented exception.
  const bool shared =
      call.arguments[kGroup].given && call.arguments[kSmooth].layout.dims.size() == 1;
  const bool runs = empty || (fits && !shared);
  EXPECT_EQ(code == ACL_SUCCESS, runs) << code << " " << message;
  if (code != ACL_SUCCESS) {
    EXPECT_EQ(code, call.v1 ? 161002 : 561000) << message;
    EXPECT_FALSE(message.empty());
  }
  EXPECT_TRUE(workspace.GuardsIntact());
  for (size_t i = 0; i < kParameters; ++i) {
    if (!tensors[i]) continue;
    const bool may_change = runs && !empty && i >= kY;
    if (!may_change) {
      EXPECT_EQ(tensors[i]->Bytes(), before[i]) << kNames[i];
    } else {
      EXPECT_TRUE(tensors[i]->GuardsIntact()) << kNames[i];
    }
  }
  if (code == ACL_SUCCESS && !empty) CheckResults(call, tensors);
}

}  // namespace

Outcome FuzzDynamicQuant(Choices& choices, aclrtStream stream) {
  Call call = RightCall(choices);
  const int64_t breaks = choices.OneIn(2) ? 0 : choices.Int(1, 3);
  for (int64_t i = 0; i < breaks; ++i) Break(choices, call);
  if (call.v1) call.arguments[kGroup].given = call.arguments[kOffset].given = false;
  Tensors tensors;
  for (size_t i = 0; i < kParameters; ++i) {
    const Argument& argument = call.arguments[i];
    if (argument.given && argument.foreign == nullptr) {
      tensors[i].emplace(argument.layout, kMaxBytes);
    }
  }
  const Prepared prepared = Prepare([&](uint64_t* workspace_size, aclOpExecutor** executor) {
    return PhaseOne(call, tensors, workspace_size, executor);
  });
  if (breaks == 0) {
    EXPECT_OK(prepared.code);
  }
  if (prepared.code != ACL_SUCCESS) return {prepared.code, CheckRefusal(call, prepared)};
  Run(call, tensors, prepared, stream, choices);
  return {};
}

}  // namespace anyacl::test
