// SPDX-License-Identifier: Apache-2.0
#include "ops/single_operators.h"

#include <algorithm>
#include <array>
#include <climits>
#include <span>

#include "ops/batch_norm/operators.h"
#include "ops/convolution/operators.h"
#include "ops/cumulative/operators.h"
#include "ops/detection/nodes.h"
#include "ops/distance/operators.h"
#include "ops/elementwise/operators.h"
#include "ops/generators/operators.h"
#include "ops/indexing/nodes.h"
#include "ops/linalg/operators.h"
#include "ops/loss/operators.h"
#include "ops/matmul/operators.h"
#include "ops/movement/nodes.h"
#include "ops/optimizer/operators.h"
#include "ops/recurrent/operators.h"
#include "ops/reduction/nodes.h"
#include "ops/rotary/operators.h"
#include "ops/rowwise/nodes.h"
#include "ops/sorting/operators.h"

namespace anyacl {
namespace {

// Names of aclnn operators: what the nodes have as tensors, the functions have as arrays.
constexpr Source kDimsSources[] = {Input{0}, InputValues{1}, Output{0}};
constexpr Source kConcatSources[] = {InputList{0}, IntAttribute{"concat_dim", 0}, Output{0}};
constexpr Source kSumSources[] = {Input{0}, InputValues{1}, IntAttribute{"keep_dims", 0},
                                  OutputType{0}, Output{0}};
constexpr Source kUnarySources[] = {Input{0}, Output{0}};
constexpr Source kSwishSources[] = {Input{0}, RealAttribute{"scale", 1}, Output{0}};
constexpr Source kSwishGradSources[] = {Input{0}, Input{1}, RealAttribute{"scale", 1}, Output{0}};
constexpr Source kBinarySources[] = {Input{0}, Input{1}, Output{0}};
constexpr Source kSumOfTwoSources[] = {Input{0}, Input{1}, Constant{1}, Output{0}};
constexpr Source kSelectSources[] = {Input{0}, Input{1}, Input{2}, Output{0}};
constexpr Source kFilledSources[] = {Output{0}};
constexpr Source kClipSources[] = {Input{0}, InputScalar{1}, InputScalar{2}, Output{0}};
constexpr Source kAxpySources[] = {Input{0}, Input{1}, InputScalar{2}, Output{0}};
constexpr Source kCastSources[] = {Input{0}, OutputType{0}, Output{0}};
constexpr Source kBroadcastSources[] = {Output{0}, Input{0}};
constexpr Source kExtremeSources[] = {Input{0}, InputValues{1}, IntAttribute{"keep_dims", 0},
                                      Output{0}};
constexpr Source kExtremeDimSources[] = {Input{0}, IntAttribute{"dimension", 0},
                                         IntAttribute{"keep_dims", 0}, Output{1}, Output{0}};
constexpr Source kProductSources[] = {Input{0}, InputScalar{1}, OutputType{0}, Output{0}};
constexpr Source kSoftmaxSources[] = {Input{0}, IntAttribute{"axes", -1}, Output{0}};
constexpr Source kMaskedSoftmaxSources[] = {Input{0}, Input{1}, RealAttribute{"scale", 1},
                                            IntAttribute{"fixed_triu_mask", 0}, Output{0}};
constexpr Source kMaskedSoftmaxGradSources[] = {
    Input{0}, Input{1}, Input{2}, RealAttribute{"scale", 1}, IntAttribute{"fixed_triu_mask", 0},
    Output{0}};
constexpr Source kCrossEntropySources[] = {Input{0}, Input{1}, Output{0}, Output{1}};
constexpr Source kPackSources[] = {Input{0}, IntAttribute{"size", 1}, Output{0}};
constexpr Source kUnpackSources[] = {Input{0}, IntAttribute{"size", 1}, OutputType{0}, Output{0}};
constexpr Source kOneHotSources[] = {Input{0}, IntAttribute{"depth", 0}, Input{1},
                                     Input{2}, IntAttribute{"axis", -1}, Output{0}};
constexpr Source kRotaryGradSources[] = {Input{3},    Input{1},  Input{2},  Input{0},
                                         Constant{0}, Output{0}, Output{1}, Output{2}};
constexpr Source kRmsNormGradSources[] = {Input{0}, Input{1},  Input{2},
                                          Input{3}, Output{0}, Output{1}};
// Products; a third input is a summand.
constexpr Source kMatMulSources[] = {Input{0, "transpose_x1"}, Input{1, "transpose_x2"}, Output{0},
                                     Constant{0}};
constexpr Source kMatMulBiasSources[] = {Input{2},
                                         Input{0, "transpose_x1"},
                                         Input{1, "transpose_x2"},
                                         Constant{1},
                                         Constant{1},
                                         Output{0},
                                         Constant{0}};
constexpr Source kBatchSources[] = {Input{0, "adj_x1"}, Input{1, "adj_x2"}, Output{0}, Constant{0}};
// Bytes that are 1 where an element is kept.
constexpr Source kByteMaskSources[] = {Output{0}, InputScalar{1}, IntAttribute{"seed", 0},
                                       Constant{0}};
constexpr FixedAttribute kOneSeed[] = {{"seed2", 0}};
constexpr const char* kRotaryGradIgnored[] = {"need_backward"};
constexpr const char* kConcatIgnored[] = {"N"};
constexpr const char* kCastIgnored[] = {"dst_type"};
constexpr const char* kUnpackIgnored[] = {"dtype"};
constexpr FixedAttribute kForwards[] = {{"exclusive", 0}, {"reverse", 0}};
constexpr FixedAttribute kNoOffset[] = {{"offset_x", 0}};
constexpr FixedAttribute kNotAdjoint[] = {{"adjoint", 0}};

constexpr SingleOpSpec kMapped[] = {
    {"Add", &Find(elementwise::kOperators, "aclnnAdd"), kSumOfTwoSources},
    {"AxpyV2", &Find(elementwise::kOperators, "aclnnAdd"), kAxpySources},
    {"Select", &Find(elementwise::kOperators, "aclnnSWhere"), kSelectSources},
    {"ZerosLike", &Find(elementwise::kOperators, "aclnnInplaceZero"), kFilledSources, {}, {}, 1},
    {"NPUAllocFloatStatus", &Find(elementwise::kOperators, "aclnnInplaceZero"), kFilledSources},
    {"RealDiv", &Find(elementwise::kOperators, "aclnnDiv"), kBinarySources},
    {"ClipByValueV2", &Find(elementwise::kOperators, "aclnnClamp"), kClipSources},
    {"Mul", &Find(elementwise::kOperators, "aclnnMul"), kBinarySources},
    {"Equal", &Find(elementwise::kOperators, "aclnnEqTensor"), kBinarySources},
    {"LessEqual", &Find(elementwise::kOperators, "aclnnLeTensor"), kBinarySources},
    {"BitwiseAnd", &Find(elementwise::kOperators, "aclnnBitwiseAndTensor"), kBinarySources},
    {"BitwiseOr", &Find(elementwise::kOperators, "aclnnBitwiseOrTensor"), kBinarySources},
    {"BitwiseXor", &Find(elementwise::kOperators, "aclnnBitwiseXorTensor"), kBinarySources},
    {"Relu", &Find(elementwise::kOperators, "aclnnRelu"), kUnarySources},
    {"Mish", &Find(elementwise::kOperators, "aclnnMish"), kUnarySources},
    {"MishGrad", &Find(elementwise::kOperators, "aclnnMishBackward"), kBinarySources},
    {"RotaryMulGrad", &Find(elementwise::kOperators, "aclnnRotaryPositionEmbeddingGrad"),
     kRotaryGradSources, kRotaryGradIgnored},
    {"SwishGrad",
     &Find(elementwise::kOperators, "aclnnSwishBackward"),
     kSwishGradSources,
     {},
     {},
     3},
    {"Swish", &Find(elementwise::kOperators, "aclnnSwish"), kSwishSources},
    {"FastGelu", &Find(elementwise::kOperators, "aclnnFastGelu"), kUnarySources},
    {"FastGeluGrad", &Find(elementwise::kOperators, "aclnnFastGeluBackward"), kBinarySources},
    {"Cast",
     &Find(elementwise::kOperators, "aclnnCast"),
     kCastSources,
     kCastIgnored,
     {},
     0,
     true},  // each element where it lies
    {"BroadcastTo",
     &Find(elementwise::kOperators, "aclnnInplaceCopy"),
     kBroadcastSources,
     {},
     {},
     2},
    {"DropOutGenMaskV3",
     &Find(generators::kOperators, "aclnnInplaceBernoulli"),
     kByteMaskSources,
     {},
     kOneSeed},
    {"OneHotD", &Find(indexing::kOperators, "aclnnOneHot"), kOneHotSources},
    {"ReverseV2", &Find(movement::kOperators, "aclnnFlip"), kDimsSources},
    {"Transpose", &Find(movement::kOperators, "aclnnPermute"), kDimsSources},
    {"ConcatD", &Find(movement::kOperators, "aclnnCat"), kConcatSources, kConcatIgnored},
    {"ReduceSum", &Find(reduction::kOperators, "aclnnReduceSum"), kSumSources},
    {"ReduceMean", &Find(reduction::kOperators, "aclnnMean"), kSumSources},
    {"ReduceMax", &Find(reduction::kOperators, "aclnnAmax"), kExtremeSources},
    {"ReduceMin", &Find(reduction::kOperators, "aclnnAmin"), kExtremeSources},
    {"ArgMaxWithValue", &Find(reduction::kOperators, "aclnnMaxDim"), kExtremeDimSources},
    {"ArgMinWithValue", &Find(reduction::kOperators, "aclnnMinDim"), kExtremeDimSources},
    {"Cumprod", &Find(cumulative::kOperators, "aclnnCumprod"), kProductSources, {}, kForwards},
    {"SoftmaxV2", &Find(rowwise::kOperators, "aclnnSoftmax"), kSoftmaxSources},
    {"LogSoftmaxV2", &Find(rowwise::kOperators, "aclnnLogSoftmax"), kSoftmaxSources},
    {"ScaledMaskedSoftmax", &Find(rowwise::kOperators, "aclnnScaledMaskedSoftmax"),
     kMaskedSoftmaxSources},
    {"ScaledMaskedSoftmaxGrad", &Find(rowwise::kOperators, "aclnnScaledMaskedSoftmaxBackward"),
     kMaskedSoftmaxGradSources},
    {"SoftmaxCrossEntropyWithLogits",
     &Find(rowwise::kOperators, "aclnnSoftmaxCrossEntropyWithLogits"), kCrossEntropySources},
    {"SignBitsPack", &Find(optimizer::kOperators, "aclnnSignBitsPack"), kPackSources},
    {"SignBitsUnpack", &Find(optimizer::kOperators, "aclnnSignBitsUnpack"), kUnpackSources,
     kUnpackIgnored},
    {"RmsNormGrad", &Find(rowwise::kOperators, "aclnnRmsNormGrad"), kRmsNormGradSources},
    {"MatrixInverse", &Find(linalg::kOperators, "aclnnInverse"), kUnarySources, {}, kNotAdjoint},
    {"MatMul", &Find(matmul::kOperators, "aclnnMm"), kMatMulSources},
    {"MatMul", &Find(matmul::kOperators, "aclnnAddmm"), kMatMulBiasSources},
    {"MatMulV2", &Find(matmul::kOperators, "aclnnMm"), kMatMulSources, {}, kNoOffset},
    {"MatMulV2", &Find(matmul::kOperators, "aclnnAddmm"), kMatMulBiasSources, {}, kNoOffset},
    {"BatchMatMul", &Find(matmul::kOperators, "aclnnMatmul"), kBatchSources},
};

constexpr std::span<const SingleOpSpec> kTables[] = {
    kMapped,
    batch_norm::kSingleOperators,
    convolution::kSingleOperators,
    detection::kSingleOperators,
    distance::kSingleOperators,
    elementwise::kSingleOperators,
    generators::kSingleOperators,
    indexing::kSingleOperators,
    linalg::kSingleOperators,
    loss::kSingleOperators,
    movement::kSingleOperators,
    optimizer::kSingleOperators,
    recurrent::kSingleOperators,
    reduction::kSingleOperators,
    rotary::kSingleOperators,
    rowwise::kSingleOperators,
    sorting::kSingleOperators,
};

}  // namespace

std::span<const std::span<const SingleOpSpec>> SingleOperatorTables() { return kTables; }

int MostInputs(const SingleOpSpec& spec) {
  int most = spec.inputs;
  for (const Source& source : spec.sources) {
    if (std::holds_alternative<InputList>(source)) return INT_MAX;
    const auto count = [&](const auto& from) {
      if constexpr (requires { from.input; }) most = std::max(most, from.input + 1);
    };
    std::visit(count, source);
  }
  return most;
}

const SingleOpSpec* FindSingleOperator(std::string_view type, int inputs) {
  const SingleOpSpec* found = nullptr;
  for (const auto table : kTables) {
    for (const SingleOpSpec& spec : table) {
      if (type != spec.type) continue;
      found = &spec;
      if (inputs <= MostInputs(spec)) return found;
    }
  }
  return found;
}

}  // namespace anyacl
