// SPDX-License-Identifier: Apache-2.0
// What aclnnMlaProlog and its later versions refuse, with the code and the words of each rule.
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "aclnn/opdev/op_errno.h"
#include "ops/mla_prolog_case.h"

namespace anyacl::test {
namespace {

using namespace prolog;

// What is broken of a right call.
struct Broken {
  Call call = {};
  std::map<std::string, Layout> layouts = {};
  std::set<std::string> nulls = {}, given = {};
  const char* mode = "PA_BSND";
  double eps = 1e-5, eps_ckv = 1e-5;
  std::vector<int64_t> index = {};
  std::vector<int64_t> modes = {};  // of weights, caches and queries
  std::vector<int32_t> ends = {};
};

class MlaPrologRefusalTest : public MlaPrologTest {
 protected:
  // The call with empty tensors of the right layouts, but for what is broken.
  void Prepare(const Broken& b, const std::function<void(const Phase1&)>& then) {
    const Call& c = b.call;
    const auto type = [](bool integers) { return integers ? ACL_INT8 : ACL_BF16; };
    const int64_t up = c.heads * (c.plain + c.turned), down = c.key_rank + c.turned;
    const aclDataType whole = type(c.int8_tokens), wide = ACL_FLOAT;
    const std::vector<std::pair<const char*, Layout>> rows = {
        {"tokenX", {.dims = Tokens(c, {c.width}), .dtype = whole}},
        {"weightDq", {.dims = {c.width, c.query_rank}, .dtype = whole}},
        {"weightUqQr", {.dims = {c.query_rank, up}, .dtype = type(c.int8_queries)}},
        {"weightUk", {.dims = {c.heads, c.plain, c.key_rank}, .dtype = ACL_BF16}},
        {"weightDkvKr", {.dims = {c.width, down}, .dtype = whole}},
        {"rmsnormGammaCq", {.dims = {c.query_rank}, .dtype = ACL_BF16}},
        {"rmsnormGammaCkv", {.dims = {c.key_rank}, .dtype = ACL_BF16}},
        {"ropeSin", {.dims = Tokens(c, {c.turned}), .dtype = ACL_BF16}},
        {"ropeCos", {.dims = Tokens(c, {c.turned}), .dtype = ACL_BF16}},
        {"cacheIndex", {.dims = Tokens(c, {}), .dtype = ACL_INT64}},
        {"kvCacheRef", {.dims = {3, 16, 1, c.key_rank}, .dtype = type(c.int8_keys)}},
        {"krCacheRef", {.dims = {3, 16, 1, c.turned}, .dtype = type(c.int8_ropes())}},
        {"dequantScaleXOptional", {.dims = {c.tokens(), 1}, .dtype = wide}},
        {"dequantScaleWDqOptional", {.dims = {1, c.query_rank}, .dtype = wide}},
        {"dequantScaleWUqQrOptional", {.dims = {1, up}, .dtype = wide}},
        {"dequantScaleWDkvKrOptional", {.dims = {1, down}, .dtype = wide}},
        {"quantScaleCkvOptional", {.dims = {1, c.key_rank}, .dtype = wide}},
        {"quantScaleCkrOptional", {.dims = {1, c.turned}, .dtype = wide}},
        {"smoothScalesCqOptional", {.dims = {1, c.query_rank}, .dtype = wide}},
        {"queryOut", {.dims = Tokens(c, {c.heads, c.key_rank}), .dtype = type(c.int8_results())}},
        {"queryRopeOut", {.dims = Tokens(c, {c.heads, c.turned}), .dtype = ACL_BF16}},
        {"actualSeqLenOptional", {.dims = {c.batch}, .dtype = ACL_INT32}},
        {"queryNormOutOptional",
         {.dims = Tokens(c, {c.query_rank}), .dtype = type(c.int8_queries)}},
        {"dequantScaleQNormOutOptional", {.dims = {c.tokens(), 1}, .dtype = wide}},
        {"dequantScaleQNopeOutOptional", {.dims = {c.tokens(), c.heads, 1}, .dtype = wide}},
    };
    const std::map<std::string_view, bool> wanted = {
        {"dequantScaleXOptional", c.int8_tokens},
        {"dequantScaleWDqOptional", c.int8_tokens},
        {"dequantScaleWUqQrOptional", c.int8_queries},
        {"dequantScaleWDkvKrOptional", c.int8_tokens},
        {"quantScaleCkvOptional", c.int8_keys},
        {"quantScaleCkrOptional", c.int8_ropes()},
        {"smoothScalesCqOptional", c.smooth},
        {"actualSeqLenOptional", false},
        {"queryNormOutOptional", false},
        {"dequantScaleQNormOutOptional", false},
        {"dequantScaleQNopeOutOptional", c.int8_results()}};
    std::vector<Tensor> tensors;
    std::vector<aclTensor*> t;
    for (const auto& [name, right] : rows) {
      const auto broken = b.layouts.find(name);
      tensors.emplace_back(broken == b.layouts.end() ? right : broken->second);
      const auto found = wanted.find(name);
      const bool there = (found == wanted.end() || found->second || b.given.count(name) > 0 ||
                          broken != b.layouts.end()) &&
                         b.nulls.count(name) == 0;
      t.push_back(there ? tensors.back().handle() : nullptr);
    }
    if (!b.index.empty()) tensors[9].Write(b.index);
    if (!b.ends.empty()) tensors[21].Write(b.ends);
    std::string mode = b.mode;
    then([&](uint64_t* s, aclOpExecutor** e) {
      const auto call = [&](auto get, auto... more) {
        return get(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11], t[12],
                   t[13], t[14], t[15], t[16], t[17], t[18], b.eps, b.eps_ckv, mode.data(), t[19],
                   t[20], more..., s, e);
      };
      if (c.version == 1) return call(aclnnMlaPrologGetWorkspaceSize);
      if (c.version == 2) return call(aclnnMlaPrologV2WeightNzGetWorkspaceSize, t[24]);
      const std::vector<int64_t> right = {c.int8_tokens ? 2 : c.int8_queries,
                                          !c.int8_keys    ? 0
                                          : c.int8_tokens ? 1
                                                          : 2,
                                          c.int8_results()};
      const std::vector<int64_t>& m = b.modes.empty() ? right : b.modes;
      return aclnnMlaPrologV3WeightNzGetWorkspaceSize(
          t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[10], t[11], t[9], t[12], t[13],
          t[14], t[15], t[16], t[17], t[18], t[21], nullptr, b.eps, b.eps_ckv, mode.data(), m[0],
          m[1], m[2], 0, 0, 128, 1, 1, t[19], t[20], t[24], t[22], t[23], s, e);
    });
  }
  void Refused(const Broken& b, int code, std::initializer_list<std::string_view> words) {
    Prepare(b, [&](const Phase1& call) { ExpectRefused(call, code, words); });
  }
};

constexpr int kType = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR,
              kShape = ACLNN_ERR_INNER_TILING_ERROR;

TEST_F(MlaPrologRefusalTest, TypesGoTogether) {
  const Call plain = kScenes[0], queries = kScenes[1], caches = kScenes[2], tokens = kScenes[3],
             all = kScenes[4];
  const auto layout = [](Shape dims, aclDataType type) {
    return Layout{.dims = std::move(dims), .dtype = type};
  };
  Refused({.call = tokens, .layouts = {{"weightDq", layout({64, 32}, ACL_BF16)}}}, kType,
          {"weightDq.dtype = BF16", "INT8", "tokenX.dtype is INT8"});
  Refused({.call = tokens, .layouts = {{"weightDkvKr", layout({64, 96}, ACL_BF16)}}}, kType,
          {"weightDkvKr.dtype = BF16", "tokenX.dtype is INT8"});
  Refused({.call = plain, .layouts = {{"weightDq", layout({64, 32}, ACL_INT8)}}}, kType,
          {"weightDq.dtype = INT8", "BF16", "tokenX.dtype is BF16"});
  Refused({.call = tokens, .layouts = {{"weightUqQr", layout({32, 192}, ACL_BF16)}}}, kType,
          {"weightUqQr.dtype = BF16", "tokenX.dtype is INT8"});
  Refused({.call = plain, .layouts = {{"kvCacheRef", layout({3, 16, 1, 64}, ACL_INT8)}}}, kType,
          {"kvCacheRef.dtype = INT8", "weightUqQr.dtype is BF16"});
  Refused({.call = caches, .layouts = {{"krCacheRef", layout({3, 16, 1, 32}, ACL_BF16)}}}, kType,
          {"krCacheRef.dtype = BF16", "kvCacheRef is INT8 and tokenX is BF16"});
  Refused({.call = all, .layouts = {{"krCacheRef", layout({3, 16, 1, 32}, ACL_INT8)}}}, kType,
          {"krCacheRef.dtype = INT8", "tokenX and kvCacheRef are INT8"});
  Refused({.call = queries, .layouts = {{"krCacheRef", layout({3, 16, 1, 32}, ACL_INT8)}}}, kType,
          {"krCacheRef.dtype = INT8", "kvCacheRef.dtype is BF16"});
  Refused({.call = all, .layouts = {{"queryOut", layout({2, 3, 3, 64}, ACL_BF16)}}}, kType,
          {"queryOut.dtype = BF16", "INT8"});
  Refused({.call = tokens, .layouts = {{"queryOut", layout({2, 3, 3, 64}, ACL_INT8)}}}, kType,
          {"queryOut.dtype = INT8", "BF16"});
  Call first = all;
  first.version = 1;
  Refused({.call = first, .layouts = {{"queryOut", layout({2, 3, 3, 64}, ACL_BF16)}}}, kType,
          {"kvCacheRef.dtype = INT8", "tokenX.dtype is INT8"});
}

TEST_F(MlaPrologRefusalTest, FactorsAreOfIntegers) {
  const struct {
    const char* name;
    int scene, other;  // that has it, that must not
  } kRows[] = {{"dequantScaleXOptional", 3, 2},         {"dequantScaleWDqOptional", 3, 2},
               {"dequantScaleWUqQrOptional", 1, 0},     {"dequantScaleWDkvKrOptional", 4, 1},
               {"quantScaleCkvOptional", 4, 3},         {"quantScaleCkrOptional", 2, 4},
               {"dequantScaleQNopeOutOptional", 4, -1}, {"smoothScalesCqOptional", -1, 0}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    if (row.scene >= 0) {
      Refused({.call = kScenes[row.scene], .nulls = {row.name}}, kNull,
              {row.name, "is null", "INT8"});
    }
    if (row.other >= 0) {
      Refused({.call = kScenes[row.other], .given = {row.name}}, kShape,
              {row.name, "is given, expected null"});
    }
  }
}

TEST_F(MlaPrologRefusalTest, SizesGoTogether) {
  const Call plain = kScenes[0], all = kScenes[4];
  const auto bf16 = [](Shape dims, aclFormat format = ACL_FORMAT_ND) {
    return Layout{.dims = std::move(dims), .dtype = ACL_BF16, .format = format};
  };
  const auto wide = [](Shape dims) { return Layout{.dims = std::move(dims)}; };
  Refused({.layouts = {{"weightDq", bf16({64, 31})}}}, kShape, {"weightDq.shape", "31"});
  Refused({.layouts = {{"weightUqQr", bf16({32, 191})}}}, kShape,
          {"weightUqQr.shape = [32, 191]", "[32, 192]", "[12, 2, 16, 16] in FRACTAL_NZ"});
  Refused({.layouts = {{"weightDkvKr", bf16({64, 95})}}}, kShape,
          {"weightDkvKr.shape = [64, 95]", "[64, 96]"});
  // Panels by their own sizes, but not in their format.
  Refused({.layouts = {{"weightUqQr", bf16({12, 2, 16, 16})}}}, kShape,
          {"weightUqQr.shape = [12, 2, 16, 16]", "[32, 192]"});
  Refused({.layouts = {{"weightUqQr", bf16({2, 12, 16, 16}, ACL_FORMAT_FRACTAL_NZ)}}}, kShape,
          {"weightUqQr.shape = [2, 12, 16, 16]", "[12, 2, 16, 16]"});
  Refused({.layouts = {{"ropeSin", bf16({6, 32})}}}, kShape, {"ropeSin.shape = [6, 32]", "3"});
  Refused({.layouts = {{"ropeCos", bf16({6, 32})}}}, kShape, {"ropeCos.shape = [6, 32]"});
  Refused({.layouts = {{"cacheIndex", Layout{.dims = {6}, .dtype = ACL_INT64}}}}, kShape,
          {"cacheIndex.shape = [6]", "2 dimensions"});
  Refused({.layouts = {{"queryOut", bf16({6, 3, 64})}}}, kShape, {"queryOut.shape = [6, 3, 64]"});
  Refused({.layouts = {{"queryRopeOut", bf16({6, 3, 32})}}}, kShape,
          {"queryRopeOut.shape = [6, 3, 32]", "4 dimensions"});
  Refused({.call = all, .layouts = {{"dequantScaleXOptional", wide({6})}}}, kShape,
          {"dequantScaleXOptional.shape = [6]", "[6, 1]"});
  Refused({.call = all, .layouts = {{"dequantScaleWUqQrOptional", wide({1, 191})}}}, kShape,
          {"dequantScaleWUqQrOptional.shape", "191"});
  Refused({.call = all, .layouts = {{"dequantScaleWDkvKrOptional", wide({1, 95})}}}, kShape,
          {"dequantScaleWDkvKrOptional.shape", "95"});
  Refused({.call = all, .layouts = {{"dequantScaleQNopeOutOptional", wide({2, 3, 3, 1})}}}, kShape,
          {"dequantScaleQNopeOutOptional.shape = [2, 3, 3, 1]", "[6, 3, 1]"});
  Refused({.layouts = {{"kvCacheRef", bf16({3, 16, 2, 64})}}}, kShape, {"kvCacheRef.shape[2] = 2"});
  Call odd = plain;
  odd.turned = 31;
  Refused({.call = odd}, kShape, {"ropeCos.shape = [2, 3, 31]", "even"});
  Call none = plain;
  none.width = 0;
  Refused({.call = none}, kShape, {"weightDq.shape = [0, 32]", "some elements"});
  Refused({.eps = -1}, kShape, {"rmsnormEpsilonCq = -1", "0 or more"});
  Refused({.eps = std::nan("")}, kShape, {"rmsnormEpsilonCq = nan", "0 or more"});
  Refused({.eps_ckv = -1}, kShape, {"rmsnormEpsilonCkv = -1", "0 or more"});
  Refused({.eps_ckv = std::nan("")}, kShape, {"rmsnormEpsilonCkv = nan"});
  Refused({.mode = "PA_BLK_NZ"}, kShape, {"cacheModeOptional = \"PA_BLK_NZ\"", "PA_BSND"});
  Call narrow = plain;
  narrow.turned = 24;
  Refused({.call = narrow, .mode = "PA_NZ"}, kShape,
          {"krCacheRef.shape[3] = 24", "multiple of 16"});
  Layout strided = bf16({3, 16, 1, 64});
  strided.strides = {2048, 64, 64, 1};
  Refused({.layouts = {{"kvCacheRef", strided}}, .mode = "PA_NZ"}, kShape,
          {"kvCacheRef.strides", "contiguous"});
}

// A weight that is called by its panels is read by them alone.
TEST_F(MlaPrologRefusalTest, PanelsAreContiguous) {
  Layout panels = {.dims = {2, 4, 16, 16}, .dtype = ACL_BF16, .format = ACL_FORMAT_FRACTAL_NZ};
  panels.strides = {0, 0, 0, 0};
  panels.storage = panels.dims;
  Refused({.layouts = {{"weightDq", panels}}}, kShape,
          {"weightDq.strides = [0, 0, 0, 0]", "contiguous panels"});
}

// Strides of 0, and results without tokens, let a few bytes have any sizes.
TEST_F(MlaPrologRefusalTest, SizesWhoseProductsAreNone) {
  const auto bf16 = [](Shape dims, Shape strides = {}) {
    return Layout{.dims = std::move(dims), .dtype = ACL_BF16, .strides = std::move(strides)};
  };
  constexpr int64_t kLarge = int64_t{1} << 56;
  Call none = kScenes[0];
  none.batch = 0;
  none.plain = none.key_rank = 1;
  Refused({.call = none,
           .layouts = {{"weightUk", bf16({kLarge, 1, 1}, {0, 0, 0})},
                       {"queryOut", bf16({0, 3, kLarge, 1})},
                       {"queryRopeOut", bf16({0, 3, kLarge, 32})}}},
          kShape, {"weightUk.shape", "at most 2147483647"});
  Refused({.call = none,
           .layouts = {{"ropeSin", bf16({0, 3, kLarge})},
                       {"ropeCos", bf16({0, 3, kLarge})},
                       {"kvCacheRef", bf16({0, 16, 1, 1})},
                       {"krCacheRef", bf16({0, 16, 1, kLarge})},
                       {"queryRopeOut", bf16({0, 3, 3, kLarge})}}},
          kShape, {"ropeCos.shape", "at most 2147483647"});
}

TEST_F(MlaPrologRefusalTest, PlacesAreInTheCache) {
  for (int64_t wrong : {48, -2}) {
    Prepare({.index = {0, 1, 2, wrong, 4, 5}}, [&](const Phase1& call) {
      ExpectTaskFails(call, aclnnMlaPrologV2WeightNz,
                      "cacheIndex[3] = " + std::to_string(wrong) + ", expected -1 to 47");
    });
  }
}

TEST_F(MlaPrologRefusalTest, TheThirdVersionsModesAndOrders) {
  Call plain = kScenes[0], queries = kScenes[1], caches = kScenes[2], all = kScenes[4];
  for (Call* c : {&plain, &queries, &caches, &all}) c->version = 3;
  Call merged = plain;
  merged.merged = true;
  const auto bf16 = [](Shape dims) { return Layout{.dims = std::move(dims), .dtype = ACL_BF16}; };
  const auto index = [](Shape dims) { return Layout{.dims = std::move(dims), .dtype = ACL_INT64}; };
  Refused({.call = queries, .modes = {0, 0, 0}}, kShape,
          {"weightQuantMode = 0, expected 1", "weightUqQr INT8"});
  Refused({.call = caches, .modes = {1, 1, 0}}, kShape, {"kvCacheQuantMode = 1, expected 2"});
  Refused({.call = all, .modes = {2, 1, 0}}, kShape, {"queryQuantMode = 0, expected 1"});
  Refused({.call = caches, .modes = {1, 3, 0}}, kShape, {"kvCacheQuantMode", "3"});
  Refused({.call = plain, .mode = "PB"}, kShape,
          {"cacheModeOptional = \"PB\"", "PA_BLK_NZ", "TND"});
  Refused({.call = plain, .mode = "TND"}, kShape, {"\"TND\", expected BSND", "tokenX.shape"});
  Refused({.call = merged, .mode = "BSND"}, kShape, {"\"BSND\", expected TND"});
  Refused({.call = plain, .nulls = {"cacheIndex"}, .mode = "BSND"}, kShape,
          {"kvCacheRef.shape", "[2, 3, 1, 64]"});
  Refused({.call = plain,
           .layouts = {{"kvCacheRef", bf16({2, 3, 1, 64})}, {"krCacheRef", bf16({2, 3, 1, 32})}},
           .mode = "BSND"},
          kShape, {"cacheIndexOptional is given, expected null", "BSND"});
  Refused({.call = plain, .nulls = {"cacheIndex"}}, kNull,
          {"cacheIndexOptional is null", "PA_BSND"});
  Refused({.call = plain, .layouts = {{"cacheIndex", index({6})}}}, kShape,
          {"cacheIndexOptional.shape = [6]", "[2, 3]"});
  Refused({.call = plain, .mode = "PA_BLK_BSND"}, kShape,
          {"cacheIndexOptional.shape = [2, 3]", "[2, 1]"});
  Refused({.call = merged, .mode = "PA_BLK_BSND"}, kNull, {"actualSeqLenOptional is null"});
  Refused({.call = merged,
           .layouts = {{"cacheIndex", index({2, 1})}},
           .given = {"actualSeqLenOptional"},
           .mode = "PA_BLK_NZ"},
          kShape, {"cacheIndexOptional.shape = [2, 1]", "one dimension"});
  Refused({.call = plain,
           .layouts = {{"kvCacheRef", bf16({3, 1, 64})}, {"krCacheRef", bf16({3, 1, 32})}}},
          kShape, {"kvCacheRef.shape = [3, 1, 64]", "4 dimensions"});
  Refused({.call = caches, .layouts = {{"quantScaleCkvOptional", Layout{.dims = {1}}}}}, kShape,
          {"quantScaleCkvOptional.shape = [1]", "[1, 64]"});
  Refused({.call = queries, .given = {"queryNormOutOptional"}}, kNull,
          {"dequantScaleQNormOutOptional is null"});
  Refused({.call = queries, .given = {"dequantScaleQNormOutOptional"}}, kNull,
          {"queryNormOutOptional is null"});
  Refused({.call = queries,
           .layouts = {{"queryNormOutOptional", bf16({2, 3, 32})}},
           .given = {"dequantScaleQNormOutOptional"}},
          kType, {"queryNormOutOptional.dtype = BF16", "INT8"});
  Refused({.call = queries,
           .layouts = {{"dequantScaleQNormOutOptional", Layout{.dims = {6}}}},
           .given = {"queryNormOutOptional"}},
          kShape, {"dequantScaleQNormOutOptional.shape = [6]", "[6, 1]"});
  Refused({.call = plain, .layouts = {{"queryNormOutOptional", bf16({6, 32})}}}, kShape,
          {"queryNormOutOptional.shape = [6, 32]", "[2, 3, 32]"});
}

TEST_F(MlaPrologRefusalTest, SequencesAndTheirBlocksFit) {
  Call c = kScenes[0];
  c.version = 3;
  c.merged = true;
  const auto fails = [&](std::vector<int32_t> ends, std::vector<int64_t> index, const char* words) {
    const auto count = static_cast<int64_t>(index.size());
    Prepare({.call = c,
             .layouts = {{"cacheIndex", Layout{.dims = {count}, .dtype = ACL_INT64}}},
             .given = {"actualSeqLenOptional"},
             .mode = "PA_BLK_BSND",
             .index = std::move(index),
             .ends = std::move(ends)},
            [&](const Phase1& call) { ExpectTaskFails(call, aclnnMlaPrologV3WeightNz, words); });
  };
  fails({3, 7}, {0, 1}, "actualSeqLenOptional[1] = 7, expected 3 to 6");
  fails({3, 2}, {0, 1}, "actualSeqLenOptional[1] = 2, expected 3 to 6");
  fails({3, 6}, {0}, "cacheIndexOptional has 1 blocks");
  fails({3, 6}, {0, 3}, "cacheIndexOptional[1] = 3, expected -1 to 2");
}

}  // namespace
}  // namespace anyacl::test
