// SPDX-License-Identifier: Apache-2.0
// Queries and keys turned by their positions against the formulas of the documents in double
// precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_apply_rotary_pos_emb.h"
#include "aclnnop/aclnn_apply_rotary_pos_emb_v2.h"
#include "aclnnop/aclnn_interleave_rope.h"
#include "aclnnop/aclnn_rope_with_sin_cos_cache.h"
#include "aclnnop/aclnn_rope_with_sin_cos_cache_v2.h"
#include "ops/rotary_case.h"

namespace anyacl::test {
namespace {

using namespace rotary;
constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

class RotaryHeadsTest : public RotaryCaseTest {
 protected:
  // The index of a row's angles: that of the row, or 0 along dimensions of size 1.
  static int64_t AnglesOf(int64_t row, const Shape& x, const Shape& angles) {
    int64_t at = 0, step = 1;
    for (size_t i = x.size() - 1; i-- > 0;) {
      if (angles[i] != 1) at += row % x[i] * step;
      step *= angles[i];
      row /= x[i];
    }
    return at;
  }
  // All rows of x with their angles.
  static Numbers Turned(const Numbers& x, const Shape& dims, const Numbers& cos, const Numbers& sin,
                        const Shape& angles, const std::string& mode) {
    const int64_t d = dims.back();
    Numbers y;
    for (int64_t row = 0; row < static_cast<int64_t>(x.size()) / d; ++row) {
      const int64_t at = AnglesOf(row, dims, angles);
      const Numbers part = TurnRow(RowOf(x, row, d), RowOf(cos, at, d), RowOf(sin, at, d), mode);
      y.insert(y.end(), part.begin(), part.end());
    }
    return y;
  }

  struct Applied {
    Shape query, key, angles;
    int64_t layout;
    aclDataType type = ACL_FLOAT;
    std::string mode = "half";
    bool second = true, strided = false;
  };
  void Check(const Applied& c) {
    SCOPED_TRACE(::testing::Message() << "layout " << c.layout << " " << c.mode << " type "
                                      << c.type << " strided " << c.strided);
    const Numbers q = Draw(c.type, c.query), k = Draw(c.type, c.key);
    const Numbers cos = Draw(c.type, c.angles), sin = Draw(c.type, c.angles);
    const Tensor query = Holding(c.query, c.type, q, c.strided);
    const Tensor key = Holding(c.key, c.type, k, c.strided);
    const Tensor cos_in = Holding(c.angles, c.type, cos, c.strided);
    const Tensor sin_in = Holding(c.angles, c.type, sin, c.strided);
    std::string mode = c.mode;
    if (c.second) {
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnApplyRotaryPosEmbV2GetWorkspaceSize(query.handle(), key.handle(),
                                                            cos_in.handle(), sin_in.handle(),
                                                            c.layout, mode.data(), s, e);
          },
          aclnnApplyRotaryPosEmbV2);
    } else {
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnApplyRotaryPosEmbGetWorkspaceSize(
                query.handle(), key.handle(), cos_in.handle(), sin_in.handle(), c.layout, s, e);
          },
          aclnnApplyRotaryPosEmb);
    }
    ExpectClose(query, Turned(q, c.query, cos, sin, c.angles, c.mode));
    ExpectClose(key, Turned(k, c.key, cos, sin, c.angles, c.mode));
  }
};

TEST_F(RotaryHeadsTest, QueriesAndKeysAreTurnedInPlace) {
  for (aclDataType type : kTypes) {
    for (bool strided : {false, true}) {
      for (const char* mode : {"half", "interleave", "quarter"}) {
        const bool first = std::string(mode) == "half";
        for (bool second : {true, !first}) {
          Check({{2, 3, 4, 8}, {2, 3, 1, 8}, {2, 3, 1, 8}, 1, type, mode, second, strided});
          Check({{2, 3, 4, 8}, {2, 3, 5, 8}, {2, 1, 1, 8}, 2, type, mode, second, strided});
          Check({{2, 3, 4, 8}, {2, 2, 4, 8}, {1, 1, 4, 8}, 3, type, mode, second, strided});
          Check({{7, 4, 12}, {7, 2, 12}, {7, 1, 12}, 4, type, mode, second, strided});
        }
      }
    }
    Check({{2, 70, 16, 128}, {2, 70, 2, 128}, {2, 70, 1, 128}, 1, type});
  }
  Check({{2, 3, 0, 8}, {2, 3, 1, 8}, {2, 3, 1, 8}, 1});
  Check({{0, 3, 2, 8}, {0, 3, 1, 8}, {0, 3, 1, 8}, 1});
}

TEST_F(RotaryHeadsTest, ApplyRefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_PARAM_INVALID;
  const Tensor query = Made({2, 3, 4, 8}), key = Made({2, 3, 1, 8}), cos = Made({2, 3, 1, 8});
  const Tensor heads = Made({2, 3, 4, 8}), odd = Made({2, 3, 1, 7}), flat = Made({6, 1, 8});
  const Tensor half = Made({2, 3, 1, 8}, ACL_FLOAT16), six = Made({2, 3, 1, 6});
  const auto call = [&](const Tensor& q, const Tensor& k, const Tensor& angles, int64_t layout,
                        const char* mode) {
    return [&, layout, mode](uint64_t* s, aclOpExecutor** e) {
      std::string text = mode;
      return aclnnApplyRotaryPosEmbV2GetWorkspaceSize(q.handle(), k.handle(), angles.handle(),
                                                      angles.handle(), layout, text.data(), s, e);
    };
  };
  ExpectRefused(call(query, key, cos, 0, "half"), code, {"layout is 0", "1 to 4"});
  ExpectRefused(call(query, key, cos, 5, "half"), code, {"layout is 5", "1 to 4"});
  ExpectRefused(call(query, key, cos, 1, "halves"), code, {"rotaryMode = \"halves\"", "quarter"});
  ExpectRefused(call(query, key, heads, 1, "half"), code, {"cos.shape", "shape[2] = 1"});
  ExpectRefused(call(query, key, cos, 3, "half"), code, {"keyRef.shape", "shape[2] = 4"});
  ExpectRefused(call(query, key, cos, 4, "half"), code, {"queryRef.shape", "rank 3"});
  ExpectRefused(call(query, flat, cos, 1, "half"), code, {"keyRef.shape", "rank 4"});
  ExpectRefused(call(odd, odd, odd, 1, "half"), code, {"queryRef.shape[3] = 7", "multiple of 2"});
  ExpectRefused(call(six, six, six, 1, "quarter"), code, {"queryRef.shape[3] = 6", "of 4"});
  ExpectRefused(call(query, half, cos, 1, "half"), code, {"keyRef.dtype = FLOAT16"});
}

TEST_F(RotaryHeadsTest, NeighboursGoToHalves) {
  for (aclDataType type : kTypes) {
    for (bool strided : {false, true}) {
      for (const Shape& angles :
           {Shape{2, 1, 5, 64}, Shape{2, 1, 1, 64}, Shape{1, 1, 5, 64}, Shape{1, 1, 1, 64}}) {
        const Shape dims = {2, 3, 5, 64};
        const Numbers x = Draw(type, dims), cos = Draw(type, angles), sin = Draw(type, angles);
        const Tensor in = Holding(dims, type, x, strided), out = Made(dims, type, strided);
        const Tensor cos_in = Holding(angles, type, cos, strided);
        const Tensor sin_in = Holding(angles, type, sin, strided);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnInterleaveRopeGetWorkspaceSize(in.handle(), cos_in.handle(),
                                                         sin_in.handle(), out.handle(), s, e);
            },
            aclnnInterleaveRope);
        ExpectClose(out, Turned(x, dims, cos, sin, angles, "to halves"));
      }
    }
  }
  const Tensor x = Made({2, 3, 5, 8}), out = Made({2, 3, 5, 8}), odd = Made({2, 3, 5, 7});
  const auto refused = [&](const Tensor& of, const Tensor& angles, const Tensor& to,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInterleaveRopeGetWorkspaceSize(of.handle(), angles.handle(), angles.handle(),
                                                     to.handle(), s, e);
        },
        ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  refused(x, Made({2, 3, 5, 8}), out, {"cos.shape", "[2 or 1, 1, 5 or 1, 8]"});
  refused(x, Made({2, 1, 4, 8}), out, {"cos.shape", "[2 or 1, 1, 5 or 1, 8]"});
  refused(odd, Made({2, 1, 5, 7}), odd, {"x.shape[3] = 7", "multiple of 2"});
}

struct Cached {
  int64_t tokens = 5, heads = 3, key_heads = 1, head = 16, turned = 8, positions = 11;
  std::vector<int64_t> sections = {};
  bool lost = false;  // whether positions have one row whatever the sections
  bool neox = true;
  aclDataType type = ACL_FLOAT;
  bool strided = false;
  int64_t mode = -1;  // of the second version; -1: the first one

  bool in_turn() const { return mode == 1 && !sections.empty() && !lost; }
};

class RopeWithCacheTest : public RotaryCaseTest {
 protected:
  void Check(const Cached& c) {
    SCOPED_TRACE(::testing::Message() << "head " << c.head << " turned " << c.turned << " sections "
                                      << c.sections.size() << " neox " << c.neox << " type "
                                      << c.type << " strided " << c.strided << " mode " << c.mode);
    const bool several = !c.sections.empty() && !c.lost;
    const auto m = several ? static_cast<int64_t>(c.sections.size()) : 1;
    const Shape q_dims = {c.tokens, c.heads * c.head}, k_dims = {c.tokens, c.key_heads * c.head};
    std::vector<int64_t> positions;
    for (int64_t i = 0; i < m * c.tokens; ++i) {
      positions.push_back(random().Int(0, c.positions - 1));
    }
    const Numbers q = Draw(c.type, q_dims), k = Draw(c.type, k_dims);
    const Numbers table = Draw(c.type, {c.positions, c.turned});
    const Shape p_dims = several ? Shape{m, c.tokens} : Shape{c.tokens};
    Tensor positions_in = Made(p_dims, ACL_INT64, c.strided);
    positions_in.Write(positions);
    const Tensor query = Holding(q_dims, c.type, q, c.strided);
    const Tensor key = Holding(k_dims, c.type, k, c.strided);
    const Tensor table_in = Holding({c.positions, c.turned}, c.type, table, c.strided);
    const Tensor query_out = Made(q_dims, c.type, c.strided);
    const Tensor key_out = Made(k_dims, c.type, c.strided);
    aclIntArray* const sections =
        c.sections.empty() ? nullptr : aclCreateIntArray(c.sections.data(), c.sections.size());
    const auto first = [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnRopeWithSinCosCacheGetWorkspaceSize(
          positions_in.handle(), query.handle(), key.handle(), table_in.handle(), sections, c.head,
          c.neox, query_out.handle(), key_out.handle(), s, e);
    };
    const auto second = [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnRopeWithSinCosCacheV2GetWorkspaceSize(
          positions_in.handle(), query.handle(), key.handle(), table_in.handle(), sections, c.head,
          c.neox, c.mode, query_out.handle(), key_out.handle(), s, e);
    };
    if (c.mode < 0) {
      RunTwoPhase(first, aclnnRopeWithSinCosCache);
    } else {
      RunTwoPhase(second, aclnnRopeWithSinCosCacheV2);
    }
    if (sections != nullptr) aclDestroyIntArray(sections);
    const auto expected = [&](const Numbers& x, int64_t heads) {
      Numbers y;
      const int64_t half = c.turned / 2;
      for (int64_t row = 0; row < c.tokens * heads; ++row) {
        Numbers cos(static_cast<size_t>(c.turned)), sin(static_cast<size_t>(c.turned));
        for (int64_t i = 0; i < half; ++i) {
          int64_t section = 0, end = several ? c.sections[0] : half;
          // In turn the first row has what the other two have not.
          if (c.in_turn()) end = half;
          while (i >= end) end += c.sections[static_cast<size_t>(++section)];
          if (c.in_turn() && i < 3 * c.sections[1]) section = i % 3;
          const int64_t place = positions[static_cast<size_t>(section * c.tokens + row / heads)];
          // A pair's two elements have one angle.
          for (int64_t at : {c.neox ? i : 2 * i, c.neox ? half + i : 2 * i + 1}) {
            cos[static_cast<size_t>(at)] = table[static_cast<size_t>(place * c.turned + i)];
            sin[static_cast<size_t>(at)] = table[static_cast<size_t>(place * c.turned + half + i)];
          }
        }
        Numbers head = RowOf(x, row, c.head);
        const Numbers turned = TurnRow({head.begin(), head.begin() + c.turned}, cos, sin,
                                       c.neox ? "half" : "interleave");
        std::copy(turned.begin(), turned.end(), head.begin());
        y.insert(y.end(), head.begin(), head.end());
      }
      return y;
    };
    ExpectClose(query_out, expected(q, c.heads));
    ExpectClose(key_out, expected(k, c.key_heads));
  }
};

TEST_F(RopeWithCacheTest, IsTheFormula) {
  for (aclDataType type : kTypes) {
    for (bool neox : {false, true}) {
      for (bool strided : {false, true}) {
        const Cached c = {.neox = neox, .type = type, .strided = strided};
        Check(c);
        Cached whole = c;
        whole.turned = whole.head;
        Check(whole);
        Cached several = c;
        several.sections = {1, 2, 1};
        Check(several);
        several.sections = {1, 1, 0, 2};
        Check(several);
        several.sections = {0, 3, 1};
        Check(several);
        several.lost = true;  // as torch_npu passes it where there are none
        Check(several);
        for (int64_t mode : {0, 1}) {
          Cached second = c;
          second.mode = mode;
          Check(second);
          second.turned = 16;
          for (std::vector<int64_t> sections :
               {std::vector<int64_t>{4, 2, 2}, {3, 1, 4}, {8, 0, 0}, {0, 4, 4}}) {
            second.sections = sections;
            Check(second);
          }
          second.lost = true;
          Check(second);
        }
      }
      Check({.tokens = 90,
             .heads = 16,
             .key_heads = 2,
             .head = 128,
             .turned = 128,
             .positions = 500,
             .sections = {24, 20, 20},
             .neox = neox,
             .type = type,
             .mode = 1});
      Check({.tokens = 90,
             .heads = 16,
             .key_heads = 2,
             .head = 128,
             .turned = 128,
             .positions = 500,
             .sections = {16, 24, 24},
             .neox = neox,
             .type = type});
    }
  }
  Check({.tokens = 0});
  Check({.heads = 0});
}

TEST_F(RopeWithCacheTest, RefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_INNER_TILING_ERROR;
  const Tensor flat = Made({5}, ACL_INT64), three = Made({3, 5}, ACL_INT64);
  const Tensor query = Made({5, 48}), key = Made({5, 16}), table = Made({11, 8});
  const Tensor out = Made({5, 48}), key_out = Made({5, 16});
  const auto refused = [&](const Tensor& positions, const Tensor& angles,
                           std::vector<int64_t> sections, int64_t head,
                           std::initializer_list<std::string_view> words) {
    aclIntArray* const array =
        sections.empty() ? nullptr : aclCreateIntArray(sections.data(), sections.size());
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRopeWithSinCosCacheGetWorkspaceSize(
              positions.handle(), query.handle(), key.handle(), angles.handle(), array, head, true,
              out.handle(), key_out.handle(), s, e);
        },
        code, words);
    if (array != nullptr) aclDestroyIntArray(array);
  };
  refused(flat, table, {}, 0, {"headSize is 0"});
  refused(flat, table, {}, 32, {"queryIn.shape[1] = 48", "headSize = 32"});
  refused(flat, Made({11, 7}), {}, 16, {"cosSinCache.shape[1] = 7", "even"});
  refused(flat, Made({11, 18}), {}, 16, {"cosSinCache.shape[1] = 18", "headSize = 16"});
  refused(three, table, {}, 16, {"mropeSection has size 0", "positions.shape = [3, 5]"});
  refused(three, table, {1, 1, 1, 1}, 16, {"positions.shape = [3, 5]", "[4, 5]"});
  refused(three, table, {1, 3}, 16, {"mropeSection has size 2", "3 or 4"});
  refused(three, table, {1, 2, 2}, 16, {"mropeSection[2] = 2", "0 to 1"});
  refused(three, table, {1, -2, 2}, 16, {"mropeSection[1] = -2", "0 to 3"});
  refused(three, table, {1, 1, 1}, 16, {"the sum of mropeSection is 3", "expected 4"});
  const auto no_matrix = [&](const Tensor& angles, const Tensor& result,
                             std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRopeWithSinCosCacheGetWorkspaceSize(
              flat.handle(), query.handle(), key.handle(), angles.handle(), nullptr, 16, true,
              out.handle(), result.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  no_matrix(Made({11, 8, 1}), key_out, {"cosSinCache.shape = [11, 8, 1]", "rank 2"});
  no_matrix(table, Made({5, 16, 1}), {"keyOut.shape = [5, 16, 1]", "[5, 16] as keyIn.shape"});
  const std::vector<int64_t> four = {1, 1, 1, 1};
  aclIntArray* const array = aclCreateIntArray(four.data(), four.size());
  const Tensor rows = Made({4, 5}, ACL_INT64);
  for (int64_t mode : {1, 2, -1}) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRopeWithSinCosCacheV2GetWorkspaceSize(
              rows.handle(), query.handle(), key.handle(), table.handle(), array, 16, true, mode,
              out.handle(), key_out.handle(), s, e);
        },
        code,
        {mode == 1 ? "mropeSection has size 4, expected 3 as cacheMode is 1" : "cacheMode is"});
  }
  aclDestroyIntArray(array);
  Tensor beyond = Made({5}, ACL_INT64);
  for (int64_t wrong : {int64_t{11}, int64_t{-1}}) {
    beyond.Write<int64_t>({0, 1, wrong, 3, 4});
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRopeWithSinCosCacheGetWorkspaceSize(
              beyond.handle(), query.handle(), key.handle(), table.handle(), nullptr, 16, true,
              out.handle(), key_out.handle(), s, e);
        },
        aclnnRopeWithSinCosCache, "positions[2] = " + std::to_string(wrong));
  }
}

}  // namespace
}  // namespace anyacl::test
