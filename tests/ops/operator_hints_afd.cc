// SPDX-License-Identifier: Apache-2.0
#include "ops/afd_world.h"
#include "ops/operator_hints.h"

namespace anyacl::test {
namespace {

// The arguments of the senders name a communicator of four ranks: two of each kind.
constexpr const char* kGroup = "table";
constexpr const char* kSecondGroup = "second table";

// tokenDtype says what y is.
void FitTokenType(std::string_view table, std::string_view y, Call& call) {
  const aclDataType type =
      call[RowOf(table, y)].layout ? call[RowOf(table, y)].layout->dtype : ACL_FLOAT16;
  call[RowOf(table, "tokenDtype")].integer = type == ACL_BF16 ? 1 : type == ACL_INT8 ? 2 : 0;
}

// quantMode says what the rows of dispatch are: INT8, or what was given of x and expandXOut.
void FitRows(std::string_view table, std::string_view out, std::string_view scales, Call& call,
             size_t changed) {
  const auto row = [table](std::string_view name) { return RowOf(table, name); };
  CallArgument& x = call[row("x")];
  CallArgument& rows = call[row(out)];
  if (!x.layout || !rows.layout) return;
  call[row("quantMode")].integer = rows.layout->dtype == ACL_INT8 ? 2 : 0;
  if (call[row(scales)].layout) call[row(scales)].layout->dims = {24};
  if (rows.layout->dtype == ACL_INT8) return;
  (changed == row("x") ? rows : x).layout->dtype = (changed == row("x") ? x : rows).layout->dtype;
}

// Products fused with collectives.
void AddMatmulCollective(std::map<std::string, CallHints>& hints) {
  CallHints product = {.sizes = {{"M", {8}},
                                 {"B", {2}},
                                 {"S", {3}},
                                 {"K", {64}},
                                 {"N", {16}},
                                 {"G", {32}},
                                 {"P", {2}},
                                 {"C", {16}},
                                 {"R", {6}},
                                 {"F", {16}}},
                       .values = {{"group", {.text = kGroup}},
                                  {"reduceOp", {.text = "sum"}},
                                  {"commMode", {.text = "ai_cpu"}}},
                       .absent = {"commQuantScale1Optional", "commQuantScale2Optional"}};
  for (const char* name : {"MatmulAllReduce", "MatmulAllReduceV2", "MatmulAllReduceV3",
                           "AllGatherMatmul", "MatmulReduceScatter"}) {
    hints[name] = product;
  }
  const Layout left = {.dims = {8, 64}, .dtype = ACL_FLOAT16};
  hints["GroupedMatMulAllReduce"] = {
      .values = {{"x", {.layout = left}},
                 {"weight", {.layout = Layout{.dims = {64, 16}, .dtype = ACL_FLOAT16}}},
                 {"bias", {.layout = Layout{.dims = {16}, .dtype = ACL_FLOAT16}}},
                 {"y", {.layout = Layout{.dims = {8, 16}, .dtype = ACL_FLOAT16}}},
                 {"group", {.text = kGroup}},
                 {"reduceOp", {.text = "sum"}},
                 {"groupListOptional", {.array = {{8}}}},
                 {"splitItem", Integer(3)}},
      .own_shapes = true,
      .own_types = true,
      .needed = {"groupListOptional"}};
  CallHints wide = hints["GroupedMatMulAllReduce"];
  for (const char* row : {"x", "weight", "y"}) wide.values[row].layout->dtype = ACL_BF16;
  wide.values["bias"].layout->dtype = ACL_FLOAT;
  hints["GroupedMatMulAllReduce_with_bf16"] = wide;
  product.own_types = product.own_shapes = true;
  // FLOAT factors of columns with FLOAT16 results have factors of rows beside them.
  product.needed = {"pertokenScaleOptional", "x1ScaleOptional"};
  for (const char* name :
       {"QuantMatmulAllReduce", "QuantMatmulAllReduceV2", "QuantMatmulAllReduceV3",
        "QuantMatmulAllReduceV4", "QuantMatmulAllReduceV5", "WeightQuantMatmulAllReduce",
        "WeightQuantMatmulAllReduceV2"}) {
    hints[name] = product;
  }
  product.needed.clear();
  CallHints norm = product;
  norm.values["epsilon"] = {.real = 0.5};
  for (const char* name :
       {"MatmulAllReduceAddRmsNorm", "InplaceMatmulAllReduceAddRmsNorm",
        "QuantMatmulAllReduceAddRmsNorm", "InplaceQuantMatmulAllReduceAddRmsNorm",
        "WeightQuantMatmulAllReduceAddRmsNorm", "InplaceWeightQuantMatmulAllReduceAddRmsNorm"}) {
    hints[name] = norm;
  }
  CallHints moved = product;
  moved.sizes = {{"M", {8}},  {"H", {4}}, {"X", {16}}, {"Y", {16}}, {"K", {16}},
                 {"N", {16}}, {"P", {2}}, {"G", {32}}, {"C", {4}}};
  moved.values["alltoAllAxesOptional"] = Array({-2, -1});
  hints["AlltoAllMatmul"] = hints["AlltoAllMatmulV2"] = moved;
  moved.values["alltoAllAxesOptional"] = Array({-1, -2});
  moved.values["commQuantDtype"] = Integer(-1);
  for (const char* name :
       {"MatmulAlltoAll", "MatmulAlltoAllV2", "QuantMatmulAlltoAll", "QuantMatmulAlltoAllV2"}) {
    hints[name] = moved;
  }
  moved.sizes = {{"T", {8}}, {"H", {16}}, {"E", {2}}, {"X", {16}}, {"Y", {16}}, {"M", {3}},
                 {"K", {4}}, {"U", {4}},  {"V", {4}}, {"W", {4}},  {"A", {8}},  {"N", {16}}};
  moved.values["epWorldSize"] = Integer(4);
  moved.needed = {"mmXOptional", "mmWeightOptional", "mmYOptional"};  // all or none
  moved.values["sendCounts"] = moved.values["recvCounts"] = Array({1, 1, 1, 1, 1, 1, 1, 1});
  for (const char* name : {"AlltoAllvGroupedMatMul", "AlltoAllvGroupedMatMulV2",
                           "GroupedMatMulAlltoAllv", "GroupedMatMulAlltoAllvV2"}) {
    hints[name] = moved;
  }
  moved.needed.clear();
  moved.sizes = {{"X", {8}},  {"Y", {3}},  {"Z", {4}},  {"E", {2}},
                 {"R", {12}}, {"K", {16}}, {"N", {16}}, {"B", {4}}};
  moved.values["groupEp"] = {.text = kGroup};
  moved.values["groupTp"] = {.text = kSecondGroup};
  moved.values["tpWorldSize"] = Integer(4);
  moved.values["actType"] = Integer(1);
  moved.absent.push_back("biasOptional");  // its type goes with x's
  hints["AlltoAllAllGatherBatchMatMul"] = hints["BatchMatMulReduceScatterAlltoAll"] = moved;
  hints["DistributeBarrier"] = {.values = {{"group", {.text = kGroup}}, {"worldSize", Integer(4)}}};
  product.values["commMode"] = {.text = "aiv"};
  product.absent = {"x1Scale", "x2Scale", "quantScale", "amaxOut", "amaxOutOptional"};
  hints["MatmulReduceScatterV2"] = product;
  product.absent.push_back("bias");
  hints["AllGatherMatmulV2"] = product;
}

// Versions with experts that no rank has.
void AddLaterMoe(std::map<std::string, CallHints>& hints) {
  const auto add = [&hints](const char* name, const char* before) {
    CallHints& later = hints[name] = hints[before];
    later.sizes["Ec"] = {2};
    later.sizes["W"] = {4};
    later.absent.push_back("elasticInfoOptional");
  };
  for (const char* name : {"MoeDistributeDispatchV3", "MoeDistributeDispatchV4"}) {
    add(name, "MoeDistributeDispatchV2");
    hints[name].fit = [name](Call& call, size_t changed) {
      FitRows(name, "expandXOut", "dynamicScalesOut", call, changed);
    };
  }
  for (const char* name : {"MoeDistributeCombineV3", "MoeDistributeCombineV4"}) {
    add(name, "MoeDistributeCombineV2");
  }
  add("MoeDistributeCombineAddRmsNormV2", "MoeDistributeCombineAddRmsNorm");
}

}  // namespace

void AddAfd(std::map<std::string, CallHints>& hints) {
  static const World* const kWorld = new World(kGroup, {1 << 16, 1 << 16, 1 << 16, 1 << 16}, false);
  static const World* const kSecondWorld = new World(kSecondGroup, {0, 0, 0, 0}, false);
  (void)kWorld;
  (void)kSecondWorld;
  hints["InplaceFfnWorkerScheduler"] = {
      .sizes = {{"bytes", {1024}}}, .values = {{"syncGroupSize", Integer(1)}}, .own_shapes = true};
  hints["InplaceAttentionWorkerScheduler"] = {.sizes = {{"bytes", {1024}}}, .own_shapes = true};
  hints["FfnWorkerBatching"] = {
      .sizes = {{"bytes", {1024}}, {"Y", {12}}, {"S", {12}}, {"H", {8}}},
      .values = {{"maxOutShape", Array({2, 3, 2, 8})}, {"expertNum", Integer(4)}},
      .fit = [](Call& call, size_t) { FitTokenType("FfnWorkerBatching", "y", call); },
      .own_shapes = true};
  hints["AttentionWorkerCombine"] = {
      .sizes = {{"bytes", {1024}}},
      .values = {{"hiddenSize", Integer(4)}},
      .fit = [](Call& call, size_t) { FitTokenType("AttentionWorkerCombine", "y", call); },
      .own_shapes = true};
  hints["AttentionToFFN"] = {
      .sizes = {{"Bs", {3}}, {"H", {1024}}, {"K", {2}}, {"E", {6}}, {"M", {5}}},
      .values = {{"group", {.text = kGroup}},
                 {"worldSize", Integer(4)},
                 {"ffnTokenInfoTableShape", Array({2, 2, 11})},
                 {"ffnTokenDataShape", Array({2, 2, 3, 3, 1024})},
                 {"attnTokenInfoTableShape", Array({2, 3, 3})},
                 {"moeExpertNum", Integer(5)},
                 {"ffnStartRankId", Integer(2)}},
      .absent = {"scalesOptional"}};
  hints["MoeDistributeDispatchV2"] = {.sizes = {{"Bs", {3}},
                                                {"H", {64}},
                                                {"K", {2}},
                                                {"E", {8}},
                                                {"A", {24}},
                                                {"I", {3072}},
                                                {"L", {2}},
                                                {"C", {8}}},
                                      .values = {{"groupEp", {.text = kGroup}},
                                                 {"epWorldSize", Integer(4)},
                                                 {"moeExpertNum", Integer(8)}},
                                      .absent = {"scalesOptional", "expertScalesOptional"},
                                      .fit =
                                          [](Call& call, size_t changed) {
                                            FitRows("MoeDistributeDispatchV2", "expandXOut",
                                                    "dynamicScalesOut", call, changed);
                                          },
                                      .own_shapes = true};
  hints["MoeDistributeDispatch"] = hints["MoeDistributeDispatchV2"];
  hints["MoeDistributeDispatch"].sizes["I"] = {6};
  hints["MoeDistributeDispatch"].absent = {"scales", "xActiveMask", "expertScales"};
  hints["MoeDistributeDispatch"].fit = [](Call& call, size_t changed) {
    FitRows("MoeDistributeDispatch", "expandX", "dynamicScales", call, changed);
  };
  hints["MoeDistributeCombineV2"] = {
      .sizes = {{"Bs", {3}}, {"H", {64}}, {"K", {2}}, {"A", {24}}, {"I", {3072}}, {"C", {8}}},
      .values = {{"groupEp", {.text = kGroup}},
                 {"epWorldSize", Integer(4)},
                 {"moeExpertNum", Integer(8)}},
      .absent = {"sharedExpertXOptional"},
      .own_shapes = true};
  hints["MoeDistributeCombine"] = hints["MoeDistributeCombineV2"];
  hints["MoeDistributeCombine"].sizes["I"] = {6};
  hints["MoeDistributeCombine"].absent = {"xActiveMask"};
  hints["MoeDistributeCombineAddRmsNorm"] = hints["MoeDistributeCombineV2"];
  hints["MoeDistributeCombineV2"].values["expertScales"] = {.layout = Layout{.dims = {3, 2}}};
  AddLaterMoe(hints);
  // One communicator, and whatever way of sending.
  for (const char* name :
       {"MoeDistributeDispatch", "MoeDistributeDispatchV2", "MoeDistributeDispatchV3",
        "MoeDistributeDispatchV4", "MoeDistributeCombine", "MoeDistributeCombineV2",
        "MoeDistributeCombineV3", "MoeDistributeCombineV4", "MoeDistributeCombineAddRmsNorm",
        "MoeDistributeCombineAddRmsNormV2"}) {
    for (const char* text : {"groupTp", "commAlg"}) hints[name].values[text] = {.text = ""};
    hints[name].values["normEps"] = {.real = 1e-6};
  }
  AddMatmulCollective(hints);
  hints["FFNToAttention"] = {.sizes = {{"Y", {4}}, {"H", {1024}}, {"A", {3}}},
                             .values = {{"group", {.text = kGroup}},
                                        {"worldSize", Integer(4)},
                                        {"tokenInfoTableShape", Array({2, 3, 3})},
                                        {"tokenDataShape", Array({2, 3, 3, 1024})}}};
}

}  // namespace anyacl::test
