// SPDX-License-Identifier: Apache-2.0
// SwiGlu and quantisation against the formulas of the documents in double precision.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_dequant_swiglu_quant.h"
#include "aclnnop/aclnn_dequant_swiglu_quant_v2.h"
#include "aclnnop/aclnn_swi_glu_quant.h"
#include "aclnnop/aclnn_swi_glu_quant_v2.h"
#include "ops/moe_case.h"

namespace anyacl::test::swiglu_quant {
namespace {

using namespace moe;

struct Quantising {
  Shape outer = {7};  // x's shape but for the last dimension
  int64_t half = 20;
  std::vector<int64_t> counts = {};  // rows of groups; empty: no groups
  aclDataType type = ACL_INT32, bias_type = ACL_FLOAT, group_type = ACL_INT64;
  bool bias = true, activation = true, scale = true;
  int scale_rank = 2;  // of factors: 0: [G], 1: [H], 2: [G, H]
  bool dynamic = true, left = true, strided = false;
  int version = 2;
  int64_t mode = 0;
  double limit = 3, alpha = 1.702, glu_bias = 1;

  int64_t rows() const {
    return std::accumulate(outer.begin(), outer.end(), int64_t{1}, std::multiplies<>());
  }
  int64_t groups() const { return counts.empty() ? 1 : static_cast<int64_t>(counts.size()); }
  Shape Of(int64_t last) const {
    Shape dims = outer;
    dims.push_back(last);
    return dims;
  }
  Shape Factors() const {
    return scale_rank == 2   ? Shape{groups(), half}
           : scale_rank == 1 ? Shape{half}
                             : Shape{groups()};
  }
  std::vector<int64_t> GroupOfRows() const {
    std::vector<int64_t> group;
    if (counts.empty()) return std::vector<int64_t>(static_cast<size_t>(rows()), 0);
    for (size_t g = 0; g < counts.size(); ++g) {
      group.insert(group.end(), static_cast<size_t>(counts[g]), static_cast<int64_t>(g));
    }
    return group;
  }
};

double Silu(double x) { return x / (1 + std::exp(-x)); }

// Of a row's two halves, or of its neighbours.
Numbers Activated(const Quantising& c, const Numbers& v) {
  Numbers w;
  for (int64_t i = 0; i < c.half; ++i) {
    const auto first = static_cast<size_t>(c.mode == 1 ? 2 * i : i);
    const auto second = static_cast<size_t>(c.mode == 1 ? 2 * i + 1 : c.half + i);
    double a = v[first], b = v[second];
    if (c.mode == 0) {
      w.push_back(c.left ? Silu(a) * b : Silu(b) * a);
    } else if (c.mode == 3) {
      w.push_back(std::min(Silu(a), c.limit) * std::clamp(b, -c.limit, c.limit));
    } else {
      a = std::min(a, c.limit), b = std::clamp(b, -c.limit, c.limit);
      w.push_back(a / (1 + std::exp(-c.alpha * a)) * (b + c.glu_bias));
    }
  }
  return w;
}

class SwigluQuantTest : public MoeTest {
 protected:
  static aclTensor* When(bool given, const Tensor& tensor) {
    return given ? tensor.handle() : nullptr;
  }
  static Tensor GroupsOf(const Quantising& c, const std::vector<int64_t>& numbers) {
    Tensor groups = Made({c.groups()}, c.group_type, c.strided);
    WriteAs(groups, Numbers(numbers.begin(), numbers.end()));
    return groups;
  }
  static Numbers RowOf(const Numbers& x, int64_t row, int64_t length) {
    return {x.begin() + row * length, x.begin() + (row + 1) * length};
  }

  // Both results of all rows that a group has. A number within `error` of the middle of two
  // integers may be either.
  struct Expected {
    std::vector<Numbers> numbers;  // before they are rounded
    Numbers scales;
  };
  static void Compare(const Quantising& c, const Expected& expected, const Tensor& y,
                      const Tensor& scale, double most, bool packed, bool inverse) {
    const Tensor fresh_scale = Made(c.outer, ACL_FLOAT, c.strided);
    Numbers values = ReadAs(y);
    if (y.layout().dtype == ACL_INT4) {
      const std::vector<int8_t> nibbles = y.Read<int8_t>();
      values.assign(nibbles.begin(), nibbles.end());
    }
    const Numbers scales = ReadAs(scale), untouched = ReadAs(fresh_scale);
    const int64_t width = packed ? c.half / 2 : c.half;
    for (int64_t row = 0; row < c.rows(); ++row) {
      const auto r = static_cast<size_t>(row);
      const bool written = r < expected.numbers.size();
      for (int64_t i = 0; i < c.half && written; ++i) {
        double value = values[static_cast<size_t>(row * width + (packed ? i / 2 : i))];
        if (packed) {
          const int nibble = static_cast<int>(value) >> (i % 2 * 4) & 15;
          value = nibble >= 8 ? nibble - 16 : nibble;
        }
        const double exact = expected.numbers[r][static_cast<size_t>(i)];
        ASSERT_NEAR(value, std::clamp(exact, -1 - most, most), 0.5 + 2e-3) << row << " " << i;
      }
      if (written && c.dynamic && c.half > 0) {
        const double number = inverse ? 1 / expected.scales[r] : expected.scales[r];
        ASSERT_NEAR(scales[r], number, 1e-5 * std::fabs(number)) << row;
      } else {
        ASSERT_EQ(scales[r], untouched[r]) << row;
      }
    }
    EXPECT_TRUE(y.GuardsIntact() && scale.GuardsIntact());
  }

  static void Quantise(const Quantising& c, const Numbers& scale, const Numbers& offset,
                       int64_t group, double most, bool divides, Numbers w, Expected* expected) {
    const auto at = [&](const Numbers& of, size_t i) {
      if (c.scale_rank == 0) return of[static_cast<size_t>(group)];
      return of[c.scale_rank == 1 ? i : static_cast<size_t>(group * c.half) + i];
    };
    double max = 0;
    for (size_t i = 0; i < w.size(); ++i) {
      if (c.scale || !c.dynamic)
        w[i] = divides && !c.dynamic ? w[i] / at(scale, i) : w[i] * at(scale, i);
      if (!c.dynamic) w[i] += at(offset, i);
      max = std::max(max, std::fabs(w[i]));
    }
    for (double& value : w) value *= c.dynamic ? most / max : 1;
    expected->numbers.push_back(w);
    expected->scales.push_back(max / most);
  }

  void CheckDequant(const Quantising& c) {
    SCOPED_TRACE(::testing::Message()
                 << "version " << c.version << " rows " << c.rows() << " half " << c.half
                 << " groups " << c.counts.size() << " types " << c.type << " " << c.bias_type
                 << " given " << c.bias << c.activation << c.scale << " rank " << c.scale_rank
                 << " dynamic " << c.dynamic << " left " << c.left << " mode " << c.mode
                 << " strided " << c.strided);
    const bool integers = c.type == ACL_INT32;
    const int64_t width = 2 * c.half;
    Numbers x;
    for (int64_t i = 0; i < c.rows() * width; ++i) {
      x.push_back(integers ? static_cast<double>(random().Int(-500, 500))
                           : AsHeld(c.type, random().Uniform(-3, 3)));
    }
    const auto per_group = static_cast<size_t>(c.groups() * width);
    const Numbers weight = Drawn(ACL_FLOAT, per_group, -0.01, 0.01);
    const Numbers activation = Drawn(ACL_FLOAT, static_cast<size_t>(c.rows()), 0.5, 2);
    Numbers bias;
    for (size_t i = 0; i < per_group; ++i) {
      bias.push_back(c.bias_type == ACL_INT32 ? static_cast<double>(random().Int(-300, 300))
                                              : AsHeld(c.bias_type, random().Uniform(-1, 1)));
    }
    const Shape factors = c.Factors();
    const auto count = static_cast<size_t>(c.scale_rank == 0   ? c.groups()
                                           : c.scale_rank == 1 ? c.half
                                                               : c.groups() * c.half);
    const Numbers scale = Drawn(ACL_FLOAT, count, 0.02, 0.06);
    const Numbers offset = Drawn(ACL_FLOAT, count, -9, 9);
    const bool s = c.strided;
    const Shape of_groups = c.counts.empty() ? Shape{width} : Shape{c.groups(), width};
    const Tensor x_in = Holding(c.Of(width), c.type, x, s);
    const Tensor weight_in = Holding(of_groups, ACL_FLOAT, weight, s);
    const Tensor activation_in =
        Holding(c.version == 1 ? c.Of(1) : c.outer, ACL_FLOAT, activation, s);
    const Tensor bias_in = Holding(of_groups, c.bias_type, bias, s);
    const Tensor scale_in = Holding(factors, ACL_FLOAT, scale, s);
    const Tensor offset_in = Holding(factors, ACL_FLOAT, offset, s);
    const Tensor groups = GroupsOf(c, c.counts.empty() ? std::vector<int64_t>{0} : c.counts);
    const Tensor y = Made(c.Of(c.half), ACL_INT8, s), scale_out = Made(c.outer, ACL_FLOAT, s);
    char dynamic[] = "dynamic", fixed[] = "static", rint[] = "rint";
    char* const mode = c.dynamic ? dynamic : fixed;
    const bool has_scale = c.scale || !c.dynamic;
    if (c.version == 1) {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnDequantSwigluQuantGetWorkspaceSize(
                x_in.handle(), When(integers, weight_in),
                When(integers && c.activation, activation_in), When(integers && c.bias, bias_in),
                When(has_scale, scale_in), When(has_scale, offset_in),
                When(!c.counts.empty(), groups), c.left, mode, y.handle(), scale_out.handle(), size,
                e);
          },
          aclnnDequantSwigluQuant);
    } else {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnDequantSwigluQuantV2GetWorkspaceSize(
                x_in.handle(), When(integers, weight_in),
                When(integers && c.activation, activation_in), When(integers && c.bias, bias_in),
                When(has_scale, scale_in), When(!c.dynamic, offset_in),
                When(!c.counts.empty(), groups), c.left, mode, 2, rint, -1, c.mode, c.limit,
                c.alpha, c.glu_bias, y.handle(), scale_out.handle(), size, e);
          },
          aclnnDequantSwigluQuantV2);
    }
    Expected expected;
    const std::vector<int64_t> group = c.GroupOfRows();
    for (size_t row = 0; row < group.size(); ++row) {
      Numbers v = RowOf(x, static_cast<int64_t>(row), width);
      for (size_t i = 0; i < v.size() && integers; ++i) {
        const size_t at = static_cast<size_t>(group[row] * width) + i;
        if (c.bias && c.bias_type == ACL_INT32) v[i] += bias[at];
        v[i] *= weight[at] * (c.activation ? activation[row] : 1);
        if (c.bias && c.bias_type != ACL_INT32) v[i] += bias[at];
      }
      Quantise(c, scale, offset, group[row], 127, true, Activated(c, v), &expected);
    }
    Compare(c, expected, y, scale_out, 127, false, false);
  }

  void CheckSwiglu(const Quantising& c, int64_t list_type, bool int4, bool packed) {
    SCOPED_TRACE(::testing::Message()
                 << "SwiGluQuant version " << c.version << " rows " << c.rows() << " half "
                 << c.half << " groups " << c.counts.size() << " type " << c.type << " rank "
                 << c.scale_rank << " dynamic " << c.dynamic << " left " << c.left << " list "
                 << list_type << " int4 " << int4 << packed << " strided " << c.strided);
    const int64_t width = 2 * c.half;
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.rows() * width), -3, 3);
    const Shape factors = c.Factors();
    const auto count = static_cast<size_t>(c.scale_rank == 0   ? c.groups()
                                           : c.scale_rank == 1 ? c.half
                                                               : c.groups() * c.half);
    const Numbers scale = Drawn(ACL_FLOAT, count, int4 ? 1 : 10, int4 ? 2 : 30);
    const Numbers offset = Drawn(ACL_FLOAT, count, -2, 2);
    const bool s = c.strided;
    const Tensor x_in = Holding(c.Of(width), c.type, x, s);
    const Tensor scale_in = Holding(factors, ACL_FLOAT, scale, s);
    const Tensor offset_in = Holding(factors, ACL_FLOAT, offset, s);
    std::vector<int64_t> numbers = c.counts;
    if (list_type == 0) std::partial_sum(numbers.begin(), numbers.end(), numbers.begin());
    Quantising int32_groups = c;
    int32_groups.group_type = ACL_INT32;
    const Tensor groups =
        GroupsOf(int32_groups, numbers.empty() ? std::vector<int64_t>{0} : numbers);
    const Tensor y = Made(c.Of(packed ? c.half / 2 : c.half), int4 && !packed ? ACL_INT4 : ACL_INT8,
                          s && !(int4 && !packed));
    const Tensor scale_out = Made(c.outer, ACL_FLOAT, s);
    char dynamic[] = "dynamic", fixed[] = "static";
    const bool has_scale = c.scale || !c.dynamic;
    if (c.version == 1) {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnSwiGluQuantGetWorkspaceSize(x_in.handle(), When(has_scale, scale_in),
                                                    When(has_scale, offset_in),
                                                    When(!c.counts.empty(), groups), c.left,
                                                    !c.dynamic ? fixed
                                                    : c.left   ? dynamic
                                                               : nullptr,
                                                    y.handle(), scale_out.handle(), size, e);
          },
          aclnnSwiGluQuant);
    } else {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnSwiGluQuantV2GetWorkspaceSize(
                x_in.handle(), When(has_scale, scale_in), When(has_scale, offset_in),
                When(!c.counts.empty(), groups), c.left, c.dynamic ? dynamic : fixed, list_type,
                int4 ? 29 : 2, y.handle(), scale_out.handle(), size, e);
          },
          aclnnSwiGluQuantV2);
    }
    Expected expected;
    const std::vector<int64_t> group = c.GroupOfRows();
    const double most = int4 ? 7 : 127;
    for (size_t row = 0; row < group.size(); ++row) {
      Quantise(c, scale, offset, group[row], most, false,
               Activated(c, RowOf(x, static_cast<int64_t>(row), width)), &expected);
    }
    Compare(c, expected, y, scale_out, most, packed, true);
  }
};

TEST_F(SwigluQuantTest, DequantIsTheFormula) {
  for (int version : {1, 2}) {
    for (bool dynamic : {false, true}) {
      for (bool strided : {false, true}) {
        const Quantising c = {.dynamic = dynamic, .strided = strided, .version = version};
        for (aclDataType bias : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32}) {
          Quantising one = c;
          one.bias_type = bias;
          CheckDequant(one);
          one.counts = {2, 0, 4};  // the last row is nobody's
          CheckDequant(one);
          one.scale_rank = 0;
          CheckDequant(one);
        }
        for (int given = 0; given < 8; ++given) {
          Quantising some = c;
          some.bias = given % 2 > 0, some.activation = given / 2 % 2 > 0;
          some.scale = given / 4 > 0, some.left = given % 3 > 0;
          some.scale_rank = 1;
          CheckDequant(some);
        }
        for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
          Quantising other = c;
          other.type = type;
          other.outer = {2, 3};
          CheckDequant(other);
          other.counts = {6};
          other.scale_rank = 1;
          CheckDequant(other);
        }
      }
    }
    Quantising integers = {.counts = {3, 4}, .version = version};
    if (version == 1) integers.group_type = ACL_INT32;
    CheckDequant(integers);
    CheckDequant({.outer = {50}, .half = 1100, .counts = {20, 30}, .version = version});
    CheckDequant({.outer = {0}, .version = version});
    CheckDequant({.half = 0, .version = version});
  }
}

TEST_F(SwigluQuantTest, FurtherFormsAreTheFormula) {
  for (int64_t mode : {1, 2, 3}) {
    for (bool dynamic : {false, true}) {
      for (double limit : {0.25, 7.0}) {
        CheckDequant({.type = ACL_BF16, .dynamic = dynamic, .mode = mode, .limit = limit});
        CheckDequant({.counts = {3, 4}, .dynamic = dynamic, .mode = mode, .limit = limit});
      }
    }
  }
}

TEST_F(SwigluQuantTest, SwigluIsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool dynamic : {false, true}) {
      for (bool strided : {false, true}) {
        for (int form = 0; form < 3; ++form) {  // INT8, INT4, INT4 in bytes
          Quantising c = {.type = type, .dynamic = dynamic, .strided = strided};
          c.left = form != 1;
          CheckSwiglu(c, 0, form > 0, form == 2);
          c.counts = {2, 0, 4};
          CheckSwiglu(c, 0, form > 0, form == 2);
          CheckSwiglu(c, 1, form > 0, form == 2);
          c.scale_rank = 0;
          CheckSwiglu(c, 1, form > 0, form == 2);
          c.counts = {};
          c.scale_rank = 1;
          CheckSwiglu(c, 1, form > 0, form == 2);
        }
      }
    }
    CheckSwiglu({.outer = {3, 20}, .half = 1100, .counts = {20, 30}, .type = type}, 1, false,
                false);
    CheckSwiglu({.type = type, .scale = false}, 0, false, false);
    for (bool dynamic : {false, true}) {
      Quantising first = {.counts = {2, 0, 4}, .type = type, .dynamic = dynamic, .version = 1};
      CheckSwiglu(first, 0, false, false);
      first.left = false, first.strided = true, first.scale_rank = 0;
      CheckSwiglu(first, 0, false, false);
    }
  }
}

// Rows without a largest number have no scale.
TEST_F(SwigluQuantTest, RowsOfZerosAndOfNoNumbers) {
  const Tensor x = Holding({3, 4}, ACL_FLOAT, {0, 0, 0, 0, NAN, 1, 1, 1, INFINITY, 1, 1, 1});
  const Tensor y = Made({3, 2}, ACL_INT8), scale = Made({3}, ACL_FLOAT);
  char dynamic[] = "dynamic";
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnSwiGluQuantV2GetWorkspaceSize(x.handle(), nullptr, nullptr, nullptr, true,
                                                  dynamic, 0, 2, y.handle(), scale.handle(), s, e);
      },
      aclnnSwiGluQuantV2);
  EXPECT_EQ(ReadAs(y), Numbers(6, 0));
  const Numbers scales = ReadAs(scale);
  EXPECT_EQ(scales[0], INFINITY);
  EXPECT_TRUE(std::isnan(scales[1]));
  EXPECT_EQ(scales[2], 0);
}

TEST_F(SwigluQuantTest, RefusesWhatDoesNotFit) {
  const int invalid = ACLNN_ERR_PARAM_INVALID, null = ACLNN_ERR_PARAM_NULLPTR;
  const Tensor x = Made({6, 8}, ACL_INT32), half_x = Made({6, 8}, ACL_BF16);
  const Tensor odd = Made({6, 7}, ACL_INT32), flat = Made({8}, ACL_INT32);
  const Tensor weight = Made({2, 8}, ACL_FLOAT), one = Made({8}, ACL_FLOAT);
  const Tensor groups = Holding({2}, ACL_INT64, {2, 4}), many = Holding({2}, ACL_INT64, {3, 4});
  const Tensor scale = Made({2, 4}, ACL_FLOAT), other = Made({2}, ACL_FLOAT);
  const Tensor y = Made({6, 4}, ACL_INT8), wide = Made({6, 8}, ACL_INT8);
  const Tensor scale_out = Made({6}, ACL_FLOAT), long_scale = Made({7}, ACL_FLOAT);
  struct Call {
    const Tensor *x, *weight, *scale, *offset, *groups, *y, *scale_out;
    const char* mode = "dynamic";
    const char* rounding = "rint";
    int64_t type = 2, dim = -1, form = 0;
    bool left = true;
    double limit = 7, alpha = 1.7;
  };
  const Call right = {&x, &weight, &scale, nullptr, &groups, &y, &scale_out};
  const auto prepare = [&](const Call& c, const auto& then) {
    const auto handle = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
    std::string mode = c.mode, rounding = c.rounding;
    then([&](uint64_t* s, aclOpExecutor** e) {
      return aclnnDequantSwigluQuantV2GetWorkspaceSize(
          c.x->handle(), handle(c.weight), nullptr, nullptr, handle(c.scale), handle(c.offset),
          handle(c.groups), c.left, mode.data(), c.type, rounding.data(), c.dim, c.form, c.limit,
          c.alpha, 1, c.y->handle(), c.scale_out->handle(), s, e);
    });
  };
  const auto refused = [&](const auto& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call c = right;
    change(c);
    prepare(c, [&](const Phase1& call) { ExpectRefused(call, code, words); });
  };
  refused([](Call& c) { c.mode = "fixed"; }, invalid, {"quantModeOptional = \"fixed\""});
  refused([](Call& c) { c.rounding = "round"; }, invalid, {"roundModeOptional = \"round\""});
  refused([](Call& c) { c.type = 3; }, invalid, {"dstType is 3"});
  refused([](Call& c) { c.dim = 0; }, invalid, {"activateDim is 0", "-1 or 1"});
  refused([](Call& c) { c.form = 4; }, invalid, {"swigluMode is 4"});
  refused([](Call& c) { c.form = 1, c.left = false; }, invalid, {"activateLeft is false"});
  refused([](Call& c) { c.form = 1, c.limit = 0; }, invalid, {"clampLimit is 0"});
  refused([](Call& c) { c.form = 2, c.alpha = INFINITY; }, invalid, {"gluAlpha is inf"});
  refused([&](Call& c) { c.x = &odd; }, invalid, {"W = 7"});
  refused([&](Call& c) { c.x = &half_x; }, invalid, {"weightScaleOptional is given", "BF16"});
  refused([](Call& c) { c.weight = nullptr; }, null, {"weightScaleOptional is null", "INT32"});
  refused([&](Call& c) { c.weight = &one; }, invalid,
          {"weightScaleOptional.shape = [8]", "[2, 8]"});
  refused([&](Call& c) { c.offset = &scale; }, invalid, {"quantOffsetOptional is given"});
  refused([](Call& c) { c.mode = "static", c.scale = nullptr; }, null,
          {"quantScaleOptional is null"});
  refused([](Call& c) { c.mode = "static"; }, null, {"quantOffsetOptional is null"});
  refused([&](Call& c) { c.mode = "static", c.offset = &other; }, invalid,
          {"quantOffsetOptional.shape = [2]", "[2, 4]"});
  refused([](Call& c) { c.groups = nullptr; }, invalid, {"weightScaleOptional.shape", "[1, 8]"});
  refused([&](Call& c) { c.y = &wide; }, invalid, {"yOut"});
  refused([&](Call& c) { c.scale_out = &long_scale; }, invalid, {"scaleOut.shape = [7]", "[6]"});
  Call c = right;
  c.groups = &many;
  prepare(c, [&](const Phase1& call) {
    ExpectTaskFails(call, aclnnDequantSwigluQuantV2,
                    "groupIndexOptional[1] = 4, expected 0 to 3 of 6 rows");
  });
  const Tensor floats = Made({6, 6}, ACL_FLOAT), three = Made({6, 3}, ACL_INT4);
  const Tensor bytes = Made({6, 3}, ACL_INT8);
  const auto swiglu = [&](const Tensor& to, int64_t type, const char* mode,
                          const Tensor* ends = nullptr) {
    return [&, type, mode, ends](uint64_t* s, aclOpExecutor** e) {
      std::string text = mode;
      return aclnnSwiGluQuantV2GetWorkspaceSize(
          floats.handle(), nullptr, nullptr, ends != nullptr ? ends->handle() : nullptr, true,
          text.data(), 0, type, to.handle(), scale_out.handle(), s, e);
    };
  };
  ExpectRefused(swiglu(bytes, 3, "dynamic"), invalid, {"dstType is 3", "2 (INT8) or 29 (INT4)"});
  ExpectRefused(swiglu(three, 29, "dynamic"), invalid, {"x.shape[1] = 6", "multiple of 4"});
  ExpectRefused(swiglu(three, 2, "dynamic"), invalid, {"yOut.dtype = INT4"});
  ExpectRefused(swiglu(bytes, 2, "static"), invalid, {"smoothScalesOptional is null"});
  const Tensor falling = Holding({2}, ACL_INT32, {4, 3}), beyond = Holding({2}, ACL_INT32, {4, 7});
  ExpectTaskFails(swiglu(bytes, 2, "dynamic", &falling), aclnnSwiGluQuantV2,
                  "groupIndexOptional[1] = 3, expected 4 to 6");
  ExpectTaskFails(swiglu(bytes, 2, "dynamic", &beyond), aclnnSwiGluQuantV2,
                  "groupIndexOptional[1] = 7, expected 4 to 6");
}

}  // namespace
}  // namespace anyacl::test::swiglu_quant
