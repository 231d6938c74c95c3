// SPDX-License-Identifier: Apache-2.0
// Places of a single number in a sequence, by comparison with each of its elements.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_searchsorted.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

class SearchTest : public DeviceTest {
 protected:
  struct Options {
    bool int32 = false, right = false;
    const Tensor* sorter = nullptr;
  };
  template <class T>
  static Phase1 Call(const Tensor& sequence, const T& number, aclDataType type, const Options& o,
                     const Tensor& out) {
    return [&, type, o](uint64_t* size, aclOpExecutor** executor) {
      T value = number;
      aclScalar* const scalar = aclCreateScalar(&value, type);
      const aclnnStatus status = aclnnSearchSortedsGetWorkspaceSize(
          sequence.handle(), scalar, o.int32, o.right, o.sorter ? o.sorter->handle() : nullptr,
          out.handle(), size, executor);
      aclDestroyScalar(scalar);
      return status;
    };
  }
};

TEST_F(SearchTest, PlacesOfANumber) {
  for (aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT64, ACL_INT8, ACL_UINT8}) {
    for (int64_t length : {0, 1, 2, 9, 300}) {
      std::vector<double> ordered, given;
      for (int64_t i = 0; i < length; ++i) ordered.push_back(static_cast<double>(i / 6 * 2));
      std::vector<int64_t> order(static_cast<size_t>(length));
      for (size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int64_t>(i * 7 % order.size());
      // Elements lie where the sorter finds them: 7 and the lengths have no common divisor.
      given.resize(ordered.size());
      for (size_t i = 0; i < order.size(); ++i) given[static_cast<size_t>(order[i])] = ordered[i];
      Tensor dense({.dims = {length}, .dtype = type}),
          gaps({.dims = {length}, .dtype = type, .strides = {3}}),
          sorter({.dims = {length}, .dtype = ACL_INT64, .strides = {2}});
      WriteAs(dense, ordered);
      WriteAs(gaps, given);
      sorter.Write(order);
      for (double number : {-1.0, 0.0, 1.0, 2.0, 2.5, 7.0, 97.0, 98.0, 99.0}) {
        for (bool right : {false, true}) {
          for (bool sorts : {false, true}) {
            SCOPED_TRACE(::testing::Message() << "type " << type << " length " << length << " of "
                                              << number << " right " << right << sorts);
            const Tensor out({.dims = sorts ? std::vector<int64_t>{1} : std::vector<int64_t>{},
                              .dtype = sorts ? ACL_INT32 : ACL_INT64});
            RunTwoPhase(Call(sorts ? gaps : dense, number, ACL_DOUBLE,
                             {sorts, right, sorts ? &sorter : nullptr}, out),
                        aclnnSearchSorteds);
            double place = 0;
            for (double x : ordered)
              place += AsHeld(type, x) < number || (right && AsHeld(type, x) == number);
            ASSERT_EQ(ReadAs(out)[0], place);
          }
        }
      }
    }
  }
}

// The number becomes the sequence's type: 0.1 is found in fp32. Large integers are compared
// exactly.
TEST_F(SearchTest, TypesOfTheNumber) {
  Tensor tenths({.dims = {3}});
  WriteAs(tenths, {0.0, static_cast<double>(0.1f), 0.2});
  const Tensor out({.dims = {1}, .dtype = ACL_INT64});
  RunTwoPhase(Call(tenths, 0.1, ACL_DOUBLE, {}, out), aclnnSearchSorteds);
  EXPECT_EQ(ReadAs(out)[0], 1);
  const int64_t large = (int64_t{1} << 62) + 1;
  Tensor integers({.dims = {3}, .dtype = ACL_INT64});
  integers.Write(std::vector<int64_t>{large - 1, large, large + 1});
  RunTwoPhase(Call(integers, large, ACL_INT64, {}, out), aclnnSearchSorteds);
  EXPECT_EQ(ReadAs(out)[0], 1);
}

TEST_F(SearchTest, WhatDoesNotFitIsRefused) {
  const Tensor x({.dims = {4}}), matrix({.dims = {2, 2}}), out({.dims = {1}, .dtype = ACL_INT64}),
      two({.dims = {2}, .dtype = ACL_INT64}), half({.dims = {1}, .dtype = ACL_INT32}),
      sorter({.dims = {3}, .dtype = ACL_INT64});
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(Call(matrix, 1.0, ACL_DOUBLE, {}, out), code, {"sortedSequence.shape", "rank 2"});
  ExpectRefused(Call(x, 1.0, ACL_DOUBLE, {}, half), code, {"out.dtype = INT32", "INT64"});
  ExpectRefused(Call(x, 1.0, ACL_DOUBLE, {}, two), code, {"out.shape = [2]", "one element"});
  ExpectRefused(Call(x, 1.0, ACL_DOUBLE, {.sorter = &sorter}, out), code, {"sorter.shape", "3"});
}

}  // namespace
}  // namespace anyacl::test
