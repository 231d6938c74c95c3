// SPDX-License-Identifier: Apache-2.0
// FusedMatmul against the document's formulas in double precision.
#include <algorithm>
#include <numbers>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fused_matmul.h"
#include "ops/matmul_case.h"

namespace anyacl::test {
namespace {

using namespace matmul;

struct Fused {
  Shape left = {5, 7}, right = {7, 9}, x3 = {5, 9}, out = {5, 9};
  aclDataType left_type = ACL_FLOAT, right_type = ACL_FLOAT, bias_type = ACL_FLOAT;
  const char* fusion = "";
  bool bias = true, wide_bias = false;
  Lie lie = Lie::kRows;
  int8_t cube = 0;
};

class FusedMatmulTest : public DeviceTest {
 protected:
  static double Combined(std::string_view fusion, double sum, double x3) {
    if (fusion == "add") return sum + x3;
    if (fusion == "mul") return sum * x3;
    if (fusion == "relu") return std::max(sum, 0.0);
    if (fusion == "gelu_erf") return 0.5 * sum * (1 + std::erf(sum / std::numbers::sqrt2));
    if (fusion == "gelu_tanh") {
      const double inner = sum + 0.044715 * sum * sum * sum;
      return 0.5 * sum * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * inner));
    }
    return sum;
  }

  static Phase1 CallOf(const Fused& c, const Tensor& left, const Tensor& right, const Tensor* bias,
                       const Tensor* x3, const Tensor& y) {
    return [&, bias, x3](uint64_t* s, aclOpExecutor** e) {
      const auto handle = [](const Tensor* t) { return t == nullptr ? nullptr : t->handle(); };
      return aclnnFusedMatmulGetWorkspaceSize(left.handle(), right.handle(), handle(bias),
                                              handle(x3), c.fusion, c.cube, y.handle(), s, e);
    };
  }

  void Check(const Fused& c) {
    const std::string_view fusion = c.fusion;
    SCOPED_TRACE(::testing::Message()
                 << "\"" << fusion << "\" of " << ::testing::PrintToString(c.left) << " and "
                 << ::testing::PrintToString(c.right) << " x3 " << ::testing::PrintToString(c.x3)
                 << " types " << c.left_type << " " << c.right_type << " bias " << c.bias << " of "
                 << c.bias_type << " cubeMathType " << int{c.cube} << " lie "
                 << static_cast<int>(c.lie));
    const bool mixed = c.left_type == ACL_FLOAT || c.right_type == ACL_FLOAT;
    const aclDataType type = mixed || fusion == "16cast32" ? ACL_FLOAT : c.left_type;
    Operand left(c.left, c.left_type, c.lie), right(c.right, c.right_type, c.lie);
    const int64_t n = c.right.back();
    Operand bias(c.wide_bias ? Shape{1, n} : Shape{n}, c.bias_type, c.lie);
    Operand x3(c.x3, c.left_type, c.lie), y(c.out, type, c.lie);
    for (Operand* operand : {&left, &right, &bias, &x3}) operand->Fill(random());
    const bool combines = fusion == "add" || fusion == "mul";
    RunTwoPhase(CallOf(c, left.tensor, right.tensor, c.bias ? &bias.tensor : nullptr,
                       combines ? &x3.tensor : nullptr, y.tensor),
                aclnnFusedMatmul);
    EXPECT_TRUE(y.tensor.GuardsIntact());
    const std::vector<double> results = ReadAs(y.tensor);
    const size_t rank = c.out.size();
    const int64_t depth = c.left.back();
    Shape index(rank, 0);
    for (double result : results) {
      double sum = c.bias ? bias.At(index) : 0, terms = std::fabs(sum);
      for (int64_t k = 0; k < depth; ++k) {
        Shape at_left = index, at_right = index;
        at_left[rank - 1] = at_right[rank - 2] = k;
        const double term = left.At(at_left) * right.At(at_right);
        sum += term;
        terms += std::fabs(term);
      }
      const double factor = combines ? x3.At(index) : 0;
      const double expected = Combined(fusion, sum, factor);
      // The product is rounded before it is combined; slopes are those of x3 and, of gelu, 1.13.
      const double slope = std::max(1.13, std::fabs(factor));
      // FLOAT that may be rounded has 16 bits in matrix registers (docs/numerics.md).
      const double kept = type == ACL_FLOAT && c.cube == 3 ? 0x1p-16 * slope * terms : 0;
      const double doubt = static_cast<double>(2 * depth + 8) * 0x1p-24 * (terms + 2) * 3 +
                           slope * 1.01 * HalfUnitOf(type, sum) + kept;
      ASSERT_NEAR(result, expected, doubt + 1.01 * HalfUnitOf(type, expected));
      for (size_t i = rank; i-- > 0 && ++index[i] == c.out[i];) index[i] = 0;
    }
  }
};

TEST_F(FusedMatmulTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (Lie lie : {Lie::kRows, Lie::kColumns, Lie::kGaps}) {
      for (const char* fusion : {"", "add", "mul", "relu", "gelu_erf", "gelu_tanh", "16cast32"}) {
        // The document has the others for 16 bits alone.
        if (type == ACL_FLOAT && (fusion[0] == 'g' || fusion[0] == '1')) continue;
        Fused c = {
            .left_type = type, .right_type = type, .bias_type = type, .fusion = fusion, .lie = lie};
        c.bias = fusion[0] != 'g';
        Check(c);
        c.bias = false;
        Check(c);
        c.cube = 4;
        Check(c);
        c.cube = type == ACL_FLOAT ? 3 : 1;
        Check(c);
      }
    }
    Check({.left_type = type, .right_type = type, .fusion = "relu", .wide_bias = true});
    Check({.left_type = type, .right_type = ACL_FLOAT, .fusion = "add"});
    Check({.left = {2, 1, 3, 4, 5, 6},
           .right = {2, 3, 1, 6, 7},
           .out = {2, 2, 3, 4, 5, 7},
           .left_type = type,
           .right_type = type,
           .fusion = "relu"});
    for (const char* fusion : {"add", "mul"}) {
      for (const Shape& x3 : {Shape{3, 5, 9}, Shape{1, 5, 9}, Shape{5, 9}}) {
        Check({.left = {3, 5, 7},
               .right = {3, 7, 9},
               .x3 = x3,
               .out = {3, 5, 9},
               .left_type = type,
               .right_type = type,
               .fusion = fusion});
      }
    }
    Check({.left = {65, 300},
           .right = {300, 70},
           .x3 = {65, 70},
           .out = {65, 70},
           .left_type = type,
           .right_type = type,
           .fusion = "add"});
    Check({.left = {5, 0},
           .right = {0, 9},
           .left_type = type,
           .right_type = type,
           .fusion = "relu",
           .bias = false});
    Check({.left = {0, 7}, .out = {0, 9}, .left_type = type, .right_type = type});
  }
}

// A product that FLOAT16 does not hold comes back before it is rounded, or does not.
TEST_F(FusedMatmulTest, TheProductIsRoundedFirstButForCubeMathType4) {
  const auto tensor = [](const Shape& dims, const std::vector<double>& values) {
    Tensor made({.dims = dims, .dtype = ACL_FLOAT16});
    WriteAs(made, values);
    return made;
  };
  const Tensor x1 = tensor({1, 2}, {300, 1}), x2 = tensor({2, 1}, {300, 0});
  const Tensor x3 = tensor({1, 1}, {-60000}), half = tensor({1, 1}, {0.5});
  const Tensor bias = tensor({1}, {-60000}), y = tensor({1, 1}, {0});
  const auto run = [&](const char* fusion, int8_t cube, const Tensor* b, const Tensor* other) {
    RunTwoPhase(CallOf({.fusion = fusion, .cube = cube}, x1, x2, b, other, y), aclnnFusedMatmul);
    return ReadAs(y)[0];
  };
  EXPECT_EQ(run("add", 4, nullptr, &x3), 30000);
  EXPECT_EQ(run("add", 0, nullptr, &x3), INFINITY);
  EXPECT_EQ(run("mul", 4, nullptr, &half), 44992);  // next to 45000
  EXPECT_EQ(run("mul", 1, nullptr, &half), INFINITY);
  EXPECT_EQ(run("relu", 4, nullptr, nullptr), INFINITY);
  // A bias belongs to the product.
  EXPECT_EQ(run("", 0, &bias, nullptr), 30000);
  EXPECT_EQ(run("mul", 0, &bias, &half), 15000);
  EXPECT_EQ(run("mul", 4, &bias, &half), 15000);
}

TEST_F(FusedMatmulTest, TheResultMayLieWhereX3Does) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    Operand x1({33, 40}, type, Lie::kRows), x2({40, 50}, type, Lie::kRows);
    Operand x3({33, 50}, type, Lie::kRows), y({33, 50}, type, Lie::kRows);
    for (Operand* operand : {&x1, &x2, &x3}) operand->Fill(random());
    for (const char* fusion : {"add", "mul"}) {
      for (int8_t cube : {0, 4}) {
        SCOPED_TRACE(::testing::Message() << fusion << " " << type << " " << int{cube});
        const auto run = [&](const Tensor& other) {
          RunTwoPhase(CallOf({.fusion = fusion, .cube = cube}, x1.tensor, x2.tensor, nullptr,
                             &other, y.tensor),
                      aclnnFusedMatmul);
          return ReadAs(y.tensor);
        };
        const std::vector<double> expected = run(x3.tensor);
        WriteAs(y.tensor, ReadAs(x3.tensor));
        EXPECT_EQ(run(y.tensor), expected);
      }
    }
  }
}

TEST_F(FusedMatmulTest, RefusesWhatDoesNotFit) {
  const auto made = [](const Shape& dims, aclDataType type = ACL_FLOAT16) {
    return Tensor({.dims = dims, .dtype = type});
  };
  const Tensor x1 = made({5, 7}), x2 = made({7, 9}), y = made({5, 9}),
               y32 = made({5, 9}, ACL_FLOAT);
  const Tensor bias = made({9}), short_bias = made({8}), x3 = made({5, 9}), x3_short = made({4, 9});
  const Tensor bf16 = made({7, 9}, ACL_BF16), batch = made({2, 5, 7}), batch_y = made({2, 5, 9});
  const Tensor three = made({3, 7, 9}), deep = made({8, 9}), left_bf16 = made({5, 7}, ACL_BF16);
  const Tensor y_bf16 = made({5, 9}, ACL_BF16), x3_32 = made({5, 9}, ACL_FLOAT);
  const auto refused = [&](const Fused& c, const Tensor& left, const Tensor& right, const Tensor* b,
                           const Tensor* other, const Tensor& to, int code,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(CallOf(c, left, right, b, other, to), code, words);
  };
  constexpr int kNull = ACLNN_ERR_PARAM_NULLPTR, kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused({.fusion = "sub"}, x1, x2, nullptr, nullptr, y, kInvalid, {"fusedOpType", "sub"});
  refused({.fusion = nullptr}, x1, x2, nullptr, nullptr, y, kInvalid, {"fusedOpType"});
  refused({.fusion = "add"}, x1, x2, nullptr, nullptr, y, kNull, {"x3", "add"});
  refused({.fusion = "gelu_erf"}, x1, x2, &bias, nullptr, y, kNull, {"bias", "gelu_erf"});
  refused({.fusion = "relu"}, x1, x2, nullptr, &x3, y, kInvalid, {"x3", "relu"});
  refused({.cube = 5}, x1, x2, nullptr, nullptr, y, kInvalid, {"cubeMathType is 5"});
  refused({.cube = 3}, x1, x2, nullptr, nullptr, y, kInvalid, {"cubeMathType = 3", "FLOAT16"});
  refused({.cube = 2}, left_bf16, bf16, nullptr, nullptr, y_bf16, kInvalid,
          {"cubeMathType = 2", "BF16"});
  refused({}, x1, bf16, nullptr, nullptr, y, kInvalid, {"x2.dtype = BF16", "FLOAT16"});
  refused({}, x1, x2, nullptr, nullptr, y32, kInvalid, {"y.dtype = FLOAT", "FLOAT16"});
  refused({.fusion = "16cast32"}, x1, x2, nullptr, nullptr, y, kInvalid, {"y.dtype = FLOAT16"});
  refused({.fusion = "add"}, x1, x2, nullptr, &x3_32, y, kInvalid, {"x3.dtype = FLOAT"});
  refused({.fusion = "gelu_erf"}, batch, x2, nullptr, nullptr, batch_y, kInvalid,
          {"x1.shape", "rank 2"});
  refused({}, x1, deep, nullptr, nullptr, y, kInvalid, {"x2.shape = [8, 9]", "7 rows"});
  refused({}, batch, three, nullptr, nullptr, batch_y, kInvalid, {"x2.shape", "broadcast"});
  refused({}, batch, x2, nullptr, nullptr, y, kInvalid, {"y.shape = [5, 9]", "[2, 5, 9]"});
  refused({}, x1, x2, &short_bias, nullptr, y, kInvalid, {"bias.shape = [8]", "[9]"});
  refused({.fusion = "mul"}, x1, x2, nullptr, &x3_short, y, kInvalid, {"x3.shape = [4, 9]"});
  const Tensor l32 = made({5, 7}, ACL_FLOAT), r32 = made({7, 9}, ACL_FLOAT);
  for (const char* fusion : {"gelu_erf", "gelu_tanh", "16cast32"}) {
    refused({.fusion = fusion}, l32, r32, nullptr, nullptr, y32, kInvalid,
            {"x1.dtype = FLOAT", fusion});
  }
  const Tensor flat = made({5, 0}), none = made({0, 9});
  refused({}, flat, none, &bias, nullptr, y, kInvalid, {"x1.shape = [5, 0]", "bias"});
  // What would broadcast, and the document has not.
  const Tensor x3_row = made({1, 9}), x3_deep = made({1, 5, 9});
  refused({.fusion = "mul"}, x1, x2, nullptr, &x3_row, y, kInvalid, {"x3.shape = [1, 9]"});
  refused({.fusion = "mul"}, x1, x2, nullptr, &x3_deep, y, kInvalid, {"x3.shape = [1, 5, 9]"});
}

}  // namespace
}  // namespace anyacl::test
