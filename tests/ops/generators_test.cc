// SPDX-License-Identifier: Apache-2.0
// Arange, Linspace, LogSpace and Eye against the documents' formulas.
#include <algorithm>
#include <cmath>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_eye.h"
#include "aclnnop/aclnn_linspace.h"
#include "aclnnop/aclnn_logspace.h"
#include "aclnnop/aclnn_range.h"
#include "ops/movement_case.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

class GeneratorsTest : public DeviceTest {
 protected:
  struct Number {
    double real;
    aclDataType type;
  };

  static aclScalar* ScalarOf(Number number) {
    auto real = static_cast<float>(number.real);
    // No integer is a number that is none, or infinite.
    int64_t whole = std::isfinite(number.real) ? static_cast<int64_t>(number.real) : 0;
    bool yes = number.real != 0;
    return number.type == ACL_DOUBLE  ? aclCreateScalar(&number.real, ACL_DOUBLE)
           : number.type == ACL_FLOAT ? aclCreateScalar(&real, ACL_FLOAT)
           : number.type == ACL_BOOL  ? aclCreateScalar(&yes, ACL_BOOL)
                                      : aclCreateScalar(&whole, ACL_INT64);
  }
  static Phase1 Arange(Number start, Number end, Number step, const Tensor& out) {
    return [=, &out](uint64_t* size, aclOpExecutor** executor) {
      aclScalar* scalars[] = {ScalarOf(start), ScalarOf(end), ScalarOf(step)};
      const aclnnStatus code = aclnnArangeGetWorkspaceSize(scalars[0], scalars[1], scalars[2],
                                                           out.handle(), size, executor);
      for (aclScalar* scalar : scalars) aclDestroyScalar(scalar);
      return code;
    };
  }
};

template <class T, class Expected>
void CheckAll(const Tensor& out, const Expected& expected) {
  const std::vector<T> actual = out.Read<T>();
  for (size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i], expected(static_cast<int64_t>(i))) << "element " << i;
  }
  EXPECT_TRUE(out.GuardsIntact());
}

TEST_F(GeneratorsTest, ArangeOfRealNumbers) {
  for (int64_t count : {1, 7, 5000}) {
    for (Lie lie : kOutputLies) {
      // The second pair is exact in fp32, so that the results of 16 bits are rounded once here too.
      for (const auto& [start, step] : {std::pair{-3.7, 0.1}, std::pair{-3.75, 0.125}}) {
        const Number from{start, ACL_DOUBLE}, by{step, ACL_DOUBLE};
        const Number to{start + step * static_cast<double>(count), ACL_DOUBLE};
        const auto value = [start = start, step = step](int64_t i) {
          return start + static_cast<double>(i) * step;
        };
        Tensor fp64(Lying({count}, ACL_DOUBLE, lie)), fp32(Lying({count}, ACL_FLOAT, lie));
        Tensor fp16(Lying({count}, ACL_FLOAT16, lie)), bf16(Lying({count}, ACL_BF16, lie));
        for (const Tensor* out : {&fp64, &fp32, &fp16, &bf16}) {
          RunTwoPhase(Arange(from, to, by, *out), aclnnArange);
        }
        const auto rounded = [&](int64_t i) { return static_cast<float>(value(i)); };
        CheckAll<double>(fp64, value);
        CheckAll<float>(fp32, rounded);
        if (step != 0.125) continue;
        CheckAll<uint16_t>(fp16, [&](int64_t i) { return EncodeFp16(rounded(i)); });
        CheckAll<uint16_t>(bf16, [&](int64_t i) { return EncodeBf16(rounded(i)); });
      }
    }
  }
}

// In row-major order, whatever the dimensions.
TEST_F(GeneratorsTest, ArangeOverSeveralDimensions) {
  for (const std::vector<int64_t>& strides :
       {std::vector<int64_t>{}, {6000, 2000, 1, 3}, {1, 1, 3, 9}}) {
    Tensor real({.dims = {1, 3, 3, 500}, .strides = strides}),
        whole({.dims = {2, 3, 3, 500}, .dtype = ACL_INT32});
    RunTwoPhase(Arange({0.5, ACL_FLOAT}, {4500.5, ACL_FLOAT}, {1, ACL_FLOAT}, real), aclnnArange);
    CheckAll<float>(real, [](int64_t i) { return 0.5f + static_cast<float>(i); });
    RunTwoPhase(Arange({0, ACL_FLOAT}, {9000, ACL_FLOAT}, {1, ACL_FLOAT}, whole), aclnnArange);
    CheckAll<int32_t>(whole, [](int64_t i) { return static_cast<int32_t>(i); });
  }
}

TEST_F(GeneratorsTest, ArangeOfIntegers) {
  for (Lie lie : kOutputLies) {
    Tensor wide(Lying({5000}, ACL_INT64, lie)), narrow(Lying({5000}, ACL_INT32, lie));
    const int64_t start = int64_t{1} << 40;
    RunTwoPhase(Arange({static_cast<double>(start), ACL_INT64},
                       {static_cast<double>(start) - 15000, ACL_INT64}, {-3, ACL_INT64}, wide),
                aclnnArange);
    CheckAll<int64_t>(wide, [&](int64_t i) { return start - 3 * i; });
    RunTwoPhase(Arange({2.9, ACL_DOUBLE}, {5002, ACL_FLOAT}, {1, ACL_BOOL}, narrow), aclnnArange);
    CheckAll<int32_t>(narrow, [&](int64_t i) { return static_cast<int32_t>(2 + i); });
  }
}

// With its end where a step meets it.
TEST_F(GeneratorsTest, Range) {
  const auto range = [](Number start, Number end, Number step, const Tensor& out) -> Phase1 {
    return [=, &out](uint64_t* size, aclOpExecutor** executor) {
      aclScalar* scalars[] = {ScalarOf(start), ScalarOf(end), ScalarOf(step)};
      const aclnnStatus code = aclnnRangeGetWorkspaceSize(scalars[0], scalars[1], scalars[2],
                                                          out.handle(), size, executor);
      for (aclScalar* scalar : scalars) aclDestroyScalar(scalar);
      return code;
    };
  };
  Tensor real({.dims = {5}}), whole({.dims = {4}, .dtype = ACL_INT64}), one({.dims = {1}});
  RunTwoPhase(range({1, ACL_FLOAT}, {3, ACL_FLOAT}, {0.5, ACL_FLOAT}, real), aclnnRange);
  CheckAll<float>(real, [](int64_t i) { return 1 + 0.5f * static_cast<float>(i); });
  RunTwoPhase(range({9, ACL_INT64}, {2, ACL_INT64}, {-2, ACL_INT64}, whole), aclnnRange);
  CheckAll<int64_t>(whole, [](int64_t i) { return 9 - 2 * i; });
  RunTwoPhase(range({7, ACL_INT64}, {7, ACL_INT64}, {1, ACL_INT64}, one), aclnnRange);
  CheckAll<float>(one, [](int64_t) { return 7.0f; });
  ExpectRefused(range({0, ACL_FLOAT}, {4, ACL_FLOAT}, {0, ACL_FLOAT}, real),
                ACLNN_ERR_PARAM_INVALID, {"step = 0"});
}

TEST_F(GeneratorsTest, ArangeOfNothing) {
  Tensor out({.dims = {0}, .dtype = ACL_INT64});
  RunTwoPhase(Arange({4, ACL_INT64}, {4, ACL_INT64}, {1, ACL_INT64}, out), aclnnArange);
}

TEST_F(GeneratorsTest, ArangeRefusesAStepThatDoesNotLeadToTheEnd) {
  Tensor out({.dims = {4}, .dtype = ACL_FLOAT}), whole({.dims = {4}, .dtype = ACL_INT64});
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(Arange({0, ACL_FLOAT}, {4, ACL_FLOAT}, {0, ACL_FLOAT}, out), kInvalid,
                {"step", "0"});
  ExpectRefused(Arange({0, ACL_FLOAT}, {4, ACL_FLOAT}, {-1, ACL_FLOAT}, out), kInvalid,
                {"step", "-1"});
  ExpectRefused(Arange({4, ACL_FLOAT}, {0, ACL_FLOAT}, {1, ACL_FLOAT}, out), kInvalid,
                {"start", "4"});
  ExpectRefused(Arange({0, ACL_FLOAT}, {4, ACL_FLOAT}, {NAN, ACL_FLOAT}, out), kInvalid,
                {"step", "nan"});
  ExpectRefused(Arange({0, ACL_FLOAT}, {4, ACL_FLOAT}, {0.5, ACL_FLOAT}, whole), kInvalid,
                {"step", "0"});
}

TEST_F(GeneratorsTest, Linspace) {
  for (int64_t count : {1, 2, 7, 5000}) {
    for (Lie lie : kOutputLies) {
      const double start = -3.5, end = 1250, step = (end - start) / static_cast<double>(count - 1);
      Tensor fp64(Lying({count}, ACL_DOUBLE, lie)), whole(Lying({count}, ACL_INT32, lie));
      for (const Tensor* out : {&fp64, &whole}) {
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              aclScalar* scalars[] = {ScalarOf({start, ACL_DOUBLE}), ScalarOf({end, ACL_DOUBLE})};
              const aclnnStatus code = aclnnLinspaceGetWorkspaceSize(scalars[0], scalars[1], count,
                                                                     out->handle(), size, executor);
              for (aclScalar* scalar : scalars) aclDestroyScalar(scalar);
              return code;
            },
            aclnnLinspace);
      }
      const std::vector<double> actual = fp64.Read<double>();
      const std::vector<int32_t> rounded = whole.Read<int32_t>();
      for (int64_t i = 0; i < count; ++i) {
        const double exact = count == 1 ? start : start + static_cast<double>(i) * step;
        ASSERT_NEAR(actual[static_cast<size_t>(i)], exact, 1e-12 * 1250);
        // From -3, which start becomes.
        const int64_t parts = std::max<int64_t>(count - 1, 1);
        ASSERT_EQ(rounded[static_cast<size_t>(i)], (-3 * parts + i * 1253) / parts);
      }
      EXPECT_EQ(actual.front(), start);
      if (count > 1) {
        EXPECT_EQ(actual.back(), end);
      }
      EXPECT_TRUE(fp64.GuardsIntact());
    }
  }
}

TEST_F(GeneratorsTest, LogSpace) {
  for (int64_t count : {0, 1, 2, 7, 5000}) {
    for (const auto& [start, end] : {std::pair{-2.5, 3.25}, std::pair{3.0, -4.0}}) {
      for (double base : {10.0, 2.0, 0.5}) {
        for (Lie lie : kOutputLies) {
          Tensor fp32(Lying({count}, ACL_FLOAT, lie)), bf16(Lying({count}, ACL_BF16, lie));
          Tensor fp16(Lying({count}, ACL_FLOAT16, lie));
          for (const Tensor* out : {&fp32, &bf16, &fp16}) {
            RunTwoPhase(
                [&, start = start, end = end](uint64_t* size, aclOpExecutor** executor) {
                  aclScalar* scalars[] = {ScalarOf({start, ACL_DOUBLE}),
                                          ScalarOf({end, ACL_FLOAT})};
                  const aclnnStatus code = aclnnLogSpaceGetWorkspaceSize(
                      scalars[0], scalars[1], count, base, out->handle(), size, executor);
                  for (aclScalar* scalar : scalars) aclDestroyScalar(scalar);
                  return code;
                },
                aclnnLogSpace);
            const std::vector<double> actual = ReadAs(*out);
            // Half a unit of the last place, at the most.
            const double share = out == &fp32 ? 6e-8 : out == &bf16 ? 0x1p-8 : 0x1p-11;
            for (int64_t i = 0; i < count; ++i) {
              const auto parts = static_cast<double>(std::max<int64_t>(count - 1, 1));
              const double exact =
                  std::pow(base, start + static_cast<double>(i) * ((end - start) / parts));
              ASSERT_NEAR(actual[static_cast<size_t>(i)], exact, share * exact) << "element " << i;
            }
            EXPECT_TRUE(out->GuardsIntact());
          }
        }
      }
    }
  }
  const Tensor out({.dims = {5}});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        aclScalar* const end = ScalarOf({1, ACL_FLOAT});
        const aclnnStatus code =
            aclnnLogSpaceGetWorkspaceSize(nullptr, end, 5, 10, out.handle(), size, executor);
        aclDestroyScalar(end);
        return code;
      },
      ACLNN_ERR_INNER_NULLPTR, {"start"});
}

TEST_F(GeneratorsTest, Eye) {
  const Shape shapes[] = {{1, 1}, {3, 5}, {5, 3}, {0, 4}, {4, 0}, {1, 6}, {300, 257}};
  for (const Shape& shape : shapes) {
    for (Lie lie : kOutputLies) {
      Tensor fp16(Lying(shape, ACL_FLOAT16, lie)), bf16(Lying(shape, ACL_BF16, lie));
      Tensor fp32(Lying(shape, ACL_FLOAT, lie)), yes(Lying(shape, ACL_BOOL, lie));
      Tensor whole(Lying(shape, ACL_INT64, lie));
      for (const Tensor* out : {&fp16, &bf16, &fp32, &yes, &whole}) {
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnEyeGetWorkspaceSize(shape[0], shape[1], out->handle(), size, executor);
            },
            aclnnEye);
      }
      const auto on = [&](int64_t k) { return k / shape[1] == k % shape[1]; };
      CheckAll<uint16_t>(fp16, [&](int64_t k) { return on(k) ? 0x3C00 : 0; });
      CheckAll<uint16_t>(bf16, [&](int64_t k) { return on(k) ? 0x3F80 : 0; });
      CheckAll<float>(fp32, [&](int64_t k) { return on(k) ? 1.0f : 0.0f; });
      CheckAll<uint8_t>(yes, [&](int64_t k) { return on(k) ? 1 : 0; });
      CheckAll<int64_t>(whole, [&](int64_t k) { return on(k) ? 1 : 0; });
    }
  }
}

}  // namespace
}  // namespace anyacl::test
