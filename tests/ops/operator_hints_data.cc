// SPDX-License-Identifier: Apache-2.0
// Hints of operators that move elements, find and count them, or make them.
#include "ops/operator_hints.h"

namespace anyacl::test {
namespace {

// self, the diagonal and out, which has self's format.
void FitTriangle(Call& call, size_t changed) {
  if (!call[changed].layout) return;
  for (size_t tensor : {0, 2}) call[tensor].layout->format = call[changed].layout->format;
}

void AddMovement(std::map<std::string, CallHints>& hints) {
  hints["Tril"].fit = hints["Triu"].fit = FitTriangle;
  hints["Triu"].alternatives = {{"self", 0}, {"out", 0}};
  hints["ChunkCat"] = {
      .sizes = {{"n", {2}}, {"C", {3}}},
      .values = {{"numChunks", Integer(2)}, {"tensors", {.layout = Layout{.dims = {2, 3}}}}},
      .own_shapes = true,
      .own_types = true};
  hints["Cat"] = {.own_shapes = true, .own_types = true};
  hints["Stack"] = {.sizes = {{"A", {3}}, {"B", {1, 3}}}, .own_shapes = true, .own_types = true};
  hints["ChannelShuffle"] = {.sizes = {{"N", {2}}, {"C", {3}}, {"X", {4}}}, .own_shapes = true};
  hints["Permute"] = {.values = {{"dims", Array({0, 1})}}, .own_shapes = true};
  hints["Slice"] = {.values = {{"end", Integer(2)}}, .own_shapes = true};
  hints["Repeat"] = {.values = {{"repeats", Array({1, 1})}}, .own_shapes = true};
  hints["RepeatInterleaveIntWithDim"] = {
      .values = {{"repeats", Integer(1)}, {"outputSize", Integer(2)}}, .own_shapes = true};
  hints["RepeatInterleaveInt"] = {.sizes = {{"L", {6}}},
                                  .values = {{"repeats", Integer(1)}, {"outputSize", Integer(6)}},
                                  .own_shapes = true};
  hints["RepeatInterleave"] = {.sizes = {{"L", {6}}, {"R", {1}}},
                               .values = {{"outputSize", Integer(6)}},
                               .own_shapes = true};
  hints["RepeatInterleaveWithDim"] = {
      .sizes = {{"R", {1}}}, .values = {{"outputSize", Integer(2)}}, .own_shapes = true};
  hints["RepeatInterleaveTensor"] = {.sizes = {{"R", {2}}, {"L", {6}}},
                                     .values = {{"outputSize", Integer(6)}},
                                     .own_shapes = true};
  hints["RepeatInterleaveGrad"] = {.sizes = {{"R", {1}}}, .own_shapes = true};
  hints["SplitWithSize"] = {.values = {{"splitSize", Array({2})}}, .own_shapes = true};
  hints["SplitTensor"] = {.values = {{"splitSections", Integer(2)}}, .own_shapes = true};
  hints["SliceV2"] = {.values = {{"ends", Array({2})}, {"steps", Array({1})}}, .own_shapes = true};
  hints["StridedSliceAssignV2"] = {.values = {{"begin", Array({0})},
                                              {"end", Array({2})},
                                              {"strides", Array({1})},
                                              {"axesOptional", Array({0})}},
                                   .own_shapes = true};
  hints["StridedSlice"] = {.values = {{"end", Array({2})}, {"strides", Array({1})}},
                           .own_shapes = true};
  hints["ConfusionTranspose"] = {.values = {{"perm", Array({0, 1})}, {"shape", Array({2, 3})}},
                                 .own_shapes = true};
  hints["Expand"] = {.values = {{"size", Array({2, 3})}}, .own_shapes = true};
  hints["Flatten"] = {.sizes = {{"R", {1}}, {"C", {6}}}, .own_shapes = true};
  hints["Diag"] = {.sizes = {{"M", {2}}, {"N", {3}}},
                   .values = {{"out", {.layout = Layout{.dims = {2}}}}},
                   .own_shapes = true};
  hints["DiagFlat"] = {.values = {{"out", {.layout = Layout{.dims = {6, 6}}}}}, .own_shapes = true};
  hints["ConstantPadNd"] = {.values = {{"pad", Array({0, 0})}}, .own_shapes = true};
  for (const char* name : {"GatherV2", "GatherV3", "IndexSelect", "InplaceIndexCopy"}) {
    hints[name] = {.sizes = {{"I", {2}}}, .own_shapes = true};
  }
  for (const char* name : {"Embedding", "InplaceTril", "InplaceTriu", "Arange", "Range"}) {
    hints[name] = {.own_shapes = true};
  }
  hints["InplaceTriu"].alternatives = {{"selfRef", 0}};
  hints["NpuFormatCast"] = {.sizes = {{"A", {1, 2, 3}}, {"B", {1, 1, 1, 16, 16}}},
                            .own_shapes = true};
  hints["Linspace"] =
      hints["LogSpace"] = {.sizes = {{"steps", {4}}}, .values = {{"steps", Integer(4)}}};
  hints["Eye"] = {.sizes = {{"n", {3}}, {"m", {5}}},
                  .values = {{"n", Integer(3)}, {"m", Integer(5)}}};
}

void AddIndexing(std::map<std::string, CallHints>& hints) {
  for (const char* name :
       {"Gather", "Take", "InplacePut", "Scatter", "InplaceScatter", "ScatterValue",
        "InplaceScatterValue", "ScatterAdd", "InplaceMaskedScatter", "MaskedSelect", "Nonzero",
        "NonzeroV2", "EmbeddingRenorm"}) {
    hints[name] = {.own_shapes = true};
  }
  for (const char* name : {"GatherNd", "ScatterNd"}) {
    hints[name] = {.sizes = {{"A", {}}, {"C", {1}}}, .own_shapes = true};
  }
  hints["ExpandIntoJaggedPermute"] = {.sizes = {{"T", {2}}, {"U", {3}}, {"outputSize", {4}}},
                                      .values = {{"outputSize", Integer(4)}},
                                      .own_shapes = true};
  hints["TfScatterAdd"] = {
      .sizes = {{"A", {2, 3}}, {"C", {4}}, {"I", {}}, {"D", {4}}, {"U", {2, 3}}},
      .own_shapes = true};
  // An index without elements, of whatever type, stands for a whole dimension.
  hints["Index"] =
      hints["IndexPutImpl"] = {.values = {{"indices", {.layout = Layout{.dims = {0}}}}},
                               .own_shapes = true,
                               .own_types = true};
  for (const char* name :
       {"IndexAdd", "IndexAddV2", "IndexFill", "InplaceIndexFill", "IndexCopy"}) {
    hints[name] = {.sizes = {{"I", {2}}}, .own_shapes = true};
  }
  hints["IndexAddV2"].values = {{"mode", Integer(1)}};
  // [2, 3] has 6 elements of 2 dimensions.
  hints["MaskedSelect"].sizes = {{"N", {6}}};
  hints["Nonzero"].sizes = hints["NonzeroV2"].sizes = {{"N", {6}}, {"D", {2}}};
  hints["InplaceMaskedFillTensor"] = {.sizes = {{"V", {}}}, .own_shapes = true};
  hints["OneHot"] = {
      .sizes = {{"B", {3, 2, 3}}}, .values = {{"numClasses", Integer(3)}}, .own_shapes = true};
  hints["EmbeddingDenseBackward"] = {.sizes = {{"numWeights", {5}}, {"H", {3}}, {"I", {2}}},
                                     .values = {{"numWeights", Integer(5)}},
                                     .own_shapes = true};
  hints["EmbeddingBag"] = {
      .sizes = {{"I", {2}}, {"O", {2}}, {"B", {2}}, {"H", {3}}, {"P", {2}}, {"Q", {2}}, {"R", {2}}},
      .absent = {"perSampleWeights"},
      .own_shapes = true};
}

void AddSorting(std::map<std::string, CallHints>& hints) {
  hints["Topk"] = {
      .sizes = {{"V", {2, 3}}, {"I", {2, 3}}}, .values = {{"k", Integer(2)}}, .own_shapes = true};
  for (const char* name : {"Kthvalue", "MedianDim", "NanMedianDim"}) {
    hints[name] = {.sizes = {{"R", {3}}}, .own_shapes = true};
  }
  hints["Median"] = hints["NanMedian"] = {.sizes = {{"R", {}}}, .own_shapes = true};
  hints["SearchSorted"] = {.values = {{"outInt32", Integer(1)}},
                           .absent = {"sorter"},
                           .own_shapes = true,
                           .own_types = true};
  hints["SearchSorteds"] = hints["SearchSorted"];
  hints["SearchSorteds"].values = {{"out", {.layout = Layout{.dims = {1}, .dtype = ACL_INT64}}}};
  // [2, 3] has 6 elements.
  hints["Unique"] = hints["Unique2"] = {.sizes = {{"N", {6}}, {"C", {6}}}, .own_shapes = true};
  hints["UniqueConsecutive"] = {.sizes = {{"V", {6}}, {"C", {6}}, {"I", {2, 3}}},
                                .values = {{"dim", Integer(1000)}},
                                .own_shapes = true};
  hints["UniqueDim"] = {.sizes = {{"I", {2}}, {"C", {2}}}, .own_shapes = true};
  hints["Bincount"] = {.absent = {"weights"}, .own_shapes = true};
  hints["Histc"] = {.sizes = {{"bins", {4}}}, .values = {{"bins", Integer(4)}}};
  hints["Multinomial"] = {.sizes = {{"S", {1}}}, .own_shapes = true};
  hints["MultinomialTensor"] = hints["Multinomial"];
}

void AddCumulative(std::map<std::string, CallHints>& hints) {
  // The type of the result is an argument, too.
  for (const char* name : {"Cumsum", "Cumprod"}) {
    hints[name] = {.own_types = true};
  }
  hints["InplaceCumprod"] = {.own_shapes = true};
  const auto fit = [](Call& call, size_t changed) {
    if (call[changed].layout) call[changed].layout->format = ACL_FORMAT_ND;
  };
  hints["ExpSegsum"] = hints["ExpSegsumBackward"] = {.fit = fit, .own_shapes = true};
}

void AddWindows(std::map<std::string, CallHints>& hints) {
  for (const char* name : {"ReflectionPad1d", "ReplicationPad1d", "ReflectionPad1dBackward",
                           "ReplicationPad1dBackward"}) {
    hints[name] = {.values = {{"padding", Array({0, 0})}}, .own_shapes = true};
  }
  for (const char* kind : {"ReflectionPad", "ReplicationPad", "CircularPad"}) {
    for (int dims : {2, 3}) {
      const std::string name = kind + std::to_string(dims) + "d";
      const Layout layout{.dims = dims == 2 ? std::vector<int64_t>{2, 3, 3}
                                            : std::vector<int64_t>{2, 3, 3, 3}};
      const CallArgument padding = dims == 2 ? Array({0, 0, 0, 0}) : Array({0, 0, 0, 0, 0, 0});
      hints[name] = hints[name + "Backward"] = {.values = {{"self", {.layout = layout}},
                                                           {"out", {.layout = layout}},
                                                           {"gradOutput", {.layout = layout}},
                                                           {"gradInput", {.layout = layout}},
                                                           {"padding", padding}},
                                                .own_shapes = true};
    }
  }
  hints["Im2col"] = hints["Im2colBackward"] = {
      .sizes = {{"N", {2}}, {"C", {3}}, {"H", {4}}, {"W", {5}}, {"K", {12}}, {"L", {12}}},
      .values = {{"inputSize", Array({4, 5})},
                 {"kernelSize", Array({2, 2})},
                 {"dilation", Array({1, 1})},
                 {"padding", Array({0, 0})},
                 {"stride", Array({1, 1})}},
      .own_shapes = true};
  // [2, 3] in windows of one along the last dimension.
  hints["UnfoldGrad"] = {.sizes = {{"A", {2, 3, 1}}},
                         .values = {{"inputSizes", Array({2, 3})}, {"dim", Integer(1)}},
                         .own_shapes = true};
}

void AddRandom(std::map<std::string, CallHints>& hints) {
  for (const char* name : {"InplaceRandom", "InplaceRandomTensor"}) {
    hints[name] = {.values = {{"to", Integer(1)}}};
  }
  for (const char* name : {"DropoutGenMask", "DropoutGenMaskV2", "DropoutGenMaskV2Tensor",
                           "Dropout", "DropoutDoMask", "DropoutBackward"}) {
    hints[name] = {.sizes = {{"M", {16}}}, .own_shapes = true};
  }
  for (const char* name :
       {"NormalFloatFloat", "NormalFloatTensor", "NormalTensorFloat", "NormalTensorTensor"}) {
    hints[name] = {.own_shapes = true};
  }
  hints["DropoutGenMask"].values = hints["DropoutGenMaskV2"].values =
      hints["DropoutGenMaskV2Tensor"].values = {{"shape", Array({2, 3})}};
  hints["Randperm"] = {.sizes = {{"n", {3}}}, .values = {{"n", Integer(3)}}};
}

}  // namespace

void AddData(std::map<std::string, CallHints>& hints) {
  AddMovement(hints);
  AddIndexing(hints);
  AddSorting(hints);
  AddCumulative(hints);
  AddWindows(hints);
  AddRandom(hints);
}

}  // namespace anyacl::test
