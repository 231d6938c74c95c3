// SPDX-License-Identifier: Apache-2.0
// FlatQuant, GroupQuant and DynamicBlockQuant against the documents' formulas in double precision.
#include "aclnnop/aclnn_dynamic_block_quant.h"
#include "aclnnop/aclnn_dynamic_block_quant_v2.h"
#include "aclnnop/aclnn_flat_quant.h"
#include "aclnnop/aclnn_group_quant.h"
#include "ops/row_quant_case.h"

namespace anyacl::test {
namespace {

using namespace row_quant;

struct Flat {
  int64_t m = 3, n1 = 4, n2 = 8;
  aclDataType type = ACL_FLOAT16, out = ACL_INT32;
  double clip = 1;
  bool strided = false;
  bool whole = true;  // numbers whose products are exact
};

class FlatQuantTest : public MoeTest {
 protected:
  Numbers Some(const Flat& c, int64_t count) {
    Numbers x;
    for (int64_t i = 0; i < count; ++i) {
      x.push_back(c.whole ? static_cast<double>(random().Int(-1, 1))
                          : AsHeld(c.type, random().Uniform(-1, 1)));
    }
    return x;
  }

  // z and, of each of its numbers, the sum of the magnitudes that it consists of.
  static void Multiply(const Flat& c, const Numbers& x, const Numbers& left, const Numbers& right,
                       int64_t token, Numbers* z, Numbers* magnitude) {
    const auto at = [](int64_t row, int64_t columns, int64_t column) {
      return static_cast<size_t>(row * columns + column);
    };
    z->assign(at(c.n1, c.n2, 0), 0);
    *magnitude = *z;
    for (int64_t i = 0; i < c.n1; ++i) {
      for (int64_t j = 0; j < c.n2; ++j) {
        for (int64_t k = 0; k < c.n1; ++k) {
          for (int64_t l = 0; l < c.n2; ++l) {
            const double term =
                left[at(i, c.n1, k)] * x[at(token * c.n1 + k, c.n2, l)] * right[at(l, c.n2, j)];
            (*z)[at(i, c.n2, j)] += term;
            (*magnitude)[at(i, c.n2, j)] += std::fabs(term);
          }
        }
      }
    }
  }

  void Check(const Flat& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.m << " x " << c.n1 << " x " << c.n2 << " type " << c.type << " out " << c.out
                 << " clip " << c.clip << " strided " << c.strided << " whole " << c.whole);
    const Numbers x = Some(c, c.m * c.n1 * c.n2);
    const Numbers left = Some(c, c.n1 * c.n1), right = Some(c, c.n2 * c.n2);
    const Tensor x_in = Holding({c.m, c.n1, c.n2}, c.type, x, c.strided);
    const Tensor left_in = Holding({c.n1, c.n1}, c.type, left, c.strided);
    const Tensor right_in = Holding({c.n2, c.n2}, c.type, right, c.strided);
    const Tensor out =
        Made(StoredShape({c.m, c.n1, c.n2}, c.out), c.out, c.strided && c.out == ACL_INT32);
    const Tensor scale = Made({c.m}, ACL_FLOAT, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFlatQuantGetWorkspaceSize(x_in.handle(), left_in.handle(), right_in.handle(),
                                                c.clip, out.handle(), scale.handle(), s, e);
        },
        aclnnFlatQuant);
    const Numbers actual = IntegersOf(out), scales = ReadAs(scale);
    // Two products are rounded to the type, and summed in fp32.
    const double unit = c.whole ? 1e-6 : 3 * std::ldexp(1, c.type == ACL_BF16 ? -8 : -11);
    for (int64_t token = 0; token < c.m; ++token) {
      Numbers z, magnitude;
      Multiply(c, x, left, right, token, &z, &magnitude);
      double most = 0, most_magnitude = 0;
      for (size_t i = 0; i < z.size(); ++i) {
        most = std::max(most, std::fabs(z[i]));
        most_magnitude = std::max(most_magnitude, magnitude[i]);
      }
      const double by = most / (7 / c.clip);
      ASSERT_NEAR(scales[static_cast<size_t>(token)], by, unit * most_magnitude / 7 + 1e-6 * by);
      for (size_t i = 0; i < z.size(); ++i) {
        const double exact = by == 0 ? 0 : z[i] / by;
        const double value = actual[static_cast<size_t>(token) * z.size() + i];
        const double doubt = by == 0 ? 0 : 2 * unit * most_magnitude / by;
        ASSERT_NEAR(value, std::clamp(exact, -8.0, 7.0), 0.5 + doubt) << token << " " << i;
      }
    }
    EXPECT_TRUE(out.GuardsIntact() && scale.GuardsIntact());
  }
};

TEST_F(FlatQuantTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType out : {ACL_INT32, ACL_INT4}) {
      for (bool strided : {false, true}) {
        for (double clip : {1.0, 0.75, 0.3}) {
          Check({.type = type, .out = out, .clip = clip, .strided = strided});
        }
        Check({.m = 40, .n1 = 7, .n2 = 16, .type = type, .out = out, .strided = strided});
      }
      Check({.m = 2, .n1 = 33, .n2 = 64, .type = type, .out = out, .clip = 0.9, .whole = false});
    }
    Check({.m = 1, .n1 = 1, .n2 = 2, .type = type, .out = ACL_INT4});
    Check({.m = 5, .n1 = 3, .n2 = 6, .type = type, .out = ACL_INT4});
  }
}

// The values of a token that has no finite scale: nothing, infinities, numbers that are none.
TEST_F(FlatQuantTest, DegenerateTokens) {
  const Tensor x = Holding({3, 1, 2}, ACL_FLOAT16, {0, 0, INFINITY, 1, NAN, 1});
  const Tensor left = Holding({1, 1}, ACL_FLOAT16, {1});
  const Tensor right = Holding({2, 2}, ACL_FLOAT16, {1, 0, 0, 1});
  const Tensor out = Made({3, 1, 2}, ACL_INT4), scale = Made({3}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnFlatQuantGetWorkspaceSize(x.handle(), left.handle(), right.handle(), 1,
                                              out.handle(), scale.handle(), s, e);
      },
      aclnnFlatQuant);
  const Numbers integers = IntegersOf(out);
  EXPECT_EQ(integers, Numbers(6, 0));
  EXPECT_EQ(ReadAs(scale)[0], 0);
  EXPECT_TRUE(std::isnan(ReadAs(scale)[2]));
}

TEST_F(FlatQuantTest, RefusesWhatDoesNotFit) {
  const Tensor x = Made({3, 4, 8}, ACL_FLOAT16), odd = Made({3, 4, 7}, ACL_FLOAT16);
  const Tensor left = Made({4, 4}, ACL_FLOAT16), right = Made({8, 8}, ACL_FLOAT16);
  const Tensor of_odd = Made({7, 7}, ACL_FLOAT16), none = Made({0, 0}, ACL_FLOAT16);
  const Tensor bf16 = Made({4, 4}, ACL_BF16), out = Made({3, 4, 1}, ACL_INT32);
  const Tensor wide = Made({3, 4, 2}, ACL_INT32), int4 = Made({3, 4, 7}, ACL_INT4);
  const Tensor scale = Made({3}, ACL_FLOAT), scales = Made({4}, ACL_FLOAT);
  const auto refused = [&](const Tensor* x_in, const Tensor* left_in, const Tensor* right_in,
                           double clip, const Tensor* y, const Tensor* by, int code,
                           std::initializer_list<std::string_view> words) {
    const auto handle = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFlatQuantGetWorkspaceSize(handle(x_in), handle(left_in), handle(right_in),
                                                clip, handle(y), handle(by), s, e);
        },
        code, words);
  };
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused(nullptr, &left, &right, 1, &out, &scale, ACLNN_ERR_PARAM_NULLPTR, {"x"});
  refused(&x, &left, &right, 1, &out, nullptr, ACLNN_ERR_PARAM_NULLPTR, {"quantScale"});
  refused(&x, &bf16, &right, 1, &out, &scale, kInvalid, {"kroneckerP1.dtype = BF16", "FLOAT16"});
  refused(&x, &right, &right, 1, &out, &scale, kInvalid, {"kroneckerP1.shape", "8", "N1 = 4"});
  refused(&x, &left, &none, 1, &out, &scale, kInvalid, {"kroneckerP2.shape", "0", "N2 = 8"});
  refused(&x, &left, &right, 1, &wide, &scale, kInvalid, {"out.shape[2] = 2", "N2"});
  refused(&x, &left, &right, 1, &out, &scales, kInvalid, {"quantScale.shape[0] = 4", "M = 3"});
  refused(&odd, &left, &of_odd, 1, &int4, &scale, kInvalid, {"x.shape[2] = 7", "even"});
  for (double clip : {0.0, -1.0, 1.5, double{NAN}}) {
    refused(&x, &left, &right, clip, &out, &scale, kInvalid, {"clipRatio", "at most 1"});
  }
  const auto sized = [&](int64_t m, int64_t n1, int64_t n2, std::string_view what) {
    const Tensor large(Layout{.dims = {m, n1, n2}, .dtype = ACL_FLOAT16}, 64);
    const Tensor p1 = Made({n1, n1}, ACL_FLOAT16), p2 = Made({n2, n2}, ACL_FLOAT16);
    const Tensor y(Layout{.dims = {m, n1, n2 / 8}, .dtype = ACL_INT32}, 64);
    const Tensor by(Layout{.dims = {m}, .dtype = ACL_FLOAT}, 64);
    refused(&large, &p1, &p2, 1, &y, &by, kInvalid, {what, "expected 1 to"});
  };
  sized(262145, 1, 8, "x.shape[0] = 262145");
  sized(1, 257, 8, "x.shape[1] = 257");
  sized(1, 1, 264, "x.shape[2] = 264");
  sized(0, 1, 8, "x.shape[0] = 0");
}

struct Grouped {
  std::vector<int64_t> ends = {2, 2, 5};
  int64_t rows = 5, columns = 16;
  aclDataType type = ACL_FLOAT, scale_type = ACL_FLOAT, out = ACL_INT8, group_type = ACL_INT32;
  bool offset = true, strided = false;
};

class GroupQuantTest : public MoeTest {
 protected:
  void Check(const Grouped& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.rows << " x " << c.columns << " types " << c.type << " " << c.scale_type
                 << " out " << c.out << " offset " << c.offset << " strided " << c.strided);
    const auto groups = static_cast<int64_t>(c.ends.size());
    const auto count = static_cast<size_t>(c.rows * c.columns);
    const double wide = c.out == ACL_INT8 ? 90 : 6;
    const Numbers x = Drawn(c.type, count, -2, 2);
    const Numbers scale = Drawn(c.scale_type, static_cast<size_t>(groups * c.columns), -wide, wide);
    const Numbers offset = Drawn(c.scale_type, 1, -3, 3);
    const Tensor x_in = Holding({c.rows, c.columns}, c.type, x, c.strided);
    const Tensor scale_in = Holding({groups, c.columns}, c.scale_type, scale, c.strided);
    const Tensor groups_in =
        Holding({groups}, c.group_type, Numbers(c.ends.begin(), c.ends.end()), c.strided);
    const Tensor offset_in = Holding(c.strided ? Shape{1} : Shape{}, c.scale_type, offset);
    const Tensor out =
        Made(StoredShape({c.rows, c.columns}, c.out), c.out, c.strided && c.out != ACL_INT4);
    const Numbers before = IntegersOf(out);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupQuantGetWorkspaceSize(
              x_in.handle(), scale_in.handle(), groups_in.handle(),
              c.offset ? offset_in.handle() : nullptr, c.out, out.handle(), s, e);
        },
        aclnnGroupQuant);
    const Numbers actual = IntegersOf(out);
    for (int64_t row = 0; row < c.rows; ++row) {
      size_t group = 0;
      while (group < c.ends.size() && c.ends[group] <= row) ++group;
      for (int64_t i = 0; i < c.columns; ++i) {
        const auto at = static_cast<size_t>(row * c.columns + i);
        if (group == c.ends.size()) {
          ASSERT_EQ(actual[at], before[at]) << row;
          continue;
        }
        const double factor =
            scale[group * static_cast<size_t>(c.columns) + static_cast<size_t>(i)];
        ExpectQuantised(actual[at], x[at] * factor + (c.offset ? offset[0] : 0), BitsHeldBy(c.out));
      }
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(GroupQuantTest, IsTheFormula) {
  const aclDataType floats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  for (aclDataType type : floats) {
    for (aclDataType scale : floats) {
      for (aclDataType out : {ACL_INT8, ACL_INT4, ACL_INT32}) {
        for (bool strided : {false, true}) {
          Check({.type = type, .scale_type = scale, .out = out, .strided = strided});
        }
      }
    }
  }
  for (bool offset : {false, true}) {
    Check({.ends = {0, 3, 3, 40},
           .rows = 40,
           .columns = 2072,
           .group_type = ACL_INT64,
           .offset = offset});
    Check({.ends = {9}, .rows = 9, .columns = 1032, .out = ACL_INT32, .offset = offset});
  }
  Check({.ends = {0, 0}, .rows = 0});
  Check({.ends = {3}, .rows = 3, .columns = 0});
}

// Ends that the document has no meaning for: each row takes the first group that ends behind it.
TEST_F(GroupQuantTest, EndsOfAnyKind) {
  Check({.ends = {4, 2, 5}});
  Check({.ends = {-7, 2}});
  Check({.ends = {INT64_MAX}, .group_type = ACL_INT64});
  Check({.ends = {3, INT64_MIN}, .group_type = ACL_INT64});
}

TEST_F(GroupQuantTest, MoreGroupsThanMemoryHoldsAreRefused) {
  constexpr int64_t kMany = int64_t{1} << 49;
  const int64_t dims[] = {kMany, 2}, row[] = {1, 2};
  const auto of = [](const int64_t* sizes, uint64_t rank, aclDataType dtype) {
    return aclCreateTensor(sizes, rank, dtype, nullptr, 0, ACL_FORMAT_ND, sizes, rank, nullptr);
  };
  aclTensor* const tensors[] = {of(row, 2, ACL_FLOAT), of(dims, 2, ACL_FLOAT),
                                of(dims, 1, ACL_INT32), of(row, 2, ACL_INT8)};
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnGroupQuantGetWorkspaceSize(tensors[0], tensors[1], tensors[2], nullptr,
                                               ACL_INT8, tensors[3], s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"scale.shape[0] = " + std::to_string(kMany)});
  for (aclTensor* tensor : tensors) aclDestroyTensor(tensor);
}

TEST_F(GroupQuantTest, RefusesWhatDoesNotFit) {
  const Tensor x = Made({5, 16}, ACL_FLOAT), odd = Made({5, 7}, ACL_FLOAT);
  const Tensor scale = Made({3, 16}, ACL_FLOAT), of_odd = Made({3, 7}, ACL_FLOAT);
  const Tensor none = Made({0, 16}, ACL_FLOAT), groups = Made({3}, ACL_INT32);
  const Tensor no_groups = Made({0}, ACL_INT32), two = Made({2}, ACL_FLOAT);
  const Tensor half = Made({1}, ACL_FLOAT16), out = Made({5, 16}, ACL_INT8);
  const Tensor packed = Made({5, 3}, ACL_INT32), int4 = Made({5, 7}, ACL_INT4);
  const auto refused = [&](const Tensor& x_in, const Tensor& by, const Tensor& ends,
                           const Tensor* offset, int32_t type, const Tensor& y, int code,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupQuantGetWorkspaceSize(x_in.handle(), by.handle(), ends.handle(),
                                                 offset != nullptr ? offset->handle() : nullptr,
                                                 type, y.handle(), s, e);
        },
        code, words);
  };
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused(x, scale, groups, nullptr, 29, out, kInvalid, {"dstType = 29", "expected 2"});
  refused(x, scale, groups, &half, 2, out, kInvalid, {"offsetOptional.dtype = FLOAT16", "scale"});
  refused(x, scale, groups, &two, 2, out, kInvalid, {"offsetOptional.shape = [2]", "[1] or []"});
  refused(x, none, no_groups, nullptr, 2, out, kInvalid, {"scale.shape[0] = 0"});
  refused(x, scale, no_groups, nullptr, 2, out, kInvalid, {"groupIndex.shape[0] = 0", "E = 3"});
  refused(x, of_odd, groups, nullptr, 2, out, kInvalid, {"scale.shape[1] = 7", "H = 16"});
  refused(odd, of_odd, groups, nullptr, 29, int4, kInvalid, {"x.shape[1] = 7", "even"});
  refused(x, scale, groups, nullptr, 3, packed, kInvalid, {"y.shape[1] = 3", "H/8 = 2"});
}

struct Blocked {
  Shape shape = {3, 300};
  aclDataType type = ACL_FLOAT16;
  double min_scale = 0;
  int64_t block = 128;
  bool second = false, strided = false, mode = true;
};

class BlockQuantTest : public MoeTest {
 protected:
  void Check(const Blocked& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.shape.size() << " dimensions, " << c.shape.back() << " columns, type "
                 << c.type << " min " << c.min_scale << " block " << c.block << " V2 " << c.second
                 << " strided " << c.strided);
    const int64_t columns = c.shape.back(), blocks = (columns + c.block - 1) / c.block;
    int64_t rows = 1;
    for (size_t i = 0; i + 1 < c.shape.size(); ++i) rows *= c.shape[i];
    const Numbers x = Drawn(c.type, static_cast<size_t>(rows * columns), -2, 2);
    Shape scale_shape = c.shape;
    scale_shape.back() = blocks;
    const Tensor x_in = Holding(c.shape, c.type, x, c.strided);
    const Tensor y = Made(c.shape, ACL_INT8, c.strided);
    const Tensor scale = Made(scale_shape, ACL_FLOAT, c.strided);
    char text[] = "rint";
    char* const mode = c.mode ? text : nullptr;
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          if (c.second) {
            return aclnnDynamicBlockQuantV2GetWorkspaceSize(x_in.handle(), c.min_scale, mode, 2, 1,
                                                            c.block, 0, y.handle(), scale.handle(),
                                                            s, e);
          }
          return aclnnDynamicBlockQuantGetWorkspaceSize(x_in.handle(), c.min_scale, mode, 2, 1,
                                                        c.block, y.handle(), scale.handle(), s, e);
        },
        c.second ? aclnnDynamicBlockQuantV2 : aclnnDynamicBlockQuant);
    const Numbers actual = IntegersOf(y), scales = ReadAs(scale);
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t b = 0; b < blocks; ++b) {
        const int64_t begin = row * columns + b * c.block;
        const int64_t end = std::min(begin + c.block, (row + 1) * columns);
        double most = 0;
        for (int64_t i = begin; i < end; ++i) {
          most = std::max(most, std::fabs(x[static_cast<size_t>(i)]));
        }
        const double by = c.min_scale == 0 ? most / 127 : std::min(most / 127, 1 / c.min_scale);
        ASSERT_NEAR(scales[static_cast<size_t>(row * blocks + b)], by, 1e-6 * by)
            << row << " " << b;
        for (int64_t i = begin; i < end; ++i) {
          const auto at = static_cast<size_t>(i);
          ExpectQuantised(actual[at], by == 0 ? 0 : x[at] / by, 8);
        }
      }
    }
    EXPECT_TRUE(y.GuardsIntact() && scale.GuardsIntact());
  }
};

TEST_F(BlockQuantTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool second : {false, true}) {
      for (bool strided : {false, true}) {
        for (double least : {0.0, 50.0, 100.0}) {
          Check({.type = type, .min_scale = least, .second = second, .strided = strided});
        }
        Check({.shape = {2, 5, 129},
               .type = type,
               .second = second,
               .strided = strided,
               .mode = false});
      }
      Check({.shape = {100, 128}, .type = type, .second = second});
      Check({.shape = {4, 3}, .type = type, .second = second});
      Check({.shape = {1, 1}, .type = type, .second = second});
    }
    Check({.shape = {2, 3, 40}, .type = type, .min_scale = 70, .block = 1, .second = true});
  }
}

TEST_F(BlockQuantTest, DegenerateBlocks) {
  Numbers values(4 * 128, 0);
  values[128] = INFINITY, values[129] = 1, values[256] = NAN, values[257] = 1;
  values[384] = 1, values[385] = -1;
  const Tensor x = Holding({1, 512}, ACL_FLOAT, values);
  const Tensor y = Made({1, 512}, ACL_INT8), scale = Made({1, 4}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnDynamicBlockQuantGetWorkspaceSize(x.handle(), 0, nullptr, 2, 1, 128, y.handle(),
                                                      scale.handle(), s, e);
      },
      aclnnDynamicBlockQuant);
  Numbers expected(512, 0);
  expected[384] = 127, expected[385] = -127;
  EXPECT_EQ(IntegersOf(y), expected);
  EXPECT_EQ(ReadAs(scale)[0], 0);
  EXPECT_TRUE(std::isnan(ReadAs(scale)[2]));
}

TEST_F(BlockQuantTest, RefusesWhatDoesNotFit) {
  const Tensor x = Made({3, 300}, ACL_FLOAT), none = Made({0, 300}, ACL_FLOAT);
  const Tensor y = Made({3, 300}, ACL_INT8), scale = Made({3, 3}, ACL_FLOAT);
  const Tensor no_y = Made({0, 300}, ACL_INT8), no_scale = Made({0, 3}, ACL_FLOAT);
  const Tensor flat = Made({300}, ACL_FLOAT), two = Made({3, 2}, ACL_FLOAT);
  const Tensor more = Made({1, 3, 300}, ACL_INT8);
  struct Setting {
    double least = 0;
    const char* mode = "rint";
    int64_t type = 2, rows = 1, columns = 128;
    double most = 0;
  };
  const auto refused = [&](const Setting& c, bool second, const Tensor& x_in, const Tensor& y_out,
                           const Tensor& by, std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          char* const mode = const_cast<char*>(c.mode);
          if (second) {
            return aclnnDynamicBlockQuantV2GetWorkspaceSize(x_in.handle(), c.least, mode, c.type,
                                                            c.rows, c.columns, c.most,
                                                            y_out.handle(), by.handle(), s, e);
          }
          return aclnnDynamicBlockQuantGetWorkspaceSize(x_in.handle(), c.least, mode, c.type,
                                                        c.rows, c.columns, y_out.handle(),
                                                        by.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  for (bool second : {false, true}) {
    refused({.least = -1}, second, x, y, scale, {"minScale = -1", "0 or more"});
    refused({.least = NAN}, second, x, y, scale, {"minScale", "0 or more"});
    refused({.mode = "round"}, second, x, y, scale, {"roundModeOptional = \"round\"", "rint"});
    refused({.type = 36}, second, x, y, scale, {"dstType is 36"});
    refused({.rows = 128}, second, x, y, scale, {"rowBlockSize is 128"});
    refused({.columns = 64}, second, x, y, scale, {"colBlockSize", "64", "128"});
    refused({}, second, none, no_y, no_scale, {"x.shape = [0, 300]"});
    refused({}, second, flat, y, scale, {"x.shape"});
    refused({}, second, x, more, scale, {"yOut.shape"});
    refused({}, second, x, y, two, {"scaleOut.shape = [3, 2]", "[3, 3]"});
  }
  refused({.columns = 1}, false, x, y, scale, {"colBlockSize is 1"});
  refused({.most = 15}, true, x, y, scale, {"dstTypeMax = 15"});
}

}  // namespace
}  // namespace anyacl::test
