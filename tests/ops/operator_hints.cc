// SPDX-License-Identifier: Apache-2.0
// What the tables leave open, operator by operator.
#include "ops/operator_hints.h"

#include <algorithm>
#include <set>

#include "ops/elementwise/operators.h"

namespace anyacl::test {
namespace {

// self and out have one format.
template <FixedString kName>
void FitFormats(Call& call, size_t changed) {
  static const size_t self = RowOf(kName.chars, "self"), out = RowOf(kName.chars, "out");
  if (changed == self) call[out].layout->format = call[self].layout->format;
  if (changed == out) call[self].layout->format = call[out].layout->format;
}

// Experts choose among rows of smooth scales; without them there is one row.
void FitDynamicQuant(Call& call, size_t) {
  static const size_t smooth = RowOf("DynamicQuantV2", "smoothScalesOptional");
  static const size_t group = RowOf("DynamicQuantV2", "groupIndexOptional");
  if (!call[smooth].layout) call[group].layout.reset();
  if (call[smooth].layout && !call[group].layout) call[smooth].layout->dims = {16};
}

// Statistics in 16 bits go with data of the same type.
void FitGroupNormBackward(Call& call, size_t) {
  static const size_t mean = RowOf("GroupNormBackward", "mean");
  const aclDataType type = call[mean].layout->dtype;
  if (type == ACL_FLOAT) return;
  for (const char* name : {"gradOut", "input", "gradInput"}) {
    call[RowOf("GroupNormBackward", name)].layout->dtype = type;
  }
}

// dtype is out's type, and what self becomes; complex numbers become nothing else.
void FitSum(Call& call, size_t changed) {
  static const size_t self = RowOf("Mean", "self"), dtype = RowOf("Mean", "dtype"),
                      out = RowOf("Mean", "out");
  const aclDataType type = call[self].layout->dtype;
  if (changed == self && (type == ACL_COMPLEX64 || type == ACL_COMPLEX128)) {
    call[out].layout->dtype = type;
  }
  call[dtype].integer = call[out].layout->dtype;
  if (changed == out) call[self].layout->dtype = call[out].layout->dtype;
}

// dtype is out's type.
void FitQuantize(Call& call, size_t) {
  static const size_t dtype = RowOf("Quantize", "dtype"), out = RowOf("Quantize", "out");
  call[dtype].integer = call[out].layout->dtype;
}

// dstType is y's type; INT32 holds eight INT4.
template <FixedString kName>
void FitAscendQuant(Call& call, size_t) {
  static const size_t dst = RowOf(kName.chars, "dstType"), y = RowOf(kName.chars, "y");
  if (!call[y].layout) return;
  call[dst].integer = call[y].layout->dtype;
  if (call[y].layout->dtype == ACL_INT32) call[y].layout->dims = {2, 1};
}

// The sum is wanted wherever the statistics are.
void FitAddRmsNorm(Call& call, size_t) {
  static const size_t rstd = RowOf("AddRmsNorm", "rstdOut"), sum = RowOf("AddRmsNorm", "xOut");
  if (!call[sum].layout) call[rstd].layout.reset();
}

// A further call that has the optional tensors which the plain one leaves out.
void AddWhole(std::map<std::string, CallHints>& hints, const std::string& name) {
  CallHints& whole = hints[name + "_with_all"] = hints.at(name);
  whole.absent.clear();
}

const std::map<std::string, CallHints>& AllHints() {
  static const CallHints kGroupNorm = {.sizes = {{"N", {2}},
                                                 {"C", {4}},
                                                 {"HxW", {6}},
                                                 {"group", {2}},
                                                 {"G", {4}},
                                                 {"X", {2, 4, 6}},
                                                 {"S", {6}}},
                                       .values = {{"N", Integer(2)},
                                                  {"C", Integer(4)},
                                                  {"HxW", Integer(6)},
                                                  {"group", Integer(2)},
                                                  {"outputMask", Array({1, 1, 1})}}};
  static const CallHints kGrouped = {
      .sizes = {{"M", {6}}, {"K", {32}}, {"N", {128}}, {"E", {3}}, {"L", {3}}, {"G", {4}}},
      .own_types = true};
  static const std::map<std::string, CallHints> kHints = [] {
    std::map<std::string, CallHints> hints;
    hints["DynamicQuant"] =
        hints["DynamicQuantV2"] = {.sizes = {{"B", {3, 5}}, {"H", {16}}, {"E", {4}}}};
    hints["DynamicQuantV2"].fit = FitDynamicQuant;
    hints["GroupNorm"] = hints["GroupNormBackward"] = kGroupNorm;
    hints["GroupNorm"].fit = FitFormats<"GroupNorm">;
    hints["GroupNormBackward"].fit = FitGroupNormBackward;
    const CallHints activated = {
        .sizes = {{"N", {2}}, {"C", {4}}, {"S", {3}}, {"group", {2}}, {"numGroups", {2}}},
        .values = {{"group", Integer(2)},
                   {"numGroups", Integer(2)},
                   {"dataFormatOptional", {.text = "NCHW"}}},
        .own_shapes = true,
        .own_types = true};
    for (const char* name :
         {"GroupNormSilu", "GroupNormSiluV2", "GroupNormSwish", "GroupNormSwishGrad"}) {
      hints[name] = activated;
    }
    for (const char* name : {"ReduceSum", "Mean", "MeanV2", "Amax", "MaxV2", "Amin", "All", "Any",
                             "LogSumExp", "ReduceLogSum", "ArgMax", "ArgMin"}) {
      hints[name] = {.sizes = {{"R", {3}}}};
    }
    hints["Max"] = hints["Min"] = {.sizes = {{"R", {}}}};
    for (const char* name : {"RmsNorm", "GemmaRmsNorm", "AddRmsNorm", "LayerNorm",
                             "LayerNormWithImplMode", "FastLayerNorm"}) {
      hints[name] = {.sizes = {{"G", {3}}, {"W", {3}}, {"R", {2, 1}}},
                     .values = {{"normalizedShape", Array({3})}}};
    }
    hints["AddRmsNorm"].fit = FitAddRmsNorm;
    hints["SwiGlu"] = {.sizes = {{"Y", {1, 3}}}};
    hints["Glu"] = hints["GluBackward"] =
        hints["SwiGluGrad"] = {.sizes = {{"X", {2, 3}}, {"Y", {1, 3}}}, .own_shapes = true};
    hints["GeGluV3Backward"] = {.sizes = {{"X", {1, 6}}, {"Y", {1, 3}}},
                                .values = {{"dim", Integer(1)}},
                                .own_shapes = true};
    hints["GeGluBackward"] = hints["GeGluV3Backward"];
    hints["GeGlu"] = hints["GeGluV3"] = {.sizes = {{"Y", {1, 3}}}, .own_shapes = true};
    hints["RotaryPositionEmbedding"] = {.sizes = {{"X", {2, 3}}, {"A", {2, 1}}, {"D", {8}}},
                                        .own_shapes = true};
    hints["Quantize"] = {.sizes = {{"S", {1}}},
                         .values = {{"dtype", Integer(ACL_INT8)}},
                         .fit = FitQuantize,
                         .own_shapes = true};
    hints["InplaceFillTensor"] = {.sizes = {{"V", {1}}}, .own_shapes = true};
    hints["TransformBiasRescaleQkv"] = {
        .sizes = {{"B", {2}}, {"T", {3}}, {"W", {12}}, {"numHeads", {2}}, {"D", {2}}},
        .values = {{"numHeads", Integer(2)}},
        .own_shapes = true};
    hints["ReduceSum"].fit = hints["Mean"].fit = FitSum;
    // Products: [2, 3] times [3, 4].
    const CallHints product = {
        .sizes = {
            {"B", {5}}, {"M", {2}}, {"K", {3}}, {"N", {4}}, {"MN", {2, 4}}, {"BMN", {5, 2, 4}}}};
    for (const char* name :
         {"Mm", "BatchMatMul", "Addmm", "InplaceAddmm", "Baddbmm", "InplaceBaddbmm", "Mv", "Dot",
          "Addmv", "Addbmm", "InplaceAddbmm", "Addr", "InplaceAddr", "Ger", "MatmulWeightNz",
          "BatchMatMulWeightNz", "AddmmWeightNz"}) {
      hints[name] = product;
    }
    hints["BatchMatMulWeightNz"].own_types = true;
    hints["Dot"].sizes["O"] = {};
    hints["Gemm"] = {.sizes = {{"A0", {2}}, {"A1", {3}}, {"B0", {3}}, {"C", {2, 4}}, {"O0", {2}}},
                     .own_shapes = true};
    hints["TransposeBatchMatMul"] = {.sizes = {{"X0", {5}},
                                               {"X1", {2}},
                                               {"X2", {3}},
                                               {"Y0", {5}},
                                               {"Y1", {3}},
                                               {"Y2", {4}},
                                               {"O0", {2}},
                                               {"O1", {5}},
                                               {"O2", {4}}},
                                     .values = {{"permX1", {.array = {{0, 1, 2}}}},
                                                {"permX2", {.array = {{0, 1, 2}}}},
                                                {"permY", {.array = {{1, 0, 2}}}},
                                                {"batchSplitFactor", Integer(1)}},
                                     .absent = {"bias", "scale"},
                                     .own_shapes = true};
    for (const char* name : {"AscendQuant", "AscendQuantV3"}) {
      hints[name] = {.sizes = {{"X", {2, 8}}, {"S", {8}}, {"Y", {2, 8}}},
                     .values = {{"y", {.layout = Layout{.dims = {2, 8}, .dtype = ACL_INT8}}},
                                {"dstType", Integer(ACL_INT8)},
                                {"axis", Integer(-1)},
                                {"roundMode", {.text = "round"}}},
                     .own_shapes = true,
                     .own_types = true};
    }
    hints["AscendQuant"].fit = FitAscendQuant<"AscendQuant">;
    hints["AscendQuantV3"].fit = FitAscendQuant<"AscendQuantV3">;
    hints["RecurrentGatedDeltaRule"].own_shapes = true;  // any number of states
    hints["TransQuantParamV2"] = {.sizes = {{"S", {4}}, {"F", {4}}, {"O", {4}}},
                                  .own_shapes = true};
    hints["TransQuantParamV3"] = {.sizes = {{"S", {4}}, {"F", {4}}, {"O", {4}}},
                                  .own_shapes = true};
    hints["ConvertWeightToINT4Pack"].sizes = {{"N", {8}}};
    hints["TransMatmulWeight"] = {.sizes = {{"W", {16, 16}}}, .own_shapes = true};
    AddLinearAlgebra(hints);
    hints["Cdist"] = {.sizes = {{"X", {2}}, {"Y", {2}}, {"O", {2}}, {"P", {3}}, {"R", {5}}},
                      .own_shapes = true};
    hints["CdistBackward"] = {.sizes = {{"B", {2}}, {"P", {3}}, {"R", {5}}}, .own_shapes = true};
    hints["PdistForward"] = {.sizes = {{"N", {3}}, {"M", {2}}, {"K", {3}}}, .own_shapes = true};
    hints["ChamferDistanceBackward"] = {.sizes = {{"B", {2}}, {"N", {3}}, {"M", {4}}}};
    hints["PrecisionCompare"] = {.sizes = {{"O", {}}}, .own_shapes = true};
    hints["GroupNormSiluQuant"] = {.sizes = {{"C", {4}}, {"Q", {4}}, {"group", {2}}},
                                   .values = {{"group", Integer(2)}, {"activateSilu", Integer(1)}},
                                   .own_shapes = true};
    hints["Pdist"] = {.sizes = {{"N", {3}}, {"M", {2}}, {"K", {3}}}, .own_shapes = true};
    hints["Stft"] = {
        .sizes = {{"L", {20}}},
        .values = {{"nFft", Integer(8)},
                   {"hopLength", Integer(4)},
                   {"winLength", Integer(8)},
                   {"returnComplex", Integer(1)},
                   {"windowOptional", {.layout = Layout{.dims = {8}}}},
                   {"out", {.layout = Layout{.dims = {8, 4}, .dtype = ACL_COMPLEX64}}}},
        .alternatives = {{"self", 0}},
        .own_shapes = true,
        .own_types = true};
    hints["LinalgCross"] = {.sizes = {{"S", {2, 3}}}, .values = {{"dim", Integer(1)}}};
    for (const char* name : {"Addmv", "Addr", "InplaceAddr", "Ger"}) hints[name].own_types = true;
    hints["Matmul"] = {.sizes = {{"L", {3, 3}}, {"R", {3, 3}}, {"O", {3, 3}}}, .own_types = true};
    for (const char* name : {"GroupedMatmulSwigluQuant", "GroupedMatmulSwigluQuantWeightNZ"}) {
      hints[std::string(name) + "_INT8_weights"] = kGrouped;
      hints[std::string(name) + "_INT4_weights"] = kGrouped;
    }
    AddData(hints);
    AddImages(hints);
    for (const char* name : {"SearchSorted", "SearchSorteds", "Bincount"}) {
      AddWhole(hints, name);
    }
    hints["SearchSorted_with_all"].values = {
        {"out", {.layout = Layout{.dims = {2, 3}, .dtype = ACL_INT64}}}};
    hints["SearchSorteds_with_int32"] = hints["SearchSorteds"];
    hints["SearchSorteds_with_int32"].values = {
        {"outInt32", Integer(1)}, {"out", {.layout = Layout{.dims = {1}, .dtype = ACL_INT32}}}};
    AddAfd(hints);
    AddRouting(hints);
    AddAttention(hints);
    AddQuantised(hints);
    AddInference(hints);
    AddNativeSparseAttention(hints);
    AddSparseAttention(hints);
    AddTraining(hints);
    AddFlashVersions(hints);
    hints["Prelu"] = hints["PreluBackward"] = {.sizes = {{"W", {3}}}};
    hints["GeluBackwardV2"] = {.values = {{"approximate", {.text = "none"}}}};
    // Quotients of integers are numbers; rounded ones may be integers.
    for (const char* name : {"DivMod", "InplaceDivMod", "DivMods", "InplaceDivMods"}) {
      hints[std::string(name) + "_with_mode"] = {.values = {{"mode", Integer(2)}},
                                                 .own_types = true};
    }
    // Bits are of integers.
    const CallArgument one = {.real = 1, .scalar = ACL_INT64};
    for (const char* name : {"BitwiseAndScalar", "BitwiseOrScalar", "BitwiseXorScalar"}) {
      hints[name].values = hints[std::string("Inplace") + name].values = {{"other", one}};
    }
    hints["LeftShifts"].values = {{"shiftBits", one}};
    hints["Lgamma"].fit = FitFormats<"Lgamma">;
    hints["Digamma"].fit = FitFormats<"Digamma">;
    // Which types an output may have depends on those of the inputs.
    for (const OpSpec& spec : elementwise::kOperators) {
      hints[std::string(spec.op.phase_two).substr(5)].own_types = true;
    }
    return hints;
  }();
  return kHints;
}

// Words that hints of a folder's operators may name.
struct FolderWords {
  std::set<std::string_view> rows, symbols;
};

FolderWords WordsOf(const OperatorFolder& folder) {
  FolderWords words;
  const auto add = [&](std::span<const ParamSpec> rows) {
    for (const ParamSpec& row : rows) {
      words.rows.insert(row.name);
      if (row.names_size) words.symbols.insert(row.name);
      for (const char* dims : {row.dims, row.packed_dims}) {
        for (DimAlternatives each(dims == nullptr ? "" : dims); each.Next();) {
          for (std::string_view word : each.words()) words.symbols.insert(SymbolOf(word));
        }
      }
    }
  };
  for (const OpSpec& spec : folder.operators) {
    add(spec.params);
    for (const TableVariant& variant : spec.variants) add(variant.params);
  }
  return words;
}

}  // namespace

std::vector<std::string> HintNames() {
  std::vector<std::string> names;
  for (const auto& [name, hints] : AllHints()) names.push_back(name);
  return names;
}

std::vector<std::string> UnknownHints() {
  std::map<const OpSpec*, FolderWords> words;
  for (const OperatorFolder& folder : OperatorFolders()) {
    for (const OpSpec& spec : folder.operators) words[&spec] = WordsOf(folder);
  }
  std::map<std::string_view, const OpSpec*> specs;
  for (const OperatorTable& table : OperatorTables()) specs[table.name] = table.spec;
  std::vector<std::string> unknown;
  for (const auto& [name, hints] : AllHints()) {
    const auto spec = specs.find(name);
    if (spec == specs.end()) {
      unknown.push_back(name);
      continue;
    }
    const FolderWords& known = words.at(spec->second);
    const auto check = [&, table = std::string(name)](const std::set<std::string_view>& among,
                                                      std::string_view word) {
      if (!among.contains(word)) unknown.push_back(table + ": " + std::string(word));
    };
    for (const auto& [symbol, sizes] : hints.sizes) check(known.symbols, symbol);
    for (const auto& [row, value] : hints.values) check(known.rows, row);
    for (const auto& [row, which] : hints.alternatives) check(known.rows, row);
    for (const std::string_view row : hints.absent) check(known.rows, row);
    for (const std::string_view row : hints.needed) check(known.rows, row);
  }
  return unknown;
}

const CallHints& HintsOf(const OperatorTable& table) {
  static const CallHints kNone;
  const auto known = AllHints().find(table.name);
  return known == AllHints().end() ? kNone : known->second;
}

}  // namespace anyacl::test
