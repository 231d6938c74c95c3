// SPDX-License-Identifier: Apache-2.0
// Whether a number is among the elements of a tensor, against a search of them: types, layouts,
// numbers that are nowhere.
#include <algorithm>
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_isin.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

class IsInTest : public DeviceTest {
 protected:
  template <class Number>
  bool Run(Number number, aclDataType type, const Tensor& elements, bool invert) {
    const aclScalar* scalar = aclCreateScalar(&number, type);
    Tensor out({.dims = {}, .dtype = ACL_BOOL});
    WriteAs(out, {invert ? 0.0 : 1.0});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnIsInScalarTensorGetWorkspaceSize(scalar, elements.handle(), false, invert,
                                                       out.handle(), s, e);
        },
        aclnnIsInScalarTensor);
    aclDestroyScalar(scalar);
    EXPECT_TRUE(out.GuardsIntact());
    return ReadAs(out)[0] != 0;
  }
  template <class Number>
  void Expect(Number number, aclDataType type, const Tensor& elements, bool expected) {
    EXPECT_EQ(Run(number, type, elements, false), expected) << "number of type " << type;
    EXPECT_EQ(Run(number, type, elements, true), !expected) << "number of type " << type;
  }
};

TEST_F(IsInTest, NumbersOfEveryType) {
  for (aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64,
        ACL_UINT8, ACL_UINT16, ACL_COMPLEX64, ACL_COMPLEX128}) {
    SCOPED_TRACE(::testing::Message() << "elements of type " << type);
    for (const Layout& layout :
         {Layout{.dims = {3, 700}, .dtype = type},
          Layout{.dims = {3, 700}, .dtype = type, .strides = {1, 5}, .offset = 2}}) {
      Tensor elements(layout);
      std::vector<double> values;
      for (int64_t i = 0; i < elements.count(); ++i) {
        values.push_back(static_cast<double>(random().Int(0, 99)));
      }
      std::replace(values.begin(), values.end(), 50.0, 51.0);
      values.back() = 101;
      if (type == ACL_COMPLEX64 || type == ACL_COMPLEX128) {
        WriteComplex(elements, {values.begin(), values.end()});
      } else {
        WriteAs(elements, values);
      }
      for (double number : {7.0, 50.0, 101.0, 7.5}) {
        const bool found = std::find(values.begin(), values.end(), number) != values.end();
        Expect(number, ACL_DOUBLE, elements, found);
        Expect(static_cast<float>(number), ACL_FLOAT, elements, found);
        if (number == 7.5) continue;
        Expect(static_cast<int64_t>(number), ACL_INT64, elements, found);
      }
    }
  }
}

TEST_F(IsInTest, NumbersThatNothingEquals) {
  Tensor elements({.dims = {3}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  WriteAs(elements, {nan, INFINITY, -0.0});
  Expect(nan, ACL_DOUBLE, elements, false);
  Expect(static_cast<double>(INFINITY), ACL_DOUBLE, elements, true);
  Expect(0.0, ACL_DOUBLE, elements, true);
  Expect(int64_t{0}, ACL_INT64, Tensor({.dims = {0}}), false);
  Tensor one({.dims = {}, .dtype = ACL_INT64});
  WriteAs(one, {4});
  Expect(int64_t{4}, ACL_INT64, one, true);
  Expect(int64_t{5}, ACL_INT64, one, false);
}

TEST_F(IsInTest, RefusesWhatDoesNotFit) {
  double number = 1;
  const aclScalar* scalar = aclCreateScalar(&number, ACL_DOUBLE);
  const auto refused = [&](const Layout& elements, const Layout& out,
                           std::initializer_list<std::string_view> words) {
    const Tensor in(elements), to(out);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnIsInScalarTensorGetWorkspaceSize(scalar, in.handle(), false, false,
                                                       to.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({.dims = {2}}, {.dims = {2}, .dtype = ACL_BOOL}, {"out.shape = [2]"});
  refused({.dims = {2}}, {.dims = {}, .dtype = ACL_INT8}, {"out.dtype = INT8"});
  refused({.dims = {2}, .dtype = ACL_UINT32}, {.dims = {}, .dtype = ACL_BOOL},
          {"testElements.dtype = UINT32"});
  aclDestroyScalar(scalar);
}

}  // namespace
}  // namespace anyacl::test
