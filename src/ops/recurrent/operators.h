// SPDX-License-Identifier: Apache-2.0
// The declarations of recurrent layers over whole sequences, which are called by the name of a
// graph's node: DynamicRNN, DynamicRNNV2, DynamicGRUV2 and their gradients (README.md).
#pragma once

#include <array>

#include "nnop/joined_rows.h"
#include "nnop/single_op.h"

namespace anyacl::recurrent {

// kGates ff.: gates as they were after their functions, in the order of the prototypes.
enum : int {
  kX,
  kWeight,  // of the input; of input and state where there is one for both
  kHiddenWeight,
  kBias,
  kHiddenBias,
  kLengths,
  kInitH,
  kInitC,
  kWci,
  kWcf,
  kWco,
  kMask,
  kY,
  kH,
  kC,
  kGates,
  kGate1,
  kGate2,
  kGate3,
  kTanhC,
  kDy,
  kDh,
  kDc,
  kDw,
  kDwHidden,
  kDb,
  kDbHidden,
  kDx,
  kDhPrev,
  kDcPrev,
  kCellType,
  kDirection,
  kDepth,
  kPeephole,
  kKeepProb,
  kClip,
  kProjection,
  kTimeMajor,
  kActivation,
  kForgetBias,
  kOrder,
  kTraining,
  kResetAfter,
  kRecurrentActivation,
  kStateful,
  kMergeMode,
  kBiasType,
};

Status PrepareLstm(Operands& operands, PreparedCall* call);
Status PrepareLstmGradient(Operands& operands, PreparedCall* call);
Status PrepareGru(Operands& operands, PreparedCall* call);
Status PrepareGruGradient(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr DTypeSet kLengthTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_INT32};
inline constexpr DTypeSet kAnything = {ACL_FLOAT, ACL_FLOAT16, ACL_UINT8};

constexpr ParamSpec X(int id, const char* name, const char* dims) {
  return Dense(In(id, name, kFloats, dims));
}
constexpr ParamSpec Maybe(int id, const char* name, DTypeSet dtypes) {
  return Dense(In(id, name, dtypes, "*", Need::kOptional));
}
constexpr ParamSpec Y(int id, const char* name, const char* dims) {
  return Dense(Out(id, name, kFloats, dims));
}

// What the prototypes have in common. Peepholes are not offered, and no mask beside lengths.
inline constexpr ParamSpec kLengthsRow = Maybe(kLengths, "seq_length", kLengthTypes),
                           kWciRow = Maybe(kWci, "wci", kFloats),
                           kWcfRow = Maybe(kWcf, "wcf", kFloats),
                           kWcoRow = Maybe(kWco, "wco", kFloats),
                           kMaskRow = Maybe(kMask, "mask", kAnything);
inline constexpr ParamSpec kCellTypeRow = Value(kCellType, "cell_type", Kind::kText),
                           kDirectionRow = Value(kDirection, "direction", Kind::kText),
                           kDepthRow = Value(kDepth, "cell_depth", Kind::kInt64),
                           kPeepholeRow = Value(kPeephole, "use_peephole", Kind::kBool),
                           kKeepProbRow = Value(kKeepProb, "keep_prob", Kind::kDouble),
                           kClipRow = Value(kClip, "cell_clip", Kind::kDouble),
                           kProjectionRow = Value(kProjection, "num_proj", Kind::kInt64),
                           kTimeMajorRow = Value(kTimeMajor, "time_major", Kind::kBool),
                           kActivationRow = Value(kActivation, "activation", Kind::kText),
                           kForgetBiasRow = Value(kForgetBias, "forget_bias", Kind::kDouble),
                           kOrderRow = Value(kOrder, "gate_order", Kind::kText),
                           kTrainingRow = Value(kTraining, "is_training", Kind::kBool);

// Lengths, the state before the first step, and what is not offered.
inline constexpr std::array kLstmBefore = {kLengthsRow,
                                           Maybe(kInitH, "init_h", kFloats),
                                           Maybe(kInitC, "init_c", kFloats),
                                           kWciRow,
                                           kWcfRow,
                                           kWcoRow,
                                           kMaskRow};
inline constexpr std::array kLstmOutputs = {
    Y(kY, "y", "T B H"),     Y(kH, "output_h", "T B H"), Y(kC, "output_c", "T B H"),
    Y(kGates, "i", "T B H"), Y(kGate1, "j", "T B H"),    Y(kGate2, "f", "T B H"),
    Y(kGate3, "o", "T B H"), Y(kTanhC, "tanhc", "T B H")};
inline constexpr std::array kLstmAttributes = {kCellTypeRow,   kDirectionRow, kDepthRow,
                                               kPeepholeRow,   kKeepProbRow,  kClipRow,
                                               kProjectionRow, kTimeMajorRow};
inline constexpr std::array kLstmForwardAttributes = {kActivationRow, kForgetBiasRow, kOrderRow,
                                                      kTrainingRow};
inline constexpr auto kLstmParams =
    JoinRows(std::array{X(kX, "x", "T B I"), X(kWeight, "w", "C G"), X(kBias, "b", "G")},
             kLstmBefore, kLstmOutputs, kLstmAttributes, kLstmForwardAttributes);
inline constexpr auto kLstmV2Params =
    JoinRows(std::array{X(kX, "x", "T B I"), X(kWeight, "weight_input", "I G"),
                        X(kHiddenWeight, "weight_hidden", "H G"),
                        Dense(In(kBias, "b", kFloats, "G", Need::kOptional))},
             kLstmBefore, kLstmOutputs, kLstmAttributes, kLstmForwardAttributes);

// What the forward pass left behind, and the gradients that come in.
constexpr std::array<ParamSpec, 13> LstmSaved(const char* states) {
  return {X(kY, "y", "T B H"),         X(kInitH, "init_h", "*"), X(kInitC, "init_c", "*"),
          X(kH, "h", states),          X(kC, "c", states),       X(kDy, "dy", "T B H"),
          X(kDh, "dh", "*"),           X(kDc, "dc", "*"),        X(kGates, "i", "T B H"),
          X(kGate1, "j", "T B H"),     X(kGate2, "f", "T B H"),  X(kGate3, "o", "T B H"),
          X(kTanhC, "tanhct", "T B H")};
}
inline constexpr auto kLstmGradientParams = JoinRows(
    std::array{X(kX, "x", "T B I"), X(kWeight, "w", "C G"), X(kBias, "b", "G")}, LstmSaved("T B H"),
    std::array{kLengthsRow, kMaskRow, kWciRow, kWcfRow, kWcoRow, Y(kDw, "dw", "C G"),
               Y(kDb, "db", "G"), Y(kDx, "dx", "T B I"), Y(kDhPrev, "dh_prev", "*"),
               Y(kDcPrev, "dc_prev", "*")},
    kLstmAttributes, std::array{kForgetBiasRow, kOrderRow});
// Of a single step x may be without the dimension of steps.
inline constexpr auto kLstmV2GradientParams = JoinRows(
    std::array{X(kX, "x", "T B I | B I"), X(kWeight, "w_x", "I G"), X(kHiddenWeight, "w_h", "H G")},
    LstmSaved("*"),
    std::array{kLengthsRow, kWciRow, kWcfRow, kWcoRow, kMaskRow, Y(kDw, "dw_x", "I G"),
               Y(kDwHidden, "dw_h", "H G"), Y(kDb, "db", "G"), Y(kDx, "dx", "T B I | B I"),
               Y(kDhPrev, "dh_prev", "*"), Y(kDcPrev, "dc_prev", "*")},
    kLstmAttributes,
    std::array{kActivationRow, Value(kRecurrentActivation, "recurrent_activation", Kind::kText),
               kOrderRow, Value(kStateful, "stateful", Kind::kBool),
               Value(kMergeMode, "merge_mode", Kind::kText)});

inline constexpr std::array kGruInputs = {X(kX, "x", "T B I"), X(kWeight, "weight_input", "I G"),
                                          X(kHiddenWeight, "weight_hidden", "H G")};
inline constexpr std::array kGruAttributes = {kDirectionRow, kDepthRow,      kKeepProbRow,
                                              kClipRow,      kProjectionRow, kTimeMajorRow};
inline constexpr ParamSpec kResetAfterRow = Value(kResetAfter, "reset_after", Kind::kBool);
inline constexpr auto kGruParams = JoinRows(
    kGruInputs,
    std::array{Dense(In(kBias, "bias_input", kFloats, "G", Need::kOptional)),
               Dense(In(kHiddenBias, "bias_hidden", kFloats, "G", Need::kOptional)), kLengthsRow,
               Maybe(kInitH, "init_h", kFloats), Y(kY, "y", "T B H"), Y(kH, "output_h", "T B H"),
               Y(kGates, "update", "T B H"), Y(kGate1, "reset", "T B H"), Y(kGate2, "new", "T B H"),
               Y(kGate3, "hidden_new", "T B H")},
    kGruAttributes, std::array{kActivationRow, kOrderRow, kResetAfterRow, kTrainingRow});
inline constexpr auto kGruGradientParams = JoinRows(
    kGruInputs,
    std::array{X(kY, "y", "T B H"), X(kInitH, "init_h", "*"), X(kH, "h", "T B H"),
               X(kDy, "dy", "T B H"), X(kDh, "dh", "*"), X(kGates, "update", "T B H"),
               X(kGate1, "reset", "T B H"), X(kGate2, "new", "T B H"),
               X(kGate3, "hidden_new", "T B H"), kLengthsRow, kMaskRow, Y(kDw, "dw_input", "I G"),
               Y(kDwHidden, "dw_hidden", "H G"), Y(kDb, "db_input", "G"),
               Y(kDbHidden, "db_hidden", "G"), Y(kDx, "dx", "T B I"), Y(kDhPrev, "dh_prev", "*")},
    kGruAttributes,
    std::array{Value(kBiasType, "bias_type", Kind::kText), kOrderRow, kResetAfterRow});

constexpr OpSpec Row(const char* name, std::span<const ParamSpec> params, PrepareFunction prepare) {
  return {.op = {name, name}, .params = params, .prepare = prepare, .codes = kNodeCodes};
}
inline constexpr OpSpec kOperators[] = {
    Row("DynamicRNN", kLstmParams, PrepareLstm),
    Row("DynamicRNNV2", kLstmV2Params, PrepareLstm),
    Row("DynamicRNNGrad", kLstmGradientParams, PrepareLstmGradient),
    Row("DynamicRNNV2Grad", kLstmV2GradientParams, PrepareLstmGradient),
    Row("DynamicGRUV2", kGruParams, PrepareGru),
    Row("DynamicGRUV2Grad", kGruGradientParams, PrepareGruGradient),
};

// What the prototypes say of attributes that are left out.
inline constexpr Source kCell = TextAttribute{"cell_type", "LSTM"};
inline constexpr Source kUnidirectional = TextAttribute{"direction", "UNIDIRECTIONAL"};
inline constexpr Source kCellDepth = IntAttribute{"cell_depth", 1};
inline constexpr Source kUsePeephole = IntAttribute{"use_peephole", 0};
inline constexpr Source kKeepAll = RealAttribute{"keep_prob", 1};
inline constexpr Source kCellClip = RealAttribute{"cell_clip", -1};
inline constexpr Source kNumProj = IntAttribute{"num_proj", 0};
inline constexpr Source kTimesFirst = IntAttribute{"time_major", 1};
inline constexpr Source kTanh = TextAttribute{"activation", "tanh"};
inline constexpr Source kForget = RealAttribute{"forget_bias", 0};
inline constexpr Source kGateOrder = TextAttribute{"gate_order", "ijfo"};
inline constexpr Source kResetFirst = TextAttribute{"gate_order", "zrh"};
inline constexpr Source kIsTraining = IntAttribute{"is_training", 1};
inline constexpr Source kResetAfterwards = IntAttribute{"reset_after", 1};

inline constexpr Source kLstmDefaults[] = {kCell,    kUnidirectional, kCellDepth, kUsePeephole,
                                           kKeepAll, kCellClip,       kNumProj,   kTimesFirst,
                                           kTanh,    kForget,         kGateOrder, kIsTraining};
inline constexpr auto kLstmSources = InOrderOf<10, 8>(kLstmDefaults);
inline constexpr auto kLstmV2Sources = InOrderOf<11, 8>(kLstmDefaults);
inline constexpr auto kLstmGradientSources = InOrderOf<21, 5>(
    {kCell, kUnidirectional, kCellDepth, kUsePeephole, RealAttribute{"keep_prob", -1}, kCellClip,
     kNumProj, kTimesFirst, kForget, kGateOrder});
inline constexpr auto kLstmV2GradientSources = InOrderOf<21, 6>(
    {kCell, kUnidirectional, kCellDepth, kUsePeephole, kKeepAll, kCellClip, kNumProj, kTimesFirst,
     kTanh, TextAttribute{"recurrent_activation", "sigmoid"}, kGateOrder,
     IntAttribute{"stateful", 0}, TextAttribute{"merge_mode", "concat"}});
inline constexpr auto kGruSources =
    InOrderOf<7, 6>({kUnidirectional, kCellDepth, kKeepAll, kCellClip, kNumProj, kTimesFirst, kTanh,
                     kResetFirst, kResetAfterwards, kIsTraining});
inline constexpr auto kGruGradientSources = InOrderOf<14, 6>(
    {kUnidirectional, kCellDepth, RealAttribute{"keep_prob", -1}, kCellClip, kNumProj, kTimesFirst,
     TextAttribute{"bias_type", "double_bias"}, kResetFirst, kResetAfterwards});

inline constexpr SingleOpSpec kSingleOperators[] = {
    {"DynamicRNN", &kOperators[0], kLstmSources},
    {"DynamicRNNV2", &kOperators[1], kLstmV2Sources},
    {"DynamicRNNGrad", &kOperators[2], kLstmGradientSources},
    {"DynamicRNNV2Grad", &kOperators[3], kLstmV2GradientSources},
    {"DynamicGRUV2", &kOperators[4], kGruSources},
    {"DynamicGRUV2Grad", &kOperators[5], kGruGradientSources},
};

}  // namespace anyacl::recurrent
